"""The draw of a knock-out after a group stage (P82)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draw import matching, seeding

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from draw.event import EntrantId, Ranked


def draw_crosswise(intake: Sequence[Ranked]) -> tuple[EntrantId | None, ...]:
    """Draw lines of a knock-out so that players of one group meet as late as possible (P82)."""
    groups = group_qualifiers(intake)
    count = len(groups)
    if count >= 2 and count & (count - 1) == 0 and all(len(group) == 2 for group in groups):
        return tuple(_cross_groups(groups))
    order = seeding.sort_qualifiers(intake)
    return _place_apart([one.entrant for one in order], {one.entrant: one.group for one in order})


def group_qualifiers(intake: Sequence[Ranked]) -> tuple[tuple[EntrantId, ...], ...]:
    """Group the qualifiers: groups by name, the best of each group first."""
    groups: dict[str, list[EntrantId]] = {}
    for one in intake:
        groups.setdefault(one.group, []).append(one.entrant)
    return tuple(tuple(groups[name]) for name in sorted(groups))


def _cross_groups(groups: Sequence[Sequence[EntrantId]]) -> Iterable[EntrantId]:
    """Pair winners with seconds of the next group: A1-B2, C1-D2, ... above, B1-A2, D1-C2, ... below."""
    for first in (0, 1):
        for pair in range(0, len(groups), 2):
            yield groups[pair + first][0]
            yield groups[pair + 1 - first][1]


def _place_apart(order: Sequence[EntrantId], group: dict[EntrantId, str]) -> tuple[EntrantId | None, ...]:
    """Place seeds on their lines, then exchange players of equal group rank to part those of one group."""
    lines = list(seeding.place_seeds(order))
    rank: dict[EntrantId, int] = {}
    seen: dict[str, int] = {}
    for one in order:
        rank[one] = seen[group[one]] = seen.get(group[one], 0) + 1
    line_of = {one: line for line, one in enumerate(lines) if one is not None}
    placed = [one for one in order if rank[one] == 1]
    for level in range(2, max(rank.values(), default=1) + 1):
        equals = [one for one in order if rank[one] == level]
        spots = [line_of[one] for one in equals]
        has_bye = [lines[spot ^ 1] is None for spot in spots]
        rivals = [[line_of[other] for other in placed if group[other] == group[one]] for one in equals]
        for one, spot in zip(equals, _assign_lines(spots, has_bye, rivals, len(lines)), strict=True):
            lines[spot] = one
            line_of[one] = spot
        placed += equals
    return tuple(lines)


def _assign_lines(
    spots: Sequence[int], has_bye: Sequence[bool], rivals: Sequence[Sequence[int]], size: int
) -> list[int]:
    """Assign a line to each: byes to the better ranked, then late meetings count, then the seed."""
    count = len(spots)
    depth = size.bit_length()
    unit = count * count * count + 1
    worst = unit * (count + 1) ** (depth + 2) * (max(map(len, rivals)) + 1)
    costs: dict[tuple[int, int], int] = {}
    for place in range(count):
        for number, spot in enumerate(spots):
            early = sum((count + 1) ** (depth - (spot ^ rival).bit_length()) for rival in rivals[place])
            moved = worst if has_bye[place] != has_bye[number] else 0
            costs[place, count + number] = moved + early * unit + (place - number) ** 2
    never = sum(costs.values()) + 1
    mates = matching.find_partners(2 * count, lambda a, b: costs.get((a, b), never), costs.items())
    return [spots[mates[place] - count] for place in range(count)]
