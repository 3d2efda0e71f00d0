"""Exclusions in a Swiss: players of one club or family, or on a director's list, are kept apart (P63)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from draw.options import Choice, Flag, OptionHeading, WholeNumber, gettext_noop, index_options

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from draw.event import EntrantId, Field

STRENGTHS: Final = {
    "off": gettext_noop("They may meet"),
    "soft": gettext_noop("Kept apart if possible"),
    "hard": gettext_noop("They never meet"),
}
CLUBS: Final = Choice(
    "clubs", "soft", gettext_noop("Players of one club"), choices=STRENGTHS, heading=OptionHeading.APART
)
FAMILIES: Final = Choice(
    "families", "hard", gettext_noop("Players of one family"), choices=STRENGTHS, heading=OptionHeading.APART
)
APART_ROUNDS: Final = WholeNumber(
    "apart_rounds",
    0,
    gettext_noop("Keep them apart for this many rounds"),
    gettext_noop("Clubs and families. Leave empty for all rounds."),
    heading=OptionHeading.APART,
)
APART_FIRST: Final = Flag(
    "apart_first",
    False,
    gettext_noop("Keeping them apart takes priority over equal scores"),
    heading=OptionHeading.APART,
)
OPTIONS: Final = index_options(CLUBS, FAMILIES, APART_ROUNDS, APART_FIRST)


def map_circles(field: Field, number: int) -> dict[EntrantId, tuple[frozenset[int], frozenset[int]]]:
    """Map each entrant to the numbers of the hard and of the soft circles that apply in this round."""
    hard: dict[EntrantId, set[int]] = {}
    soft: dict[EntrantId, set[int]] = {}
    for circle, (members, is_hard) in enumerate(_list_circles(field, number)):
        for one in members:
            (hard if is_hard else soft).setdefault(one, set()).add(circle)
    return {
        one.id: (frozenset(hard.get(one.id, ())), frozenset(soft.get(one.id, ()))) for one in field.entrants
    }


def _list_circles(field: Field, number: int) -> Iterator[tuple[frozenset[EntrantId], bool]]:
    last = APART_ROUNDS.get(field.options)
    # Clubs and families are kept apart for the announced rounds; the director's exclusions always hold.
    if not last or number <= last:
        yield from _group_by_name(CLUBS.get(field.options), {one.id: one.club for one in field.entrants})
        yield from _group_by_name(FAMILIES.get(field.options), {one.id: one.family for one in field.entrants})
    for apart in field.apart:
        yield apart.members, apart.hard


def _group_by_name(
    strength: str, names: Mapping[EntrantId, str]
) -> Iterator[tuple[frozenset[EntrantId], bool]]:
    if strength == "off":
        return
    called: dict[str, list[EntrantId]] = {}
    for one, name in names.items():
        if name:
            called.setdefault(name, []).append(one)
    for members in called.values():
        yield frozenset(members), strength == "hard"
