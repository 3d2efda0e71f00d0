"""The assignment of losers to places that makes rematches as late and as rare as possible (P24)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from draw.brackets import slots
from draw.brackets.notation import LETTERS
from draw.brackets.sheet import Routing
from draw.brackets.structure import Feed, Source

Pair = tuple[Source, Source]
Arranger = Callable[[int, Sequence[Source], Sequence[Source]], list[Pair]]

# Size of the main draw -> mask of round B, C, ...: the loser of match i meets the survivor i xor mask. Found by
# search over all masks for the smallest exact expectation of rematches; the last round that drops needs none.
MASKS: dict[int, tuple[int, ...]] = {
    8: (1,),
    16: (2,),
    32: (2, 2),
    64: (8, 6, 1, 1),
    128: (4, 8, 6, 1, 1),
    256: (24, 8, 14, 4, 0, 1),
    512: (16, 16, 14, 14, 4, 0, 1),
    1024: (251, 110, 40, 16, 2, 3, 3),
}


class Router:
    """The possible history of each place: matches its players may have lost, with their probabilities."""

    def __init__(self) -> None:
        self.past: list[dict[int, float]] = []
        self.contested: list[bool] = []
        self.next: dict[int, int] = {}

    def add(self, node: int, sources: Sequence[Source]) -> None:
        """Add a place with the sources of its players."""
        past: dict[int, float] = {}
        for source in sources:
            if source.feed is Feed.WINNER:
                self.next[source.index] = node
            for lost, chance in self.history(source).items():
                past[lost] = past.get(lost, 0) + chance / len(sources)
        self.past.append(past)
        self.contested.append(len(sources) > 1)

    def history(self, source: Source) -> dict[int, float]:
        """Return the matches that a player from this source may have lost, with their probabilities."""
        if source.feed is Feed.LINE:
            return {}
        past = self.past[source.index]
        return past if source.feed is Feed.WINNER else past | {source.index: 1.0}

    def met(self, sources: Sequence[Source]) -> dict[tuple[int, int], float]:
        """Return the probability that two sources have met, by their positions; zeros are left out."""
        holders: dict[int, list[tuple[int, float]]] = {}
        for at, source in enumerate(sources):
            for lost, chance in self.history(source).items():
                holders.setdefault(lost, []).append((at, chance))
        chances: dict[tuple[int, int], float] = {}
        for lost, losers in holders.items():
            for later, likely in self.way_of_winner(lost):
                for at, one in losers:
                    for other, two in holders.get(later, ()):
                        pair = (min(at, other), max(at, other))
                        chances[pair] = chances.get(pair, 0) + one * two * likely
        return chances

    def way_of_winner(self, node: int) -> list[tuple[int, float]]:
        """List where the winner of a place may lose later in the same bracket, with the probabilities."""
        way: list[tuple[int, float]] = []
        likely = 1.0
        at = self.next.get(node)
        while at is not None:
            if self.contested[at]:
                likely /= 2
                way.append((at, likely))
            at = self.next.get(at)
        return way


@dataclass(frozen=True, slots=True)
class RoutingInput:
    """Input for arranging one side bracket."""

    size: int
    notation: str
    full: bool
    from_main: bool
    routing: Routing
    rounds_of_main: tuple[tuple[int, ...], ...]
    drops: tuple[tuple[Source, ...], ...]


def build_arranger(case: RoutingInput, router: Router) -> Arranger:
    """Choose the function that pairs survivors and droppers in this bracket."""
    table = _find_table(case) if case.from_main else None
    if table is not None:
        return _arrange_by_table(table, case)

    def arrange(_number: int, survivors: Sequence[Source], fallen: Sequence[Source]) -> list[Pair]:
        if case.routing is Routing.NATURAL or not fallen:
            return _pair_neighbours(survivors, fallen)
        if case.from_main and len(survivors) == len(fallen):
            mask = _find_mask(case, fallen[0])
            return [(survivor, fallen[at ^ mask]) for at, survivor in enumerate(survivors)]
        return pair_least_met(survivors, fallen, router)

    return arrange


def _find_table(case: RoutingInput) -> slots.Table | None:
    name = case.notation.replace("X", "")
    # Masks treat all lines alike, which a title match needs. With byes, tables could give one player
    # two byes while others play both rounds.
    wanted = case.routing is Routing.SLOTS or (
        case.routing is Routing.AUTO and case.full and name == case.notation
    )
    return slots.find_table(case.size, name) if wanted else None


def _find_mask(case: RoutingInput, fallen: Source) -> int:
    masks = MASKS.get(case.size, ())
    at = next(at for at, row in enumerate(case.rounds_of_main) if fallen.index in row)
    return masks[at - 1] if 0 < at <= len(masks) else 0


def _pair_neighbours(survivors: Sequence[Source], fallen: Sequence[Source]) -> list[Pair]:
    if len(survivors) == len(fallen):
        return list(zip(survivors, fallen, strict=True))
    everyone = [*survivors, *fallen]
    return list(zip(everyone[::2], everyone[1::2], strict=True))


def _arrange_by_table(table: slots.Table, case: RoutingInput) -> Arranger:
    def arrange(number: int, survivors: Sequence[Source], _fallen: Sequence[Source]) -> list[Pair]:
        def source(slot: slots.Slot) -> Source:
            if slot.letter:
                return Source(Feed.LOSER, case.rounds_of_main[LETTERS.index(slot.letter)][slot.number - 1])
            return survivors[slot.number - 1]

        return [(source(a), source(b)) for a, b in table[number - 1]]

    return arrange


def pair_least_met(survivors: Sequence[Source], fallen: Sequence[Source], router: Router) -> list[Pair]:
    """Pair players who are least likely to have met; ties go to the nearest neighbour (P24).

    Nearest, so that opponents a winner has not met stay on the far side of the bracket.
    """
    everyone = [*survivors, *fallen]
    met = router.met(everyone)
    free = list(range(len(everyone)))
    pairs: list[Pair] = []
    while free:
        one = free.pop(0)
        other = next((at for at in free if (one, at) not in met), None)
        if other is None:
            other = min(free, key=lambda at: met[one, at])
        free.remove(other)
        pairs.append((everyone[one], everyone[other]))
    return pairs
