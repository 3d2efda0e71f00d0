"""Who must not or should not meet in a Swiss: clubs, families, and whoever the director kept apart (P63)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from draw.event import EntrantId, Field

STRENGTHS: Final = ("off", "soft", "hard")
OPTIONS: Final = frozenset({"clubs", "families", "apart_rounds", "apart_first"})


@dataclass(frozen=True, slots=True)
class Circles:
    """The numbers of the circles one entrant belongs to."""

    hard: frozenset[int] = frozenset()
    soft: frozenset[int] = frozenset()


def circles(field: Field, number: int) -> dict[EntrantId, Circles]:
    """Return what holds in this round, for each entrant who belongs to any circle."""
    hard: dict[EntrantId, set[int]] = {}
    soft: dict[EntrantId, set[int]] = {}
    for circle, (members, is_hard) in enumerate(_circles(field, number)):
        for one in members:
            (hard if is_hard else soft).setdefault(one, set()).add(circle)
    return {
        one.id: Circles(frozenset(hard.get(one.id, ())), frozenset(soft.get(one.id, ())))
        for one in field.entrants
    }


def _circles(field: Field, number: int) -> Iterator[tuple[frozenset[EntrantId], bool]]:
    last = field.options.integer("apart_rounds", 0)
    # A circle of clubs or families ends with the rounds it was announced for; the director's word does not.
    if not last or number <= last:
        yield from _named(
            field.options.text("clubs", "soft", STRENGTHS), {one.id: one.club for one in field.entrants}
        )
        yield from _named(
            field.options.text("families", "hard", STRENGTHS), {one.id: one.family for one in field.entrants}
        )
    for apart in field.apart:
        yield apart.members, apart.hard


def _named(strength: str, names: Mapping[EntrantId, str]) -> Iterator[tuple[frozenset[EntrantId], bool]]:
    if strength == "off":
        return
    called: dict[str, list[EntrantId]] = {}
    for one, name in names.items():
        if name:
            called.setdefault(name, []).append(one)
    for members in called.values():
        yield frozenset(members), strength == "hard"
