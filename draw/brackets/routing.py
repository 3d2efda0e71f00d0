"""The assignment of losers to places that makes rematches as late and as rare as possible (P24)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

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

# Size of the main draw and notation, without its X -> the matches of each round, found by a search for the fewest expected
# rematches in a full draw. `A4` is the loser of match 4 of main round A; a bare number is the winner of that match in the
# side bracket's previous round. Droppers may meet each other.
PLACES: dict[tuple[int, str], str] = {
    (8, "A.B.|."): "A4-A2 A1-A3 / B1-B2 2-1 / 1-2",
    (16, "A.B.|.C.|."): "A1-A5 A3-A4 A2-A6 A8-A7 / 1-4 2-3 B1-B4 B3-B2 / 1-2 3-4 / 2-1 C1-C2 / 1-2",
    (16, "AB.C.|.|."): "A5-A4 A7-B1 A3-A1 A2-A8 B2-A6 B4-B3 / 4-5 1-2 3-C2 6-C1 / 1-2 3-4 / 1-2",
    (16, "A.B.|.C.|.D."): "A4-A6 A2-A3 A7-A1 A8-A5 / 4-3 2-1 B4-B3 B2-B1 / 1-2 3-4 / C1-C2 1-2 / 1-2 / 1-D1",
    (32, "A.B.|.C.|.D.|."): (
        "A12-A2 A4-A1 A7-A8 A16-A6 A15-A14 A5-A13 A11-A9 A10-A3 / 5-B2 B6-B5 3-2 B8-7 B4-4 B1-6 B7-B3 1-8"
        " / 1-2 3-4 5-6 7-8 / 1-3 4-2 C2-C3 C1-C4 / 1-2 3-4 / 1-2 D2-D1 / 1-2"
    ),
    (32, "A.B.C.D.|.|."): (
        "A11-A12 A8-A4 A2-A6 A13-A16 A3-A9 A5-A10 A7-A1 A15-A14 / B8-7 B5-B2 B3-4 B1-1 3-B6 8-B4 2-B7 5-6"
        " / C3-C1 6-2 C2-C4 1-8 3-4 7-5 / D1-D2 6-4 5-2 3-1 / 1-2 3-4 / 1-2"
    ),
    (32, "A.B.|.C.|.D.|.E."): (
        "A8-A7 A1-A9 A11-A12 A15-A2 A3-A16 A4-A10 A6-A14 A13-A5 / 7-8 B6-B1 B5-B2 B8-B4 B7-6 B3-4 3-1 2-5"
        " / 1-2 3-4 5-6 7-8 / C4-C2 C1-C3 2-1 4-3 / 1-2 3-4 / D2-D1 2-1 / 1-2 / 1-E1"
    ),
    (64, "A.B.|.C.|.D.|.E.|."): (
        "A1-A32 A21-A29 A23-A26 A24-A30 A12-A13 A8-A11 A7-A17 A4-A25 A22-A5 A27-A3 A9-A15 A31-A10 A2-A16 "
        "A6-A19 A14-A18 A20-A28 / B16-B3 5-6 B4-B9 8-2 13-B6 11-B7 B8-B15 15-B10 4-1 12-9 16-10 14-3 "
        "B11-B12 7-B2 B1-B5 B14-B13 / 1-2 3-4 5-6 7-8 9-10 11-12 13-14 15-16 / C7-C4 C5-C3 2-3 6-5 C2-C8 "
        "C1-C6 7-1 4-8 / 1-2 3-4 5-6 7-8 / D4-D1 D2-D3 3-1 4-2 / 1-2 3-4 / 1-2 E1-E2 / 1-2"
    ),
    (64, "AB.C.|.D.E.|.|."): (
        "A31-A14 B11-A15 B8-A22 A7-A5 B14-B12 A18-B16 A30-B3 A29-A10 A2-A11 B4-A6 A21-B15 A28-A27 A26-B5 "
        "A23-A17 A9-A4 A32-A24 A20-A8 B2-A25 B7-A3 A19-B1 A1-B10 B6-A16 B9-A12 A13-B13 / 10-6 15-C7 C1-1 "
        "23-3 C4-18 5-4 C6-22 8-21 C5-9 13-C8 C2-24 11-12 C3-7 16-20 19-14 2-17 / 1-2 3-4 5-6 7-8 9-10 "
        "11-12 13-14 15-16 / 5-3 7-8 2-6 D2-D3 1-4 D4-D1 / E2-E1 3-5 4-6 1-2 / 1-2 3-4 / 1-2"
    ),
    (64, "A.B.|.C.|.D.|.E.|.F."): (
        "A27-A31 A15-A20 A26-A30 A3-A16 A8-A24 A18-A14 A2-A10 A29-A25 A21-A7 A22-A12 A32-A4 A17-A5 A6-A19"
        " A9-A13 A1-A28 A11-A23 / B5-2 B4-B12 B11-6 13-B15 B3-9 7-B9 B13-B1 B2-B16 B10-10 B8-14 B14-B6 "
        "4-12 11-15 5-B7 1-8 3-16 / 1-2 3-4 5-6 7-8 9-10 11-12 13-14 15-16 / C1-C4 C6-C2 6-2 1-4 C8-C7 "
        "C5-C3 8-5 7-3 / 1-2 3-4 5-6 7-8 / D1-D3 D2-D4 2-4 3-1 / 1-2 3-4 / E2-E1 1-2 / 1-2 / 1-F1"
    ),
}


class Router:
    """The possible history of each place: matches its players may have lost, with their probabilities."""

    def __init__(self) -> None:
        self.past: list[dict[int, float]] = []
        self.contested: list[bool] = []
        self.next: dict[int, int] = {}

    def add(self, node: int, sources: Sequence[Source]) -> None:
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
    size: int
    notation: str
    is_full: bool
    is_from_main: bool
    routing: Routing
    rounds_of_main: tuple[tuple[int, ...], ...]


def build_arranger(case: RoutingInput, router: Router) -> Arranger:
    name = case.notation.replace("X", "")
    # Masks treat all lines alike, which a title match needs. With byes, tables could give one player
    # two byes while others play both rounds.
    is_by_table = case.routing is Routing.SLOTS or (
        case.routing is Routing.AUTO and case.is_full and name == case.notation
    )
    if case.is_from_main and is_by_table and (case.size, name) in PLACES:
        return _arrange_by_table(PLACES[case.size, name], case)

    def arrange(_number: int, survivors: Sequence[Source], fallen: Sequence[Source]) -> list[Pair]:
        if case.routing is Routing.NATURAL or not fallen:
            return _pair_neighbours(survivors, fallen)
        if case.is_from_main and len(survivors) == len(fallen):
            mask = _find_mask(case, fallen[0])
            return [(survivor, fallen[at ^ mask]) for at, survivor in enumerate(survivors)]
        return pair_least_met(survivors, fallen, router)

    return arrange


def _find_mask(case: RoutingInput, fallen: Source) -> int:
    masks = MASKS.get(case.size, ())
    at = next(at for at, row in enumerate(case.rounds_of_main) if fallen.index in row)
    return masks[at - 1] if 0 < at <= len(masks) else 0


def _pair_neighbours(survivors: Sequence[Source], fallen: Sequence[Source]) -> list[Pair]:
    if len(survivors) == len(fallen):
        return list(zip(survivors, fallen, strict=True))
    everyone = [*survivors, *fallen]
    return list(zip(everyone[::2], everyone[1::2], strict=True))


def _arrange_by_table(places: str, case: RoutingInput) -> Arranger:
    rounds = [[match.split("-") for match in row.split()] for row in places.split("/")]

    def arrange(number: int, survivors: Sequence[Source], _fallen: Sequence[Source]) -> list[Pair]:
        def find_source(place: str) -> Source:
            if place.isdecimal():
                return survivors[int(place) - 1]
            return Source(Feed.LOSER, case.rounds_of_main[LETTERS.index(place[0])][int(place[1:]) - 1])

        return [(find_source(a), find_source(b)) for a, b in rounds[number - 1]]

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
