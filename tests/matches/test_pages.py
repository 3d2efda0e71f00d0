"""The pages around a match, for strangers, visitors, players and spectators."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client

from engine.clock import MINUTE, SECOND
from engine.game import Termination
from engine.match import Outcome
from engine.side import BySide, Side
from matches.lobby import challenges, visitors
from matches.models import Challenge, Match, Visitor
from matches.models.matches import State
from matches.play import boards, match_page, terms_validation
from matches.play.shapes import MatchLineAnswer
from matches.state import clock_words
from matches.state.commands import Concede
from matches.watch import player_matches
from tests.clients import signed_in
from tests.matches.support import Table, club_terms, person

pytestmark = pytest.mark.today

SCRIPTS = Path(settings.BASE_DIR) / "static" / "js" / "board"
SAID = re.compile(r"""\btranslate(?:\.plural)?\(["`]([a-z]+\.[a-z0-9.-]*[a-z0-9])["`]""")


def text(answer: Any) -> str:
    return str(answer.content.decode())


def data(answer: Any, name: str = "match-data") -> Any:
    found = re.search(rf'<script id="{name}" type="application/json">(.*?)</script>', text(answer), re.S)
    return json.loads(found[1])


# What scripts say


def sentences(script: str) -> set[str]:
    return set(re.findall(r'^  "([\w.-]+)": ', (SCRIPTS / f"{script}.js").read_text(), re.M))


@pytest.mark.parametrize(
    "script",
    ["panel", "seats", "clock", "sheet", "move_texts", "chat", "match", "rematch", "race", "hints", "screen"],
)
def test_every_sentence_of_a_script_comes_with_the_page(script: str) -> None:
    known = sentences("texts") | sentences("late_texts")
    asked = set(SAID.findall((SCRIPTS / f"{script}.js").read_text()))

    assert asked
    assert asked - known == set()


def test_the_page_of_the_dice_has_its_sentences_too() -> None:
    asked = set(SAID.findall((SCRIPTS / "dice_page.js").read_text()))
    problems = set(re.findall(r'\["([a-z-]+)", ', (SCRIPTS / "dice_check.js").read_text()))

    known = sentences("dice_page")
    assert asked - known == set()
    assert {f"why.{each}" for each in problems} - known == set()


# The page of a match


def test_a_match_can_be_read_without_a_script(db: None, now: datetime) -> None:
    table = Table(now)
    table.begin()
    page = text(Client().get(f"/matches/{table.match.key}/"))

    assert f"Ann {clock_words.DASH} Ben" in page
    assert "+13-14-15-16-17-18-+" in page
    assert "&#x27;s turn" in page


def test_a_player_gets_their_side_and_their_turn(db: None, now: datetime) -> None:
    table = Table(now)
    table.begin()
    side = table.state.match.game.turn
    on_turn, other = (table.player(each).user for each in (side, side.other))
    assert on_turn is not None
    assert other is not None
    mine = data(signed_in(on_turn).get(f"/matches/{table.match.key}/"))
    theirs = data(signed_in(other).get(f"/matches/{table.match.key}/"))
    passing = data(Client().get(f"/matches/{table.match.key}/"))

    assert mine["me"] == side.word
    assert "move" in mine["whole"]["you"]["may"]
    assert mine["whole"]["turn"][0]
    assert theirs["whole"]["turn"] is None
    assert passing["me"] is None
    assert passing["whole"]["you"] is None
    assert passing["topics"]["chat"] == []


def test_a_private_match_is_there_for_its_players_alone(db: None, now: datetime) -> None:
    table = Table(now, is_private=True)
    address = f"/matches/{table.match.key}/"

    assert Client().get(address).status_code == 404
    assert Client().get(f"{address}dice/").status_code == 404
    assert signed_in(person("Cleo", now)).get(address).status_code == 404
    assert table.white.user is not None
    assert signed_in(table.white.user).get(address).status_code == 200


def test_a_match_that_is_over_says_who_won_and_offers_its_files(db: None, now: datetime) -> None:
    table = Table(now)
    table.begin()
    table.give(Side.WHITE, Concede())
    page = text(Client().get(f"/matches/{table.match.key}/"))

    assert "Ben won the match" in page
    assert f"/api/v1/matches/{table.match.key}/record.mat" in page
    dice = Client().get(f"/matches/{table.match.key}/dice/")
    assert data(dice, "dice-data")["url"] == f"/api/v1/matches/{table.match.key}/dice.json"


def test_money_play_that_is_over_has_a_final_score_and_no_winner(db: None, now: datetime) -> None:
    """Who resigns money play may lead: the opponent has not won a match 1-8."""
    table = Table(now, agreed=club_terms(0, clock=None))
    table.begin()
    table.give(Side.WHITE, Concede())
    page = text(Client().get(f"/matches/{table.match.key}/"))

    assert "Final score: Ann 0\u20131 Ben." in page
    assert "won the match" not in page
    score = BySide(8, 1)
    ended = replace(table.state.match, score=score, outcome=Outcome(Side.BLACK, Termination.CONCESSION))
    names = BySide("Ann", "Ben")
    assert (
        match_page.describe_state(replace(table.state, match=ended), names)
        == "Final score: Ann 8\u20131 Ben."
    )


def test_points_beyond_the_length_are_not_told(db: None, now: datetime) -> None:
    """R55: a gammon in a match to 1 is one point; only the journal contains the value of the game."""
    state = Table(now, agreed=club_terms(1)).state
    won = replace(state.match, score=BySide(2, 0), outcome=Outcome(Side.WHITE, Termination.BEAROFF))

    assert (
        match_page.describe_state(replace(state, match=won), BySide("Ann", "Ben"))
        == "Ann won the match 1\u20130."
    )


def test_lists_tiles_and_exports_tell_no_points_beyond_the_length(
    db: None, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R55: the small drawing of a board, the list of the interface and a person's own export say 1-0, too."""
    table = Table(now, agreed=club_terms(1))
    state = table.state
    won = replace(state.match, score=BySide(2, 0), outcome=Outcome(Side.WHITE, Termination.BEAROFF))
    monkeypatch.setattr(boards.journal, "load", lambda _row: replace(state, match=won))
    Match.objects.filter(pk=table.match.pk).update(white_score=2)

    (tile,) = boards.draw_tiles([table.row])
    assert [seat.score for seat in tile.seats] == [1, 0]
    assert MatchLineAnswer.read(table.row)["score"] == [1, 0]
    assert [match["score"] for match in player_matches.export_matches(table.white)] == [[1, 0]]


def test_before_the_end_the_page_of_the_dice_only_explains(db: None, now: datetime) -> None:
    table = Table(now)
    page = Client().get(f"/matches/{table.match.key}/dice/")

    assert data(page, "dice-data")["url"] is None
    assert "not over yet" in text(page)


# Practice


def practise(client: Client, **form: object) -> str:
    answer = client.post("/play/practice/", form)
    assert answer.status_code == 302
    return str(answer["Location"])


def test_a_stranger_sits_down_in_one_click_and_nobody_else_sees_it(db: None) -> None:
    stranger = Client()
    address = practise(stranger, length="1")
    page = stranger.get(address)

    assert page.status_code == 200
    told = data(page)
    assert told["me"] in {"white", "black"}
    assert told["is_visitor"]
    assert told["whole"]["terms"]["rules"]["length"] == 1
    assert Client().get(address).status_code == 404
    assert Client().get(f"/api/v1{address}").status_code == 404
    assert Visitor.objects.count() == 1
    # Once more is the same board, not another.
    assert practise(stranger) == address


def test_another_length_is_another_match(db: None) -> None:
    stranger = Client()
    short = practise(stranger, length="1")
    longer = practise(stranger, length="7")

    assert data(stranger.get(longer))["whole"]["terms"]["rules"]["length"] == 7
    assert practise(stranger, length="1") == short


def test_a_visitor_plays_over_the_api_with_a_guard_against_forgery(db: None) -> None:
    client = Client(enforce_csrf_checks=True)
    client.get("/play/")
    token = client.cookies[settings.CSRF_COOKIE_NAME].value
    client.post("/play/practice/", headers={"X-CSRFToken": token})
    key = Match.objects.get().key
    order = {"after": 0, "command": {"type": "promise", "words": "a fine day"}}

    def send(name: str, **headers: str) -> HttpResponse:
        return client.post(  # type: ignore[return-value]
            f"/api/v1/matches/{key}/commands/",
            json.dumps(order),
            content_type="application/json",
            headers={"Idempotency-Key": name, **headers},
        )

    assert send("without-a-token").status_code == 403
    assert send("with-a-token", **{"X-CSRFToken": token}).status_code == 200
    assert client.get("/api/v1/account/").status_code in {401, 403, 404}
    assert Match.objects.get().journal.filter(actor__startswith="visitor.").count() == 1


def test_a_visitor_is_a_stranger_at_other_boards(db: None, now: datetime) -> None:
    table = Table(now)
    client = Client()
    practise(client)

    assert data(client.get(f"/matches/{table.match.key}/"))["me"] is None
    answer = client.post(
        f"/api/v1/matches/{table.match.key}/commands/",
        json.dumps({"after": 0, "command": {"type": "promise"}}),
        content_type="application/json",
        headers={"Idempotency-Key": "somebody-elses"},
    )
    assert answer.status_code == 403


def test_many_visitors_from_one_address_have_to_wait(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visitors, "MOST_BEGUN", 2)
    cache.clear()
    for _ in range(2):
        practise(Client())

    assert practise(Client()) == "/play/"
    assert Match.objects.count() == 2


def test_an_account_practises_as_itself(db: None, now: datetime) -> None:
    ann = person("Ann", now)
    address = practise(signed_in(ann))
    match = Match.objects.get()

    assert address == f"/matches/{match.key}/"
    assert ann.player in {match.white, match.black}
    assert not Visitor.objects.exists()


def test_what_visitors_leave_lying_is_closed(db: None, now: datetime) -> None:
    practise(Client())

    assert visitors.sweep(now=now + timedelta(days=2)) == 0
    assert visitors.sweep(now=now + timedelta(days=4)) == 1
    assert Match.objects.get().status == State.VOID
    assert visitors.sweep(now=now + timedelta(days=4)) == 0


# The lobby


def offer(client: Client, **form: object) -> HttpResponse:
    told = {"opponent": "anyone", "length": 3, "clock": "none", "side": "random", **form}
    return client.post("/play/offer/", told)  # type: ignore[return-value]


@pytest.mark.long
@pytest.mark.share
def test_a_seat_is_opened_and_taken(db: None, now: datetime) -> None:
    ann, ben = signed_in(person("Ann", now)), signed_in(person("Ben", now))
    assert offer(ann).status_code == 302
    challenge = Challenge.objects.get()

    assert "Your open seat" in text(ann.get("/play/"))
    assert "Sit down" in text(ben.get("/play/"))
    taken = ben.post(f"/play/offers/{challenge.key}/accept/")
    assert taken["Location"] == f"/matches/{Match.objects.get().key}/"
    assert "(1)" in text(ann.get("/play/"))


@pytest.mark.parametrize(
    ("clock", "words"),
    [
        (None, "to 5 · No clock, 14 days a move at most"),
        ("club", "to 5 · 2 min a point + 12 s delay"),
        ("us-2013", "to 5 · 2 min a point (1 min less for each point won) + 12 s delay"),
        (terms_validation.OwnClock("simple", 10 * MINUTE, 12 * SECOND), "to 5 · 10 min + 12 s delay"),
    ],
)
def test_every_clock_is_told_in_words(
    db: None, now: datetime, clock: str | terms_validation.OwnClock | None, words: str
) -> None:
    ann, ben = person("Ann", now), person("Ben", now)
    terms = terms_validation.read_terms(length=5, clock=clock)
    row = challenges.offer(challenger=ann.player, opponent=ben.player, terms=terms, now=now)
    assert words in text(signed_in(ann).get("/play/"))
    match = challenges.accept(challenge_id=row.pk, player=ben.player, now=now).match

    assert words in text(signed_in(ann).get("/play/"))
    assert words.partition(" · ")[2] in text(signed_in(ben).get(f"/matches/{match.key}/"))
    (line,) = signed_in(ann).get("/api/v1/matches/").json()["results"]
    assert line["clock_words"] == words.partition(" · ")[2]


def test_a_refusal_is_said_in_the_lobby(db: None, now: datetime) -> None:
    ann = signed_in(person("Ann", now))
    offer(ann)
    answer = ann.post(f"/play/offers/{Challenge.objects.get().key}/accept/", follow=True)

    assert "This is your own offer." in text(answer)


def test_nonsense_in_the_form_is_answered_by_the_form(db: None, now: datetime) -> None:
    answer = offer(signed_in(person("Ann", now)), length=0, opponent="nobody")

    assert answer.status_code == 422
    assert not Challenge.objects.exists()


def test_whoever_comes_by_a_link_sees_the_lobby(db: None) -> None:
    assert Client().get("/play/practice/")["Location"] == "/play/"
    assert Client().get("/play/").status_code == 200
