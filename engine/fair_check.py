"""Verification of a match's dice from its public document alone.

Every commitment, link and roll is computed again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Any, Final, NamedTuple

from engine import fair
from engine.errors import Impossible
from engine.fair import ByParty, Party
from engine.fair_log import NOT_TYPED, Epoch, FairLog, Roll

# Enough to show what is wrong; a forged document may consist of nothing but faults.
MOST_PROBLEMS: Final = 100
PLAYERS: Final = (Party.A, Party.B)


class Trust(StrEnum):
    """The strength of a valid roll; `docs/dice.md` explains what each level protects against."""

    STRICT = "strict"
    SEALED = "sealed"
    WEAKER = "weaker"  # a player gave no secret share


class Problem(NamedTuple):
    """A claim of the document that is false, or a note about it."""

    code: str
    message: str
    roll: int | None = None


@dataclass(frozen=True, slots=True)
class RollCheck:
    """The verification of one roll; *computed* is None if its shares cannot make a roll."""

    number: int
    claimed: tuple[int, int]
    computed: tuple[int, int] | None
    trust: Trust
    # Players without a secret share: those with typed words, and those with nothing.
    typed: tuple[Party, ...]
    absent: tuple[Party, ...]
    problems: tuple[Problem, ...]

    @property
    def holds(self) -> bool:
        """True if every claim about this roll is true."""
        return not self.problems


@dataclass(frozen=True, slots=True)
class FairCheck:
    """The result for a document: each roll, all problems in the order of the match, and the notes."""

    rolls: tuple[RollCheck, ...]
    problems: tuple[Problem, ...]
    notes: tuple[Problem, ...]

    @property
    def holds(self) -> bool:
        """True if every claim of the document is true."""
        return not self.problems

    @property
    def first(self) -> Problem | None:
        return self.problems[0] if self.problems else None

    def count(self, trust: Trust) -> int:
        return sum(roll.trust is trust for roll in self.rolls)

    def to_json(self) -> dict[str, Any]:
        return {
            "holds": self.holds,
            "rolls": [
                {
                    "number": roll.number,
                    "claimed": list(roll.claimed),
                    "computed": None if roll.computed is None else list(roll.computed),
                    "trust": roll.trust,
                    "typed": list(roll.typed),
                    "absent": list(roll.absent),
                    "holds": roll.holds,
                }
                for roll in self.rolls
            ],
            "problems": [problem._asdict() for problem in self.problems],
            "notes": [note._asdict() for note in self.notes],
        }


def verify_log(log: FairLog) -> FairCheck:
    """Compute everything in *log* again and report the differences."""
    return _Verifier(log).verify()


class _Verifier:
    """One pass over a document; tracks how far each chain has been revealed."""

    def __init__(self, log: FairLog) -> None:
        self.log = log
        self.seen: set[bytes] = set()
        self.epoch: Epoch | None = None
        # The last valid link of each chain and its step: 0 is the head.
        self.known: dict[Party, tuple[bytes, int]] = {}
        self.tied = False

    def verify(self) -> FairCheck:
        rolls: list[RollCheck] = []
        problems: list[Problem] = []
        waiting = deque(self.log.epochs)
        for number, roll in enumerate(self.log.rolls, 1):
            while waiting and waiting[0].first <= number:
                problems += self._begin_epoch(waiting.popleft())
            rolls.append(self._check_roll(number, roll))
            problems += rolls[-1].problems
            if len(problems) >= MOST_PROBLEMS:
                problems.append(Problem("too-many-problems", "Nothing after this was looked at.", number))
                return FairCheck(tuple(rolls), tuple(problems), ())
        for epoch in waiting:
            problems += self._begin_epoch(epoch)
        if self.log.digest not in (None, self.log.computed_digest()):
            problems.append(Problem("wrong-digest", "The document is not the one its digest names."))
        return FairCheck(tuple(rolls), tuple(problems), tuple(_list_notes(self.log.epochs)))

    def _begin_epoch(self, epoch: Epoch) -> Iterator[Problem]:
        if epoch.first <= self.epoch.first if self.epoch else epoch.first != 1:
            yield Problem("epoch-order", f"No new chains can begin at roll {epoch.first}.", epoch.first)
        self.epoch = epoch
        self.known = {party: (head, 0) for party, head in epoch.heads.items() if head is not None}
        for party, (head, _) in self.known.items():
            promise = fair.compute_commitment(self.log.match, party, self.log.users[party], head)
            if epoch.commitments[party] != promise:
                message = f"The chain of {party} is not the one that was promised."
                yield Problem("wrong-commitment", message, epoch.first)
            if head in self.seen:
                yield Problem("equal-heads", f"The chain of {party} has been seen before.", epoch.first)
            self.seen.add(head)

    def _check_roll(self, number: int, roll: Roll) -> RollCheck:
        problems = [*self._check_place(number, roll), *self._check_links(number, roll)]
        seeds = NOT_TYPED if self.epoch is None else self.epoch.seeds
        shares = ByParty(
            *(
                fair.compute_share(self.log.match, party, number, link=roll.links[party], words=seeds[party])
                for party in Party
            )
        )
        computed = None
        try:
            computed = fair.roll(self.log.match, number, shares)
        except Impossible as error:
            problems.append(Problem(error.code, str(error), number))
        if computed is not None and computed != roll.dice:
            message = f"The shares make {computed[0]}-{computed[1]}, not {roll.dice[0]}-{roll.dice[1]}."
            problems.append(Problem("wrong-dice", message, number))
        silent = tuple(party for party in PLAYERS if roll.links[party] is None)
        typed = tuple(party for party in silent if seeds[party] is not None)
        return RollCheck(
            number,
            roll.dice,
            computed,
            Trust.WEAKER if silent else Trust(roll.mode),
            typed,
            tuple(party for party in silent if party not in typed),
            tuple(problems),
        )

    def _check_place(self, number: int, roll: Roll) -> Iterator[Problem]:
        if roll.number != number:
            yield Problem("wrong-number", f"Roll {number} calls itself {roll.number}.", number)
        if self.tied and roll.roller is not None:
            yield Problem("tie-kept", "An opening roll of equal dice was not thrown again.", number)
        self.tied = roll.is_tie and not roll.taken_back
        if self.epoch is None or number - self.epoch.first >= self.epoch.length:
            yield Problem("chain-used-up", "No chains were promised for this roll.", number)

    def _check_links(self, number: int, roll: Roll) -> Iterator[Problem]:
        given = {party: link for party, link in roll.links.items() if link is not None}
        for party, link in given.items():
            if not self._accept_link(number, party, link):
                yield Problem("wrong-link", f"The share of {party} is not the next of its chain.", number)
            if link in self.seen:
                yield Problem("repeated-share", f"The share of {party} has been seen before.", number)
        self.seen.update(given.values())

    def _accept_link(self, number: int, party: Party, link: bytes) -> bool:
        if self.epoch is None or party not in self.known:
            return False
        step = number - self.epoch.first + 1
        known, served = self.known[party]
        if not fair.is_linked(link, known, step - served):
            return False
        self.known[party] = (link, step)
        return True


def _list_notes(epochs: tuple[Epoch, ...]) -> Iterator[Problem]:
    for before, epoch in pairwise(epochs):
        if epoch.first < before.first + before.length:
            why = epoch.reason or "no reason was given"
            message = f"New chains were begun before the old ones were used up: {why}."
            yield Problem("epoch-early", message, epoch.first)
