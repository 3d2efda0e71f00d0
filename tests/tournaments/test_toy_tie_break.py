"""The recipe of a tie-break holds: a function and a line, and pages, API, command and reasons know it."""

from __future__ import annotations

import io
import json
from fractions import Fraction
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone

import draw
import tournaments
from draw import rounds
from draw.__main__ import main
from draw.event import EntrantId
from draw.standings import registry
from draw.standings.cards import Table, TieBreak
from tests.matches.http import Caller
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import url
from tournaments.base import event_view
from tournaments.models import Stage
from tournaments.pages import standings_tables
from tournaments.plan import plan_shapes

pytestmark = [pytest.mark.django_db, pytest.mark.today]

# Three of four have two wins; the one with the earliest loss has the longest run of wins since then.
WINNERS = {(1, 4): 1, (2, 3): 2, (1, 2): 1, (3, 4): 3, (1, 3): 3, (2, 4): 2}

# -- the function


def measure(table: Table, tied: tuple[EntrantId, ...]) -> dict[EntrantId, Fraction]:
    """The number of consecutive wins in the last rounds."""
    found = {}
    for player in tied:
        turns = [turn for turn in table.turns(player) if turn.opponent is not None]
        lost = next((at for at, turn in enumerate(reversed(turns)) if turn.points < 1), len(turns))
        found[player] = Fraction(lost)
    return found


TOY = TieBreak("Run at the end", "Rounds won in a row before the end.", measure)


@pytest.fixture(autouse=True)
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    # -- the line
    monkeypatch.setitem(registry.TIE_BREAKS, "run", TOY)
    monkeypatch.setitem(rounds.TIES_OPTION.choices, "run", TOY.title)


def test_the_page_lets_a_director_choose_it(desk: Desk, window: Client) -> None:
    desk.announce(a_plan("round-robin", ties=("points", "run")), 4)
    page = window.get(url("arrange", desk.event.key)).content.decode()
    assert '<option value="run" selected>Run at the end</option>' in page


@pytest.mark.long
def test_it_decides_and_the_table_says_so(desk: Desk, window: Client) -> None:
    desk.start(a_plan("round-robin", ties=("points", "run")), 4)
    while todo := desk.open():
        row = todo[0]
        a, b = sorted((row.a.number, row.b.number))
        desk.play(row.key, WINNERS[a, b])
    (table,) = standings_tables.build_tables(event_view.load_view(desk.fresh()))
    assert [column.key for column in table.columns] == ["points", "run"]
    assert [(row.who.number, row.place, row.figures) for row in table.rows] == [
        (3, "1", ("2", "2")),
        (2, "2", ("2", "1")),
        (1, "3", ("2", "0")),
        (4, "4", ("0", "0")),
    ]
    page = window.get(url("standings", desk.event.key)).content.decode()
    assert "Run at the end" in page
    assert "Rounds won in a row before the end." in page


def test_programs_are_told_of_it_and_may_name_it(desk: Desk) -> None:
    caller = Caller(desk.director)
    plan = {"stages": [{"format": "swiss", "options": {"rounds": 3, "ties": ["points", "run"]}}]}
    told = {"club": desk.club.slug, "name": "Toys", "starts_at": timezone.now().isoformat(), "plan": plan}
    key = caller.post("events/", told, status=201)["key"]
    assert Stage.objects.get(tournament__key=key).options["ties"] == ["points", "run"]
    assert "run" in plan_shapes.build_properties()["ties"]["items"]["enum"]


def test_the_command_ranks_by_it(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    event = {
        "format": "swiss",
        "options": {"rounds": 2, "order": "listed", "ties": ["points", "run"]},
        "entrants": ["a", "b", "c", "d"],
        "rounds": [
            {"pairs": [{"a": "a", "b": "c", "winner": "a"}, {"a": "b", "b": "d", "winner": "d"}]},
            {"pairs": [{"a": "a", "b": "d", "winner": "d"}, {"a": "b", "b": "c", "winner": "b"}]},
        ],
    }
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(event)))
    assert main(["propose", "-", "--full"]) == 0
    ranking = json.loads(capsys.readouterr().out)["ranking"]
    assert [one["entrant"] for one in ranking] == ["d", "b", "a", "c"]


def test_no_other_file_knows_a_tie_break_by_its_name() -> None:
    # Lists that hold where nothing is said.
    defaults = {"rounds.py", "lives.py", "league.py", "playoff_matches.py"}
    # Some are words for something else, too: columns, options, places.
    ambiguous = {"points", "lives", "wins", "rating", "play-off", "shared", "lot", "run"}
    found: dict[str, set[str]] = {}
    for package in (draw, tournaments):
        folder = Path(package.__file__).parent
        for file in folder.rglob("*.py"):
            path = file.relative_to(folder).as_posix()
            if path == "standings/registry.py" or path.startswith("migrations/") or path in defaults:
                continue
            text = file.read_text("utf-8")
            if named := {name for name in registry.TIE_BREAKS.keys() - ambiguous if f'"{name}"' in text}:
                found[path] = named
    assert found == {}
