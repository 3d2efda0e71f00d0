"""The fixed matches of a round robin by Berger tables (P77), with results and late entrants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from draw import history
from draw.event import Entrant, EntrantId, Key, Kind, LeaveTime, Pairing, Result, StalePairing

Table = tuple[tuple[int, int], ...]


def build_berger_table(count: int) -> tuple[Table, ...]:
    """List the rounds for players 1 to *count*. With an odd count, one player sits out each round.

    >>> build_berger_table(4)
    (((1, 4), (2, 3)), ((4, 3), (1, 2)), ((2, 4), (3, 1)))
    """
    last = count + count % 2
    others = last - 1
    half = last // 2
    rounds: list[Table] = []
    for number in range(others):
        # The highest number stays; the others move on by half a circle each round.
        first = number * half % others
        circle = [(first + step) % others + 1 for step in range(others)]
        pairs = [(circle[0], last) if number % 2 == 0 else (last, circle[0])]
        pairs += [(circle[step], circle[-step]) for step in range(1, half)]
        rounds.append(tuple(pair for pair in pairs if max(pair) <= count))
    return tuple(rounds)


@dataclass(frozen=True, slots=True)
class Match:
    """One fixed match: its round, its table, and its pairing."""

    round: int
    table: int
    pairing: Pairing
    is_opened: bool = False  # recorded: in progress if it has no result

    @property
    def is_running(self) -> bool:
        return self.is_opened and self.pairing.result is None

    @property
    def players(self) -> tuple[EntrantId, EntrantId]:
        return self.pairing.a, self.pairing.b


def lay_out_matches(
    numbered: Sequence[Entrant], late: Sequence[Entrant], *, times: int, limit: int = 0, prefix: str = ""
) -> tuple[Match, ...]:
    """Lay out all matches of the numbered entrants, then those of the late ones.

    A late entrant takes the free number, if there is one, and the last table of each round. Otherwise their matches come
    after the others. No fixed match moves (P78).
    """
    there = list(numbered)
    waiting = list(late)
    is_joined = bool(len(there) % 2 and waiting)
    if is_joined:
        there.append(waiting.pop(0))
    found: list[Match] = []
    for cycle in range(times):
        for row in build_berger_table(len(there)):
            number = found[-1].round + 1 if found else 1
            # The highest number is at the first table.
            for table, (a, b) in enumerate((*row[1:], row[0]) if is_joined else row, 1):
                one, other = (there[a - 1], there[b - 1]) if cycle % 2 == 0 else (there[b - 1], there[a - 1])
                found.append(_build_match(prefix, number, table, one.id, other.id))
    if limit:
        found = [match for match in found if match.round <= limit]
    return (*found, *_add_late_matches(found, there, waiting, times, prefix))


def _build_match(prefix: str, number: int, table: int, a: EntrantId, b: EntrantId) -> Match:
    return Match(number, table, Pairing(Key(f"{prefix}r{number}.{table}"), a, b))


def _add_late_matches(
    before: Sequence[Match], there: list[Entrant], waiting: Iterable[Entrant], times: int, prefix: str
) -> list[Match]:
    """Add the matches of further late entrants, each in the first later round in which both are free."""
    first = before[-1].round + 1 if before else 1
    busy: dict[int, set[EntrantId]] = {}
    tables: dict[int, int] = {}
    found: list[Match] = []
    for newcomer in waiting:
        for other in there * times:
            number = first
            while busy.setdefault(number, set()) & {newcomer.id, other.id}:
                number += 1
            busy[number] |= {newcomer.id, other.id}
            tables[number] = tables.get(number, 0) + 1
            found.append(_build_match(prefix, number, tables[number], other.id, newcomer.id))
        there.append(newcomer)
    return found


def list_due_keys(matches: Sequence[Match], away: Set[EntrantId], *, at_once: bool = False) -> set[Key]:
    """Return the keys of the matches to be played now (P80)."""
    left = [one for one in matches if one.pairing.result is None and away.isdisjoint(one.players)]
    if at_once:
        return {match.pairing.key for match in left}
    # A match in progress goes on. Of two of one player, the earlier has been reopened, and is played first.
    running = [match for match in left if match.is_running]
    begun = max((match.round for match in matches if match.is_opened), default=0)
    now = max(begun, min((match.round for match in left), default=0))
    # Postponed matches are due as soon as both players are free; one match per player.
    busy: set[EntrantId] = set()
    found: set[Key] = set()
    for match in (*running, *left):
        if match.round <= now and busy.isdisjoint(match.players):
            busy.update(match.players)
            found.add(match.pairing.key)
    return found


def apply_results(
    matches: Sequence[Match], facts: Sequence[Pairing], stage: str
) -> tuple[tuple[Match, ...], tuple[StalePairing, ...]]:
    """Give each match the result recorded under its key, or else between its two players.

    Return the matches, and the results that belong to none.
    """
    left = {(fact.key, frozenset((fact.a, fact.b))): fact for fact in facts}
    exact = [left.pop((match.pairing.key, frozenset(match.players)), None) for match in matches]
    elsewhere: dict[frozenset[EntrantId], list[Pairing]] = {}
    for (_, players), fact in left.items():
        elsewhere.setdefault(players, []).append(fact)
    found: list[Match] = []
    for match, known in zip(matches, exact, strict=True):
        if known is not None:
            found.append(replace(match, pairing=known, is_opened=True))
        elif moved := elsewhere.get(frozenset(match.players)):
            # The numbering has changed since: the match keeps its result at its new place.
            fact = replace(moved.pop(0), key=match.pairing.key)
            found.append(replace(match, pairing=fact, is_opened=True))
        else:
            found.append(match)
    return tuple(found), tuple(StalePairing(fact, stage) for facts in elsewhere.values() for fact in facts)


def decide_withdrawn(
    matches: Sequence[Match], entrants: Sequence[Entrant], *, cancel: bool
) -> tuple[tuple[Match, ...], frozenset[EntrantId]]:
    """Decide the open matches of withdrawn players (P79).

    Also return the players whose results are all cancelled.
    """
    gone = _find_gone(matches, entrants)
    cancelled: set[EntrantId] = set()
    for one in gone:
        own = [match for match in matches if one in match.players]
        met = sum(match.pairing.result is not None and match.pairing.result.contested for match in own)
        if cancel and 2 * met < len(own):
            cancelled.add(one)
    return tuple(_decide_match(match, gone, cancelled) for match in matches), frozenset(cancelled)


def _find_gone(matches: Sequence[Match], entrants: Sequence[Entrant]) -> dict[EntrantId, int]:
    """Find the players who have left, with their order of leaving.

    A player who leaves after the current match is still there while it is played (P33). If several matches are open, as
    in a league, none of them is the current one.
    """
    at_once = {one.id for one in entrants if one.left is LeaveTime.NOW}
    running = Counter(
        one
        for match in matches
        if match.is_running and at_once.isdisjoint(match.players)
        for one in match.players
    )
    return {
        one.id: one.left_as
        for one in entrants
        if one.left is not None and (one.id in at_once or running[one.id] != 1)
    }


def _decide_match(match: Match, gone: Mapping[EntrantId, int], cancelled: set[EntrantId]) -> Match:
    left = [one in gone for one in match.players]
    if not any(left):
        return match
    if any(one in cancelled for one in match.players):
        return replace(match, pairing=replace(match.pairing, result=Result(Kind.VOID)))
    if match.pairing.result is not None:
        return match
    winner = history.find_winner_without_play(match.players, left, gone)
    result = Result(Kind.DOUBLE_FORFEIT) if winner is None else Result(Kind.WITHDRAWAL, winner)
    return replace(match, pairing=replace(match.pairing, result=result))
