"""The tables of docs/pairing-rounds.md agree with the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from draw.brackets.qualifiers import draw_crosswise
from draw.forecast.event_forecast import compute_fibs_chance
from draw.groups import deal_into_groups
from draw.matchmaking import make_round
from draw.prizes import split_amount
from draw.schedule import build_berger_table
from draw.standings.registry import TIE_BREAKS
from draw.wishes import Method, Player, Wish, Wishes
from tests.draw.swissevents import entrants, field, propose
from tests.draw.test_round_robin import qualified
from tests.draw.test_standings import example

TEXT = (Path(__file__).parents[2] / "docs" / "pairing-rounds.md").read_text("utf-8")


def tables(heading: str) -> list[list[list[str]]]:
    """The tables of a section: rows of cells, without code marks, the header first."""
    section = re.split(r"\n##+ ", TEXT.split(f"\n### {heading} ", 1)[1])[0]
    blocks = re.findall(r"((?:^\|.*\n)+)", section, re.MULTILINE)
    return [
        [
            [cell.strip().strip("`") for cell in line.strip("|").split("|")]
            for line in block.strip().splitlines()
            if not re.fullmatch(r"[|\- ]+", line)
        ]
        for block in blocks
    ]


def test_the_methods():
    for method, pairs, _ in tables("P66")[0][1:]:
        if method != "random":
            made = make_round([Player(0)] * 8, Wishes(Method(method)))
            assert " ".join(f"{a + 1}-{b + 1}" for a, b in made.pairs) == pairs


def test_the_wishes_are_counted():
    # The lot counts twice, across the groups and inside them.
    assert len(tables("P62")[0]) - 1 == len(Wish) + 1


def test_berger():
    for count, rounds in tables("P77")[0][1:]:
        assert (
            ", ".join(" ".join(f"{a}-{b}" for a, b in row) for row in build_berger_table(int(count)))
            == rounds
        )


def test_the_groups():
    header, *rows = tables("P81")[0]
    players = entrants(" ".join(str(number) for number in range(1, 17)))
    for how, *groups in rows:
        assert [" ".join(one.id for one in group) for group in deal_into_groups(players, 4, how)] == groups
    assert header[1:] == list("ABCD")


def test_the_crossings():
    for count, first in tables("P82")[0][1:]:
        lines = draw_crosswise(qualified(int(count), 2))
        assert " ".join(f"{a}-{b}" for a, b in zip(lines[::2], lines[1::2], strict=True)) == first


def test_the_tie_breaks_and_their_explanations():
    said = dict(tables("P90")[0][1:])
    assert said == {name: one.explanation for name, one in TIE_BREAKS.items()}


def test_the_worked_example():
    header, *rows = tables("P90")[1]
    for player, *values in rows:
        for name, value in zip(header[1:], values, strict=True):
            measured = TIE_BREAKS[name].measure(example(), (player,))
            assert measured[player] == int(value), (player, name)


def test_the_payouts():
    for pool, split, paid in tables("P102")[0][1:]:
        assert split_amount(int(pool), [int(weight) for weight in split.split()]) == tuple(
            int(amount) for amount in paid.split()
        )


def test_the_favourites():
    header, *rows = tables("P111")[0]
    for difference, *chances in rows:
        for length, chance in zip(header[1:], chances, strict=True):
            assert compute_fibs_chance(int(difference), 0, int(length)) == pytest.approx(
                float(chance), abs=0.0005
            )


def test_the_defaults_are_those_of_the_page():
    swiss = propose(field("swiss", entrants("A B"))).ranking[0].figures
    assert [name for name, _ in swiss] == ["points", "buchholz-cut-1", "buchholz", "sonneborn-berger"]
    assert [name for name, _ in propose(field("lives", entrants("A B"))).ranking[0].figures] == [
        "lives",
        "points",
    ]
