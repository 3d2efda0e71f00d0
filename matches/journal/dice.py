"""Dice: the server's chains, and rolls combined from all parties' shares. The only randomness of a match.

The server's chain is derived from a salt in the database and a key outside it: the database alone
does not reveal a roll.
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

    from engine.fair_log import ShareMode
    from matches.state.dicing import Dicing

# Chain length per point of the match: about five times the rolls that a match needs.
ROLLS_A_POINT: Final = 256
LABEL: Final = b"barpoint/dice/v1|"


def compute_chain_length(points: int) -> int:
    """Return the chain length for a match to *points*; the longest for money play (0)."""
    return min(fair.LONGEST_CHAIN, ROLLS_A_POINT * points) if points else fair.LONGEST_CHAIN


def create_salt() -> str:
    return secrets.token_hex(fair.LINK_BYTES)


def compute_commitment(dicing: Dicing, salt: str) -> bytes:
    """Return the server's commitment to the chain of *salt*."""
    head = _derive_chain(settings.SECRET_KEY, dicing.match, salt, dicing.length).head
    return fair.compute_commitment(dicing.match, Party.SERVER, dicing.users.server, head)


def compute_head(dicing: Dicing, salt: str) -> bytes:
    """Return the head of the chain that the server committed to."""
    return _load_server_chain(dicing, salt).head


def compute_roll(
    dicing: Dicing, salt: str, links: Mapping[Party, bytes | None], mode: ShareMode
) -> tuple[int, int, Thrown]:
    """Compute the next roll from all shares; the first die is white's on the opening roll."""
    number = dicing.next
    server = _load_server_chain(dicing, salt).share(dicing.step(number))
    given: ByParty[bytes | None] = ByParty(links[Party.A], links[Party.B], server)
    shares = ByParty(
        _compute_share(dicing, Party.A, number, given.a),
        _compute_share(dicing, Party.B, number, given.b),
        server,
    )
    first, second = fair.roll(dicing.match, number, shares)
    return first, second, Thrown(number, mode, given)


def _compute_share(dicing: Dicing, party: Party, number: int, link: bytes | None) -> bytes:
    if link is not None:
        return link
    words = dicing.words[party]
    if words is not None:
        return fair.compute_typed_share(dicing.match, party, number, words)
    return fair.compute_absent_share(dicing.match, party, number)


def to_dice(first: int, second: int) -> Dice:
    return Dice.from_numbers(first, second)


def _load_server_chain(dicing: Dicing, salt: str) -> Chain:
    """Return the server's chain, derived from the secret key (or a fallback) that its commitment matches."""
    for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        chain = _derive_chain(key, dicing.match, salt, dicing.length)
        promised = fair.compute_commitment(dicing.match, Party.SERVER, dicing.users.server, chain.head)
        if promised == dicing.commitments.server:
            return chain
    raise LostSecret


@lru_cache(maxsize=512)
def _derive_chain(key: str, match: str, salt: str, length: int) -> Chain:
    secret = hmac.digest(key.encode(), LABEL + match.encode() + b"|" + bytes.fromhex(salt), "sha256")
    return Chain.grow(secret, length)
