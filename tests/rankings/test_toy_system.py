"""The recipe of a rating system holds: a module and a line, and page, form, ledger, command and check know it."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest
from django.core.management import call_command
from django.urls import reverse

import rankings
from rankings.__main__ import main
from rankings.errors import BadSystem
from rankings.formulas import systems as table
from rankings.formulas.pairwise_system import PairwiseSystem, Stakes
from rankings.formulas.values import Standing
from rankings.models import PlayerRating, RatingList
from tests.clients import signed_in
from tests.deliveries import deliver
from tests.rankings.rating_lists import open_list
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import strip_tags

# -- the module


@dataclass(frozen=True, slots=True)
class Ladder(PairwiseSystem):
    """A win is a number of rungs up, a loss as many down, against any opponent."""

    summary: ClassVar[str] = "Ladder: every match counts the same"
    about: ClassVar[str] = "Ladder: a win is worth as much against anybody."
    words: ClassVar[dict[str, str]] = {"start": "Rung at the start", "rungs": "Rungs for a win"}

    start: float = 100.0
    rungs: float = 20.0

    def stakes(self, a: Standing, b: Standing, length: int) -> Stakes:
        return Stakes(expectancy_a=0.5, weight=1.0, k_a=self.rungs, k_b=self.rungs)


@pytest.fixture(autouse=True)
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    # -- the line
    monkeypatch.setitem(table.SYSTEMS, "ladder", Ladder)  # type: ignore[arg-type]


@pytest.mark.long
def test_a_director_opens_a_list_of_it_and_everybody_is_rated(desk: Desk) -> None:
    window = signed_in(desk.director)
    form = window.get(reverse("rankings:create", args=[desk.club.slug])).content.decode()
    assert 'value="ladder"' in form
    assert "Ladder: every match counts the same" in form
    said = {"name": "Rungs", "system": "ladder", "shortest": 1, "longest": 25, "played": "any"}
    address = reverse("rankings:create", args=[desk.club.slug])
    assert (
        window.post(
            address, {**said, "provisional_under": 0, "rules": "any", "inactive_after": 12, "has_past": "on"}
        ).status_code
        == 302
    )
    desk.start(a_plan("round-robin"), 4)
    desk.play_out()
    deliver(desk.now)
    # Six matches, the lower number winning: three wins, two, one, none, each of ten rungs.
    made = RatingList.objects.get(name="Rungs")
    found = PlayerRating.objects.filter(list=made).order_by("-rating").values_list("rating", "matches")
    assert list(found) == [(130.0, 3), (110.0, 3), (90.0, 3), (70.0, 3)]
    page = strip_tags(
        window.get(f"{reverse('rankings:club', args=[desk.club.slug])}?list={made.key}").content.decode()
    )
    assert "Ladder: a win is worth as much against anybody." in page
    assert "Rungs for a win rungs 20" in page
    assert "130.00" in page


def test_its_parameters_are_checked_and_its_ledger_is(desk: Desk) -> None:
    with pytest.raises(BadSystem):
        open_list(desk, "ladder", params={"steps": 3})
    open_list(desk, "ladder", params={"rungs": 2.0})
    desk.start(a_plan("round-robin"), 2)
    desk.play_out()
    deliver(desk.now)
    assert sorted(PlayerRating.objects.values_list("rating", flat=True)) == [99.0, 101.0]
    told = io.StringIO()
    call_command("rebuild_ratings", "--check", stdout=told)
    assert "all as their matches say" in told.getvalue()


def test_the_command_rates_by_it(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    matches = [{"id": 1, "at": "2026-03-05T20:00:00Z", "a": "Ann", "b": "Ben", "winner": "a", "length": 5}]
    request = {"system": "ladder", "params": {"rungs": 4}, "matches": matches}
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(request)))
    assert main(["rate", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["players"]["Ann"]["rating"] == 102.0


def test_no_other_file_knows_a_system_by_its_name() -> None:
    # FIBS is what is offered first; a sheet from elsewhere may head its column of ratings with a system's name.
    own = {
        "formulas/systems.py": {*table.SYSTEMS} - {"ladder"},
        "openings/opening_sheet.py": {"elo", "fibs"},
    }
    folder = Path(rankings.__file__).parent
    found: dict[str, set[str]] = {}
    for file in folder.rglob("*.py"):
        path, said = file.relative_to(folder).as_posix(), file.read_text("utf-8")
        named = {name for name in table.SYSTEMS if f'"{name}"' in said and f'>>> system("{name}"' not in said}
        if named and not path.startswith("migrations/"):
            found[path] = named
    assert {path: named for path, named in found.items() if named - own.get(path, {"fibs"})} == {}
    templates = folder.parent / "templates" / "rankings"
    assert [file.name for file in templates.glob("*.html") if "list.system" in file.read_text("utf-8")] == []
