"""A race that both agreed to play out: we roll and play for them, as they would have, until it is over or one stops it.

Every roll is made of the same shares as any other, and is a line of the journal like any other. Which play is made
is for our own player to judge (`matches.brain`): where nobody can be hit that is the one that needs the fewest rolls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.actions import Played
from engine.game import Phase
from matches.brain import turns
from matches.play import rolling

if TYPE_CHECKING:
    from matches.journal.lifecycle import Draft


def act(draft: Draft) -> bool:
    """Do the next thing for whoever is on turn; say whether there was anything."""
    match = draft.state.match
    side, dice = match.game.turn, match.game.dice
    if side is None:
        return False
    if match.game.phase is Phase.TO_PLAY and dice is not None:
        steps = turns.move(match, side, dice).steps
        draft.write(Played(side, steps), by="server", who=draft.who(side))
        return True
    # Whose share is missing gives it as soon as they see that it is due.
    if not rolling.available(draft, side):
        return False
    rolling.ask_or_throw(draft, side, lag=0)
    return True
