"""The recipe of a tournament format holds: a module and a line, and pages, API, preview and labels know it."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

import tournaments
from draw import formats as table
from draw.event import EntrantId, Field, From, Key, Pairing, Place, Proposal, Ranked, Reason, Seat, State
from draw.format import Format, FormatKind, RoundCount
from draw.options import Choice, Prominence, WholeNumber, index_options
from draw.random_stream import RandomStream
from tests.matches.http import Caller
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import url
from tournaments.base import labels
from tournaments.models import Stage, Tournament
from tournaments.pages import reasons
from tournaments.plan import outline, plan_shapes
from tournaments.plan.stage_forms import StageForm
from tournaments.plan.templates import StagePlan
from tournaments.status import Status

pytestmark = [pytest.mark.django_db, pytest.mark.today]

# -- the module

SHIFT = WholeNumber(
    "shift", 1, "Seats between neighbours", "Who so far away sits opposite.", asked=Prominence.FIRST, least=1
)
HOST = Choice("host", "first", "Who lays the board", choices={"first": "The first", "second": "The second"})


def propose(field: Field, rng: RandomStream) -> Proposal:
    """Each entrant meets one neighbour, and the winner is first."""
    shift = SHIFT.get(field.options)
    made = {one.key: one for batch in field.rounds for one in batch.pairings}
    left = [one.id for one in field.entrants]
    places: list[Place] = []
    while len(left) > 1:
        pair = left.pop(0), left.pop(min(shift, len(left)) - 1)
        places.append(place(len(places) + 1, pair, made))
    won = [one.winner for one in places if one.winner is not None]
    order = [*won, *(one.id for one in field.entrants if one.id not in won)]
    return Proposal(
        places=tuple(places),
        ranking=tuple(Ranked(one, rank) for rank, one in enumerate(order, 1)),
        finished=all(one.state is State.DECIDED for one in places),
        why=tuple(
            Reason("opposite", one.key, (("a", one.a.entrant), ("b", one.b.entrant), ("shift", shift)))
            for one in places
        ),
    )


def place(number: int, pair: tuple[EntrantId, EntrantId], made: dict[Key, Pairing]) -> Place:
    key = Key(f"r1.{number}")
    result = made[key].result if key in made else None
    winner = result.winner if result else None
    a, b = (Seat(From.PAIRED, entrant=one) for one in pair)
    state = State.DECIDED if result else State.READY
    loser = next((one for one in pair if winner and one != winner), None)
    return Place(key, a, b, state, 1, number, winner=winner, loser=loser, result=result)


TOY = Format(
    propose,
    label="Opposite seats",
    kind=FormatKind.CIRCLES,
    options=index_options(SHIFT, HOST),
    sentences={"opposite": "{a} and {b} sit {shift} apart."},
    fixed=True,
    count=lambda options, entrants: RoundCount(1, entrants // 2, entrants % 2),
)


@pytest.fixture(autouse=True)
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    # -- the line
    monkeypatch.setitem(table.FORMATS, "toy", TOY)


def test_the_page_offers_it_and_asks_for_its_options(desk: Desk, window: Client) -> None:
    desk.announce(a_plan("toy", shift=2), 4)
    page = window.get(url("arrange", desk.event.key)).content.decode()
    assert '<option value="toy" selected>Opposite seats</option>' in page
    for words in (
        "Seats between neighbours",
        "Who so far away sits opposite.",
        "Who lays the board",
        "The second",
    ):
        assert words in page
    form = StageForm(
        {"format": "toy", "pairs": "auto", "deadline_policy": "call", "shift": "3", "host": "first"},
        plan=StagePlan(format="toy"),
    )
    assert form.is_valid(), form.errors
    assert form.stage().options == {"shift": 3}


def test_it_is_called_by_its_name_and_seen_beforehand() -> None:
    plan = a_plan("toy")
    (bracket,) = outline.build_outline(plan, 7).brackets
    assert (bracket.title, bracket.matches, bracket.rounds[0].byes) == ("Opposite seats", 3, 1)
    assert labels.describe_plan([{"format": "toy"}, {"format": "swiss", "rounds": 3}]) == (
        "Opposite seats, then Swiss, 3 rounds"
    )


@pytest.mark.long
def test_it_is_played_on_pages(desk: Desk, window: Client) -> None:
    desk.start(a_plan("toy", shift=2), 4)
    assert desk.pairs() == {"r1.1": (1, 3), "r1.2": (2, 4)}
    for tab in ("event", "bracket", "standings", "schedule", "desk"):
        assert window.get(url(tab, desk.event.key)).status_code == 200, tab
    desk.play("r1.1", 3)
    desk.play("r1.2", 2)
    assert desk.fresh().status == Status.FINISHED
    assert "Opposite seats" in window.get(url("event", desk.event.key)).content.decode()
    assert window.get(url("standings", desk.event.key)).status_code == 200


def test_programs_announce_it_and_are_told_what_it_lets_them_choose(desk: Desk) -> None:
    caller = Caller(desk.director)
    told = {"club": desk.club.slug, "name": "Toys", "starts_at": timezone.now().isoformat()}

    def plan(**said: Any) -> dict[str, Any]:
        return {**told, "plan": {"stages": [{"format": "toy", "options": said}]}}

    for wrong in ({"shift": 0}, {"shift": "2"}, {"host": "nobody"}, {"rounds": 3}):
        assert caller.post("events/", plan(**wrong), status=409)["code"] == "bad_plan"
    key = caller.post("events/", plan(shift=2, host="second"), status=201)["key"]
    assert Stage.objects.get(tournament__key=key).options == {"shift": 2, "host": "second"}
    assert Tournament.objects.get(key=key).played_as == [{"format": "toy"}]
    assert caller.get(f"events/{key}/")["format_label"] == "Opposite seats"
    assert plan_shapes.build_properties()["shift"] == {
        "type": "integer",
        "minimum": 1,
        "maximum": 1_024,
        "description": "Seats between neighbours. Who so far away sits opposite. Formats: toy (usually 1).",
    }


@pytest.mark.long
def test_no_other_file_knows_a_format_by_its_name() -> None:
    # Lists of example events and their pages; a new format needs no line there.
    examples = {"plan/templates.py", "demo.py", "demo_cast.py", "demo_play.py", "plan/announcing_forms.py"}
    # A stage that is added after another is a knock-out.
    grown = {"plan/plan_edits.py": {"single-elimination"}}
    # Some are words for something else, too: brackets, tie-breaks, lists.
    ambiguous = {"consolation", "last-chance", "lives", "groups", "toy"}
    folder = Path(tournaments.__file__).parent
    found: dict[str, set[str]] = {}
    for file in folder.rglob("*.py"):
        path = file.relative_to(folder).as_posix()
        if path in examples or path.startswith("migrations/"):
            continue
        tree = ast.parse(file.read_text("utf-8"))
        said = {
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
        named = (said & table.FORMATS.keys()) - ambiguous - grown.get(path, set())
        if named:
            found[path] = named
    assert found == {}


def test_its_reasons_are_said_in_the_librarys_english_until_somebody_translates_them() -> None:
    reason = Reason("opposite", "r1.1", (("a", "1"), ("b", "3"), ("shift", 2)), "toy")
    told = reasons.translate_reason(reason, {1: "Ann", 3: "Cid"}.__getitem__)
    assert told.sentence == "Ann and Cid sit 2 apart."
    assert told.entries == {"a": 1, "b": 3}
