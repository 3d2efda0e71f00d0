"""Dice: the server's chains, and rolls combined from the shares of all parties that have chains.

This is the only randomness of a match. The server's chain is derived from a salt in the database and a key
outside it: the database alone does not reveal a roll.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

from django.conf import settings
from django.utils.translation import gettext as _

from engine import fair
from engine.actions import Rolled
from engine.dice import Dice
from engine.fair import ByParty, Chain, Party
from engine.fair_log import ShareMode
from engine.game import Phase
from engine.side import Side
from matches.journal.journal import Draft
from matches.state.dicing import Dicing
from matches.state.errors import LostSecret, Refused
from matches.state.facts import Asked, DiceBegun, Promised, Readied, Thrown

# Chain length per point of the match: about five times the rolls that a match needs.
ROLLS_A_POINT: Final = 256
LABEL: Final = b"barpoint/dice/v1|"


def compute_chain_length(points: int) -> int:
    """Return the chain length for a match to *points*; the longest for money play (0)."""
    return min(fair.LONGEST_CHAIN, ROLLS_A_POINT * points) if points else fair.LONGEST_CHAIN


def create_salt() -> str:
    return secrets.token_hex(fair.LINK_BYTES)


def begin_dice(draft: Draft, *, reason: str = "") -> None:
    draft.row.salts = [*draft.row.salts, create_salt()]
    draft.row.deposits = {}  # links of the previous chains
    length = compute_chain_length(draft.state.terms.rules.length)
    # The same name for the whole match even if the site moves: commitments include it.
    name = draft.state.dicing.users.server or settings.PUBLIC_HOST
    fact = DiceBegun(draft.state.dicing.next, length, name, reason)
    draft.write(fact, by="server")
    commitment = compute_commitment(draft.state.dicing, draft.salt)
    draft.write(Promised(Party.SERVER, commitment), by="server")


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


def has_share(draft: Draft, side: Side) -> bool:
    """True if *side* has given its share of the next roll, or has no chain."""
    party = Party.from_side(side)
    return not draft.state.dicing.has_chain(party) or _find_link(draft, party) is not None


def roll_or_request(draft: Draft, side: Side) -> tuple[Readied | Asked | Rolled, Thrown | None]:
    """Roll for *side*, or request the roll if the opponent's share must come first. An opening roll needs both sides.

    :raises Refused: *side* has a chain, and its share is missing.
    """
    if not has_share(draft, side):
        number = draft.state.dicing.next
        raise Refused(_("Your share of the roll is missing."), code="share-needed", number=number)
    phase = draft.state.match.game.phase
    if phase is Phase.OPENING:
        return Readied(side), None
    # Out of turn the request is refused, and nothing is rolled.
    if phase is not Phase.TO_ROLL or not has_share(draft, side.other):
        return Asked(side, draft.state.dicing.next, _find_link(draft, Party.from_side(side))), None
    return roll(draft, side, ShareMode.SEALED)


def _find_link(draft: Draft, party: Party) -> bytes | None:
    """Return the party's share of the next roll, if given."""
    state = draft.state
    if not state.dicing.has_chain(party):
        return None
    asked = state.asked
    if asked is not None and Party.from_side(asked.side) is party:
        return asked.link
    given = draft.row.deposits.get(party.value, {}).get(str(state.dicing.next))
    return bytes.fromhex(given) if given else None


def roll(draft: Draft, side: Side, mode: ShareMode) -> tuple[Rolled, Thrown]:
    """Roll for *side* with the shares that are there."""
    first, second, made = compute_throw(draft, mode)
    return Rolled(side, Dice.from_numbers(first, second)), made


def compute_throw(draft: Draft, mode: ShareMode) -> tuple[int, int, Thrown]:
    dicing = draft.state.dicing
    links = {party: _find_link(draft, party) for party in (Party.A, Party.B)}
    return compute_roll(dicing, draft.salt, links, mode)
