"""The dice of a match: commitments, revealed links, next roll.

Public data only. The secrets, the server's salts and early deposited shares, are stored elsewhere
(`Match.salts`, `Match.deposits`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from engine import fair
from engine.errors import IllegalAction
from engine.fair import ByParty, Party
from matches.state.facts import DiceBegun, Forwent, Promised, Thrown, Unsealed

# How many rolls ahead a share may be deposited.
FURTHEST_AHEAD: Final = 3
LONGEST_WORDS: Final = 200
NO_COMMITMENTS: Final[ByParty[bytes | None]] = ByParty(None, None, None)
NO_WORDS: Final[ByParty[str | None]] = ByParty(None, None, None)
NO_LINKS: Final[ByParty[tuple[bytes, int] | None]] = ByParty(None, None, None)


class Stage(StrEnum):
    PROMISING = "promising"  # waiting for commitments
    UNSEALING = "unsealing"  # waiting for heads
    READY = "ready"


@dataclass(frozen=True, slots=True)
class Dicing:
    """One set of chains, and the number of the next roll."""

    match: str
    users: ByParty[str]
    first: int = 1
    length: int = 0
    next: int = 1
    promised: frozenset[Party] = frozenset()
    commitments: ByParty[bytes | None] = NO_COMMITMENTS
    words: ByParty[str | None] = NO_WORDS
    # The last known link of each chain and its step; a head is step 0.
    known: ByParty[tuple[bytes, int] | None] = NO_LINKS
    forgone: frozenset[Party] = frozenset()
    # Heads of all chains of this match, including earlier sets.
    heads: tuple[bytes, ...] = ()

    @property
    def stage(self) -> Stage:
        if len(self.promised) < len(Party):
            return Stage.PROMISING
        return Stage.UNSEALING if self.owing else Stage.READY

    @property
    def owing(self) -> tuple[Party, ...]:
        """The parties that have to commit or unseal before the next roll."""
        if len(self.promised) < len(Party):
            return tuple(party for party in Party if party not in self.promised)
        return tuple(party for party in Party if self.has_chain(party) and self.known[party] is None)

    @property
    def is_used_up(self) -> bool:
        return self.next - self.first >= self.length

    def has_chain(self, party: Party) -> bool:
        return self.commitments[party] is not None and party not in self.forgone

    def begun(self, fact: DiceBegun) -> Dicing:
        return Dicing(
            self.match,
            ByParty(self.users.a, self.users.b, fact.server),
            first=fact.first,
            length=fact.length,
            next=self.next,
            heads=self.heads,
        )

    def after_promise(self, fact: Promised) -> Dicing:
        party = fact.party
        if party in self.promised or self.stage is not Stage.PROMISING:
            raise IllegalAction("dice-promised", "These dice have been promised already.")
        if fact.commitment is not None and fact.words is not None:
            raise IllegalAction("two-promises", "Promise either a chain or words, not both.")
        if fact.commitment in {value for _, value in self.commitments.items()} - {None}:
            raise IllegalAction("equal-commitments", "Somebody else has promised the same.")
        return replace(
            self,
            promised=self.promised | {party},
            commitments=_replace_value(self.commitments, party, fact.commitment),
            words=_replace_value(self.words, party, fact.words),
        )

    def after_unsealing(self, fact: Unsealed) -> Dicing:
        """Add the head of a chain if it matches its commitment."""
        party = fact.party
        if self.stage is not Stage.UNSEALING or party not in self.owing:
            raise IllegalAction("dice-not-sealed", "There is nothing to unseal now.")
        if self.commitments[party] != fair.compute_commitment(
            self.match, party, self.users[party], fact.head
        ):
            raise IllegalAction("wrong-head", "This is not the head of the chain that was promised.")
        # Otherwise a share would be repeated, and its roll could be predicted.
        if any(_has_common_link(fact.head, head, self.length) for head in self.heads):
            raise IllegalAction("equal-heads", "Somebody has the same chain, or had it in this match before.")
        return replace(
            self, known=_replace_value(self.known, party, (fact.head, 0)), heads=(*self.heads, fact.head)
        )

    def after_forgoing(self, fact: Forwent) -> Dicing:
        party = Party.from_side(fact.side)
        if not self.has_chain(party):
            raise IllegalAction("no-chain", "There is no chain to lose.")
        return replace(self, forgone=self.forgone | {party})

    def after_throw(self, thrown: Thrown) -> Dicing:
        """Count a roll and store the links it revealed."""
        known = self.known
        for party, link in thrown.links.items():
            if link is not None:
                known = _replace_value(known, party, (link, self.step(thrown.number)))
        return replace(self, known=known, next=thrown.number + 1)

    def heard(self, party: Party, number: int, link: bytes) -> Dicing:
        """Store a link revealed before its roll was made."""
        return replace(self, known=_replace_value(self.known, party, (link, self.step(number))))

    def step(self, number: int) -> int:
        """Return the step of this set for roll *number*, from 1."""
        return number - self.first + 1

    def check_share(self, party: Party, number: int, link: bytes) -> None:
        """Raise IllegalAction unless the share is that of roll *number* in the committed chain."""
        if self.stage is not Stage.READY or not self.has_chain(party):
            raise IllegalAction("no-chain", "No chain was promised that this share could belong to.")
        if not self.next <= number < self.next + FURTHEST_AHEAD:
            raise IllegalAction(
                "share-not-due", f"The next roll is number {self.next}, not {number}.", next=self.next
            )
        known = self.known[party]
        if known is None or not self._follows(known, number, link):
            raise IllegalAction(
                "wrong-share", f"This is not your share of roll {number}: it does not lead to the last one."
            )

    def _follows(self, known: tuple[bytes, int], number: int, link: bytes) -> bool:
        last, served = known
        steps = self.step(number) - served
        # Zero steps: the share of a roll that was requested and then not made.
        return steps >= 0 and number - self.first < self.length and fair.is_linked(link, last, steps)

    def to_json(self) -> dict[str, Any]:
        """Return JSON values; match and names are stored with the match."""
        return {
            "server": self.users.server,
            "first": self.first,
            "length": self.length,
            "next": self.next,
            "promised": "".join(sorted(self.promised)),
            "commitments": [value and value.hex() for _, value in self.commitments.items()],
            "words": [value for _, value in self.words.items()],
            "known": [value and [value[0].hex(), value[1]] for _, value in self.known.items()],
            "forgone": "".join(sorted(self.forgone)),
            "heads": [head.hex() for head in self.heads],
        }

    @classmethod
    def from_json(cls, match: str, white: str, black: str, data: Mapping[str, Any]) -> Dicing:
        return cls(
            match,
            ByParty(white, black, data["server"]),
            data["first"],
            data["length"],
            data["next"],
            frozenset(map(Party, data["promised"])),
            ByParty(*(None if value is None else bytes.fromhex(value) for value in data["commitments"])),
            ByParty(*data["words"]),
            ByParty(
                *(None if value is None else (bytes.fromhex(value[0]), value[1]) for value in data["known"])
            ),
            frozenset(map(Party, data["forgone"])),
            tuple(map(bytes.fromhex, data["heads"])),
        )


def _has_common_link(one: bytes, other: bytes, length: int) -> bool:
    """True if two chains of this length share a link: then the head of one is on the other chain."""
    ahead, behind = one, other
    for _ in range(length + 1):
        if one == behind or other == ahead:
            return True
        ahead, behind = fair.compute_next_link(ahead), fair.compute_next_link(behind)
    return False


def _replace_value(values: ByParty[Any], party: Party, value: object) -> ByParty[Any]:
    return ByParty(*(value if each is party else old for each, old in values.items()))
