"""Placeholders in boxes without a known player: uniform, unmistakable, and never cut off."""

from __future__ import annotations

import pytest
from django.utils import translation

from draw.drawing.layout import DENSE, ROOMY
from draw.drawing.svg import measure_hint_room, measure_width
from players import names
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.base import event_view, labels
from tournaments.plan import drawing
from tournaments.play import directing

pytestmark = pytest.mark.django_db


def hints(desk: Desk) -> set[str]:
    view = event_view.load_view(desk.fresh())
    plays = [play for part in view.parts for play in part.plays]
    return {view.hint(play, side) for play in plays for side in "ab" if play.state == "waiting"} - {""}


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(("form", "players"), [("last-chance", 64), ("double-elimination", 64)])
def test_every_placeholder_of_a_large_sheet_fits_whole(
    desk: Desk, form: str, players: int, language: str
) -> None:
    desk.start(a_plan(form), players)
    with translation.override(language):
        found = hints(desk)
    assert len(found) > 60
    room = min(measure_hint_room(sizes) for sizes in (DENSE, ROOMY))
    assert [hint for hint in found if measure_width(hint) > room] == []


def test_places_of_all_brackets_are_named_in_one_manner(desk: Desk) -> None:
    desk.start(a_plan("last-chance"), 16)
    found = hints(desk)
    named = {hint for hint in found if hint.startswith(("Loser of", "Winner of"))}
    assert {hint.rsplit(" ", 1)[0] for hint in named} == {
        "Loser of quarter-final",
        "Loser of semi-final",
        "Loser of consolation",
    }
    assert "Loser of semi-final 1" in named


def test_a_place_is_called_as_its_round() -> None:
    assert labels.format_place("main", 4, 1, 4) == "final"
    assert labels.format_place("main", 4, 1, 4, has_title=True) == "winners' final"
    assert labels.format_place("losers", 6, 1, 6, has_title=True) == "losers' final"
    assert labels.format_place("main", 3, 2, 4) == "semi-final 2"
    assert labels.format_place("main", 1, 7, 4) == labels.format_place("main", 1, 7) == "round 1, match 7"
    assert labels.format_place("consolation", 1, 3, 4) == "consolation 1.3"


def test_two_of_one_family_are_told_apart(desk: Desk) -> None:
    desk.announce(a_plan("single-elimination"))
    names = ["Farid Haddad", "Nadia Haddad", "Grace O'Neill", "Keiko Tanabe"]
    desk.do(directing.admit_named, names=names)
    desk.do(drawing.publish)
    said = " ".join(hints(desk))
    assert "F. Haddad" in said
    assert "N. Haddad" in said
    assert "Tanabe" in said
    assert "Keiko" not in said


def test_the_shortest_name_that_is_nobody_elses() -> None:
    same = ["Jo Smith", "Jo Smith", "Al Smith"]
    assert names.shorten_names(same) == ["Jo Smith", "Jo Smith", "A. Smith"]


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Tilda from the ferry", "Tilda from the ferry"),
        ("Bob the Builder", "Bob the Builder"),
        ("ferry Tilda", "ferry Tilda"),
        ("Table 7 winner", "Table 7 winner"),
        ("Jan van Dijk", "Dijk"),
        ("Ana María Szalókvári", "Szalókvári"),
    ],
)
def test_a_surname_is_only_taken_where_there_surely_is_one(name: str, short: str) -> None:
    assert names.shorten_names([name, "Ada Okafor"]) == [short, "Okafor"]


def test_a_whole_name_is_cut_at_its_end_in_a_place_for_two() -> None:
    said = labels.format_either(
        "%(one)s or %(other)s", *names.shorten_names(["Tilda from the ferry", "Éva Szalókvári"])
    )
    assert said == "Tilda fro… or Szalókvár…"
