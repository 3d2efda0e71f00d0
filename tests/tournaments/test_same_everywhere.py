"""The same event from the same seed ends in the same rows on every database."""

from __future__ import annotations

import json
from hashlib import sha256

import pytest

from tests.tournaments.event_desk import Desk, a_plan
from tournaments.play import arrivals, departures

# Written down from SQLite; the services' half of the suite holds PostgreSQL against it.
ENDS = {
    "double-elimination": "3559e60a7aa37622",
    "last-chance": "99fc8493e1733007",
    "lives": "25d909e87f717827",
    "swiss": "edc4505edf7b93dc",
}


def describe_event(desk: Desk) -> str:
    """A hash of the pairs, results and places, without values that the database generates."""
    rows = desk.event.pairings.order_by("position").values_list(
        "key", "a__number", "b__number", "state", "kind", "winner__number", "score_a", "score_b"
    )
    places = desk.event.entries.order_by("number").values_list("number", "place", "left")
    return sha256(json.dumps([list(rows), list(places)]).encode()).hexdigest()[:16]


@pytest.mark.long
@pytest.mark.parametrize("form", sorted(ENDS))
def test_the_same_event_ends_the_same_everywhere(desk: Desk, form: str) -> None:
    options = {"rounds": 4} if form == "swiss" else {}
    desk.start(a_plan(form, None, **options), 13)
    for key in list(desk.pairs())[:3]:
        desk.play(key)
    desk.do(departures.withdraw_entry, entry=7)
    desk.do(arrivals.enter_latecomer, name="Latecomer")

    desk.play_out(lambda row: max(row.a.number, row.b.number) if row.a and row.b else 0)

    assert describe_event(desk) == ENDS[form]
