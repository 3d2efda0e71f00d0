"""The roller: our own chains, and rolls made of everybody's shares. The only randomness of a match.

Our chain grows from a salt that lies in the database and a key that does not: whoever reads the
database alone cannot foresee a roll.
"""

from __future__ import annotations

import hmac
import secrets
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from django.conf import settings

from engine import fair
from engine.dice import Dice
from engine.fair import ByParty, Chain, Party
from matches.state.errors import LostSecret
from matches.state.facts import Thrown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.fair_log import Mode
    from matches.state.dicing import Dicing

# What a set of chains is good for: so many rolls a point, some five times what is needed.
ROLLS_A_POINT: Final = 256
LABEL: Final = b"barpoint/dice/v1|"


def chain_length(points: int) -> int:
    """Return how many rolls the chains of a match are made for."""
    return min(fair.LONGEST_CHAIN, ROLLS_A_POINT * points) if points else fair.LONGEST_CHAIN


def new_salt() -> str:
    """Return what a chain of ours grows from."""
    return secrets.token_hex(fair.LINK_BYTES)


def promise(dicing: Dicing, salt: str) -> bytes:
    """Return our commitment to the chain that grows from *salt*."""
    head = _chain(settings.SECRET_KEY, dicing.match, salt, dicing.length).head
    return fair.commitment(dicing.match, Party.SERVER, dicing.users.server, head)


def head(dicing: Dicing, salt: str) -> bytes:
    """Return the head of the chain that we promised."""
    return _ours(dicing, salt).head


def throw(
    dicing: Dicing, salt: str, links: Mapping[Party, bytes | None], mode: Mode
) -> tuple[int, int, Thrown]:
    """Make the next roll of everybody's shares; the first die is white's where both throw one."""
    number = dicing.next
    server = _ours(dicing, salt).share(dicing.step(number))
    given: ByParty[bytes | None] = ByParty(links[Party.A], links[Party.B], server)
    shares = ByParty(
        _share(dicing, Party.A, number, given.a), _share(dicing, Party.B, number, given.b), server
    )
    first, second = fair.roll(dicing.match, number, shares)
    return first, second, Thrown(number, mode, given)


def _share(dicing: Dicing, party: Party, number: int, link: bytes | None) -> bytes:
    if link is not None:
        return link
    words = dicing.words[party]
    if words is not None:
        return fair.typed_share(dicing.match, party, number, words)
    return fair.absent_share(dicing.match, party, number)


def as_dice(first: int, second: int) -> Dice:
    """Return a roll, the higher die first."""
    return Dice.of(first, second)


def _ours(dicing: Dicing, salt: str) -> Chain:
    """Return our chain, grown with whichever key of this installation it was promised with."""
    for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        chain = _chain(key, dicing.match, salt, dicing.length)
        promised = fair.commitment(dicing.match, Party.SERVER, dicing.users.server, chain.head)
        if promised == dicing.commitments.server:
            return chain
    raise LostSecret


@lru_cache(maxsize=512)
def _chain(key: str, match: str, salt: str, length: int) -> Chain:
    secret = hmac.digest(key.encode(), LABEL + match.encode() + b"|" + bytes.fromhex(salt), "sha256")
    return Chain.grow(secret, length)
