"""Verification of a published draw: the seed fits its commitment, drawing again gives the same (P05)."""

from __future__ import annotations

from dataclasses import replace

from draw import lots, stages
from draw.event import EntrantId, Event
from draw.files.event_input import WrittenIds, read_event
from draw.json_objects import JsonObject, get_list
from draw.seeding import Lines, is_committed


def verify_draw(data: object) -> dict[str, bool]:
    """Run every check that the file allows. A draw is verified if there is at least one and all are true."""
    file = JsonObject.parse(data, "")
    event, names = read_event(data)
    # The published draw is what is verified, so it must not influence the new one.
    event = replace(event, draws=())
    published = file.object("published")
    checks: dict[str, bool] = {}
    if file.get("commitment") is not None:
        checks["commitment"] = _is_committed(event.seed, file.text("commitment"))
    if published.get("lines") is not None:
        lines = tuple(
            None if value is None else names.find(value, "published.lines")
            for value in published.items("lines")
        )
        checks["lines"] = bool(lines) and lines == _draw_again(event, published.text("stage"))
    proposal = stages.propose(event)
    if published.get("pairs") is not None:
        checks["pairs"] = _read_pairs(published, names) == {frozenset(pair) for pair in proposal.pairs}
    if published.get("bye") is not None:
        byes = [names.find(value, "published.bye") for value in published.items("bye")]
        checks["bye"] = sorted(byes) == sorted(bye.entrant for bye in proposal.byes)
    return checks


def _is_committed(seed: str, published: str) -> bool:
    """True if the seed was committed to; "seed/2" is that of its second draw."""
    first, _, attempt = seed.rpartition("/")
    return is_committed(seed, published) or (attempt.isdecimal() and is_committed(first, published))


def _draw_again(event: Event, name: str) -> Lines:
    """Draw the stage of this name, or else the first whose draw is kept; no lines if its players are unknown."""
    for stage in event.stages:
        if stage.name == name or (not name and stages.get_format(stage).keeps_draw):
            field = stages.build_field(event, stage, stages.propose_stages(event, before=stage.name))
            return () if field is None else lots.make_draw(field).lines
    return ()


def _read_pairs(published: JsonObject, names: WrittenIds) -> set[frozenset[EntrantId]]:
    pairs: set[frozenset[EntrantId]] = set()
    for at, value in enumerate(published.items("pairs")):
        two = get_list(value)
        if two is None:
            raise published.refuse(f"pairs[{at}]", "a list of two")
        pairs.add(frozenset(names.find(one, f"published.pairs[{at}]") for one in two))
    return pairs
