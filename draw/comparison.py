"""Comparison of two proposals, place by place (P36)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from draw.event import EntrantId, Key, Place, Proposal, Result, State


class PlaceChangeKind(StrEnum):
    STANDS = "stands"  # the same two, the same result
    TURNS = "turns"  # the same two, another result
    SWAPS = "swaps"  # two met here, and now two others do
    FALLS = "falls"  # two met here, and now none do
    ARISES = "arises"  # two meet here who did not before
    PASSES = "passes"  # a bye begins, ends, or goes to another player


Two = tuple["EntrantId", ...]


@dataclass(frozen=True, slots=True)
class PlaceChange:
    key: Key
    change: PlaceChangeKind
    before: Two = ()
    after: Two = ()
    result_before: Result | None = None
    result_after: Result | None = None
    # A recorded result no longer counts, because its players do not meet here any more.
    lost_result: bool = False


def compare_proposals(before: Proposal, after: Proposal) -> tuple[PlaceChange, ...]:
    """Compare every place where two met or meet, or where a bye has changed, in order."""
    old = {place.key: place for place in before.places}
    new = {place.key: place for place in after.places}
    lost = {stale.pairing.key for stale in after.stale if stale.pairing.result is not None}
    found: list[PlaceChange] = []
    for key in dict.fromkeys((*old, *new)):
        one, other = old.get(key), new.get(key)
        change = _classify_change(one, other)
        if change is not None:
            seen = _list_passing if change is PlaceChangeKind.PASSES else _list_entrants
            found.append(
                PlaceChange(
                    key, change, seen(one), seen(other), _get_result(one), _get_result(other), key in lost
                )
            )
    return tuple(found)


def list_changes(before: Proposal, after: Proposal) -> tuple[PlaceChange, ...]:
    return tuple(one for one in compare_proposals(before, after) if one.change is not PlaceChangeKind.STANDS)


def _list_entrants(place: Place | None) -> Two:
    return () if place is None else place.entrants


def _list_passing(place: Place | None) -> Two:
    return place.entrants if place is not None and place.state is State.BYE else ()


def _get_result(place: Place | None) -> Result | None:
    return None if place is None else place.result


def _has_match(place: Place | None) -> bool:
    return place is not None and place.state in (State.READY, State.DECIDED)


def _classify_change(old: Place | None, new: Place | None) -> PlaceChangeKind | None:
    met, meet = _has_match(old), _has_match(new)
    if met and meet:
        if set(_list_entrants(old)) != set(_list_entrants(new)):
            return PlaceChangeKind.SWAPS
        return PlaceChangeKind.STANDS if _get_result(old) == _get_result(new) else PlaceChangeKind.TURNS
    if met:
        return PlaceChangeKind.FALLS
    if meet:
        return PlaceChangeKind.ARISES
    return PlaceChangeKind.PASSES if _list_passing(old) != _list_passing(new) else None
