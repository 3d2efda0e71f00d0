"""The deck of a player's errors: private, answered before it is explained, deleted with the analysis."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.http import Http404
from django.test import Client
from django.utils.html import escape

from engine.board import Board
from engine.dice import Dice
from engine.formats.notation import format_play
from engine.plays import legal_plays
from engine.side import Side
from engine.turns import build_turn_tree
from matches.journal import positions_in_play
from matches.models import Match
from matches.state.status import Status
from opinion.analyses import analysing, availability
from opinion.deck import deck
from opinion.errors import CardNotDue, PositionInPlay, UnknownChoice
from opinion.judging.formulas import ERROR, LAST, WAITS, Grade, compute_next_box, grade_loss
from opinion.models import Analysis, Card, Remark
from opinion.positions import positions
from players.accounts import accounts
from players.models import User
from tests.matches.support import PASSWORD, Table
from tests.opinion.analyses.test_analysing import whole

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper

pytestmark = [pytest.mark.django_db, pytest.mark.page]


@pytest.fixture
def ann(played: Table) -> User:
    whole(played)
    user = played.match.white.user
    assert user is not None
    return user


def first(user: User, table: Table) -> Remark:
    found = deck.load_deck(user, table.now).card
    return Remark.objects.get(pk=found.id)


def sign_in(client: Client, name: str = "ann") -> None:
    assert client.login(email=f"{name}@example.org", password=PASSWORD)


def test_cards_are_one_s_own_errors_the_worst_first(ann: User, played: Table) -> None:
    rows = deck.list_cards(ann)
    assert rows
    assert {(row.side, row.error >= 0.02, row.level >= 2) for row in rows} == {(0, True, True)}
    assert first(ann, played).error == max(row.error for row in rows)
    found = deck.load_deck(ann, played.now)
    assert (found.due, found.fresh) == (0, rows.count())


@pytest.mark.long
def test_nothing_tells_the_answer_before_it_is_given(ann: User, played: Table, client: Client) -> None:
    sign_in(client)
    row = first(ann, played)
    whole_page = client.get("/deck/").content.decode()
    page = re.sub(r"<svg.*?</svg>", "", whole_page[whole_page.index("<main") :], flags=re.DOTALL)
    for play, equity, *_ in row.plays:
        assert f'value="{escape(play)}"' not in page
        assert f"{equity:.3f}" not in page
    # What the board is given: the position and every way to play the roll, in no order that says anything.
    start = page.index("{", page.index('id="card-data"'))
    data, _end = json.JSONDecoder().raw_decode(page[start:])
    situation = positions.parse_position(row.position)
    assert situation.dice is not None
    assert data["turn"] == build_turn_tree(situation.board, situation.actor, situation.dice).to_json()
    assert set(data) == {"position", "crawford", "cube", "me", "may", "turn", "names"}
    for word in ("Equity", "Given away", "Best", "pips 1"):
        assert word not in page
    told = client.get("/api/v1/deck/").json()["card"]
    assert set(told) == {"id", "kind", "position", "choices"}
    assert told["choices"] == []
    # The answer's page leads back until there is one.
    assert client.get(f"/deck/{row.pk}/answer/")["Location"] == "/deck/"


@pytest.mark.long
def test_an_answer_is_told_with_its_reasons_and_comes_again(ann: User, played: Table, client: Client) -> None:
    sign_in(client)
    row = first(ann, played)
    sent = client.post(f"/deck/{row.pk}/", {"choice": row.best})
    assert sent["Location"] == f"/deck/{row.pk}/answer/"
    page = client.get(sent["Location"]).content.decode()
    assert "<h1>Good</h1>" in page
    assert "pips 1" in page
    assert f"({row.error:.3f})" in page
    for _play, equity, *_ in row.plays:
        assert f"{equity:.3f}" in page
    card = Card.objects.get(remark=row)
    assert (card.box, card.times, card.loss, card.due_at - card.answered_at) == (1, 1, 0.0, WAITS[1])
    assert first(ann, played).pk != row.pk


@pytest.mark.long
def test_what_was_played_in_the_match_is_graded_by_its_error(ann: User, played: Table) -> None:
    row = first(ann, played)
    card = deck.store_answer(user=ann, card=row.pk, choice=row.decided, now=played.now)
    assert (card.box, card.loss) == (0, row.error)
    with pytest.raises(CardNotDue):
        deck.store_answer(user=ann, card=row.pk, choice=row.best, now=played.now)
    later = played.now + WAITS[0]
    assert deck.load_deck(ann, later).due == 1
    assert first(ann, played).pk != row.pk
    found = deck.load_deck(ann, later).card
    assert found.id == row.pk
    again = deck.store_answer(user=ann, card=row.pk, choice=row.best, now=later)
    assert (again.box, again.times) == (1, 2)


def test_boxes_go_on_and_back() -> None:
    assert [grade_loss(each) for each in (0.0, 0.02, 0.08)] == [Grade.GOOD, Grade.ERROR, Grade.BLUNDER]
    for box in range(LAST + 1):
        assert compute_next_box(box, Grade.GOOD) == min(box + 1, LAST)
        assert compute_next_box(box, Grade.ERROR) == max(box - 1, 0)
        assert compute_next_box(box, Grade.BLUNDER) == 0
    assert list(WAITS) == sorted(WAITS)


def test_choices_lose_what_the_engine_says(ann: User, played: Table) -> None:
    row = first(ann, played)
    for play, *_ in row.plays:
        loss = deck.compute_loss(row, play)
        assert loss >= 0
        assert (loss == row.error) if play == row.decided else True
    assert deck.compute_loss(row, row.best) == 0
    with pytest.raises(UnknownChoice):
        deck.store_answer(user=ann, card=row.pk, choice="24/1", now=played.now)
    assert not Card.objects.exists()


def test_a_play_of_a_shallower_pass_is_not_compared_with_the_best() -> None:
    plays = [["8/5 6/5", 0.1, [], 3], ["24/20", 0.04, [], 3], ["13/10 6/5", 0.11, [], 2]]
    row = Remark(kind="play", level=3, best="8/5 6/5", decided="24/20", error=0.06, plays=plays)

    assert deck.is_weighed(row, "8/5 6/5")
    assert not deck.is_weighed(row, "13/10 6/5")
    assert deck.compute_loss(row, "13/10 6/5") == 0.06


def test_any_legal_play_is_an_answer_in_whatever_order_it_is_made(ann: User, played: Table) -> None:
    seen = 0
    for row in deck.list_cards(ann).filter(kind="play")[:6]:
        situation = positions.parse_position(row.position)
        assert situation.dice is not None
        weighed = [play for play, *_, level in row.plays if level == row.level]
        for play in legal_plays(situation.board, situation.actor, situation.dice):
            for steps in (play.steps, play.steps[::-1]):
                assert deck.read_choice(row, format_play(steps)) == play.notation
            assert deck.read_choice(row, play.notation) == play.notation
            loss = deck.compute_loss(row, play.notation)
            assert deck.is_weighed(row, play.notation) is (play.notation in weighed)
            if play.notation not in weighed:
                seen += 1
                # A play outside the best few counts as an error, however little equity the best few lose.
                assert loss >= max(ERROR, *(deck.compute_loss(row, each) for each in weighed))
        assert all(deck.read_choice(row, play) == play for play in weighed)
        for wrong in ("", " ", "no double", "24/1 24/1", "8/5 x"):
            assert deck.read_choice(row, wrong) is None
    assert seen


@pytest.mark.long
def test_a_play_that_was_not_weighed_is_said_to_be_none_of_the_best(
    ann: User, played: Table, client: Client
) -> None:
    sign_in(client)
    row = next(
        row
        for row in deck.list_cards(ann).filter(kind="play")
        if len(legal_plays(*about(row))) > len(row.plays) and row.pk == first(ann, played).pk
    )
    other = next(
        play.notation for play in legal_plays(*about(row)) if not deck.is_weighed(row, play.notation)
    )
    client.post(f"/deck/{row.pk}/", {"choice": other})
    page = client.get(f"/deck/{row.pk}/answer/").content.decode()
    assert "or more: none of the best plays" in page
    assert "<h1>Good</h1>" not in page
    assert Card.objects.get(remark=row).choice == other


def about(row: Remark) -> tuple[Board, Side, Dice]:
    situation = positions.parse_position(row.position)
    assert situation.dice is not None
    return situation.board, situation.actor, situation.dice


@pytest.mark.long
def test_a_card_is_its_player_s_alone(ann: User, played: Table, client: Client) -> None:
    row = first(ann, played)
    ben = played.match.black.user
    assert ben is not None
    with pytest.raises(Http404):
        deck.store_answer(user=ben, card=row.pk, choice=row.best, now=played.now)
    sign_in(client, "ben")
    assert client.post(f"/deck/{row.pk}/", {"choice": row.best}).status_code == 404
    by_program = client.post(f"/api/v1/deck/{row.pk}/", {"choice": row.best}, content_type="application/json")
    assert by_program.status_code == 404
    deck.store_answer(user=ann, card=row.pk, choice=row.best, now=played.now)
    assert client.get(f"/deck/{row.pk}/answer/")["Location"] == "/deck/"


@pytest.mark.long
def test_cards_go_with_the_analysis(ann: User, played: Table) -> None:
    row = first(ann, played)
    deck.store_answer(user=ann, card=row.pk, choice=row.best, now=played.now)
    analysing.drop_analysis(match_id=played.match.pk)
    assert not Card.objects.exists()
    assert deck.load_deck(ann, played.now + timedelta(days=9)).card is None


def test_who_leaves_leaves_no_answers(ann: User, played: Table) -> None:
    ben = played.match.black.user
    assert ben is not None
    for user in (ann, ben):
        row = first(user, played)
        deck.store_answer(user=user, card=row.pk, choice=row.best, now=played.now)
    accounts.erase(user=ann, now=played.now)
    assert [card.remark.side for card in Card.objects.select_related("remark")] == [1]


@pytest.mark.parametrize("change", [{"level": 1}, {"head_hash": "other"}])
def test_from_one_ply_or_of_another_journal_there_is_no_card(
    ann: User, played: Table, change: dict[str, Any]
) -> None:
    Analysis.objects.update(**change)
    assert not deck.list_cards(ann).exists()


def test_of_a_match_that_is_open_again_there_is_no_card(ann: User, played: Table) -> None:
    row = first(ann, played)
    Match.objects.filter(pk=played.match.pk).update(
        status=Status.LIVE.value, finished_at=None, is_limited=False, is_timed=False
    )
    assert deck.load_deck(ann, played.now).card is None
    with pytest.raises(Http404):
        deck.store_answer(user=ann, card=row.pk, choice=row.best, now=played.now)


@pytest.mark.long
def test_a_position_that_stands_in_a_match_waits(
    ann: User, played: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = first(ann, played)
    monkeypatch.setattr(positions_in_play, "is_in_play", lambda _board: True)
    assert deck.load_deck(ann, played.now).card is None
    with pytest.raises(PositionInPlay):
        deck.store_answer(user=ann, card=row.pk, choice=row.best, now=played.now)


@pytest.mark.long
def test_programs_answer_as_people_do(ann: User, played: Table, client: Client) -> None:
    assert client.get("/api/v1/deck/").status_code == 401
    sign_in(client)
    card = client.get("/api/v1/deck/").json()["card"]
    row = Remark.objects.get(pk=card["id"])
    where = f"/api/v1/deck/{row.pk}/"
    refused = client.post(where, {"choice": "24/1"}, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (400, "unknown-choice")
    told = client.post(where, {"choice": row.decided}, content_type="application/json").json()
    assert (told["grade"], told["loss"], told["best"]) == ("blunder", row.error, row.best)
    assert (told["engine"], told["version"], told["level"]) == ("pips", "1", row.level)
    assert len(told["plays"]) == len(row.plays)
    again = client.post(where, {"choice": row.best}, content_type="application/json")
    assert (again.status_code, again.json()["code"]) == (409, "card-not-due")


def test_without_an_engine_the_page_says_so_in_one_line(
    played: Table, client: Client, monkeypatch: pytest.MonkeyPatch, settings: SettingsWrapper
) -> None:
    monkeypatch.setattr(availability, "explain_absence", lambda: "no analysis on this machine")
    sign_in(client)
    assert "There is no analysis on this machine" in client.get("/deck/").content.decode()
    assert client.get("/api/v1/deck/").json()["missing"] == "absent"
    settings.OPINION = False
    told = client.get("/deck/").content.decode()
    assert "Analyses are switched off" in told
    assert "no engine" not in told
