"""The drop notation: `A.B.|.C.|.` gives the rounds whose losers drop into a side bracket, and when (P20)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import product
from string import ascii_lowercase, ascii_uppercase

# Rounds are lettered through all brackets of a sheet: the main draw's first, then the sides' in order.
# X marks the winner's return to the main draw, so no round is called X.
LETTERS = (ascii_uppercase + ascii_lowercase).replace("X", "")
LARGEST_SPLIT = 64

DROP = re.compile(r"([A-Za-z])(\*?)(\d*)")


class BadNotation(ValueError):
    """The notation cannot be parsed, or does not come out even."""


@dataclass(frozen=True, slots=True)
class Drop:
    """The losers of one lettered round, all of them or `count`; `first`: only first-match losers (P25)."""

    letter: str
    count: int | None = None
    first: bool = False

    def __str__(self) -> str:
        return f"{self.letter}{'*' if self.first else ''}{'' if self.count is None else self.count}"


@dataclass(frozen=True, slots=True)
class Notation:
    """The drops before each round of a side bracket; with `rejoins`, its winner plays for the title."""

    rounds: tuple[tuple[Drop, ...], ...]
    rejoins: bool = False
    # Drops straight into the title match: the single loser of a main draw of two.
    last: tuple[Drop, ...] = ()

    def __str__(self) -> str:
        rounds = ["".join(str(drop) for drop in drops) or "|" for drops in self.rounds]
        if self.rejoins:
            rounds.append("".join(str(drop) for drop in self.last) + "X")
        return ".".join(rounds) + ("" if self.rejoins else ".")

    @property
    def drops(self) -> tuple[Drop, ...]:
        return tuple(drop for drops in self.rounds for drop in drops) + self.last


@dataclass(frozen=True, slots=True)
class RoundSize:
    """One round of a side bracket: survivors, drops with their numbers, and matches."""

    survivors: int
    drops: tuple[tuple[Drop, int], ...]
    matches: int


def parse_notation(text: str) -> Notation:
    """Parse a notation such as `A.B.|.C.|.` or `A.B.|.C.X`. Spaces and the last dot are optional."""
    parts = text.replace(" ", "").split(".")
    if parts[-1] == "":
        parts.pop()
    rejoins = bool(parts) and parts[-1].endswith("X")
    last: tuple[Drop, ...] = ()
    if rejoins:
        last = _parse_drops(parts.pop()[:-1], text)
    rounds = tuple(() if part == "|" else _parse_drops(part, text) for part in parts)
    if any(not drops and part != "|" for part, drops in zip(parts, rounds, strict=True)):
        raise BadNotation(f"{text}: between two dots stand letters, or | for a round without drops")
    notation = Notation(rounds, rejoins, last)
    if not notation.drops:
        raise BadNotation(f"{text!r}: nobody drops")
    if rounds and not rounds[0]:
        raise BadNotation(f"{text}: nobody is there to play the first round")
    return notation


def _parse_drops(part: str, text: str) -> tuple[Drop, ...]:
    if not re.fullmatch(f"(?:{DROP.pattern})*", part) or "X" in part:
        raise BadNotation(f"{text}: {part!r} is not a round")
    return tuple(
        Drop(letter, int(count) if count else None, bool(star)) for letter, star, count in DROP.findall(part)
    )


def compute_sizes(notation: Notation, losers: Mapping[str, int]) -> tuple[RoundSize, ...]:
    """Compute the size of each round.

    Survivors and drops together must be even, and the last round must be one match (P21).
    """
    message = f"{notation}: the parts of a split letter do not add up"
    for split in _list_splits(notation, losers):
        rounds, left = _compute_rounds(notation, losers, split)
        if left == 1:
            return rounds
        message = f"{notation}: {left} are left in the end, where one should be"
        if not left:
            together = rounds[-1].survivors + sum(count for _, count in rounds[-1].drops)
            message = f"{notation}: round {len(rounds)} would hold {together} players, an odd number"
    raise BadNotation(message)


def _list_splits(notation: Notation, losers: Mapping[str, int]) -> Iterator[dict[int, int]]:
    """Yield the ways to divide letters that occur twice (`FG.GH.I.`), as position of the drop -> number."""
    drops = notation.drops
    times = Counter(drop.letter for drop in drops)
    for letter in times:
        if letter not in losers:
            raise BadNotation(f"{notation}: there is no round {letter}")
    fixed: dict[int, int] = {at: drop.count for at, drop in enumerate(drops) if drop.count is not None}
    open_letters = [
        (letter, [at for at, drop in enumerate(drops) if drop.letter == letter and drop.count is None])
        for letter in times
        if times[letter] > 1
    ]
    choices: list[list[dict[int, int]]] = []
    for letter, places in open_letters:
        given = sum(drop.count or 0 for drop in drops if drop.letter == letter)
        choices.append(_list_shares(places, losers[letter] - given))
    for combination in product(*choices):
        yield fixed | {at: count for part in combination for at, count in part.items()}


def _list_shares(places: Sequence[int], whole: int) -> list[dict[int, int]]:
    if not places:
        return [{}] if whole >= 0 else []
    if len(places) == 1:
        return [{places[0]: whole}] if whole > 0 else []
    if whole > LARGEST_SPLIT:
        # Too many ways to try: the notation must give the parts (`F48G16`).
        return []
    return [
        {places[0]: first} | rest
        # Even splits first, larger part early.
        for first in sorted(range(1, whole), key=lambda part: (abs(2 * part - whole), -part))
        for rest in _list_shares(places[1:], whole - first)
    ]


def _compute_rounds(
    notation: Notation, losers: Mapping[str, int], split: Mapping[int, int]
) -> tuple[tuple[RoundSize, ...], int]:
    """Compute the rounds, and how many players are left at the end; 0 if the last listed round is odd."""
    position, survivors = 0, 0
    rounds: list[RoundSize] = []
    for drops in notation.rounds:
        fallen = tuple((drop, split.get(position + at, losers[drop.letter])) for at, drop in enumerate(drops))
        position += len(drops)
        together = survivors + sum(count for _, count in fallen)
        rounds.append(RoundSize(survivors, fallen, together // 2))
        if together % 2 or together == 0:
            return tuple(rounds), 0
        survivors = together // 2
    survivors += sum(split.get(position + at, losers[drop.letter]) for at, drop in enumerate(notation.last))
    return tuple(rounds), survivors


def compute_slots(notation: Notation, dropped_at: Mapping[str, int]) -> tuple[int, ...]:
    """Compute the time of each round, counted in rounds of the main draw (P22)."""
    times: list[int] = []
    now = 0
    for drops in notation.rounds:
        now = max([now, *(dropped_at[drop.letter] for drop in drops)]) + 1
        times.append(now)
    return tuple(times)


def find_shortest(losers: Mapping[str, int], dropped_at: Mapping[str, int]) -> Notation | None:
    """Find the structure that ends soonest; among those, the one with the fewest rounds.

    Letters are split only if nothing else comes out even. None if fewer than two would play.
    """
    return _search_structures(losers, dropped_at, split=False) or _search_structures(
        losers, dropped_at, split=True
    )


def _search_structures(
    losers: Mapping[str, int], dropped_at: Mapping[str, int], *, split: bool
) -> Notation | None:
    """Search the states: letters dropped, rest of a split letter, survivors."""
    letters = sorted(losers, key=LETTERS.index)
    # For each state, the rounds that lead to it, and their cost: slot of the last, number of splits, number of rounds.
    best: dict[tuple[int, int, int], tuple[tuple[int, int, int], tuple[tuple[Drop, ...], ...]]] = {
        (0, 0, 0): ((0, 0, 0), ())
    }
    # In topological order: a state is expanded only when no other state can reach it any more.
    agenda = [(0, 0, 0)]
    while agenda:
        at, rest, survivors = heappop(agenda)
        rest, survivors = -rest, -survivors
        (slot, splits, _), rounds = best[at, rest, survivors]
        for until, left, drops in _list_next_rounds(letters, losers, at, rest, split=split):
            together = survivors + sum(drop.count or losers[drop.letter] for drop in drops)
            if together % 2 or together == 0:
                continue
            then = max([slot, *(dropped_at[drop.letter] for drop in drops)]) + 1
            offer = (then, splits + (left > 0), len(rounds) + 1), (*rounds, drops)
            there = (until, left, together // 2)
            if there not in best:
                heappush(agenda, (until, -left, -(together // 2)))
            elif best[there][0] <= offer[0]:
                continue
            best[there] = offer
    found = best.get((len(letters), 0, 1))
    return None if found is None else Notation(found[1])


def _list_next_rounds(
    letters: Sequence[str], losers: Mapping[str, int], at: int, rest: int, *, split: bool
) -> Iterator[tuple[int, int, tuple[Drop, ...]]]:
    """Yield the possible next drops: the rest of a split letter, whole letters, and part of one more."""
    yield at, rest, ()
    begun = (Drop(letters[at], rest),) if rest else ()
    start = at + (rest > 0)
    for until in range(start, len(letters) + 1):
        drops = (*begun, *(Drop(letter) for letter in letters[start:until]))
        if drops:
            yield until, 0, drops
        if split and until < len(letters):
            count = losers[letters[until]]
            for part in range(1, count):
                yield until, count - part, (*drops, Drop(letters[until], part))


def build_standard(losers: Mapping[str, int], *, rejoins: bool = False) -> Notation:
    """Build the usual structure: drop as soon as the survivors are no more than the droppers (P23)."""
    letters = sorted(losers, key=LETTERS.index)
    rounds: list[tuple[Drop, ...]] = []
    survivors = 0
    if rejoins and sum(losers.values()) == 1:
        return Notation((), rejoins=True, last=(Drop(letters[0]),))
    for letter in letters:
        while survivors > losers[letter]:
            rounds.append(())
            survivors //= 2
        rounds.append((Drop(letter),))
        survivors = (survivors + losers[letter]) // 2
    while survivors > 1:
        rounds.append(())
        survivors //= 2
    return Notation(tuple(rounds), rejoins)
