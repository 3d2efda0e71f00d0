"""Serialize a match for one viewer: snapshots, responses, and the commands open to one side, as `play` rules.

A test on thousands of boards checks that exactly the commands listed here are accepted.
"""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from engine.fair import Party
from engine.formats import position_id
from engine.game import Phase
from engine.plays import legal_plays
from engine.side import Side
from engine.turns import build_turn_tree
from matches.journal import live
from matches.models import Match
from matches.play import shapes
from matches.play.bodies import EVERYTHING
from matches.play.clocks import find_claim_refusal
from matches.play.play import CommandResult, find_refusal
from matches.state.commands import Command, DeclineResignation, Double, OfferResignation
from matches.state.dicing import Stage
from matches.state.match_state import MatchState
from runtime.http.answers import ABSENT


def serialize_match(row: Match, state: MatchState, side: Side | None, **more: Any) -> shapes.WholeMatchAnswer:
    """Serialize everything about a match for a viewer on *side*, or None for spectators."""
    is_theirs = side is not None and state.owing == (side,)
    shown = {
        "snapshot": live.build_snapshot(state),
        "you": None if side is None else _build_own_options(row, state, side),
        "plays": serialize_plays(state) if is_theirs else None,
        "turn": serialize_turn(state) if is_theirs else None,
    }
    return shapes.WholeMatchAnswer.read(row, **{**shown, **more})


def serialize_result(found: CommandResult, *, with_turn: bool = False) -> shapes.CommandResultAnswer:
    """Serialize the result of a command; the same for each repetition."""
    state, side = found.state, found.side
    is_theirs = state.owing == (side,)
    turn = serialize_turn(state) if with_turn and is_theirs else None
    return shapes.CommandResultAnswer(
        head=state.head,
        frames=found.frames,
        you=build_options(state, side),
        plays=serialize_plays(state) if is_theirs else None,
        turn=turn if with_turn else ABSENT,
    )


def _build_own_options(row: Match, state: MatchState, side: Side) -> shapes.YouInSnapshotAnswer:
    given = map(int, row.deposits.get(Party.from_side(side).value, {}))
    shares = sorted(number for number in given if number >= state.dicing.next)
    return shapes.YouInSnapshotAnswer(**build_options(state, side), shares=shares)


def build_options(state: MatchState, side: Side) -> shapes.YouAnswer:
    """Return the commands open to *side*, and refusals of others worth showing."""
    may: list[str] = []
    may_not: dict[str, shapes.WhyNotAnswer] = {}
    warnings: dict[str, shapes.WhyNotAnswer] = {}
    levels: list[int | str] = []
    if not state.match.is_over:
        levels.append(EVERYTHING)
        may += _list_dice_commands(state, side)
        may += _list_game_commands(state, side, may_not)
        if _is_its_turn(state, side) and state.match.game.phase is not Phase.RESIGNING:
            refusal = _find_refusal(state, side, OfferResignation())
            if refusal is None:
                levels = [*range(1, state.match.game.find_highest_level(side) + 1), EVERYTHING]
            else:
                may_not["resign"] = refusal
        may.append("resign")
        if "double" in may and state.match.game.is_dead_double:
            warnings["double"] = _build_refusal(
                "dead-cube", _("Winning at the present cube already gives you the match."), "R48"
            )
        if find_claim_refusal(state, side) is None:
            may.append("claim-absence")
        if state.is_race and state.begun:
            may.append("play-out")
        clock = state.clock
        if clock is not None and clock.turn is side.other and clock.since is not None:
            may.append("claim-flag")
    return shapes.YouAnswer(
        side=side.word,
        may=may,
        may_not=may_not,
        warnings=warnings,
        resign_levels=levels,
        share_for=state.dicing.next if state.dicing.has_chain(Party.from_side(side)) else None,
    )


def _list_dice_commands(state: MatchState, side: Side) -> list[str]:
    dicing, party = state.dicing, Party.from_side(side)
    may: list[str] = []
    if party in dicing.owing:
        may.append("promise" if dicing.stage is Stage.PROMISING else "open")
    if dicing.has_chain(party):
        may.append("forgo")
        if dicing.stage is Stage.READY:
            may.append("share")
    return may


def _list_game_commands(state: MatchState, side: Side, may_not: dict[str, shapes.WhyNotAnswer]) -> list[str]:
    game = state.match.game
    can_roll = state.begun and not state.dicing.owing
    if game.phase is Phase.OPENING:
        return ["roll"] if can_roll and not state.match.paused and side not in state.ready else []
    if not _is_its_turn(state, side) or game.actor is not side:
        return []
    match game.phase:
        case Phase.TO_ROLL:
            refusal = _find_double_refusal(state, side)
            if refusal is not None:
                may_not["double"] = refusal
            return [*(["roll"] if can_roll else []), *([] if refusal else ["double"])]
        case Phase.TO_PLAY:
            return ["move"]
        case Phase.DOUBLED:
            if game.rules.beavers:
                return ["take", "drop", "beaver"]
            may_not["beaver"] = _build_refusal(
                "no-beavers", _("Beavers are not allowed in this match."), "R47"
            )
            return ["take", "drop"]
        case Phase.RESIGNING:
            refusal = _find_refusal(state, side, DeclineResignation())
            if refusal is None:
                return ["accept", "decline"]
            may_not["decline"] = refusal
            return ["accept"]
        case _:
            return []


def _find_double_refusal(state: MatchState, side: Side) -> shapes.WhyNotAnswer | None:
    refusal = state.match.game.why_no_double
    if refusal is not None:
        return _build_refusal(refusal.code, str(refusal), refusal.rule)
    return _find_refusal(state, side, Double())


def _find_refusal(state: MatchState, side: Side, command: Command) -> shapes.WhyNotAnswer | None:
    refusal = find_refusal(state, side, command)
    if refusal is None:
        return None
    return _build_refusal(refusal.code, str(refusal), refusal.context.get("rule", ""))


def _is_its_turn(state: MatchState, side: Side) -> bool:
    return state.begun and state.asked is None and state.owing == (side,)


def _build_refusal(code: str, sentence: str, rule: str = "") -> shapes.WhyNotAnswer:
    return shapes.WhyNotAnswer(code=code, title=sentence, rule=rule)


def serialize_plays(state: MatchState) -> list[shapes.PlayAnswer] | None:
    """Return the legal plays of the roll, one for each resulting board; None without dice."""
    game = state.match.game
    if game.phase is not Phase.TO_PLAY or game.turn is None or game.dice is None:
        return None
    side, other = game.turn, game.turn.other
    return [
        shapes.PlayAnswer.read(play, position=position_id.encode(play.board, other))
        for play in legal_plays(game.board, side, game.dice)
    ]


def serialize_turn(state: MatchState) -> list[list[list[int]]] | None:
    """Return the graph of partial turns of the roll; None without dice."""
    game = state.match.game
    if game.phase is not Phase.TO_PLAY or game.turn is None or game.dice is None:
        return None
    return build_turn_tree(game.board, game.turn, game.dice).to_json()
