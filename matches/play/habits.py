"""What a player lets the server do: roll where no double is possible, pass, make the only play (R63, R64).

Preferences of the person, never rules of the match: with none of them a match goes the same way, only
with more clicks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.actions import Played
from engine.game import Phase
from engine.plays import legal_plays
from matches.models import Habits
from matches.play import racing, rolling

if TYPE_CHECKING:
    from engine.plays import Plays
    from engine.side import Side
    from matches.journal.lifecycle import Draft

USUAL = Habits()


def act(draft: Draft) -> bool:
    """Do what the one on turn has left to us; say whether there was anything."""
    game = draft.state.match.game
    if game.turn is None:
        return False
    if draft.state.plays_itself:
        return racing.act(draft)
    if game.phase is Phase.TO_PLAY and game.dice is not None:
        return _play(draft, game.turn, legal_plays(game.board, game.turn, game.dice))
    if game.phase is Phase.TO_ROLL and game.why_no_double is not None:
        return _roll(draft, game.turn)
    return False


def _play(draft: Draft, side: Side, plays: Plays) -> bool:
    if len(plays) > 1:
        return False
    steps = plays[0].steps
    habits = of(draft, side)
    if not (habits.auto_play if steps else habits.auto_pass):
        return False
    draft.write(Played(side, steps), by="server", who=draft.who(side))
    return True


def _roll(draft: Draft, side: Side) -> bool:
    if not rolling.available(draft, side) or not of(draft, side).auto_roll:
        return False
    rolling.ask_or_throw(draft, side, lag=0)
    return True


def of(draft: Draft, side: Side) -> Habits:
    """Return what the player on *side* prefers."""
    player_id = draft.row.black_id if side else draft.row.white_id
    return Habits.objects.filter(player_id=player_id).first() or USUAL
