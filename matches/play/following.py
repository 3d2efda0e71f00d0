"""What follows by itself: our own dice, rolls whose shares are all there, plays that leave no choice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.actions import Opened
from engine.fair import Party
from engine.fair_log import Mode
from engine.game import Phase
from matches.journal import dice
from matches.journal.lifecycle import begin_dice
from matches.play import habits, rolling
from matches.state.dicing import Stage
from matches.state.facts import Asked, Readied, Unsealed
from matches.state.match_state import BOTH

if TYPE_CHECKING:
    from matches.journal.lifecycle import Draft


def follow(draft: Draft) -> None:
    """Write everything that needs nobody's decision."""
    while _next(draft):
        pass


def _next(draft: Draft) -> bool:
    state, dicing = draft.state, draft.state.dicing
    game = state.match.game
    if state.match.is_over or state.match.paused:
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
    if state.asked is not None:
        return _throw_what_was_asked(draft, state.asked)
    return habits.act(draft)


def _throw_what_was_asked(draft: Draft, asked: Asked) -> bool:
    other = asked.side.other
    if not rolling.available(draft, other):
        return False
    rolling.roll(draft, asked.side, Mode.STRICT, by=other.word, lag=0)
    return True


def _open(draft: Draft) -> bool:
    """Make the opening roll once both are ready; after a tie those go on who gave more shares."""
    state = draft.state
    if not all(side in state.ready for side in BOTH):
        return False
    first, second, thrown = rolling.thrown(draft, Mode.SEALED)
    draft.write(Opened(first, second), by="server", thrown=thrown)
    if first == second and not draft.state.dicing.is_used_up:
        for side in BOTH:
            if rolling.available(draft, side):
                draft.write(Readied(side), by="server", who=draft.who(side))
    return True
