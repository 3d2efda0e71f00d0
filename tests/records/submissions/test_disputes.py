"""A disputed match at the desk: both claims, the records, and the first difference between two records."""

from __future__ import annotations

from itertools import starmap

import pytest

from engine.actions import Played, Rolled, RuledPosition
from engine.board import Board, Step
from engine.cube import Cube
from engine.dice import Dice
from engine.record import Record
from engine.rules import Rules
from engine.side import BySide, Side
from engine.verdict import judge
from records.sheets import tap_storage
from records.sheets.sheet import Tap
from records.submissions import differences, disputes
from records.submissions.disputes import DifferenceView
from tests.records.conftest import CLEAN
from tests.records.submissions.test_record_outcomes import hand_in, record, reported, sits
from tests.records.test_match_parts import split
from tests.tournaments.pages.test_pages_player import Two
from tests.tournaments.support import Browser, text
from tournaments.play import disputes as rulings_on_disputes

pytestmark = pytest.mark.today

MATCH = "main/1.1"
# Bo's third play, written otherwise: from there on nothing fits, but that is where they part.
OTHER = CLEAN.replace(b"52: 24/22 13/8 ", b"52: 13/11 13/8 ")


def test_a_record_does_not_differ_from_itself() -> None:
    [verdict] = judge(CLEAN)

    assert differences.find_difference(verdict.record, verdict.record, is_swapped=False) is None


def test_where_two_records_first_differ() -> None:
    [one], [other] = judge(CLEAN), judge(OTHER)

    found = differences.find_difference(one.record, other.record, is_swapped=False)

    assert found
    assert found.one
    assert found.other
    assert (found.at.game, found.at.number) == (1, 6)
    assert (found.one.play, found.other.play) == ("24/22 13/8", "13/11 13/8")


def test_a_hit_on_the_way_is_a_difference() -> None:
    sheet = """ 5 point match

 Game 1
 Ada : 0                        Bo : 0
  1) 21: 13/11 24/23             64: 24/18 13/9
  2) 62: {}
      Wins 1 point
"""
    [one], [other] = (judge(sheet.format(play).encode()) for play in ("13/7* 7/5", "13/11 11/5"))

    found = differences.find_difference(one.record, other.record, is_swapped=False)

    assert found
    assert found.one
    assert found.other
    assert found.at.number == 3
    assert (found.one.play, found.other.play) == ("13/7*/5", "13/5")


def test_in_which_order_the_dice_were_played_is_no_difference() -> None:
    board = Board.from_counts({9: 1, 1: 14}, {6: 15})

    def build(*steps: tuple[int, int]) -> Record:
        play = Played(Side.WHITE, tuple(starmap(Step, steps)))
        facts = (RuledPosition(board, Side.WHITE, Cube()), Rolled(Side.WHITE, Dice(5, 4)), play)
        return Record(BySide("Ada", "Bo"), Rules(length=5), facts)

    one, other = build((9, 4), (4, 0)), build((9, 5), (5, 0))

    assert differences.find_difference(one, other, is_swapped=False) is None


def test_of_one_that_ends_earlier_the_rest_is_missing() -> None:
    [one] = judge(CLEAN)
    cut = one.record.__class__(one.record.players, one.record.rules, one.record.actions[:-3])

    found = differences.find_difference(one.record, cut, is_swapped=False)

    assert found
    assert found.other is None


@pytest.mark.long
def test_the_desk_sees_claims_and_records_side_by_side(two: Two) -> None:
    a, b = sits(two)
    assert disputes.load_dispute(two.desk.fresh(), MATCH) is None
    reported(two, a, 5, 3)
    reported(two, b, 2, 5)
    hand_in(two, a, record(a, b))
    hand_in(two, b, record(a, b, OTHER))
    director = Browser(two.desk.director)

    answer = director.get(f"/events/{two.key}/matches/{MATCH}/")

    page = text(answer)
    for words in ("Reports and records", "5–3", "2–5", "Game 1, turn 6", "24/22 13/8", "13/11 13/8"):  # noqa: RUF001
        assert words in page
    # Each report is listed once, and discarded reports are listed with the others.
    assert page.count("2–5") == 1  # noqa: RUF001
    # Both tell the game line by line, and where they part is marked once.
    said = answer.content.decode().partition('id="said"')[2]
    assert said.count("they differ from here") == said.count('class="beside__first"') == 1
    # The heads, the five turns before it, and its own row.
    assert said.partition('class="beside__first"')[0].count("<tr") == 7
    assert "<svg" in answer.content.decode().partition('id="said"')[2]
    # The director rules with a reason, and both players see the ruling.
    two.desk.do(rulings_on_disputes.rule_on_match, key=MATCH, score=(2, 5), reason="The record shows it")
    assert "The record shows it" in text(director.get(f"/events/{two.key}/matches/{MATCH}/"))


def test_a_report_that_was_replaced_stays_among_what_was_said(two: Two) -> None:
    a, _b = sits(two)
    reported(two, a, 5, 3)
    reported(two, a, 5, 1)
    director = Browser(two.desk.director)

    page = text(director.get(f"/events/{two.key}/matches/{MATCH}/"))

    found = disputes.load_dispute(two.desk.fresh(), MATCH)
    assert found
    assert [each.result for each in found.claims] == ["5–1"]  # noqa: RUF001
    assert [each.result for each in found.dropped] == ["5–3"]  # noqa: RUF001
    assert page.count("5–1") == page.count("5–3") == 1  # noqa: RUF001


@pytest.mark.long
def test_who_sits_on_the_other_side_in_one_record_tells_the_same(two: Two) -> None:
    a, b = sits(two)
    hand_in(two, two.desk.director, record(a, b))
    hand_in(two, two.desk.director, record(a, b) + b"\n")

    found = disputes.load_dispute(two.desk.fresh(), MATCH)

    assert found
    assert len(found.records) == 2
    assert found.difference is None


@pytest.mark.long
def test_two_parts_of_a_match_do_not_differ(two: Two) -> None:
    a, b = sits(two)
    for part in split(record(a, b), 2):
        hand_in(two, a, part)
    assert build_difference(two) is None
    for part in split(record(a, b, OTHER), 2):
        hand_in(two, b, part)

    found = build_difference(two)

    assert found
    assert (found.place, found.texts[0]) == ("Game 1, turn 6", "5-2: 24/22 13/8")


def build_difference(two: Two) -> DifferenceView | None:
    found = disputes.load_dispute(two.desk.fresh(), MATCH)
    assert found
    return found.difference


def test_a_finished_sheet_says_how_they_play_on(two: Two) -> None:
    a, b = sits(two)
    sheet, words = f"/events/{two.key}/sheet/{MATCH}/", "Undo the games that are to be played again."
    for number, end in enumerate(("gammon", "backgammon"), start=1):
        what = Tap("game", number, "a", end)
        tap_storage.store_tap(
            tournament_id=two.desk.pk, match=MATCH, key=end, what=what, by=a, now=two.desk.now
        )
    reported(two, b, 2, 5)
    player = Browser(b)
    assert words not in text(player.get(sheet))

    two.desk.do(
        rulings_on_disputes.rule_on_match,
        key=MATCH,
        decision="play-on",
        reason="The second game was not over",
    )

    assert words in text(player.get(sheet))
    undo = Tap("undo", 2)
    tap_storage.store_tap(
        tournament_id=two.desk.pk, match=MATCH, key="undo", what=undo, by=a, now=two.desk.now
    )
    assert words not in text(player.get(sheet))
