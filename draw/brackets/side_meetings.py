"""Keep those of one group apart beside the main draw too, as long as the side brackets allow (P82)."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import combinations
from typing import TYPE_CHECKING, Final, NamedTuple

from draw.brackets.structure import FINAL, MAIN, Feed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from draw.brackets.structure import Source, Structure
    from draw.event import EntrantId

    Lines = tuple[EntrantId | None, ...]
    Groups = tuple[tuple[EntrantId, ...], ...]
    # Line -> how likely whoever stands there comes to a seat, every match being a coin flip.
    Chances = Mapping[int, float]
    Move = Callable[[Lines], Lines]

# Beyond this what can be exchanged takes too long to try.
MOST_LINES: Final = 64
TWO: Final = 2


class SideRound(NamedTuple):
    """A round of a side bracket; they stand in the order in which they are played."""

    slot: int
    number: int
    bracket: str


@dataclass(frozen=True, slots=True)
class Spread:
    """A draw, and the first round beside the main draw in which two of one group can meet; None where they never do."""

    lines: Lines
    first: SideRound | None = None


@lru_cache(maxsize=16)
def spread(lines: Lines, structure: Structure, groups: Groups) -> Spread:
    """Return a draw in which those of one group, best first, meet later or less in the side brackets than by *lines*.

    In the main draw they meet as late as before, byes stay with the same entrants, and the structure stays as it is.
    Neighbouring parts of the draw change places, and so do two who were equally placed in their groups, other than
    the winners: these are seeds. The first line stays.
    """
    mates = [pair for group in groups for pair in combinations(group, TWO)]
    has_sides = any(bracket.name not in {MAIN, FINAL} for bracket in structure.brackets)
    if not mates or not has_sides or len(lines) > MOST_LINES:
        return Spread(lines)
    chances = _of_pairs(structure)
    rounds = sorted({at for meetings in chances.values() for at in meetings})

    def cost(these: Lines) -> tuple[list[int], list[float]]:
        line_of = {one: line for line, one in enumerate(these) if one is not None}
        main, side = Counter[int](), dict.fromkeys(rounds, 0.0)
        for one, other in mates:
            a, b = line_of[one], line_of[other]
            main[(a ^ b).bit_length()] += 1
            for at, likely in chances.get((min(a, b), max(a, b)), {}).items():
                side[at] += likely
        return [main[level] for level in range(len(these).bit_length())], list(side.values())

    least, is_better = cost(lines), True
    moves = [*_turns(lines), *_exchanges(groups)]
    while is_better:
        is_better = False
        for move in moves:
            changed = move(lines)
            if changed != lines and (found := cost(changed)) < least:
                lines, least, is_better = changed, found, True
    return Spread(lines, next((at for at, likely in zip(rounds, least[1], strict=True) if likely), None))


def _turns(lines: Lines) -> Iterator[Move]:
    """Yield how two neighbouring parts change places, the largest first."""
    half = len(lines) // 2
    while half:
        for start in range(2 * half, len(lines), 2 * half):
            yield partial(_turned, start=start, half=half)
        half //= 2


def _turned(lines: Lines, *, start: int, half: int) -> Lines:
    """Return the draw with two parts exchanged, as it was if their byes do not stand alike."""
    middle, end = start + half, start + 2 * half
    one, other = lines[start:middle], lines[middle:end]
    if any((a is None) != (b is None) for a, b in zip(one, other, strict=True)):
        return lines
    return (*lines[:start], *other, *one, *lines[end:])


def _exchanges(groups: Groups) -> Iterator[Move]:
    """Yield how two of one level below the winners change places."""
    for level in range(1, max(map(len, groups))):
        equals = [group[level] for group in groups if level < len(group)]
        for one, other in combinations(equals, TWO):
            yield partial(_exchanged, one=one, other=other)


def _exchanged(lines: Lines, *, one: EntrantId, other: EntrantId) -> Lines:
    """Return the draw with two exchanged, as it was if only one of them has a bye."""
    a, b = lines.index(one), lines.index(other)
    if (lines[a ^ 1] is None) != (lines[b ^ 1] is None):
        return lines
    changed = list(lines)
    changed[a], changed[b] = other, one
    return tuple(changed)


def _of_pairs(structure: Structure) -> Mapping[tuple[int, int], Mapping[SideRound, float]]:
    """Return for every two lines in which side rounds those who stand there may meet, and how likely."""
    comers: list[Chances] = []
    found: defaultdict[tuple[int, int], defaultdict[SideRound, float]] = defaultdict(
        lambda: defaultdict(float)
    )
    for index, node in enumerate(structure.nodes):
        one, other = (_chances(structure, source, comers) for source in (node.a, node.b))
        comers.append({line: one.get(line, 0) + other.get(line, 0) for line in (*one, *other)})
        if node.bracket in {MAIN, FINAL} or structure.comers[index] < TWO:
            continue
        at = SideRound(node.slot, node.round, node.bracket)
        for a, likely in one.items():
            for b, also in other.items():
                if a != b:
                    found[min(a, b), max(a, b)][at] += likely * also
    return found


def _chances(structure: Structure, source: Source, comers: Sequence[Chances]) -> Chances:
    """Return who may come from here."""
    if source.feed is Feed.LINE:
        return {source.index: 1.0}
    there, is_match = comers[source.index], structure.comers[source.index] == TWO
    if not is_match and source.feed is Feed.WINNER:
        return there
    # Who had a bye may still lose the first match that is played (P25).
    return (
        {line: likely / 2 for line, likely in there.items()} if is_match or source.feed is Feed.FIRST else {}
    )
