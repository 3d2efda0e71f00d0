"""The decisions of the practice bot. Pure and deterministic.

It evaluates every legal play one ply ahead: by the chances after it (`outlook`) and
by their value at the score (`stakes`); the cube by its value on either side (`cubes`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import Phase
from matches.brain import answers, turns
from matches.state.commands import Roll

if TYPE_CHECKING:
    from engine.match import Match
    from engine.side import Side
    from matches.state.commands import Command


def decide(match: Match, side: Side) -> Command | None:
    """Return the command of *side*; None if it has nothing to do.

    >>> from engine.match import Match, apply
    >>> from engine.actions import Opened
    >>> from engine.rules import Rules
    >>> from engine.side import Side
    >>> match = Match.start(Rules(length=5))
    >>> decide(match, Side.WHITE)
    Roll()
    >>> [str(step) for step in decide(apply(match, Opened(3, 1)), Side.WHITE).steps]
    ['8/5', '6/5']
    """
    game = match.game
    if match.is_over or match.paused:
        return None
    if game.phase is Phase.OPENING:
        return Roll()
    if game.actor is not side:
        return None
    if game.phase is Phase.RESIGNING:
        return answers.to_resignation(match, side)
    if game.phase is Phase.DOUBLED:
        return answers.to_double(match, side)
    return turns.move(match, side, game.dice) if game.dice else turns.roll_or_double(match, side)
