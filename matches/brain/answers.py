"""Responses to a double and to a resignation."""

from __future__ import annotations

from typing import Final

from engine.board import BAR, HOME
from engine.game import Game, Phase
from engine.match import Match
from engine.packed import LANE
from engine.side import Side
from matches.brain import race
from matches.brain.prospects import Prospect, compute_prospect_before_roll, compute_waiting_prospect
from matches.state.commands import AcceptResignation, Beaver, Command, DeclineResignation, Drop, Take

# The minimum gain of a beaver over a take, as a share of the cube: the estimates may err by as much.
CLEARLY: Final = 0.25


def answer_double(match: Match, side: Side) -> Command:
    """Return take, drop, or beaver if allowed and clearly right. Also responds to a beaver."""
    game = match.game
    is_beavered = side is game.turn
    prospect = (
        compute_prospect_before_roll(match, side) if is_beavered else compute_waiting_prospect(match, side)
    )
    taken = _compute_take_value(prospect, game.offer, mine=not is_beavered)
    if taken < prospect.stakes.worth(-game.offer // 2):
        return Drop()
    if game.rules.beavers and not is_beavered:
        turned = _compute_take_value(prospect, 2 * game.offer, mine=True)
        if turned > taken + CLEARLY * game.offer:
            return Beaver()
    return Take()


def _compute_take_value(prospect: Prospect, cube: int, *, mine: bool) -> float:
    return prospect.holding(cube, mine=mine, theirs=not mine)


def answer_resignation(match: Match, side: Side) -> Command:
    """Accept if the offer is worth at least the expectation of playing on."""
    game = match.game
    if game.is_highest_resignation:
        return AcceptResignation()
    prospect = (
        compute_prospect_before_roll(match, side)
        if game.turn is side
        else compute_waiting_prospect(match, side)
    )
    offered = prospect.stakes.worth(game.cube.value * game.level)
    return (
        AcceptResignation()
        if offered >= _compute_play_on_value(game, side, prospect)
        else DeclineResignation()
    )


def _compute_play_on_value(game: Game, side: Side, prospect: Prospect) -> float:
    cube = game.cube.value
    if game.level == 2:
        # Only a backgammon is left to be won; the roll counts decide whether it is possible.
        return prospect.stakes.worth(cube * (3 if _can_win_backgammon(game, side) else 2))
    if game.interrupted is Phase.DOUBLED:
        if game.turn is side:
            return prospect.stakes.worth(cube)  # the other side may also drop
        return max(
            _compute_take_value(prospect, game.offer, mine=True), prospect.stakes.worth(-game.offer // 2)
        )
    may_turn = game.rules.has_cube and not game.crawford
    return prospect.holding(
        cube,
        mine=may_turn and game.cube.is_open_to(side),
        theirs=may_turn and game.cube.is_open_to(side.other),
    )


def _can_win_backgammon(game: Game, side: Side) -> bool:
    """True if *side* is likely to bear off before the loser's last checker leaves *side*'s home board."""
    edge = BAR - 1 - HOME
    loser = game.board.points(side.other)
    way_out = sum((point - edge) * loser[point] for point in range(edge + 1, BAR + 1))
    rolls = race.estimate_rolls(game.board.seen_by(side) & LANE) - (game.turn is side)
    return way_out > rolls * race.PIPS_A_ROLL
