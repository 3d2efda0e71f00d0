"""Verification of a published draw: the seed fits its commitment, drawing again gives the same (P05)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from draw import stages
from draw.event import From
from draw.event_input import read_event
from draw.json_objects import JsonObject, get_list
from draw.seeding import is_committed

if TYPE_CHECKING:
    from draw.event import EntrantId, Proposal
    from draw.event_input import WrittenIds


def verify_draw(data: object) -> dict[str, bool]:
    """Run every check that the file allows. A draw is verified if there is at least one and all are true."""
    file = JsonObject.parse(data, "")
    event, names = read_event(data)
    # The published draw is what is verified, so it must not influence the new one.
    proposal = stages.propose(replace(event, draws=()))
    published = file.object("published")
    checks: dict[str, bool] = {}
    if file.get("commitment") is not None:
        checks["commitment"] = is_committed(event.seed, file.text("commitment"))
    if published.get("lines") is not None:
        lines = [
            None if value is None else names.find(value, "published.lines")
            for value in published.items("lines")
        ]
        checks["lines"] = lines == find_lines(proposal)
    if published.get("pairs") is not None:
        checks["pairs"] = _read_pairs(published, names) == {frozenset(pair) for pair in proposal.pairs}
    if published.get("bye") is not None:
        byes = [names.find(value, "published.bye") for value in published.items("bye")]
        checks["bye"] = sorted(byes) == sorted(bye.entrant for bye in proposal.byes)
    return checks


def find_lines(proposal: Proposal) -> list[EntrantId | None]:
    """Return the lines of the first drawn stage, from top to bottom."""
    seats = {
        seat.number: seat.entrant
        for place in proposal.places
        if place.stage == proposal.places[0].stage
        for seat in (place.a, place.b)
        if seat.key is None and seat.number and seat.origin in (From.DRAW, From.NOBODY)
    }
    return [seats[line] for line in sorted(seats)]


def _read_pairs(published: JsonObject, names: WrittenIds) -> set[frozenset[EntrantId]]:
    pairs: set[frozenset[EntrantId]] = set()
    for at, value in enumerate(published.items("pairs")):
        two = get_list(value)
        if two is None:
            raise published.refuse(f"pairs[{at}]", "a list of two")
        pairs.add(frozenset(names.find(one, f"published.pairs[{at}]") for one in two))
    return pairs
