"""What follows by itself: our own dice, rolls whose shares are all there, plays that leave no choice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from engine.actions import Opened, Rolled
from engine.fair import Party
from engine.fair_log import Mode
from engine.game import Phase
from matches import dice
from matches.dicing import Stage
from matches.errors import Refused
from matches.facts import Asked, Readied, Unsealed
from matches.services import habits
from matches.services.lifecycle import begin_dice
from matches.sitting import BOTH

if TYPE_CHECKING:
    from engine.side import Side
    from matches.facts import Thrown
    from matches.services.lifecycle import Draft


def follow(draft: Draft) -> None:
    """Write everything that needs nobody's decision."""
    while _next(draft):
        pass


def _next(draft: Draft) -> bool:
    sitting, dicing = draft.sitting, draft.sitting.dicing
    game = sitting.match.game
    if sitting.match.is_over or sitting.match.paused:
        return False
    if dicing.stage is Stage.UNSEALING and not any(dicing.owes(p) for p in (Party.A, Party.B)):
        draft.write(Unsealed(Party.SERVER, dice.head(dicing, draft.salt)), by="server")
        return True
    if dicing.stage is not Stage.READY:
        return False
    if dicing.is_used_up and game.phase in {Phase.OPENING, Phase.TO_ROLL}:
        begin_dice(draft, reason="used up")
        return True
    if game.phase is Phase.OPENING:
        return _open(draft)
    if sitting.asked is not None:
        return _throw_what_was_asked(draft, sitting.asked)
    return habits.act(draft)


def available(draft: Draft, side: Side) -> bool:
    """Is everything here that *side* has to give for the next roll?"""
    party = Party.of(side)
    return not draft.sitting.dicing.has_chain(party) or _link(draft, party) is not None


def require_share(draft: Draft, side: Side) -> None:
    """Refuse to go on without the share of one who has a chain."""
    if not available(draft, side):
        number = draft.sitting.dicing.next
        raise Refused(_("Your share of the roll is missing."), code="share-needed", number=number)


def ask_or_throw(draft: Draft, side: Side, *, lag: int) -> None:
    """Roll for *side*, or write down that it asked where the opponent's share must come first."""
    require_share(draft, side)
    party, number = Party.of(side), draft.sitting.dicing.next
    if available(draft, side.other) and draft.sitting.match.game.phase is Phase.TO_ROLL:
        _roll(draft, side, Mode.SEALED, by=side.word, lag=lag)
        return
    fact = Asked(side, number, _link(draft, party))
    draft.write(fact, by=side.word, who=draft.who(side), lag=lag)


def _link(draft: Draft, party: Party) -> bytes | None:
    """Return the party's share of the next roll, if it has one and gave it."""
    sitting = draft.sitting
    if not sitting.dicing.has_chain(party):
        return None
    asked = sitting.asked
    if asked is not None and Party.of(asked.side) is party:
        return asked.link
    given = draft.row.deposits.get(party.value, {}).get(str(sitting.dicing.next))
    return bytes.fromhex(given) if given else None


def _throw_what_was_asked(draft: Draft, asked: Asked) -> bool:
    other = asked.side.other
    if not available(draft, other):
        return False
    _roll(draft, asked.side, Mode.STRICT, by=other.word, lag=0)
    return True


def _roll(draft: Draft, side: Side, mode: Mode, *, by: str, lag: int) -> None:
    first, second, thrown = _thrown(draft, mode)
    draft.write(Rolled(side, dice.as_dice(first, second)), by=by, who=draft.who(side), lag=lag, thrown=thrown)


def _open(draft: Draft) -> bool:
    """Make the opening roll once both are ready; after a tie those go on who gave more shares."""
    sitting = draft.sitting
    if not all(side in sitting.ready for side in BOTH):
        return False
    first, second, thrown = _thrown(draft, Mode.SEALED)
    draft.write(Opened(first, second), by="server", thrown=thrown)
    if first == second and not draft.sitting.dicing.is_used_up:
        for side in BOTH:
            if available(draft, side):
                draft.write(Readied(side), by="server", who=draft.who(side))
    return True


def _thrown(draft: Draft, mode: Mode) -> tuple[int, int, Thrown]:
    dicing = draft.sitting.dicing
    links = {party: _link(draft, party) for party in (Party.A, Party.B)}
    return dice.throw(dicing, draft.salt, links, mode)
