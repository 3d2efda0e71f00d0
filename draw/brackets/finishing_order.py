"""The order of a sheet at any moment: places that are final, and places still within reach (P33, P35)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from operator import attrgetter
from typing import Final, TypeAlias

from draw.brackets.reachable_levels import (
    COMES,
    MAY_COME,
    NOBODY_COMES,
    ExitFacts,
    ReachableLevels,
    SheetMap,
    find_reachable_levels,
)
from draw.brackets.resolution import NOBODY, Facts, Occupant, ResolvedPlace, resolve_spots
from draw.brackets.structure import MAIN, Feed, Level, Structure
from draw.event import UNDECIDED, EntrantId, Figure, Kind, LeaveTime, Pairing, Ranked, Result, State

# First and last place.
Span: TypeAlias = "tuple[int, int]"


def widen_spans(spans: Sequence[Span]) -> list[Span]:
    """Widen spans until no range of places holds more players than places.

    >>> widen_spans([(1, 2), (1, 2), (3, 3)])
    [(1, 2), (1, 2), (3, 3)]
    >>> widen_spans([(1, 1), (3, 3), (3, 3)])
    [(1, 1), (2, 3), (2, 3)]
    """
    people = len(spans)
    found = [(min(max(1, min(span)), people), min(max(span), people)) for span in spans]
    while (crowd := _find_crowd(found)) is not None:
        wider = _find_room(crowd, found)
        found = [wider if _is_within(span, crowd) else span for span in found]
    return found


def _find_crowd(spans: Sequence[Span]) -> Span | None:
    """Find the narrowest range that holds more players than places."""
    kinds = sorted(Counter(spans).items(), key=lambda kind: kind[0][1])
    crowds: list[tuple[int, int, int]] = []
    for low in {first for first, _ in spans}:
        inside = 0
        for (first, last), count in kinds:
            inside += count if first >= low else 0
            if inside > max(last - low + 1, 0):
                crowds.append((last - low, low, last))
                break
    return min(crowds)[1:] if crowds else None


def _find_room(crowd: Span, spans: Sequence[Span]) -> Span:
    """Find the narrowest range around a crowd that has room for all players in it."""
    kinds, (first, last) = Counter(spans), crowd
    return next(
        (low, low + width)
        for width in range(last - first + 1, len(spans))
        for low in range(max(1, last - width), min(first, len(spans) - width) + 1)
        if sum(count for span, count in kinds.items() if _is_within(span, (low, low + width))) <= width + 1
    )


def _is_within(span: Span, places: Span) -> bool:
    return places[0] <= span[0] and span[1] <= places[1]


# Both outcomes of at most this many matches are tried; each doubles the work.
MOST: Final = 5


def rank_within_reach(
    structure: Structure, facts: Facts, spots: Sequence[ResolvedPlace]
) -> tuple[Ranked, ...]:
    """Rank all entrants by the places that they hold or can still reach.

    An entrant who leaves after a match is eliminated at the place they reach, and opponents get byes. So both outcomes of such
    a match are computed, and the places shown cover both.
    """
    order = rank_entrants(structure, spots, facts.left)
    if _find_last_match(spots, facts) is None:
        return order
    spans = _compute_spans(structure, facts, spots, MOST)
    widened = (
        replace(one, rank=first, shared=last - first + 1)
        for one in order
        for first, last in (spans[one.entrant],)
    )
    return tuple(sorted(widened, key=attrgetter("rank", "shared")))


def _compute_spans(
    structure: Structure, facts: Facts, spots: Sequence[ResolvedPlace], most: int
) -> dict[EntrantId, Span]:
    """Compute the best and the worst place of each entrant over all outcomes of the leavers' matches."""
    at = _find_last_match(spots, facts) if most else None
    if at is None:
        return {one.entrant: (one.rank, one.last) for one in rank_entrants(structure, spots, facts.left)}
    key, pair = structure.nodes[at].key, (spots[at].a, spots[at].b)
    a, b = (one for one in pair if isinstance(one, str))
    found: dict[EntrantId, Span] = {}
    for winner in (a, b):
        played = Pairing(key, a, b, Result(Kind.PLAYED, winner))
        then = replace(facts, records={**facts.records, key: played})
        for entrant, (first, last) in _compute_spans(
            structure, then, resolve_spots(structure, then), most - 1
        ).items():
            best, worst = found.get(entrant, (first, last))
            found[entrant] = min(best, first), max(worst, last)
    return found


def _find_last_match(spots: Sequence[ResolvedPlace], facts: Facts) -> int | None:
    """Find the first open match of a player who leaves after it; None if there is none."""
    return next(
        (
            at
            for at, spot in enumerate(spots)
            if spot.state is State.READY and (spot.a in facts.left or spot.b in facts.left)
        ),
        None,
    )


def rank_entrants(
    structure: Structure, spots: Sequence[ResolvedPlace], left: Mapping[EntrantId, LeaveTime]
) -> tuple[Ranked, ...]:
    """Rank all entrants: eliminated ones by the round they lost, the others by the places within reach."""
    return tuple(sorted(_Sheet(structure, spots, left).ranked(), key=attrgetter("rank", "shared")))


def group_by_exit(
    structure: Structure, spots: Sequence[ResolvedPlace]
) -> dict[Level | None, list[EntrantId]]:
    """Group entrants by the level at which they were eliminated; None for those still in."""
    sheet = _Sheet(structure, spots, {})
    groups: dict[Level | None, list[EntrantId]] = defaultdict(list)
    for entrant in sheet.last:
        end = sheet.ends.get(entrant)
        groups[None if end is None else sheet.map.levels[end]].append(entrant)
    return groups


class _Sheet:
    """The state of a sheet: the last place of each entrant, and the final level of the eliminated ones."""

    def __init__(
        self,
        structure: Structure,
        spots: Sequence[ResolvedPlace],
        left: Mapping[EntrantId, LeaveTime],
    ) -> None:
        self.structure, self.spots, self.left = structure, spots, left
        self.map = SheetMap.build(structure)
        self.last: dict[EntrantId, int] = {}
        dead: list[int] = []
        for index, spot in enumerate(spots):
            if isinstance(spot.a, str):
                self.last[spot.a] = index
            if isinstance(spot.b, str):
                self.last[spot.b] = index
            if spot.winner is NOBODY and spot.result is not None:
                dead.append(index)
        self.dead = frozenset(dead)
        self.walked: set[int] = set()
        self.seated: set[int] = set()  # first-loss seats taken by an eliminated player
        self.empty = frozenset(
            source.index
            for node, spot in zip(structure.nodes[: structure.size // 2], spots, strict=False)
            for source, who in ((node.a, spot.a), (node.b, spot.b))
            if who is NOBODY
        )
        has_joined = len(self.last) > structure.size - len(self.empty)
        self.joined = frozenset(self._list_joined_seats() if has_joined else ())
        self.ends = dict(self._list_ends())

    def ranked(self) -> Iterator[Ranked]:
        """Yield each entrant with the places they hold or can still reach, in the order of the draw."""
        spans = dict(self._list_spans())
        # After withdrawals, or with latecomers in side brackets, exits cannot be assigned exactly.
        fits = widen_spans(list(spans.values())) if self.left or self.joined else spans.values()
        for entrant, (first, last) in zip(spans, fits, strict=True):
            is_open = entrant not in self.ends
            yield Ranked(
                entrant, first, last - first + 1, figures=self._list_figures(entrant), is_open=is_open
            )

    def _list_spans(self) -> Iterator[tuple[EntrantId, Span]]:
        """Yield the best and the worst place within reach of each entrant."""
        found = self.ways
        for entrant, index in self.last.items():
            end = self.ends.get(entrant)
            if end is None:
                best, worst = self._compute_reach(found, entrant, index)
            else:
                best = worst = end
            yield entrant, (found.above[best] + 1, found.through[worst])

    def _list_figures(self, entrant: EntrantId) -> tuple[tuple[str, Figure], ...]:
        """Return bracket, round and outcome of the last match of an entrant who is out, else nothing."""
        if entrant not in self.ends:
            return ()
        index = self.last[entrant]
        node = self.structure.nodes[index]
        won = self.spots[index].winner == entrant
        return ("bracket", node.bracket), ("round", node.round), ("won", won)

    def _compute_reach(self, found: ReachableLevels, entrant: EntrantId, index: int) -> tuple[int, int]:
        first = self._waiting_places.get((entrant, index)) if self.map.first_to else None
        if first is None and entrant not in self.left:
            return found.best[index], found.worst[index]
        ahead, behind = found.after(index, won=True), found.after(index, won=False)
        if first is not None:
            target = self.map.first_to[first]
            behind = found.best[target], found.worst[target]
        if entrant in self.left:  # leaves after this match
            return min(ahead[1], behind[1]), max(ahead[1], behind[1])
        return min(ahead[0], behind[0]), max(ahead[1], behind[1])

    # Eliminated entrants

    def _list_ends(self) -> Iterator[tuple[EntrantId, int]]:
        """Yield the final level of each eliminated entrant."""
        # In the order of leaving, so that places others had already secured stay secure.
        staying = (entrant for entrant in self.last if entrant not in self.left)
        for entrant in (*(entrant for entrant in self.left if entrant in self.last), *staying):
            index = self.last[entrant]
            spot = self.spots[index]
            if spot.state in UNDECIDED:
                leave = self.left.get(entrant)
                # With `LeaveTime.AFTER` they still play an open match.
                if leave is LeaveTime.NOW or (leave is LeaveTime.AFTER and spot.state is State.WAITING):
                    yield (
                        entrant,
                        self._follow_losses(
                            index, is_seated=True, first=self._waiting_places.get((entrant, index))
                        ),
                    )
            elif spot.winner == entrant:
                yield entrant, self.map.end(index, won=True)
            else:
                yield entrant, self._find_end_after_loss(entrant, index)

    def _find_end_after_loss(self, entrant: EntrantId, index: int) -> int:
        """Return the final level of an entrant who lost at a place and has not dropped."""
        target = self.map.loser_to.get(index)
        if target is not None:
            taken = (target, self._find_seat(target, Feed.LOSER, index)) in self.joined
            return self._follow_losses(target, is_seated=index not in self.dead and not taken)
        first = self._find_first_place(entrant, index)
        if first is None:
            return self.map.end(index, won=False)
        is_free = self._get_first_seat(first) is NOBODY and first not in self.seated
        if not is_free and first != index:
            return self.map.end(index, won=False)  # the loser of that match has the seat
        if is_free:
            self.seated.add(first)
        return self._follow_losses(self.map.first_to[first], is_seated=is_free)

    def _follow_losses(self, target: int, *, is_seated: bool, first: int | None = None) -> int:
        """Return the final level of an entrant who loses every match from here on (P33).

        Where there is no opponent, the entrant has a bye. *first* is the place they left unplayed: they drop from the first
        match that they lose (P25).
        """
        while True:
            meets = self._is_contested(target, is_seated=is_seated) and (
                target not in self.walked or not is_seated
            )
            if meets and is_seated:
                self.walked.add(target)
            if meets and first is not None and target in self.map.winner_to:
                self.seated.add(first)
                target, first = self.map.first_to[first], None
                continue
            leads = self.map.loser_to if meets else self.map.winner_to
            if target not in leads:
                return self.map.end(target, won=not meets)
            source, target = target, leads[target]
            if meets and (target, self._find_seat(target, Feed.LOSER, source)) in self.joined:
                is_seated = False

    def _is_contested(self, index: int, *, is_seated: bool) -> bool:
        """True if two players come to a place, assuming that an eliminated one continues down the sheet."""
        firsts = tuple((one, COMES) for one in self.map.first_to)
        dead = self.dead if is_seated else frozenset[int]()
        known = ExitFacts(self.empty, dead, joined=self.joined, firsts=firsts)
        return find_reachable_levels(self.structure, known).is_contested[index]

    # First losses

    def _find_first_place(self, entrant: EntrantId, index: int) -> int | None:
        """Return the first-round place whose consolation seat was reserved for a first loss at this place."""
        if self.structure.nodes[index].bracket != MAIN or index not in (
            *self.map.winner_to,
            *self.map.first_to,
        ):
            return None
        for first in self.map.first_to:
            at = first
            if entrant in (self.spots[first].a, self.spots[first].b):
                while at != index and not _is_played(self.spots[at]):
                    at = self.map.winner_to[at]
                return first if at == index else None
        return None

    def _get_first_seat(self, first: int) -> Occupant:
        target = self.map.first_to[first]
        spot = self.spots[target]
        return spot.a if self._find_seat(target, Feed.FIRST, first) == "a" else spot.b

    def _find_seat(self, target: int, feed: Feed, index: int) -> str:
        """Return the seat of *target*, "a" or "b", that is fed from *index*."""
        source = self.structure.nodes[target].a
        return "a" if (source.feed, source.index) == (feed, index) else "b"

    def _list_joined_seats(self) -> Iterator[tuple[int, str]]:
        """Yield the seats of latecomers who joined outside the main draw (P16)."""
        seen: set[Occupant] = {None, NOBODY}
        for index, spot in enumerate(self.spots):
            for seat, who in (("a", spot.a), ("b", spot.b)):
                if who not in seen and index >= self.structure.size // 2:
                    yield index, seat
                seen.add(who)

    @cached_property
    def _undecided_first_seats(self) -> dict[int, int]:
        """Undecided seats for a first loss, each with the later place that decides it."""
        found: dict[int, int] = {}
        for first in self.map.first_to:
            if self._get_first_seat(first) is None and self.spots[first].state not in UNDECIDED:
                at = first
                while self.spots[at].state not in UNDECIDED:
                    at = self.map.winner_to[at]
                found[first] = at
        return found

    @cached_property
    def _waiting_places(self) -> dict[tuple[EntrantId, int], int]:
        """The first-round place of each entrant who has not played yet, by entrant and current place."""
        return {
            (winner, at): first
            for first, at in self._undecided_first_seats.items()
            if (winner := self.spots[first].winner) is not None and winner is not NOBODY
        }

    def _count_comers(self, first: int) -> int:
        """Return whether a player comes to a seat that is reserved for a first loss."""
        if first in self.seated:
            return COMES
        if first in self._undecided_first_seats:
            node = self.structure.nodes[self.map.first_to[first]]
            fed = (one.index for one in (node.a, node.b) if one.feed is Feed.FIRST and one.index != first)
            twin = next(fed, None)  # the place that feeds the opposite seat
            if (
                twin is None
                or twin in self.seated
                or self._undecided_first_seats.get(twin) != self._undecided_first_seats[first]
            ):
                return MAY_COME
            return COMES if first < twin else NOBODY_COMES  # only one of the two opponents will drop
        return NOBODY_COMES if self._get_first_seat(first) is NOBODY else COMES

    @cached_property
    def ways(self) -> ReachableLevels:
        walked = frozenset(self.walked)
        if not self.dead and not self.joined and not self.map.first_to:
            return find_reachable_levels(self.structure, ExitFacts(self.empty, walked=walked))
        known = ExitFacts(
            self.empty,
            self.dead,
            walked,
            self.joined,
            tuple((first, self._count_comers(first)) for first in self.map.first_to),
            tuple(Counter(self._undecided_first_seats.values()).items()),
            frozenset(index for index, spot in enumerate(self.spots) if spot.state in UNDECIDED),
            tuple(self.ends.values()),
        )
        return find_reachable_levels(self.structure, known)


def _is_played(spot: ResolvedPlace) -> bool:
    return spot.result is not None and spot.result.contested
