"""The occupants of all places, in one pass in node order, byes in all brackets included (P30)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from heapq import heappop, heappush
from typing import Final, TypeAlias

from draw import history
from draw.brackets.reachable_levels import SheetMap
from draw.brackets.structure import MAIN, Feed, Node, Source, Structure
from draw.event import UNDECIDED, EntrantId, Key, Kind, LeaveTime, Pairing, Result, State


class Nobody(Enum):
    """Marker for an empty seat, which gives the opponent a bye."""

    NOBODY = "nobody"


NOBODY: Final = Nobody.NOBODY
# None: undecided.
Occupant: TypeAlias = "EntrantId | Nobody | None"
# The key of a place, and one of its two seats, a or b.
Joined: TypeAlias = "tuple[Key, str]"


@dataclass(frozen=True, slots=True)
class Facts:
    """Recorded facts of a sheet: the lines of the draw, results by place, and withdrawals."""

    lines: Sequence[EntrantId | None]
    records: Mapping[Key, Pairing] = field(default_factory=dict["Key", "Pairing"])
    left: Mapping[EntrantId, LeaveTime] = field(default_factory=dict["EntrantId", "LeaveTime"])
    left_as: Mapping[EntrantId, int] = field(default_factory=dict["EntrantId", int])
    no_show_drops: bool = False
    # Latecomers in empty seats, by place and seat (P16).
    joined: Mapping[Joined, EntrantId] = field(default_factory=dict["Joined", "EntrantId"])


@dataclass(frozen=True, slots=True)
class ResolvedPlace:
    state: State
    a: Occupant
    b: Occupant
    winner: Occupant
    loser: Occupant
    result: Result | None = None
    stale: bool = False  # a pairing was recorded here for two others
    actual: Result | None = None  # the actual result, if the players move by an earlier one (P39)


VACANT = ResolvedPlace(State.VACANT, NOBODY, NOBODY, NOBODY, NOBODY)


def resolve_spots(structure: Structure, facts: Facts) -> tuple[ResolvedPlace, ...]:
    """Resolve every place, in the order of the structure's nodes."""
    return _Resolver(structure, facts).spots()


class ResolvedSheet:
    """A sheet that is updated incrementally: a new record re-resolves only the places it affects.

    Its spots always equal `resolve_spots` of the same facts.
    """

    def __init__(self, structure: Structure, facts: Facts) -> None:
        self.structure, self.left = structure, facts.left
        self.records, self.lines = dict(facts.records), list(facts.lines)
        self.joined = facts.joined
        self._resolver = _Resolver(structure, replace(facts, records=self.records, lines=self.lines))
        self._resolver.spots()
        self.at = {node.key: index for index, node in enumerate(structure.nodes)}
        self._heirs = _list_dependents(structure, self._resolver.winner_to)
        # Number of undecided places.
        self.open = sum(spot.state in UNDECIDED for spot in self.spots)

    @property
    def spots(self) -> Sequence[ResolvedPlace]:
        return self._resolver.done

    @property
    def facts(self) -> Facts:
        """A snapshot of the facts; later records do not change it."""
        return replace(self._resolver.facts, records=dict(self.records), lines=tuple(self.lines))

    def record(self, pairing: Pairing) -> tuple[int, ...]:
        """Record a pairing; return the places that changed, in order."""
        self.records[pairing.key] = pairing
        bracket = str(pairing.key).split("/", 1)[0]
        self._resolver.seen.update(((pairing.a, bracket), (pairing.b, bracket)))
        return self._resolve_from(self.at[pairing.key])

    def seat(self, line: int, entrant: EntrantId | None) -> tuple[int, ...]:
        """Put an entrant on a line of the draw, or clear it; return the places that changed."""
        self.lines[line] = entrant
        return self._resolve_from(line // 2)

    def _resolve_from(self, index: int) -> tuple[int, ...]:
        """Re-resolve a place, and its dependents as far as something changed."""
        done, changed = self._resolver.done, list[int]()
        # Sources precede their dependents, so the lowest index is always next.
        waiting = [index]
        while waiting:
            index = heappop(waiting)
            spot = self._resolver.resolve_spot(self.structure.nodes[index])
            if spot != done[index]:
                self.open += (spot.state in UNDECIDED) - (done[index].state in UNDECIDED)
                done[index] = spot
                changed.append(index)
                for heir in self._heirs[index]:
                    if heir not in waiting:
                        heappush(waiting, heir)
        return tuple(changed)


def _list_dependents(structure: Structure, winner_to: Mapping[int, int]) -> list[list[int]]:
    heirs: list[list[int]] = [[] for _ in structure.nodes]
    for at, node in enumerate(structure.nodes):
        for source in (node.a, node.b):
            if source.feed is Feed.LINE:
                continue
            heirs[source.index].append(at)
            # P25: a first loss may be decided only rounds later.
            index = winner_to.get(source.index) if source.feed is Feed.FIRST else None
            while index is not None and index < at:
                heirs[index].append(at)
                index = winner_to.get(index)
    return heirs


class _Resolver:
    def __init__(self, structure: Structure, facts: Facts) -> None:
        self.nodes, self.facts = structure.nodes, facts
        self.done: list[ResolvedPlace] = []
        self.winner_to = SheetMap.build(structure).winner_to
        self.final = max(at for at, node in enumerate(structure.nodes) if node.bracket == MAIN)
        # Brackets in which each entrant has a recorded pairing: they had arrived there before they left.
        self.seen = {
            (entrant, str(key).split("/", 1)[0])
            for key, pairing in facts.records.items()
            for entrant in (pairing.a, pairing.b)
        }

    def spots(self) -> tuple[ResolvedPlace, ...]:
        for node in self.nodes:
            self.done.append(self.resolve_spot(node))
        return tuple(self.done)

    def resolve_spot(self, node: Node) -> ResolvedPlace:
        a, b = self.find_occupant(node.a, node, "a"), self.find_occupant(node.b, node, "b")
        record = self.facts.records.get(node.key)
        if a is NOBODY or b is NOBODY:
            spot = _build_bye(a, b)
        elif a is None or b is None:
            spot = ResolvedPlace(State.WAITING, a, b, None, None)
        else:
            return self.resolve_match(node, a, b)
        if record is None:
            return spot
        return ResolvedPlace(spot.state, a, b, spot.winner, spot.loser, stale=True)

    def resolve_match(self, node: Node, a: EntrantId, b: EntrantId) -> ResolvedPlace:
        record = self.facts.records.get(node.key)
        stale = record is not None and {record.a, record.b} != {a, b}
        valid = None if stale else record
        result = None if valid is None or not is_decisive(valid) else valid.moves
        actual = valid.result if valid is not None and result is not valid.result else None
        if result is None:
            actual = None
            result = self.find_left_result(a, b, made=valid is not None)
        if result is None:
            return ResolvedPlace(State.READY, a, b, None, None, stale=stale)
        if result.winner is None:  # P32: both are out
            return ResolvedPlace(State.DECIDED, a, b, NOBODY, NOBODY, result, stale, actual)
        loser = b if result.winner == a else a
        return ResolvedPlace(State.DECIDED, a, b, result.winner, loser, result, stale, actual)

    def find_left_result(self, a: EntrantId, b: EntrantId, *, made: bool) -> Result | None:
        """Return the result of a match that a withdrawal decides without play (P33), if one does."""
        gone = [
            self.facts.left.get(one) is LeaveTime.NOW or (one in self.facts.left and not made)
            for one in (a, b)
        ]
        if not any(gone):
            return None
        return Result(Kind.WITHDRAWAL, history.find_winner_without_play((a, b), gone, self.facts.left_as))

    def find_occupant(self, source: Source, node: Node, seat: str) -> Occupant:
        coming = self.find_arrival(source, node, seat)
        return self.facts.joined.get((node.key, seat), NOBODY) if coming is NOBODY else coming

    def find_arrival(self, source: Source, node: Node, seat: str) -> Occupant:
        match source.feed:
            case Feed.LINE:
                return self.facts.lines[source.index] or NOBODY
            case Feed.WINNER:
                return self.done[source.index].winner
            case Feed.LOSER:
                return self.find_dropper(source.index, node)
            case Feed.FIRST:
                return self.find_first_loser(source.index, node)
            case _:
                return self.find_finalist(source.index, seat)

    def find_dropper(self, index: int, node: Node) -> Occupant:
        """Return the loser of a place who drops to this node (P31), or `NOBODY`; None while undecided."""
        spot = self.done[index]
        loser = spot.loser
        if loser is None or loser is NOBODY or spot.result is None:
            return loser
        if spot.result.kind is Kind.NO_SHOW and not self.facts.no_show_drops:
            return NOBODY
        if (loser, node.bracket) in self.seen:
            return loser
        if spot.result.kind is Kind.WITHDRAWAL or loser in self.facts.left:
            return NOBODY
        return loser

    def find_first_loser(self, index: int, node: Node) -> Occupant:
        """Return the player who lost their first match here, or later after a bye here (P25)."""
        spot = self.done[index]
        if spot.state in UNDECIDED:
            return None
        loser = self.find_dropper(index, node)
        if loser is not NOBODY:
            return loser
        played = spot.result is not None and spot.result.contested
        if played or spot.winner is None or spot.winner is NOBODY:
            return NOBODY
        return self.follow_to_first_match(spot.winner, index, node)

    def follow_to_first_match(self, entrant: EntrantId, index: int, node: Node) -> Occupant:
        """Follow a player who has not played yet to their first match; return them if they lost it."""
        there = self.winner_to[index]
        if there == self.final:
            return NOBODY  # a finalist never drops, even after a first loss
        spot = self.done[there]
        if spot.state in UNDECIDED:
            return None
        if spot.loser == entrant:
            return self.find_dropper(there, node)
        played = spot.result is not None and spot.result.contested
        return (
            NOBODY if played or spot.winner != entrant else self.follow_to_first_match(entrant, there, node)
        )

    def find_finalist(self, index: int, seat: str) -> Occupant:
        """Return the player on this seat of the second final, or `NOBODY` if the first decided (P26)."""
        spot = self.done[index]
        if spot.state in UNDECIDED:
            return None
        if spot.state is State.DECIDED and spot.winner == spot.b:
            return spot.a if seat == "a" else spot.b
        return NOBODY


def is_decisive(pairing: Pairing) -> bool:
    """True if this record decides a knock-out match. Void and drawn matches are replayed (P34)."""
    result = pairing.result
    if result is None:
        return False
    if result.kind is Kind.DOUBLE_FORFEIT:
        return True
    return result.kind not in (Kind.VOID, Kind.DRAWN) and result.winner in (pairing.a, pairing.b)


def _build_bye(a: Occupant, b: Occupant) -> ResolvedPlace:
    """Resolve a place with an empty seat: a bye, or vacant if both are empty."""
    if a is NOBODY and b is NOBODY:
        return VACANT
    passer = b if a is NOBODY else a
    state = State.WAITING if passer is None else State.BYE
    return ResolvedPlace(state, a, b, passer, NOBODY)
