"""A roll is made of the shares of those who have chains: is each there, and what does it come to?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from engine.actions import Rolled
from engine.fair import Party
from engine.fair_log import Mode
from engine.game import Phase
from matches.journal import dice
from matches.state.errors import Refused
from matches.state.facts import Asked

if TYPE_CHECKING:
    from engine.side import Side
    from matches.journal.lifecycle import Draft
    from matches.state.facts import Thrown


def available(draft: Draft, side: Side) -> bool:
    """Is everything here that *side* has to give for the next roll?"""
    party = Party.of(side)
    return not draft.state.dicing.has_chain(party) or _link(draft, party) is not None


def require_share(draft: Draft, side: Side) -> None:
    """Refuse to go on without the share of one who has a chain."""
    if not available(draft, side):
        number = draft.state.dicing.next
        raise Refused(_("Your share of the roll is missing."), code="share-needed", number=number)


def ask_or_throw(draft: Draft, side: Side, *, lag: int) -> None:
    """Roll for *side*, or write down that it asked where the opponent's share must come first."""
    require_share(draft, side)
    party, number = Party.of(side), draft.state.dicing.next
    if available(draft, side.other) and draft.state.match.game.phase is Phase.TO_ROLL:
        roll(draft, side, Mode.SEALED, by=side.word, lag=lag)
        return
    fact = Asked(side, number, _link(draft, party))
    draft.write(fact, by=side.word, who=draft.who(side), lag=lag)


def _link(draft: Draft, party: Party) -> bytes | None:
    """Return the party's share of the next roll, if it has one and gave it."""
    state = draft.state
    if not state.dicing.has_chain(party):
        return None
    asked = state.asked
    if asked is not None and Party.of(asked.side) is party:
        return asked.link
    given = draft.row.deposits.get(party.value, {}).get(str(state.dicing.next))
    return bytes.fromhex(given) if given else None


def roll(draft: Draft, side: Side, mode: Mode, *, by: str, lag: int) -> None:
    """Roll for *side* with the shares that are there."""
    first, second, made = thrown(draft, mode)
    draft.write(Rolled(side, dice.as_dice(first, second)), by=by, who=draft.who(side), lag=lag, thrown=made)


def thrown(draft: Draft, mode: Mode) -> tuple[int, int, Thrown]:
    """Return the two dice that the shares come to, and how they were made."""
    dicing = draft.state.dicing
    links = {party: _link(draft, party) for party in (Party.A, Party.B)}
    return dice.throw(dicing, draft.salt, links, mode)
