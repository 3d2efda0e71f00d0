"""Dice that no single party can choose or predict: the published scheme ``bgdice/v1``.

Each of three parties, the two players and the server, generates a hash chain, commits to its head before the
first game and reveals one link for every roll. The dice are computed from all three links, so they are fair
if any one party is honest. `docs/dice.md` explains the scheme and specifies every byte.

Nothing here is random: the caller passes the secrets.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Final, Generic, TypeVar

from engine.errors import Impossible
from engine.side import Side

T = TypeVar("T")
U = TypeVar("U")

SCHEME: Final = "bgdice/v1"
LINK_BYTES: Final = 32
LONGEST_CHAIN: Final = 4096
LONGEST_NAME: Final = 200

# 252 is the largest multiple of six in a byte; higher values would favour the low faces.
FAIR_BELOW: Final = 252


class Party(StrEnum):
    """The three parties to a roll. A is White, the left column of a score sheet; B is Black."""

    A = "A"
    B = "B"
    SERVER = "S"

    @classmethod
    def from_side(cls, side: Side) -> Party:
        return cls.A if side is Side.WHITE else cls.B


@dataclass(frozen=True, slots=True)
class ByParty(Generic[T]):
    a: T
    b: T
    server: T

    def __getitem__(self, party: Party) -> T:
        return self.a if party == Party.A else self.b if party == Party.B else self.server

    def items(self) -> Iterator[tuple[Party, T]]:
        yield Party.A, self.a
        yield Party.B, self.b
        yield Party.SERVER, self.server

    def map(self, turn: Callable[[T], U]) -> ByParty[U]:
        return ByParty(turn(self.a), turn(self.b), turn(self.server))


@dataclass(frozen=True, slots=True)
class Chain:
    """A hash chain: each link is the hash of the one before it, and links are revealed in reverse order.

    A revealed link can be checked against the earlier ones and reveals nothing about the next.

    >>> chain = Chain.grow(bytes(32), length=3)
    >>> chain.head == compute_next_link(chain.share(1)), chain.share(1) == compute_next_link(chain.share(2))
    (True, True)
    """

    links: tuple[bytes, ...]

    @classmethod
    def grow(cls, secret: bytes, length: int) -> Chain:
        """Generate the chain for *length* rolls from 32 secret bytes."""
        if len(secret) != LINK_BYTES:
            raise Impossible("bad-secret", f"A chain grows from {LINK_BYTES} bytes, not from {len(secret)}.")
        if not 1 <= length <= LONGEST_CHAIN:
            raise Impossible("bad-chain", f"A chain has 1 to {LONGEST_CHAIN} links, not {length}.")
        links = [secret]
        for _ in range(length):
            links.append(compute_next_link(links[-1]))
        return cls(tuple(links))

    @property
    def length(self) -> int:
        """The number of rolls that the chain lasts for."""
        return len(self.links) - 1

    @property
    def head(self) -> bytes:
        """The end of the chain, which is committed to before the first roll."""
        return self.links[-1]

    def share(self, step: int) -> bytes:
        """Return the link for the *step*-th roll of the chain, counted from 1."""
        if not 1 <= step <= self.length:
            raise Impossible("chain-used-up", f"This chain serves {self.length} rolls, not roll {step}.")
        return self.links[self.length - step]


def compute_next_link(link: bytes) -> bytes:
    return sha256(b"bgdice/v1/chain" + link).digest()


def is_linked(link: bytes, known: bytes, steps: int = 1) -> bool:
    """True if hashing *link* *steps* times gives *known*.

    More than one step if shares are missing in between.
    """
    for _ in range(steps):
        link = compute_next_link(link)
    return link == known


def compute_commitment(match: str, party: Party, user: str, head: bytes) -> bytes:
    """Return the commitment to a chain, bound to match, party and user; it does not reveal the head."""
    return sha256(b"bgdice/v1/commit|" + _encode_names(match, party, user) + head).digest()


def compute_typed_share(match: str, party: Party, number: int, words: str) -> bytes:
    """Return the share of a player without a chain who typed some words instead."""
    return sha256(
        b"bgdice/v1/seed|" + _encode_names(match, party) + _encode_number(number) + b"|" + _encode_text(words)
    ).digest()


def compute_absent_share(match: str, party: Party, number: int) -> bytes:
    """Return the share of a party that gave none. Anyone can compute it."""
    return sha256(b"bgdice/v1/none|" + _encode_names(match, party) + _encode_number(number)).digest()


def compute_share(match: str, party: Party, number: int, *, link: bytes | None, words: str | None) -> bytes:
    """Return the share of a party: its *link*, else that of its *words*, else that of one that gave none."""
    if link is not None:
        return link
    if words is not None:
        return compute_typed_share(match, party, number, words)
    return compute_absent_share(match, party, number)


def require_distinct(values: ByParty[bytes], what: str) -> None:
    """Raise Impossible if two parties gave equal values: the second could have copied the first.

    >>> require_distinct(ByParty(b"x", b"y", b"x"), "heads")
    Traceback (most recent call last):
    engine.errors.Impossible: Two parties gave equal heads.
    """
    if len({values.a, values.b, values.server}) < len(Party):
        raise Impossible(f"equal-{what}", f"Two parties gave equal {what}.")


def roll(match: str, number: int, shares: ByParty[bytes]) -> tuple[int, int]:
    """Return the two dice of roll *number*; in an opening roll the first is A's and the second B's.

    >>> shares = ByParty(*(Chain.grow(bytes([byte]) * 32, 8).share(1) for byte in (2, 3, 1)))
    >>> roll("m1", 1, shares)
    (2, 2)
    """
    require_distinct(shares, "shares")
    faces = generate_faces(match, number, shares)
    return next(faces), next(faces)


def generate_faces(match: str, number: int, shares: ByParty[bytes]) -> Iterator[int]:
    """Yield faces without end; a roll takes the first two."""
    message = (
        b"bgdice/v1/roll|" + _encode_names(match) + _encode_number(number) + b"|" + shares.a + shares.b + b"|"
    )
    block = 0
    while True:
        for byte in hmac.digest(shares.server, message + _encode_number(block), "sha256"):
            if byte < FAIR_BELOW:
                yield byte % 6 + 1
        block += 1


def _encode_names(*names: str) -> bytes:
    for name in names:
        if not 0 < len(name) <= LONGEST_NAME or "|" in name:
            raise Impossible(
                "bad-dice-name",
                f"{name!r} cannot be bound into a roll: a name is short and has no bar in it.",
            )
    return b"".join(_encode_text(name) + b"|" for name in names)


def _encode_number(number: int) -> bytes:
    return number.to_bytes(4, "big")


def _encode_text(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise Impossible("bad-dice-name", f"{text!r} is no text that can be written down.") from error
