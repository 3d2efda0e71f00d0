"""The tutor: a bad play is pointed out to its player alone before the bot answers, and may be taken back."""

from __future__ import annotations

from datetime import datetime
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from engine.actions import Played, RuledPosition, TakenBack
from engine.board import Board
from engine.cube import CENTRED
from engine.dice import Dice
from engine.formats import xgid
from engine.game import Phase
from engine.plays import Play
from engine.side import WHITE, Side
from matches.bots import bots
from matches.journal import journal
from matches.journal.journal import Draft
from matches.journal.lifecycle import record
from matches.models import Match
from matches.play.directing import take_back
from matches.state import commands
from matches.state.errors import NotAPlayer, Refused
from matches.state.status import Status
from opinion.analyses import analysing, availability
from opinion.errors import BadLimit, NoEngine, NoHint
from opinion.figures import player_statistics
from opinion.judging.oracle import OracleFailed
from opinion.models import Analysis, Hint, Lesson, Response, Silence
from opinion.practice import lessons, live_engine, tutoring
from tests.clients import signed_in
from tests.matches.bots.test_bots import HUMAN, act
from tests.matches.support import Table, club_terms, person
from tests.opinion.engine_here import between_people
from tests.opinion.fakes import BlotOracle, PipOracle, worths

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("same_dice")]


@pytest.fixture
def engine(analysed_here: PipOracle, monkeypatch: pytest.MonkeyPatch) -> PipOracle:
    """The engine that the tutor asks."""
    oracle = BlotOracle()
    monkeypatch.setattr(live_engine, "ENGINE", live_engine.SharedEngine(lambda: oracle))
    return oracle


def lesson(now: datetime, limit: float = 0.02, points: int = 3) -> Table:
    """A practice match with the tutor, in which the person has dice and several plays."""
    table = Table(
        now,
        players=(person("Ann", now).player, bots.get_practice_bot().player),
        agreed=club_terms(points, clock=None),
        chained=(),
        seed=3,
    )
    Lesson.objects.create(match=table.match, limit=limit)
    return to_play(table)


def to_play(table: Table) -> Table:
    for _ in range(200):
        bots.think(match_id=table.match.pk, now=lambda: table.now)
        if HUMAN in table.state.owing:
            if table.state.match.game.phase is Phase.TO_PLAY and is_a_choice(table):
                return table
            act(table)
    raise AssertionError("it never comes to that")


def is_a_choice(table: Table) -> bool:
    found = [worth for _play, worth in worths(table.state.match)]
    return len(found) > 3 and found[0] - found[-1] > 0.04


def ranked(table: Table) -> list[Play]:
    """The person's plays as the engine sees them, the best first."""
    return [play for play, _worth in worths(table.state.match)]


def play(table: Table, place: int) -> Play:
    """Make the person's best play, or their worst."""
    made = ranked(table)[place]
    table.wait(seconds=1)
    table.give(HUMAN, commands.Move(made.steps))
    return made


def think(table: Table) -> int:
    return bots.think(match_id=table.match.pk, now=lambda: table.now)


def load_lesson_view(table: Table) -> lessons.LessonView:
    found = lessons.load_lesson(table.row, table.white)
    assert found is not None
    return found


def test_a_bad_play_is_pointed_out_and_the_bot_waits(now: datetime, engine: PipOracle) -> None:
    table = lesson(now)
    best = ranked(table)[0]
    before = table.state.match.game
    made = play(table, -1)
    assert load_lesson_view(table).is_looking
    # Anyone who wakes the bot: it does nothing before the tutor has looked.
    assert bots.act(match_id=table.match.pk, now=table.now) == 0

    assert think(table) == 0
    found = load_lesson_view(table)
    assert (found.is_looking, found.is_asking) == (False, True)
    assert found.hint.played == made.notation
    assert found.hint.best == best.notation
    assert found.hint.loss >= 0.02
    # Neither is the bot forgotten: it waits for the person.
    assert list(bots.list_waiting()) == []
    assert think(table) == 0

    tutoring.take_back(match_id=table.match.pk, player=table.white, now=table.now)
    after = table.state.match.game
    assert (after.board, after.dice, after.turn) == (before.board, before.dice, HUMAN)
    assert Hint.objects.get().response == Response.TAKEN_BACK
    assert not load_lesson_view(table).is_asking
    assert list(journal.find_problems(table.row)) == []

    play(table, 0)
    assert think(table) >= 1
    assert load_lesson_view(table).hint is None
    assert Hint.objects.count() == 1


def test_who_plays_on_is_answered(now: datetime, engine: PipOracle) -> None:
    table = lesson(now)
    play(table, -1)
    think(table)
    tutoring.play_on(match_id=table.match.pk, player=table.white, now=table.now)
    assert Hint.objects.get().response == Response.PLAYED_ON
    assert think(table) >= 1
    with pytest.raises(NoHint):
        tutoring.take_back(match_id=table.match.pk, player=table.white, now=table.now)


def test_a_good_play_and_one_within_the_limit_are_let_pass(now: datetime, engine: PipOracle) -> None:
    table = lesson(now, limit=1.0)
    play(table, -1)
    assert think(table) >= 1
    assert not Hint.objects.exists()
    assert not load_lesson_view(table).is_looking


def test_when_the_match_is_over_nothing_is_asked_any_more(now: datetime, engine: PipOracle) -> None:
    table = lesson(now)
    play(table, -1)
    think(table)
    assert load_lesson_view(table).is_asking
    table.give(HUMAN, commands.Concede(), shares={})
    assert table.row.status == Status.FINISHED
    assert not load_lesson_view(table).is_asking
    with pytest.raises(Refused, match="over"):
        tutoring.take_back(match_id=table.match.pk, player=table.white, now=table.now)


def test_looking_twice_points_out_once(now: datetime, engine: PipOracle) -> None:
    table = lesson(now)
    play(table, -1)
    tutoring.evaluate_last_play(table.match.pk)
    tutoring.evaluate_last_play(table.match.pk)
    assert Hint.objects.count() == 1


def test_a_hint_that_was_overtaken_holds_up_nobody(now: datetime, engine: PipOracle) -> None:
    table = lesson(now)
    play(table, -1)
    think(table)
    # As where the bot danced and the person's turn came by itself: they go on without an answer.
    seq = Hint.objects.get().seq
    for _ in range(20):
        if HUMAN in table.state.owing:
            break
        bots.submit_owed_command(table.row, table.state, Side.BLACK, now=table.now)
    while HUMAN in table.state.owing:
        act(table)
    assert lessons.has_acted_since(table.row, seq)
    # The process that this woke may have ended: a sweep finds the match.
    assert list(bots.list_waiting()) == [table.row]
    assert not load_lesson_view(table).is_asking
    with pytest.raises(NoHint):
        tutoring.take_back(match_id=table.match.pk, player=table.white, now=table.now)
    think(table)
    assert Hint.objects.get(seq=seq).response == Response.PLAYED_ON


def test_a_hint_stays_open_while_dice_roll_by_themselves(now: datetime, engine: PipOracle) -> None:
    table = lesson(now, points=1)
    # The bot dances. In a match to 1 point there is no cube, so both rolls come by themselves.
    closed = {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2}
    board = Board.from_counts(closed | {10: 1, 9: 1, 8: 1}, {25: 1, 6: 3, 5: 3, 4: 3, 3: 3, 2: 2})
    with transaction.atomic():
        draft = Draft.load(journal.lock(table.match.pk), now=table.now)
        draft.write(RuledPosition(board, HUMAN, CENTRED, Dice(2, 1), "for a test"), by="director")
        record(draft)
    made = next(play for play in ranked(table) if play.notation == "10/7")
    table.give(HUMAN, commands.Move(made.steps))
    assert table.state.match.game.phase is Phase.TO_PLAY
    assert table.state.owing == (HUMAN,)

    think(table)
    hint = load_lesson_view(table).hint
    assert hint.played == "10/7"
    tutoring.take_back(match_id=table.match.pk, player=table.white, now=table.now)
    after = table.state.match.game
    assert (after.board, after.dice, after.turn) == (board, Dice(2, 1), HUMAN)


def test_without_an_answer_the_game_goes_on_and_it_is_said(
    now: datetime, engine: PipOracle, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = lesson(now)

    def hangs() -> Any:
        raise OracleFailed("it hangs")

    monkeypatch.setattr(live_engine, "ENGINE", live_engine.SharedEngine(hangs))
    play(table, -1)
    assert think(table) >= 1
    assert load_lesson_view(table).silence == Silence.ENGINE
    assert not Hint.objects.exists()


# -- fair play -----------------------------------------------------------------------------------------


def test_it_says_nothing_about_a_position_that_people_play(now: datetime, engine: PipOracle) -> None:
    table = lesson(now)
    between_people(table.state.match.game.board, now)
    engine.asked.clear()
    play(table, -1)
    assert think(table) >= 1
    assert engine.asked == []
    assert load_lesson_view(table).silence == Silence.IN_PLAY
    assert load_lesson_view(table).hint is None


def test_a_hint_is_withheld_once_people_have_come_to_its_position(now: datetime, engine: PipOracle) -> None:
    table = lesson(now)
    play(table, -1)
    think(table)
    assert load_lesson_view(table).hint is not None
    between_people(xgid.decode(Hint.objects.get().position).board, now)
    found = load_lesson_view(table)
    assert (found.hint, found.silence, found.is_asking) == (None, Silence.IN_PLAY, True)
    tutoring.play_on(match_id=table.match.pk, player=table.white, now=table.now)


def test_its_own_player_alone_is_told(now: datetime, engine: PipOracle) -> None:
    table = lesson(now)
    play(table, -1)
    think(table)
    address = reverse("api:match-tutor", args=[table.match.key])
    mine, other = Client(), Client()
    mine.force_login(table.white.user)
    other.force_login(person("Eve", now))
    assert mine.get(address).json()["hint"]["loss"] >= 0.02
    assert other.get(address).status_code == 404
    assert Client().get(address).status_code == 401
    for client in (other, Client()):
        answer = client.post(address, {"answer": "take-back"}, "application/json")
        assert answer.status_code in (401, 404)
        page = client.get(reverse("matches:match", args=[table.match.key])).content.decode()
        assert 'id="tutor"' not in page
    assert lessons.load_lesson(table.row, table.black.__class__.objects.get(name="Eve")) is None
    page = mine.get(reverse("matches:match", args=[table.match.key])).content.decode()
    assert 'id="tutor"' in page


def test_between_people_there_is_no_tutor_and_nothing_to_take_back(now: datetime, engine: PipOracle) -> None:
    table = Table(now, players=(person("Ann", now).player, person("Ben", now).player), agreed=club_terms(3))
    table.begin()
    for _ in range(40):
        side = table.state.owing[0]
        table.give(side, table.next_command(side))
        lines = [step.line for step in journal.iterate_steps(table.row)]
        line = next((each for each in lines if isinstance(each.fact, Played)), None)
        if line is not None:
            break
    assert isinstance(line.fact, Played)
    player = table.player(line.fact.side)
    head = table.head
    with pytest.raises(Refused, match="only in practice"):
        take_back(match_id=table.match.pk, player=player, line=line.seq, now=table.now)
    client = signed_in(player.user)
    address = reverse("api:match-tutor", args=[table.match.key])
    assert client.get(address).status_code == 404
    assert client.post(address, {"answer": "take-back"}, "application/json").status_code == 404
    assert table.head == head


def test_nobody_takes_back_what_is_not_theirs(now: datetime, engine: PipOracle) -> None:
    table = lesson(now)
    play(table, 0)
    think(table)
    to_play(table)
    steps = [step.line for step in journal.iterate_steps(table.row) if isinstance(step.line.fact, Played)]
    theirs = next(line for line in steps if isinstance(line.fact, Played) and line.fact.side is not HUMAN)
    with pytest.raises(Refused, match="only your own plays"):
        take_back(match_id=table.match.pk, player=table.white, line=theirs.seq, now=table.now)
    stranger = person("Eve", now).player
    with pytest.raises(NotAPlayer):
        take_back(match_id=table.match.pk, player=stranger, line=steps[0].seq, now=table.now)


def test_a_match_that_counts_is_not_taken_back_even_against_a_bot(now: datetime, engine: PipOracle) -> None:
    table = lesson(now)
    made = play(table, -1)
    Match.objects.filter(pk=table.match.pk).update(is_rated=True)
    line = next(step.line for step in journal.iterate_steps(table.row) if isinstance(step.line.fact, Played))
    assert made.steps
    with pytest.raises(Refused, match="only in practice"):
        take_back(match_id=table.match.pk, player=table.white, line=line.seq, now=table.now)


def test_a_match_that_counts_has_no_tutor_whatever_is_written_beside_it(
    now: datetime, engine: PipOracle
) -> None:
    table = lesson(now)
    play(table, -1)
    Match.objects.filter(pk=table.match.pk).update(is_rated=True)
    engine.asked.clear()
    assert think(table) >= 1
    assert engine.asked == []
    assert not Hint.objects.exists()
    assert lessons.load_lesson(table.row, table.white) is None
    client = signed_in(table.white.user)
    assert client.get(reverse("api:match-tutor", args=[table.match.key])).status_code == 404
    page = client.get(reverse("matches:match", args=[table.match.key])).content.decode()
    assert 'id="tutor"' not in page


# -- how one begins ------------------------------------------------------------------------------------


def test_a_guest_begins_by_the_page(engine: PipOracle, client: Client) -> None:
    page = client.get(reverse("opinion:tutor")).content.decode()
    assert "World class" in page
    assert reverse("opinion:tutor") in client.get(reverse("matches:lobby")).content.decode()
    told = {"level": "beginner", "length": "1", "limit": "0.040"}
    answer = client.post(reverse("opinion:tutor"), told)
    row = Match.objects.get()
    assert answer.headers["Location"] == reverse("matches:match", args=[row.key])
    assert Lesson.objects.get(match=row).limit == 0.04
    assert "Beginner (bot)" in {row.white.name, row.black.name}
    found = client.get(reverse("api:match-tutor", args=[row.key])).json()
    assert found == {"limit": 0.04, "looking": False, "asking": False, "silence": "", "hint": None}
    # The same again is the same match; another limit is another.
    client.post(reverse("opinion:tutor"), told)
    assert Lesson.objects.count() == 1
    client.post(reverse("opinion:tutor"), told | {"limit": "0.160"})
    assert Match.objects.count() == 2
    # Anyone who practises without the tutor does not come to a match with it.
    client.post(reverse("matches:practice"), {"level": "beginner", "length": "1"})
    assert Lesson.objects.count() == 2
    assert Match.objects.count() == 3


def test_a_program_begins_and_answers(now: datetime, engine: PipOracle, client: Client) -> None:
    ann = person("Ann", now)
    client.force_login(ann)
    sent = {"opponent": bots.get_practice_bot().player.key, "length": 1, "limit": 0.05}
    answer = client.post(reverse("api:lessons"), sent, "application/json")
    assert answer.status_code == 201
    row = Match.objects.get(key=answer.json()["match"])
    assert Lesson.objects.get(match=row).limit == 0.05
    for wrong, code in (({"limit": 3}, "bad-limit"), ({"opponent": "nobody"}, "no-bot")):
        refused = client.post(reverse("api:lessons"), sent | wrong, "application/json")
        assert refused.json()["code"] == code
    address = reverse("api:match-tutor", args=[row.key])
    refused = client.post(address, {"answer": "play-on"}, "application/json")
    assert (refused.status_code, refused.json()["code"]) == (409, "no-hint")
    assert client.post(address, {"answer": "what"}, "application/json").status_code == 400


def test_without_an_engine_there_is_no_tutor(
    client: Client, now: datetime, monkeypatch: pytest.MonkeyPatch, settings: SettingsWrapper
) -> None:
    assert "Analyses are switched off" in client.get(reverse("opinion:tutor")).content.decode()
    settings.OPINION = True
    monkeypatch.setattr(availability, "explain_absence", lambda: "no analysis on this machine")
    assert "There is no analysis on this machine" in client.get(reverse("opinion:tutor")).content.decode()
    assert reverse("opinion:tutor") not in client.get(reverse("matches:lobby")).content.decode()
    answer = client.post(reverse("opinion:tutor"), {"length": "1"}, follow=True)
    assert "no engine" in answer.content.decode()
    assert not Match.objects.exists()
    with pytest.raises(NoEngine):
        tutoring.begin(player=person("Ann", now).player, limit=0.08, now=now)


def test_a_limit_has_its_bounds(now: datetime, engine: PipOracle) -> None:
    with pytest.raises(BadLimit):
        tutoring.begin(player=person("Ann", now).player, limit=0.001, now=now)


# -- it counts for nothing -----------------------------------------------------------------------------


def test_what_was_taken_back_stays_in_the_journal_and_replays(now: datetime, engine: PipOracle) -> None:
    table = lesson(now)
    play(table, -1)
    think(table)
    tutoring.take_back(match_id=table.match.pk, player=table.white, now=table.now)
    facts = [step.line for step in journal.iterate_steps(table.row)]
    taken = next(line for line in facts if isinstance(line.fact, TakenBack))
    assert (taken.by, taken.who) == (WHITE.word, table.white.key)
    row = table.row
    assert journal.replay(row).to_json() == journal.load(row).to_json()
    assert row.status == Status.LIVE


@pytest.mark.long
def test_its_figures_are_not_the_players(now: datetime, engine: PipOracle) -> None:
    table = lesson(now, limit=1.0)
    table.give(HUMAN, commands.Concede())
    assert table.row.status == Status.FINISHED
    row = table.row
    analysing.request_analysis(match_id=row.pk, head_hash=row.head_hash, now=now)
    for _ in range(20):
        analysing.sweep(now=now, opening=analysing.open_engine)
    assert Analysis.objects.get().level
    ann = table.white
    assert player_statistics.build_pools(ann.user, ann) == ()
    Lesson.objects.all().delete()
    assert player_statistics.build_pools(ann.user, ann) != ()


def test_a_play_is_pointed_out_once_by_two_workers(now: datetime, engine: PipOracle) -> None:
    table = lesson(now)
    row = Lesson.objects.get()
    play(table, -1)
    think(table)
    hint = Hint.objects.get()
    decision = SimpleNamespace(xgid=hint.position, done=hint.played)
    judged: Any = SimpleNamespace(decision=decision, error=1.0, best=hint.best, level=1, candidates=())

    tutoring._store_judgement(row, hint.seq, judged, "")
    assert Hint.objects.get().loss == hint.loss
