"""Automatic facts: the server's dice, rolls with all shares present, acts that players leave to the server.

By their habits, players leave to it rolls without a possible double, passes and only plays (R63, R64). Habits
are preferences, not rules: without them a match goes the same way, with more clicks. Both players may also
agree to play out a race: `matches.brain` chooses the plays, which without contact take the fewest rolls.
A roll combines the shares of all parties that have chains.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from engine.actions import Opened, Played, Rolled
from engine.dice import Dice
from engine.fair import Party
from engine.fair_log import ShareMode
from engine.game import Phase
from engine.plays import legal_plays
from matches import brain
from matches.journal import dice
from matches.journal.lifecycle import begin_dice
from matches.models import Habits
from matches.state.dicing import Stage
from matches.state.errors import Refused
from matches.state.facts import Asked, Readied, Unsealed
from matches.state.match_state import BOTH

if TYPE_CHECKING:
    from engine.side import Side
    from matches.journal.lifecycle import Draft
    from matches.state.facts import Thrown

USUAL = Habits()


def write_automatic_facts(draft: Draft) -> None:
    """Write all facts that need no decision."""
    while _write_next_fact(draft):
        pass


def _write_next_fact(draft: Draft) -> bool:
    state, dicing = draft.state, draft.state.dicing
    game = state.match.game
    if state.match.is_over or state.match.paused:
        return False
    if dicing.stage is Stage.UNSEALING and not state.sealing:
        draft.write(Unsealed(Party.SERVER, dice.compute_head(dicing, draft.salt)), by="server")
        return True
    if dicing.stage is not Stage.READY:
        return False
    if dicing.is_used_up and game.phase in {Phase.OPENING, Phase.TO_ROLL}:
        begin_dice(draft, reason="used up")
        return True
    if game.phase is Phase.OPENING:
        return _write_opening_roll(draft)
    if state.asked is not None:
        asker, other = state.asked.side, state.asked.side.other
        if not has_share(draft, other):
            return False
        rolled, thrown = roll(draft, asker, ShareMode.STRICT)
        draft.write(rolled, by=other.word, who=draft.who(asker), thrown=thrown)
        return True
    return game.turn is not None and _act_for_player(draft, game.turn)


def _write_opening_roll(draft: Draft) -> bool:
    """Roll for the opening once both sides are ready; True if they were.

    After a tie, sides whose next share is there are ready again.
    """
    state = draft.state
    if not all(side in state.ready for side in BOTH):
        return False
    first, second, made = compute_throw(draft, ShareMode.SEALED)
    draft.write(Opened(first, second), by="server", thrown=made)
    if first == second and not draft.state.dicing.is_used_up:
        for side in BOTH:
            if has_share(draft, side):
                draft.write(Readied(side), by="server", who=draft.who(side))
    return True


def _act_for_player(draft: Draft, side: Side) -> bool:
    """Act for the player on turn, as far as left to the server; True if a fact was written."""
    match = draft.state.match
    game, in_race = match.game, draft.state.plays_itself
    if game.phase is Phase.TO_PLAY and game.dice is not None:
        if in_race:
            steps = brain.choose_play(match, side, game.dice).steps
        else:
            plays = legal_plays(game.board, side, game.dice)
            if len(plays) > 1:
                return False
            steps, habits = plays[0].steps, _load_habits(draft, side)
            if not (habits.auto_play if steps else habits.auto_pass):
                return False
        draft.write(Played(side, steps), by="server", who=draft.who(side))
        return True
    if not in_race and (game.phase is not Phase.TO_ROLL or game.why_no_double is None):
        return False
    # Browsers send a missing share when they see that it is due.
    if not has_share(draft, side) or not (in_race or _load_habits(draft, side).auto_roll):
        return False
    fact, thrown = roll_or_request(draft, side)
    draft.write(fact, by=side, thrown=thrown)
    return True


def _load_habits(draft: Draft, side: Side) -> Habits:
    player_id = draft.row.black_id if side else draft.row.white_id
    return Habits.objects.filter(player_id=player_id).first() or USUAL


def has_share(draft: Draft, side: Side) -> bool:
    """True if *side* has given its share of the next roll, or has no chain."""
    party = Party.from_side(side)
    return not draft.state.dicing.has_chain(party) or _find_link(draft, party) is not None


def require_share(draft: Draft, side: Side) -> None:
    """Raise Refused if *side* has a chain and its share is missing."""
    if not has_share(draft, side):
        number = draft.state.dicing.next
        raise Refused(_("Your share of the roll is missing."), code="share-needed", number=number)


def roll_or_request(draft: Draft, side: Side) -> tuple[Asked | Rolled, Thrown | None]:
    """Roll for *side*, or request the roll if the opponent's share must come first."""
    require_share(draft, side)
    if has_share(draft, side.other) and draft.state.match.game.phase is Phase.TO_ROLL:
        return roll(draft, side, ShareMode.SEALED)
    return Asked(side, draft.state.dicing.next, _find_link(draft, Party.from_side(side))), None


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
    """Return the dice computed from the shares, and how they were made."""
    dicing = draft.state.dicing
    links = {party: _find_link(draft, party) for party in (Party.A, Party.B)}
    return dice.compute_roll(dicing, draft.salt, links, mode)
