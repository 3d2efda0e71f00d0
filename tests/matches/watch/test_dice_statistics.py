"""Dice of the whole site: counted once a match, added up, compared with what chance says, over HTTP."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from engine.actions import Opened, Rolled
from engine.dice import Dice
from engine.side import Side
from matches.journal import journal
from matches.journal.journal import Draft
from matches.journal.lifecycle import record
from matches.models import DiceTally, Match
from matches.state.status import Status
from matches.watch import exports, tallies
from matches.watch.dice_statistics import ROLL_WEIGHTS, ROLLS, compute_spread, compute_statistics
from players.clubs import clubs
from players.models import Club
from runtime.models import Failure
from tests.matches.support import Table, club_terms, person

pytestmark = pytest.mark.django_db
WHITE, BLACK = Side
ADDRESS = "/api/v1/dice/"


def play(now: datetime, seed: int, **more: Any) -> Table:
    """A finished one-point match between two new players."""
    players = tuple(person(f"{name}{seed}", now).player for name in ("Ann", "Ben"))
    table = Table(now, agreed=club_terms(1), players=players, seed=seed, **more)  # type: ignore[arg-type]
    table.play_out()
    return table


def lines_with_dice(row: Match) -> list[Dice]:
    """The dice of the journal, in order."""
    facts = [line.fact for line in journal.list_lines(row)]
    return [
        Dice.from_numbers(fact.white, fact.black) if isinstance(fact, Opened) else fact.dice
        for fact in facts
        if isinstance(fact, Opened | Rolled)
    ]


def by_roll(tally: DiceTally) -> dict[tuple[int, int], int]:
    found = dict.fromkeys(ROLLS, 0)
    for counts in (tally.throws, tally.openings):
        for place, count in enumerate(counts):
            first, second = place // 6 + 1, place % 6 + 1
            found[max(first, second), min(first, second)] += count
    return found


@pytest.mark.long
@pytest.mark.parametrize("chained", [(WHITE, BLACK), (BLACK,), ()])
def test_a_match_that_ends_is_counted_once(now: datetime, chained: tuple[Side, ...]) -> None:
    table = play(now, 3, chained=chained)

    assert tallies.sweep(now) == 1

    tally = DiceTally.objects.get()
    thrown = lines_with_dice(table.row)
    assert by_roll(tally) == {
        (d.high, d.low): thrown.count(d) for d in (Dice.from_numbers(*roll) for roll in ROLLS)
    }
    assert tally.strict + tally.sealed + tally.weaker == len(thrown)
    assert (tally.weaker == len(thrown)) is (chained != (WHITE, BLACK))
    assert sum(length * count for length, count in enumerate(tally.runs, 1)) == sum(
        dice.high == dice.low for dice in thrown
    )
    assert not tallies.update_tally(match_id=table.row.pk)
    assert tallies.sweep(now) == 0
    assert list(tallies.find_problems()) == []


@pytest.mark.long
def test_all_that_ended_since_are_counted(now: datetime) -> None:
    tables = [play(now, seed) for seed in range(3)]
    open_one = Table(now, players=(tables[0].white, tables[1].black))

    assert tallies.sweep(now) == 3

    assert set(DiceTally.objects.values_list("match", flat=True)) == {table.row.pk for table in tables}
    assert tallies.sweep(now) == 0
    assert open_one.row.status == Status.WAITING


@pytest.mark.long
def test_a_match_that_goes_on_is_counted_again_when_it_ends(now: datetime) -> None:
    table = play(now, 5)
    tallies.sweep(now)
    before = DiceTally.objects.get()
    taken_back(table)

    assert table.row.status == Status.LIVE
    assert tallies.sweep(now) == 1
    assert not DiceTally.objects.exists()

    table.play_out()
    tallies.sweep(now)
    after = DiceTally.objects.get()
    assert after.head > before.head
    thrown = sum(after.throws) + sum(after.openings)
    assert thrown == len(lines_with_dice(table.row)) > sum(before.throws) + sum(before.openings)
    assert list(tallies.find_problems()) == []


def taken_back(table: Table, facts: int = 12) -> None:
    from engine.actions import TakenBack

    draft = Draft.load(table.row, now=table.now, with_past=True)
    draft.write(TakenBack(facts, "another look"), by="director")
    record(draft)


@pytest.mark.long
def test_a_journal_that_cannot_be_read_holds_up_no_other(
    now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, good = (play(now, seed) for seed in range(2))
    dice_log = exports.build_dice_log

    def fail(row: Match) -> Any:
        if row.pk == bad.row.pk:
            raise ValueError("torn")
        return dice_log(row)

    monkeypatch.setattr(exports, "build_dice_log", fail)

    assert tallies.sweep(now) == 1
    assert DiceTally.objects.get().match_id == good.row.pk
    for minute in range(1, 60):
        assert tallies.sweep(now + timedelta(minutes=minute)) == 0
    # It is tried again at longer and longer intervals.
    failure = Failure.objects.get()
    assert failure.subject == bad.row.key
    assert failure.attempts < 20
    monkeypatch.setattr(exports, "build_dice_log", dice_log)
    assert tallies.sweep(now + timedelta(hours=2)) == 1
    assert not Failure.objects.exists()
    monkeypatch.setattr(exports, "build_dice_log", fail)
    assert list(tallies.find_problems()) == [f"match {bad.row.key}: its dice cannot be counted: torn"]


@pytest.mark.long
def test_a_wrong_tally_is_found(now: datetime) -> None:
    table = play(now, 1)
    tallies.sweep(now)
    tally = DiceTally.objects.get()
    throws = list(tally.throws)
    throws[35] += 1
    DiceTally.objects.update(throws=throws, weaker=7)

    found = list(tallies.find_problems())

    assert [sentence.partition(" of its")[0] for sentence in found] == [
        f"match {table.row.key}: weaker",
        f"match {table.row.key}: throws",
    ]


def test_the_figures_of_known_throws() -> None:
    throws = [0] * 36
    throws[0] = throws[1] = throws[6] = 100  # 1-1, 1-2, 2-1

    found = compute_spread(throws)

    assert found.count == 300
    assert (found.doubles.count, found.doubles.expected) == (100, 50)
    assert [cell.count for cell in found.faces] == [400, 200, 0, 0, 0, 0]
    assert {cell.expected for cell in found.faces} == {100}
    rolls = {cell.dice: cell for cell in found.rolls}
    assert (rolls[2, 1].count, round(rolls[2, 1].expected, 3)) == (200, 16.667)
    assert (rolls[1, 1].count, round(rolls[1, 1].expected, 3)) == (100, 8.333)
    assert sum(ROLL_WEIGHTS) == 36
    assert found.throws_fit.chi_square == pytest.approx(sum((n - 300 / 36) ** 2 / (300 / 36) for n in throws))
    assert (found.throws_fit.df, found.rolls_fit.df) == (35, 20)
    assert found.throws_fit.p < 1e-9


@pytest.mark.long
def test_the_server_rolls_fairly(now: datetime) -> None:
    for seed in range(3):
        play(now, seed, chained=[(WHITE, BLACK), (WHITE,), ()][seed])
    tallies.sweep(now)

    found = compute_statistics()

    assert found.matches == 3
    assert found.turns.count + found.openings.count == sum(found.labels.values())
    assert found.labels["weaker"] > 0
    assert found.labels["sealed"] > 0
    assert found.turns.rolls_fit is None or found.turns.rolls_fit.p > 1e-6
    assert [run.count for run in found.runs] == sorted((run.count for run in found.runs), reverse=True)
    assert found.runs[0].count == sum(sum(tally.runs) for tally in DiceTally.objects.all())
    assert found.longest_run == len([run for run in found.runs if run.count])


@pytest.fixture
def club(now: datetime) -> Club:
    return clubs.create(owner=person("Olga", now), name="Corner House", now=now)


@pytest.mark.long
def test_anyone_reads_the_dice_of_all_and_of_one_club(now: datetime, client: Client, club: Club) -> None:
    play(now, 1)
    here = play(now, 2, club=club)
    tallies.sweep(now)

    everywhere = client.get(ADDRESS).json()
    in_club = client.get(ADDRESS, {"club": club.slug}).json()

    assert (everywhere["matches"], everywhere["club"]) == (2, None)
    assert (in_club["matches"], in_club["club"]) == (1, club.slug)
    assert in_club["rolls"] == len(lines_with_dice(here.row))
    assert sum(cell["count"] for cell in in_club["turns"]["throws"]) == in_club["turns"]["count"]
    assert [cell["dice"] for cell in in_club["turns"]["rolls"]] == [list(roll) for roll in ROLLS]
    assert set(in_club["labels"]) == {"strict", "sealed", "weaker"}
    assert here.row.key not in json.dumps(everywhere)


def test_an_empty_site_has_figures_too(client: Client, db: None) -> None:
    told = client.get(ADDRESS).json()

    assert told["rolls"] == told["longest_run"] == told["turns"]["doubles"]["count"] == 0
    assert told["turns"]["rolls_fit"] is None


def test_a_club_that_there_is_not_has_no_figures(client: Client, db: None) -> None:
    assert client.get(ADDRESS, {"club": "nowhere"}).status_code == 404


@pytest.mark.long
def test_the_figures_cost_few_queries_however_many_matches(
    now: datetime, django_assert_num_queries: Any
) -> None:
    for seed in range(3):
        play(now, seed)
    tallies.sweep(now)
    with django_assert_num_queries(2):
        compute_statistics()
