"""docs/pairing.md agrees with the code."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from draw import make_pairings, stages
from draw.brackets import notation
from draw.brackets.notation import LETTERS
from draw.brackets.sheet import Routing
from draw.event import Entrant, EntrantId, Event, Kind, Stage
from draw.files.event_file import write_event
from draw.files.event_input import read_event
from draw.files.proposal_output import write_proposal
from draw.formats import FORMATS
from draw.json_objects import BadFile, JsonObject, parse_fraction
from draw.random_stream import RandomStream
from draw.seeding import list_seed_order
from tests.draw.test_structure import built, expected

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs").glob("pairing*.md"))
TEXT = (ROOT / "docs" / "pairing.md").read_text("utf-8")
EXAMPLES = [
    pytest.param(question, wanted, id=f"{page.stem}-{at}")
    for page in PAGES
    for at, (question, wanted) in enumerate(
        re.findall(r"```json\n(.*?)```\n+```json\n(.*?)```", page.read_text("utf-8"), re.DOTALL), start=1
    )
]


@pytest.mark.parametrize(("question", "wanted"), EXAMPLES)
def test_examples(question: str, wanted: str) -> None:
    event, names = read_event(json.loads(question))
    got = write_proposal(stages.propose(event), names)
    for name, value in json.loads(wanted).items():
        assert got[name] == value


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 6


def rows(heading: str) -> list[list[str]]:
    section = TEXT.split(f"\n### {heading}", 1)[1]
    table = re.search(r"\n\n\|.*\n\|[-| ]+\n((?:\|.*\n)+)", section)
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in table[1].strip().splitlines()]


def test_chance() -> None:
    said = re.search(r"begins (\d+), (\d+), (\d+), and shuffles A B C D E F\nto ([A-F ]+)\.", TEXT)
    chance = RandomStream("barpoint")
    assert [chance.word() for _ in range(3)] == [int(number) for number in said.groups()[:3]]
    assert " ".join(RandomStream("barpoint").shuffled("ABCDEF")) == said[4]


def test_lines() -> None:
    for size, seeds in rows("P06"):
        assert " ".join(str(seed) for seed in list_seed_order(int(size))) == seeds


def test_ends() -> None:
    assert {row[0] for row in rows("P10")} == {kind.value for kind in Kind} | {"bye"}


def test_the_count() -> None:
    sizes = notation.compute_sizes(notation.parse_notation("A.B.|.C.|."), {"A": 8, "B": 4, "C": 2, "D": 1})
    said = [[int(cell) for cell in row[-3:]] for row in rows("P21")]
    assert said == [[size.survivors, sum(count for _, count in size.drops), size.matches] for size in sizes]


def held_against_the_page(least: int, most: int) -> None:
    for entrants, *figures in rows("P24"):
        size = int(entrants.replace(",", ""))
        if least <= size <= most:
            got = [
                expected(built(size, shape, routing=routing))
                for shape in ("double", "progressive")
                for routing in (Routing.AUTO, Routing.NATURAL)
            ]
            assert [float(figure) for figure in figures] == pytest.approx(got, abs=0.00051)


def test_rematches() -> None:
    held_against_the_page(8, 256)


@pytest.mark.slow
def test_rematches_of_large_draws() -> None:
    held_against_the_page(512, 1024)


def test_formats_and_options_are_all_named() -> None:
    pages = "\n".join(page.read_text("utf-8") for page in PAGES)
    for name, form in FORMATS.items():
        assert f"`{name}`" in pages
        for option in form.options:
            assert f"`{option}`" in pages, f"{name}: {option}"


def test_every_rule_that_the_code_cites_is_on_a_page() -> None:
    cited = {
        rule
        for source in (ROOT / "tournaments").rglob("*.py")
        for rule in re.findall(r"\bP\d\d\d?\b", source.read_text("utf-8"))
    }
    told = {
        rule for page in PAGES for rule in re.findall(r"^#+ (P\d+)", page.read_text("utf-8"), re.MULTILINE)
    }
    assert cited <= told


def test_letters() -> None:
    assert LETTERS[22:25] == "WYZ"


@pytest.mark.parametrize("value", ["1/0", "x", True])
def test_what_is_no_number_is_refused(value: object) -> None:
    with pytest.raises(BadFile, match="a number is expected"):
        parse_fraction(value, "scores")


@pytest.mark.parametrize("value", [1, 0, "true"])
def test_a_number_is_no_flag(value: object) -> None:
    with pytest.raises(BadFile, match="true or false"):
        JsonObject.parse({"hard": value}, "").flag("hard")


def test_an_only_stage_keeps_its_name() -> None:
    stage = Stage("final", "single-elimination")
    event = Event((stage,), tuple(Entrant(EntrantId(name)) for name in "abcd"), seed="7")
    event = make_pairings(event, stages.propose(event))
    found, _names = read_event(write_event(event))
    assert found.stages[0].name == "final"
    assert write_event(found) == write_event(event)
