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
from engine.fair import ByParty, Chain, Party
from matches.state.errors import LostSecret
from matches.state.facts import Thrown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

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
    shares = (
        fair.compute_share(dicing.match, party, number, link=link, words=dicing.words[party])
        for party, link in given.items()
    )
    first, second = fair.roll(dicing.match, number, ByParty(*shares))
    return first, second, Thrown(number, mode, given)


def _load_server_chain(dicing: Dicing, salt: str) -> Chain:
    return find_chain(dicing, Party.SERVER, lambda key: _derive_chain(key, dicing.match, salt, dicing.length))


def find_chain(dicing: Dicing, party: Party, derive: Callable[[str], Chain]) -> Chain:
    """Return the chain derived from the secret key (or a fallback) that the party's commitment matches.

    Before it has committed, that is the chain of the present key.

    :raises LostSecret: no key matches.
    """
    user, promised = dicing.users[party], dicing.commitments[party]
    for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        chain = derive(key)
        if promised in {None, fair.compute_commitment(dicing.match, party, user, chain.head)}:
            return chain
    raise LostSecret


@lru_cache(maxsize=512)
def _derive_chain(key: str, match: str, salt: str, length: int) -> Chain:
    secret = hmac.digest(key.encode(), LABEL + match.encode() + b"|" + bytes.fromhex(salt), "sha256")
    return Chain.grow(secret, length)
