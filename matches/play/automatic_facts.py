"""Automatic facts: the server's dice, rolls with all shares present, acts that players leave to the server.

By their habits, players leave to it rolls without a possible double, passes and only plays (R63, R64). Habits
are preferences, not rules: without them a match goes the same way, with more clicks. Both players may also
agree to play out a race: `matches.brain` chooses the plays, which without contact take the fewest rolls.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.actions import Opened, Played
from engine.fair import Party
from engine.fair_log import ShareMode
from engine.game import Phase
from engine.plays import legal_plays
from engine.side import Side
from matches import brain
from matches.journal import dice
from matches.journal.journal import Draft
from matches.models import Habits
from matches.state.dicing import Stage
from matches.state.facts import Fact, Readied, Thrown, Unsealed
from matches.state.match_state import BOTH, MatchState

USUAL = Habits()


class NextFact(NamedTuple):
    fact: Fact
    by: str | Side = "server"
    # The key of the player for whom the server acts.
    who: str = ""
    thrown: Thrown | None = None


def write_automatic_facts(draft: Draft) -> None:
    """Write all facts that need no decision."""
    while True:
        if _needs_new_dice(draft.state):
            dice.begin_dice(draft, reason="used up")
        found = _find_next_fact(draft)
        if found is None:
            return
        draft.write(found.fact, by=found.by, who=found.who, thrown=found.thrown)


def _needs_new_dice(state: MatchState) -> bool:
    is_to_roll = state.match.game.phase in {Phase.OPENING, Phase.TO_ROLL}
    is_on = not state.match.is_over and not state.match.paused
    return is_on and is_to_roll and state.dicing.stage is Stage.READY and state.dicing.is_used_up


def _find_next_fact(draft: Draft) -> NextFact | None:
    state, dicing = draft.state, draft.state.dicing
    game = state.match.game
    if state.match.is_over or state.match.paused:
        return None
    if dicing.stage is Stage.UNSEALING and not state.sealing:
        return NextFact(Unsealed(Party.SERVER, dice.compute_head(dicing, draft.salt)))
    if dicing.stage is not Stage.READY:
        return None
    if game.phase is Phase.OPENING:
        return _find_opening_fact(draft)
    if state.asked is not None:
        asker, other = state.asked.side, state.asked.side.other
        if not dice.has_share(draft, other):
            return None
        rolled, thrown = dice.roll(draft, asker, ShareMode.STRICT)
        return NextFact(rolled, other.word, draft.who(asker), thrown)
    return None if game.turn is None else _act_for_player(draft, game.turn)


def _find_opening_fact(draft: Draft) -> NextFact | None:
    """Return the opening roll if both sides are ready. After a tie a side whose next share is there is ready again."""
    unready = [side for side in BOTH if side not in draft.state.ready]
    if not unready:
        first, second, thrown = dice.compute_throw(draft, ShareMode.SEALED)
        return NextFact(Opened(first, second), thrown=thrown)
    rolls = (step.line.fact for step in reversed(draft.steps) if isinstance(step.line.fact, Opened))
    is_tied = (last := next(rolls, None)) is not None and last.is_tie
    again = next((side for side in unready if is_tied and dice.has_share(draft, side)), None)
    return None if again is None else NextFact(Readied(again), who=draft.who(again))


def _act_for_player(draft: Draft, side: Side) -> NextFact | None:
    """Return the next fact of the player on turn, if it is left to the server."""
    match = draft.state.match
    game, in_race = match.game, draft.state.plays_itself
    if game.phase is Phase.TO_PLAY and game.dice is not None:
        if in_race:
            return NextFact(
                Played(side, brain.choose_play(match, side, game.dice).steps), who=draft.who(side)
            )
        plays = legal_plays(game.board, side, game.dice)
        if len(plays) > 1:
            return None
        steps, habits = plays[0].steps, _load_habits(draft, side)
        is_left = habits.auto_play if steps else habits.auto_pass
        return NextFact(Played(side, steps), who=draft.who(side)) if is_left else None
    if not in_race and (game.phase is not Phase.TO_ROLL or game.why_no_double is None):
        return None
    # Browsers send a missing share when they see that it is due.
    if not dice.has_share(draft, side) or not (in_race or _load_habits(draft, side).auto_roll):
        return None
    fact, thrown = dice.roll_or_request(draft, side)
    return NextFact(fact, side, thrown=thrown)


def _load_habits(draft: Draft, side: Side) -> Habits:
    player_id = draft.row.black_id if side else draft.row.white_id
    return Habits.objects.filter(player_id=player_id).first() or USUAL
