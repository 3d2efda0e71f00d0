"""The draw of a knock-out after a group stage (P82).

Players of one group meet as late as possible, first in the main draw, then in the side brackets as far as these allow.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import combinations
from typing import Final, TypeAlias

from draw import matching, seeding
from draw.brackets.structure import FINAL, MAIN, Feed, Source, Structure
from draw.event import EntrantId, Ranked

Lines = tuple[EntrantId | None, ...]
Groups = tuple[tuple[EntrantId, ...], ...]
# Line -> the chance that its player reaches a seat, if every match is a coin flip.
Chances = Mapping[int, float]
Move = Callable[[Lines], Lines]

# Slot, number and bracket of a round of a side bracket; rounds sort in the order of play.
SideRound: TypeAlias = tuple[int, int, str]
NEVER: Final = ("", 0)
# Larger draws have too many exchanges to try in the side brackets.
MOST_LINES: Final = 64
TWO: Final = 2


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


@lru_cache(maxsize=16)
def spread_groups(lines: Lines, structure: Structure, groups: Groups) -> tuple[Lines, tuple[str, int]]:
    """Return a draw in which players of one group meet later or less often in the side brackets.

    The second value is the first side round in which two of one group can meet, its bracket and number: "" and 0 if none.

    Compared with *lines*, they meet no earlier in the main draw, the same entrants have byes, and the structure does not
    change. Neighbouring parts of the draw are exchanged, and so are players with the same place in their groups, except the
    winners, who are seeds. The first line does not change. Each group in *groups* is listed best first.
    """
    mates = [pair for group in groups for pair in combinations(group, TWO)]
    has_sides = any(bracket.name not in {MAIN, FINAL} for bracket in structure.brackets)
    if not mates or not has_sides or len(lines) > MOST_LINES:
        return lines, NEVER
    chances = _find_meetings(structure)
    rounds = sorted({at for meetings in chances.values() for at in meetings})

    def count_main(line_of: Mapping[EntrantId, int]) -> list[int]:
        main = Counter((line_of[one] ^ line_of[other]).bit_length() for one, other in mates)
        return [main[level] for level in range(len(lines).bit_length())]

    def count_side(line_of: Mapping[EntrantId, int]) -> list[float]:
        side = dict.fromkeys(rounds, 0.0)
        for one, other in mates:
            a, b = line_of[one], line_of[other]
            for at, likely in chances.get((min(a, b), max(a, b)), {}).items():
                side[at] += likely
        return list(side.values())

    line_of = _map_lines(lines)
    main, side, is_better = count_main(line_of), count_side(line_of), True
    moves = [*_list_part_swaps(lines), *_list_player_swaps(groups)]
    while is_better:
        is_better = False
        for move in moves:
            changed = move(lines)
            # The main draw counts first: most moves fail there, and counting the side brackets is slow.
            if changed == lines or (found := count_main(line_of := _map_lines(changed))) > main:
                continue
            beside = count_side(line_of)
            if (found, beside) < (main, side):
                lines, main, side, is_better = changed, found, beside, True
    meetings = zip(rounds, side, strict=True)
    return lines, next(((bracket, number) for (_, number, bracket), likely in meetings if likely), NEVER)


def _map_lines(lines: Lines) -> dict[EntrantId, int]:
    return {one: line for line, one in enumerate(lines) if one is not None}


def _list_part_swaps(lines: Lines) -> Iterator[Move]:
    """Yield the exchanges of two neighbouring parts, the largest first."""
    half = len(lines) // 2
    while half:
        for start in range(2 * half, len(lines), 2 * half):
            yield partial(_swap_parts, start=start, half=half)
        half //= 2


def _swap_parts(lines: Lines, *, start: int, half: int) -> Lines:
    """Exchange two parts; return the same draw if their byes are on different lines."""
    middle, end = start + half, start + 2 * half
    one, other = lines[start:middle], lines[middle:end]
    if any((a is None) != (b is None) for a, b in zip(one, other, strict=True)):
        return lines
    return (*lines[:start], *other, *one, *lines[end:])


def _list_player_swaps(groups: Groups) -> Iterator[Move]:
    """Yield the exchanges of two players with the same place in their groups, below the winners."""
    for level in range(1, max(map(len, groups))):
        equals = [group[level] for group in groups if level < len(group)]
        for one, other in combinations(equals, TWO):
            yield partial(_swap_players, one=one, other=other)


def _swap_players(lines: Lines, *, one: EntrantId, other: EntrantId) -> Lines:
    """Exchange two players; return the same draw if only one of them has a bye."""
    a, b = lines.index(one), lines.index(other)
    if (lines[a ^ 1] is None) != (lines[b ^ 1] is None):
        return lines
    changed = list(lines)
    changed[a], changed[b] = other, one
    return tuple(changed)


def _find_meetings(structure: Structure) -> Mapping[tuple[int, int], Mapping[SideRound, float]]:
    """Return, for each pair of lines, the side rounds in which their players may meet, with probabilities."""
    comers: list[Chances] = []
    found: defaultdict[tuple[int, int], defaultdict[SideRound, float]] = defaultdict(
        lambda: defaultdict(float)
    )
    for index, node in enumerate(structure.nodes):
        one, other = (_find_chances(structure, source, comers) for source in (node.a, node.b))
        comers.append({line: one.get(line, 0) + other.get(line, 0) for line in (*one, *other)})
        if node.bracket in {MAIN, FINAL} or structure.comers[index] < TWO:
            continue
        at = node.slot, node.round, node.bracket
        for a, likely in one.items():
            for b, also in other.items():
                if a != b:
                    found[min(a, b), max(a, b)][at] += likely * also
    return found


def _find_chances(structure: Structure, source: Source, comers: Sequence[Chances]) -> Chances:
    """Return the lines whose players may come from this source, with probabilities."""
    if source.feed is Feed.LINE:
        return {source.index: 1.0}
    there, is_match = comers[source.index], structure.comers[source.index] == TWO
    if not is_match and source.feed is Feed.WINNER:
        return there
    # A player who had a bye may still lose the first match that is played (P25).
    return (
        {line: likely / 2 for line, likely in there.items()} if is_match or source.feed is Feed.FIRST else {}
    )
