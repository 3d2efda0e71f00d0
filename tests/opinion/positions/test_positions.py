"""A position by itself: read, shown, asked about once, and never of a match that is being played."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.utils import timezone

from engine.formats import ids, xgid
from engine.side import Side
from engine.situation import Situation
from matches.state.commands import Concede
from opinion.analyses import availability
from opinion.errors import GameOver, ImpossiblePosition, UnknownPosition
from opinion.judging import positions as judging
from opinion.judging.oracle import NoOracle, OracleFailed
from opinion.models import AskedPosition, Progress
from opinion.positions import evaluation_requests, positions
from opinion.positions.positions import IN_PLAY, parse_position, to_address
from players.models import User
from tests import prepared
from tests.matches.journal.test_positions_in_play import in_the_middle
from tests.matches.support import PASSWORD, Table, club_terms, person
from tests.opinion.fakes import PipOracle

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper

pytestmark = [pytest.mark.django_db, pytest.mark.page]

PLAY = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:1:0:7:10"
CUBE = "XGID=-a-B--CBB--AeC---c-dbA-A--:0:0:-1:00:3:4:0:7:10"
TAKE = "XGID=-a-B--CBB--AeC---c-dbA-A--:0:0:1:D:3:4:0:7:10"
CRAWFORD = "XGID=-a-B--CBB--AeC---c-dbA-A--:0:0:1:00:3:6:1:7:10"


@pytest.fixture
def asker(db: None, now: datetime) -> User:
    return person("Carol", now)


def where(text: str) -> str:
    return f"/position/{to_address(parse_position(text))}/"


def shown(client: Client, text: str, **more: Any) -> str:
    answer = client.get(where(text), more)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def answered(text: str, asker: User, now: datetime) -> AskedPosition:
    evaluation_requests.queue_evaluation(user=asker, situation=parse_position(text), now=now)
    assert evaluation_requests.sweep(now=now) == 1
    return AskedPosition.objects.get(position=judging.compute_key(parse_position(text)))


# -- what is read ---------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [PLAY, CUBE, TAKE, CRAWFORD])
def test_a_position_is_read_in_each_way_of_writing_it(text: str) -> None:
    found = parse_position(text)
    assert xgid.encode(found) == text
    assert parse_position(text.removeprefix("XGID=")) == found
    assert parse_position(f"My position:\n{text}\n") == found
    assert positions.read_address(to_address(found)) == found
    assert parse_position(ids.encode_gnubg(found)) == found


def test_gnu_backgammons_two_lines_are_read() -> None:
    position, match = ids.encode_gnubg(parse_position(PLAY)).split(":")
    assert parse_position(f"  Position ID: {position}\n  Match ID   : {match}") == parse_position(PLAY)
    assert parse_position(position).dice is None


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("a nice position", UnknownPosition),
        ("", UnknownPosition),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:77:2:1:0:7:10", UnknownPosition),
        ("XGID=-p----E-C---eE---c-e----B-:0:0:1:31:2:1:0:7:10", ImpossiblePosition),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:9:1:0:7:10", ImpossiblePosition),
        ("XGID=-b----E-C---eE---c-e----B-:60:0:1:31:2:1:0:7:10", ImpossiblePosition),
        ("XGID=------a------e---c-e------:0:0:1:31:2:1:0:7:10", GameOver),
    ],
)
def test_what_is_none_is_refused_with_a_sentence_and_a_code(
    client: Client, text: str, refusal: type[Exception]
) -> None:
    with pytest.raises(refusal) as refused:
        parse_position(text)
    if text:
        page = client.get("/position/", {"position": text})
        assert page.status_code == 400
        assert str(refused.value) in page.content.decode()
        assert f'data-code="{refused.value.code}"' in page.content.decode()  # type: ignore[attr-defined]
    told = client.get("/api/v1/positions/", {"position": text})
    assert (told.status_code, told.json()["code"]) == (400, refused.value.code)  # type: ignore[attr-defined]
    assert told.json()["title"] == str(refused.value)
    assert told.json()["help"]


def test_a_link_that_names_no_position_is_not_found(client: Client) -> None:
    assert client.get("/position/nothing/").status_code == 404


def test_pasting_leads_to_one_address_however_it_was_written(client: Client) -> None:
    for text in (PLAY, ids.encode_gnubg(parse_position(PLAY))):
        assert client.get("/position/", {"position": text})["Location"] == where(PLAY)
    spelled = f"/position/{PLAY.removeprefix('XGID=')}/"
    assert client.get(spelled)["Location"] == where(PLAY)


# -- what is shown --------------------------------------------------------------------------------


def test_the_page_says_what_stands_there(client: Client, analysed_here: PipOracle) -> None:
    page = shown(client, PLAY)
    assert "Black to play 31" in page
    assert "White 1, Black 2, match to 7" in page
    assert '<dt>Legal plays</dt> <dd class="num">16</dd>' in page
    assert 'class="board"' in page
    assert "Sign in to ask the engine" in page
    assert "You cannot double in the Crawford game" in shown(client, CRAWFORD)
    assert "Black is offered the cube" not in shown(client, TAKE)
    assert "White is offered the cube at 2" in shown(client, TAKE)


def test_where_it_occurred_is_on_the_page(client: Client, played: Table, now: datetime) -> None:
    from records.archive import archiving

    archiving.sweep(now=played.now + timedelta(minutes=5))
    archiving.sweep(now=played.now + timedelta(minutes=6))
    found = shown(client, "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:1:10")
    assert "Where it occurred" in found
    assert f"/matches/{played.match.key}/" in found


def test_the_archive_and_a_replay_lead_to_it(client: Client, played: Table) -> None:
    start = "4HPwATDgc/ABMA"
    assert 'href="/position/"' in client.get("/archive/positions/").content.decode()
    found = client.get("/archive/positions/", {"position": start}).content.decode()
    assert f'href="{where(start)}"' in found
    replay = client.get(f"/matches/{played.match.key}/replay/").content.decode()
    first = replay[replay.index('id="xgid"') :].split('value="')[1].split('"')[0]
    assert f'href="{where(first)}"' in replay


# -- what an engine thinks ------------------------------------------------------------------------


def test_what_one_person_has_asked_everybody_may_read(
    client: Client, asker: User, now: datetime, analysed_here: PipOracle
) -> None:
    client.force_login(asker)
    assert "Ask the engine" in shown(client, PLAY)
    answer = client.post(f"{where(PLAY)}ask/")
    assert answer["Location"] == f"{where(PLAY)}?answer=1#opinion"
    waiting = shown(client, PLAY)
    assert "The engine is analysing it" in waiting
    assert 'hx-trigger="every 2s"' in waiting
    evaluation_requests.sweep(now=timezone.now())
    client.logout()
    page = shown(client, PLAY)
    assert "pips 1, " in page
    assert page.count('<th scope="row">') == 5
    assert 'hx-trigger="every 2s"' not in page[page.index('id="opinion"') :]
    # A link that is passed on asks first; the one who asked sees the answer.
    assert 'position__answer" >' in page
    assert 'position__answer" open>' in shown(client, PLAY, answer=1)


def test_the_same_position_is_computed_once_from_either_side(
    asker: User, now: datetime, analysed_here: PipOracle
) -> None:
    row = answered(PLAY, asker, now)
    asked = len(analysed_here.asked)
    assert [play[0] for play in row.plays]
    mirrored = judging.turn_situation(parse_position(PLAY))
    evaluation_requests.queue_evaluation(user=asker, situation=mirrored, now=now)
    assert evaluation_requests.sweep(now=now) == 0
    assert len(analysed_here.asked) == asked
    assert AskedPosition.objects.count() == 1
    found, other = positions.load_view(parse_position(PLAY)), positions.load_view(mirrored)
    assert found.answer == other.answer is not None


def test_another_version_answers_anew_and_the_old_answer_is_shown_until_then(
    asker: User, now: datetime, analysed_here: PipOracle, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered(PLAY, asker, now)
    monkeypatch.setattr(availability, "get_engine", lambda: ("pips", "2"))
    analysed_here.version = "2"
    evaluation_requests.queue_evaluation(user=asker, situation=parse_position(PLAY), now=now)
    assert positions.load_view(parse_position(PLAY)).answer.version == "1"  # type: ignore[union-attr]
    assert evaluation_requests.sweep(now=now) == 1
    assert positions.load_view(parse_position(PLAY)).answer.version == "2"  # type: ignore[union-attr]
    assert AskedPosition.objects.count() == 2


def test_the_cube_is_told_with_the_worth_of_each_choice(
    client: Client, asker: User, now: datetime, analysed_here: PipOracle
) -> None:
    row = answered(CUBE, asker, now)
    assert (row.plays, row.cube[3]) == ([], 3)
    told = client.get("/api/v1/positions/", {"position": CUBE}).json()
    assert told["question"] == "double"
    worth = told["answer"]["cube"]
    assert (worth["no_double"], worth["take"], worth["pass"]) == (row.cube[0], row.cube[1], 1.0)
    page = shown(client, CUBE, answer=1)
    assert "Double, take" in page
    assert f"{row.cube[1]:.3f}" in page
    answered(TAKE, asker, now)
    assert client.get("/api/v1/positions/", {"position": TAKE}).json()["question"] == "take"
    answered(CRAWFORD, asker, now)
    assert client.get("/api/v1/positions/", {"position": CRAWFORD}).json()["question"] == "roll"


def test_an_engine_that_fails_is_tried_again_then_given_up_and_may_be_asked_again(
    client: Client, asker: User, now: datetime, analysed_here: PipOracle, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_given: object) -> Any:
        raise OracleFailed("it said nothing")

    with monkeypatch.context() as broken:
        broken.setattr(analysed_here, "plays", fails)
        evaluation_requests.queue_evaluation(user=asker, situation=parse_position(PLAY), now=now)
        for minutes in (0, 10, 20):
            assert evaluation_requests.sweep(now=now + timedelta(minutes=minutes)) == 1
    assert AskedPosition.objects.get().progress == Progress.FAILED
    assert "The engine did not finish this position" in shown(client, PLAY)
    evaluation_requests.queue_evaluation(user=asker, situation=parse_position(PLAY), now=now)
    assert evaluation_requests.sweep(now=now) == 1
    assert AskedPosition.objects.get().progress == Progress.DONE


def test_without_an_engine_one_line_says_so_and_what_is_stored_stays(
    client: Client, asker: User, now: datetime, analysed_here: PipOracle, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered(CUBE, asker, now)
    monkeypatch.setattr(availability, "explain_absence", lambda: "no analysis on this machine")
    client.force_login(asker)
    assert "There is no analysis on this machine" in shown(client, PLAY)
    assert "pips 1, 3 ply" in shown(client, CUBE)
    told = client.post("/api/v1/positions/", {"position": PLAY}, content_type="application/json")
    assert (told.status_code, told.json()["code"]) == (409, "no-engine")
    assert evaluation_requests.sweep(now=now) == 0


def test_an_engine_that_does_not_start_is_tried_again_an_hour_later(
    asker: User, now: datetime, analysed_here: PipOracle
) -> None:
    def none() -> Any:
        raise NoOracle("it does not start")

    evaluation_requests.queue_evaluation(user=asker, situation=parse_position(PLAY), now=now)
    assert evaluation_requests.sweep(now=now, opening=none) == 0
    assert evaluation_requests.sweep(now=now + timedelta(minutes=59)) == 0
    assert evaluation_requests.sweep(now=now + timedelta(minutes=61)) == 1


def test_switched_off_the_page_does_not_speak_of_it(client: Client, settings: SettingsWrapper) -> None:
    settings.OPINION = False
    assert 'id="opinion"' not in shown(client, PLAY)


def test_beavers_are_not_judged(client: Client, asker: User, now: datetime, analysed_here: PipOracle) -> None:
    beaver = "XGID=-a-B--CBB--AeC---c-dbA-A--:0:0:1:B:0:0:2:0:10"
    evaluation_requests.queue_evaluation(user=asker, situation=parse_position(beaver), now=now)
    assert not AskedPosition.objects.exists()
    assert "cannot analyse positions of this kind" in shown(client, beaver)


def test_nobody_asks_more_than_a_worker_can_answer(
    client: Client, asker: User, now: datetime, analysed_here: PipOracle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        evaluation_requests, "PACE", evaluation_requests.attempts.RateLimit(free=1, first=60, most=60)
    )
    client.force_login(asker)
    sent = {"content_type": "application/json"}
    assert client.post("/api/v1/positions/", {"position": PLAY}, **sent).status_code == 202
    # What waits already is no new question.
    assert client.post("/api/v1/positions/", {"position": PLAY}, **sent).status_code == 202
    assert client.post("/api/v1/positions/", {"position": CUBE}, **sent).status_code == 202
    told = client.post("/api/v1/positions/", {"position": TAKE}, **sent)
    assert (told.status_code, told.json()["code"]) == (429, "too-many-questions")
    assert 0 < int(told["Retry-After"]) <= 60


def test_visitors_read_and_do_not_ask(client: Client, analysed_here: PipOracle) -> None:
    told = client.post("/api/v1/positions/", {"position": PLAY}, content_type="application/json")
    assert told.status_code == 401
    assert "/accounts/login/" in client.post(f"{where(PLAY)}ask/")["Location"]
    assert not AskedPosition.objects.exists()


# -- the hard rule --------------------------------------------------------------------------------


def asked_of(table: Table, *, dice: bool) -> list[str]:
    """The present position of a match with and without its dice, and as the other side sees it."""
    there = Situation.from_match(table.state.match)
    assert (there.dice is not None) is dice
    return [xgid.encode(judging.strip_names(each)) for each in (there, judging.turn_situation(there))]


@pytest.mark.long
@pytest.mark.share
@pytest.mark.parametrize("who", ["ann@example.org", "ben@example.org", "carol@example.org", None])
@pytest.mark.parametrize("dice", [True, False])
@pytest.mark.parametrize("is_rated", [True, False])
def test_of_a_match_that_is_being_played_nobody_is_told_anything(
    client: Client, now: datetime, analysed_here: PipOracle, who: str | None, dice: bool, is_rated: bool
) -> None:
    table = prepared.begin("a match in its middle", now, lambda: in_the_middle(now))
    person("Carol", now)
    type(table.match).objects.update(is_rated=is_rated)
    while (table.state.match.game.dice is not None) is not dice or table.state.match.game.turn is None:
        table.act()
    if who:
        assert client.login(email=who, password=PASSWORD)
    for text in asked_of(table, dice=dice):
        # Even what was answered before.
        AskedPosition.objects.get_or_create(
            position=judging.compute_key(parse_position(text)), engine="pips", version="1", level=3,
            defaults={"progress": Progress.DONE, "plays": [["8/5 6/5", 0.1, [0.5, 0, 0, 0, 0], 3]], "asked_at": now, "next_at": now},
        )  # fmt: skip
        for more in ({"answer": 1}, {"choice": "8/5 6/5"}, {}):
            page = shown(client, text, **more)
            assert "The engine answers once that match is over" in page
            assert "8/5 6/5" not in page
        assert "Where it occurred" not in page
        told = client.get("/api/v1/positions/", {"position": text}).json()
        assert (told["progress"], told["answer"]) == (IN_PLAY, None)
        posted = client.post("/api/v1/positions/", {"position": text}, content_type="application/json")
        if who:
            assert (posted.status_code, posted.json()["code"]) == (409, "position-in-play")
            assert (
                "once that match is over" in client.post(f"{where(text)}ask/", follow=True).content.decode()
            )
        else:
            assert posted.status_code == 401
    AskedPosition.objects.update(progress=Progress.WAITING)
    evaluation_requests.sweep(now=now)
    assert analysed_here.asked == []


def test_when_it_is_over_what_waited_is_answered(
    client: Client, now: datetime, asker: User, analysed_here: PipOracle
) -> None:
    table = Table(now, agreed=club_terms(1))
    table.begin()
    text = asked_of(table, dice=True)[0]
    waiting = {
        "position": judging.compute_key(parse_position(text)),
        "engine": "pips",
        "version": "1",
        "level": 3,
    }
    AskedPosition.objects.create(**waiting, asked_at=now, next_at=now)
    assert evaluation_requests.sweep(now=now) == 1
    assert AskedPosition.objects.get().progress == Progress.WAITING
    table.give(Side.WHITE, Concede())
    assert "The engine is analysing it" in shown(client, text)
    assert evaluation_requests.sweep(now=now + timedelta(minutes=2)) == 1
    assert AskedPosition.objects.get().progress == Progress.DONE
    assert client.get("/api/v1/positions/", {"position": text}).json()["answer"]["plays"]


def test_a_position_that_another_worker_takes_first_is_left_alone(
    asker: User, now: datetime, analysed_here: PipOracle
) -> None:
    evaluation_requests.queue_evaluation(user=asker, situation=parse_position(PLAY), now=now)
    row = AskedPosition.objects.get()
    AskedPosition.objects.update(lease="another's", leased_until=now + timedelta(minutes=1))

    assert not evaluation_requests._evaluate_row(row, analysed_here, now=now)
    row.refresh_from_db()
    assert (row.attempts, row.progress) == (0, Progress.WAITING)
