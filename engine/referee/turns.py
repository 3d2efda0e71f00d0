"""The rolls and plays of a sheet, applied to the board."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine.actions import Played, ReportedGame, RuledPosition, Took
from engine.board import OFF, Board, Step
from engine.dice import ROLLED, Dice
from engine.errors import Impossible
from engine.game import Phase
from engine.plays import legal_plays
from engine.referee.case import Case
from engine.referee.finding_list import format_dice
from engine.resolve import ResolvedPlay, find_nearest_plays, resolve_play
from engine.sheet import Claim, FactClaim, Hop, PositionClaim, Turn, TurnKind, WinClaim
from engine.side import Side

DICE: Final = {(a, b): ROLLED[a - 1][b - 1] for a in range(1, 7) for b in range(1, 7)}
# Recorded for a side that did not roll because no roll could enter (R28).
CLOSED_OUT: Final = Dice(6, 6)
AFTER_ILLEGAL: Final = "The record goes on from here after an illegal play."
OUT_OF_TURN: Final = "The record has a turn out of order."


def apply_turn(case: Case, index: int, claim: Turn) -> None:
    if claim.side is not case.ready and not _prepare_roll(case, index, claim):
        return
    dice = DICE.get(claim.dice) if claim.dice else None
    if dice is None:
        _apply_turn_without_dice(case, index, claim)
    elif claim.kind is TurnKind.PLAY:
        resolved = resolve_play(case.board, claim.side, dice, claim.hops)
        if resolved.fault or resolved.notes:
            _judge_play(case, index, claim, dice, resolved)
        else:
            apply_play(case, claim.side, dice, resolved.steps, resolved.board)
    else:
        _apply_unwritten_play(case, index, claim, dice)


def apply_play(case: Case, side: Side, dice: Dice, steps: tuple[Step, ...], board: Board) -> None:
    if case.lies:
        case.act(Played(side, steps))
    elif steps and steps[-1].target == OFF and board.winner is side:
        case.rolled(side, dice)
        case.act(Played(side, steps))
    else:
        case.played(side, dice, steps, board)


def _prepare_roll(case: Case, index: int, claim: Turn) -> bool:
    """Prepare the state so that the side may roll, and report any problem; return False if it cannot roll."""
    if case.is_over:
        _report_turn_after_end(case, index, claim)
        return False
    if case.lost:
        case.counted()
        return False
    case.resigning = None  # the resignation was not accepted
    handle_unplayed_roll(case, claim)
    game = case.match.game
    if game.phase is Phase.OPENING:
        if claim.dice and claim.dice[0] == claim.dice[1]:  # R10
            _hand_over_turn(case, index, claim, "opening-double")
    elif game.phase is Phase.TO_PLAY:
        # The dice have been rolled already.
        if claim.side is not game.turn or claim.dice is None or DICE.get(claim.dice) != game.dice:
            _hand_over_turn(case, index, claim, "other-dice", right=format_dice(game.dice))
    else:
        unanswered = game.asked is not None and _assume_take(case, index, game.asked)
        if claim.side is not case.turn:
            _hand_over_turn(case, index, claim, "" if unanswered else "out-of-turn")
    return True


def _hand_over_turn(case: Case, index: int, claim: Turn, code: str, right: str = "") -> None:
    """Let the side of a turn roll out of order; *code* is that of the finding, "" for none."""
    if code:
        case.write(code, index, claim.side, right=right)
    case.act(RuledPosition(case.board, claim.side, case.match.game.cube, reason=OUT_OF_TURN))


def _assume_take(case: Case, index: int, asked: Side) -> bool:
    """Assume that a double was taken; return whether that should have been written."""
    # the acceptance of a beaver is not written; the doubler simply rolls.
    simple = case.match.game.offer == case.match.game.cube.value * 2
    if simple:
        case.write("double-unanswered", index, case.turn)
    case.act(Took(asked))
    return simple


def _report_turn_after_end(case: Case, index: int, claim: Turn) -> None:
    if _is_repetition(case, index, claim):
        case.write("repeated-play", index, claim.side, get_play_text(claim))
    elif not case.said_play_after_end:
        case.said_play_after_end = True
        case.write("play-after-end", index, claim.side, get_play_text(claim), text=claim.text or "this roll")


def _judge_play(case: Case, index: int, claim: Turn, dice: Dice, resolved: ResolvedPlay) -> None:
    """Report the oddities of a play, and carry it out."""
    side, text = claim.side, get_play_text(claim)
    fault = resolved.fault
    if fault is None:
        for code in resolved.notes:
            if code != "missing-hit" or case.setting.marks_hits():
                case.write(code, index, side, text)
        apply_play(case, side, dice, resolved.steps, resolved.board)
        return
    if _is_repetition(case, index, claim):
        case.write("repeated-play", index, side, text)
        return
    if fault.code == "partial-play" and case.ends_after(index):
        case.write("cut-play", index, side, text)
        case.leave(index, side, dice)
        return
    near = find_nearest_plays(case.board, side, dice, claim.hops)
    spot = case.spot(index, text, near)._replace(rule=fault.rule)
    case.findings.write(fault.code, spot, side, left=_describe_unused_dice(claim.hops, dice), **fault.facts)
    case.rolled(side, dice)
    _carry_out_illegal_play(case, side, resolved.board_after)


def _describe_unused_dice(hops: Iterable[Hop], dice: Dice) -> str:
    """Describe the unused dice of a play that is too short, as the end of a sentence."""
    pips = sum((hop.points[0] - hop.points[-1]) * hop.times for hop in hops)
    left = {dice.high: dice.low, dice.low: dice.high}.get(pips)
    if left is None or dice.is_double:
        return "could have played more"
    return f"left out a {left} that could be played"


def _is_repetition(case: Case, index: int, claim: Turn) -> bool:
    """True if this repeats the opponent's last play before a result (Q-15)."""
    before = case.sheet.claims[index - 1] if index else None
    return (
        isinstance(before, Turn)
        and before.side is not claim.side
        and claim.kind is TurnKind.PLAY
        and (before.dice, before.hops) == (claim.dice, claim.hops)
        and isinstance(case.following(index), WinClaim)
    )


def _carry_out_illegal_play(case: Case, side: Side, board: Board | None) -> None:
    case.since = case.since or case.plies
    cube = case.match.game.cube
    if board is None:
        case.lose()
    elif board.winner is side:
        level = board.gammon_level(side)
        case.act(ReportedGame(side, level * cube.value, level, cube.value))
    else:
        case.act(RuledPosition(board, side.other, cube, reason=AFTER_ILLEGAL))


def _apply_turn_without_dice(case: Case, index: int, claim: Turn) -> None:
    """Handle a turn with impossible dice or none."""
    if claim.dice is None and not claim.hops:
        _apply_turn_without_roll(case, index, claim)
        return
    case.write("illegal-dice", index, claim.side, get_play_text(claim))
    case.counted()
    try:
        _carry_out_illegal_play(
            case, claim.side, case.board.moved(claim.side, list_written_steps(claim.hops))
        )
    except Impossible:
        case.lose()


def _apply_turn_without_roll(case: Case, index: int, claim: Turn) -> None:
    """Handle a turn without a roll: closed out, or about to resign."""
    if not legal_plays(case.board, claim.side, CLOSED_OUT).dice_used and claim.kind is TurnKind.DANCE:
        case.write("closed-out", index, claim.side)
        apply_play(case, claim.side, CLOSED_OUT, (), case.board)
    elif not case.ends_after(index):
        _skip_rest_of_game(case, index, claim)


def _skip_rest_of_game(case: Case, index: int, claim: Turn) -> None:
    if not case.findings.blames(case.sheet.place(index).line):
        case.write("unknown-play", index, claim.side)
    case.counted()
    case.lose()


def _apply_unwritten_play(case: Case, index: int, claim: Turn, dice: Dice) -> None:
    side = claim.side
    plays = legal_plays(case.board, side, dice)
    if _is_left_unplayed(case, index, claim):
        case.rolled(side, dice)
    elif not plays.dice_used:
        apply_play(case, side, dice, (), case.board)
    elif len(plays) == 1 and claim.kind is TurnKind.NOTHING:
        case.write("forced-play-omitted", index, side, forced=plays[0].notation)
        apply_play(case, side, dice, plays[0].steps, plays[0].board)
    elif claim.kind is not TurnKind.DANCE and case.ends_after(index):
        case.leave(index, side, dice)
    elif claim.kind is TurnKind.UNKNOWN:
        _skip_rest_of_game(case, index, claim)
    elif _has_no_more_plays(case, index):
        case.write("plays-not-written", index, side)
        case.counted()
        case.lose()
    else:
        _report_pass(case, index, side, dice)


def _is_left_unplayed(case: Case, index: int, claim: Turn) -> bool:
    """True if the following claims show that the roll was never played."""
    after = case.following(index)
    if isinstance(after, PositionClaim) and not _is_set_by_comment(case.following(index + 1), after):
        return True
    return isinstance(after, PositionClaim | FactClaim) and claim.kind is TurnKind.UNKNOWN


def _report_pass(case: Case, index: int, side: Side, dice: Dice) -> None:
    """Report a side that passed although it could move, and continue."""
    near = find_nearest_plays(case.board, side, dice, ())
    case.findings.write("cannot-move-but-could", case.spot(index, nearest=near), side)
    case.rolled(side, dice)
    _carry_out_illegal_play(case, side, case.board)


def handle_unplayed_roll(case: Case, claim: Turn | None) -> None:
    """Handle the unplayed roll, unless *claim* repeats that roll with its play."""
    if case.lying is not None:
        (index, side, dice), case.lying = case.lying, None
        if claim is None or claim.side is not side or DICE.get(claim.dice or (0, 0)) != dice:
            _report_pass(case, index, side, dice)


def _has_no_more_plays(case: Case, index: int) -> bool:
    """True if no roll from here to the end of the game has a play."""
    turns = [claim for claim in case.sheet.claims[index:] if isinstance(claim, Turn)]
    return len(turns) > 1 and all(claim.kind is TurnKind.NOTHING for claim in turns)


def apply_position(case: Case, index: int, claim: PositionClaim) -> None:
    if case.is_over or _is_set_by_comment(case.following(index), claim):
        return
    mover = claim.turn
    if mover is None:
        later = case.sheet.claims[index + 1 :]
        mover = next((each.side for each in later if isinstance(each, Turn)), case.turn)
    if mover is None:
        return
    if claim.declared_illegal:
        case.write("declared-illegal", index, mover.other)
    else:
        begins = not case.plies and not case.setting.rules_given
        case.write("set-position" if begins else "position-changed", index, mover)
    case.count_lying()
    case.lost = False
    case.act(RuledPosition(claim.board, mover, claim.cube or case.match.game.cube))


def _is_set_by_comment(after: Claim | None, claim: PositionClaim) -> bool:
    """True if the next claim is a comment that sets the same position, with more details."""
    return (
        isinstance(after, FactClaim)
        and isinstance(after.action, RuledPosition)
        and after.action.board == claim.board
    )


def get_play_text(claim: Turn) -> str:
    """Return the written play, without the dice."""
    return claim.text.partition(":")[2].strip()


def list_written_steps(hops: Iterable[Hop]) -> Iterable[Step]:
    for hop in hops:
        for _ in range(hop.times):
            for source, target in zip(hop.points, hop.points[1:], strict=False):
                if source != target:
                    yield Step(source, target)
