"""Rolls and plays: applies each turn of the sheet to the board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.actions import Played, ReportedGame, RuledPosition, Took
from engine.board import OFF, Step
from engine.dice import ROLLED, Dice
from engine.errors import Impossible
from engine.game import Phase
from engine.plays import legal_plays
from engine.referee.finding_list import dice_text
from engine.referee.nearest import nearest
from engine.resolve import resolve
from engine.sheet import Fact, Placing, Said, Turn, Winning

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine.board import Board
    from engine.referee.case import Case
    from engine.resolve import Resolved
    from engine.sheet import Claim, Hop
    from engine.side import Side

DICE: Final = {(a, b): ROLLED[a - 1][b - 1] for a in range(1, 7) for b in range(1, 7)}
# Used as the roll of a side that could not enter with any (R28).
CLOSED_OUT: Final = Dice(6, 6)
AFTER_ILLEGAL: Final = "The record goes on from here after an illegal play."
OUT_OF_TURN: Final = "The record has a turn out of order."


def turn(case: Case, index: int, claim: Turn) -> None:
    """Apply a roll and its play."""
    if claim.side is not case.ready and not _may_roll(case, index, claim):
        return
    dice = DICE.get(claim.dice) if claim.dice else None
    if dice is None:
        _without_dice(case, index, claim)
    elif claim.said is Said.PLAY:
        resolved = resolve(case.board, claim.side, dice, claim.hops)
        if resolved.fault or resolved.notes:
            _judge(case, index, claim, dice, resolved)
        else:
            play(case, claim.side, dice, resolved.steps, resolved.board)
    else:
        _blank(case, index, claim, dice)


def play(case: Case, side: Side, dice: Dice, steps: tuple[Step, ...], board: Board) -> None:
    """Apply a legal play."""
    if case.lies:
        case.act(Played(side, steps))
    elif steps and steps[-1].target == OFF and board.winner is side:
        case.rolled(side, dice)
        case.act(Played(side, steps))
    else:
        case.played(side, dice, steps, board)


def _may_roll(case: Case, index: int, claim: Turn) -> bool:
    """Prepare the state so that the side may roll, and report any problem. False if no roll is possible."""
    if case.is_over:
        _after_end(case, index, claim)
        return False
    if case.lost:
        case.counted()
        return False
    case.resigning = None  # it was not accepted
    take_up(case, claim)
    game = case.match.game
    if game.phase is Phase.OPENING:
        return _open(case, index, claim)
    if game.phase is Phase.TO_PLAY:
        return _lies(case, index, claim)
    unanswered = game.asked is not None and _answer(case, index, game.asked)
    if claim.side is not case.turn:
        if not unanswered:
            case.write("out-of-turn", index, claim.side)
        case.act(RuledPosition(case.board, claim.side, case.match.game.cube, reason=OUT_OF_TURN))
    return True


def _lies(case: Case, index: int, claim: Turn) -> bool:
    """Use the dice that have been rolled already; report if the sheet has others."""
    game = case.match.game
    if claim.side is not game.turn or claim.dice is None or DICE.get(claim.dice) != game.dice:
        case.write("other-dice", index, claim.side, right=dice_text(game.dice))
        case.act(RuledPosition(case.board, claim.side, game.cube, reason=OUT_OF_TURN))
    return True


def _answer(case: Case, index: int, asked: Side) -> bool:
    """Assume that a double was taken; return whether that should have been written."""
    # the acceptance of a beaver is not written; the doubler simply rolls.
    simple = case.match.game.offer == case.match.game.cube.value * 2
    if simple:
        case.write("double-unanswered", index, case.turn)
    case.act(Took(asked))
    return simple


def _after_end(case: Case, index: int, claim: Turn) -> None:
    if _repeats(case, index, claim):
        case.write("repeated-play", index, claim.side, played_text(claim))
    elif not case.said_play_after_end:
        case.said_play_after_end = True
        case.write("play-after-end", index, claim.side, played_text(claim), text=claim.text or "this roll")


def _open(case: Case, index: int, claim: Turn) -> bool:
    if claim.dice and claim.dice[0] == claim.dice[1]:  # R10
        case.write("opening-double", index, claim.side)
        case.act(RuledPosition(case.board, claim.side, case.match.game.cube, reason=OUT_OF_TURN))
    return True


def _judge(case: Case, index: int, claim: Turn, dice: Dice, resolved: Resolved) -> None:
    """Report the oddities of a play, and carry it out."""
    side, text = claim.side, played_text(claim)
    fault = resolved.fault
    if fault is None:
        for code in resolved.notes:
            if code != "missing-hit" or case.setting.marks_hits():
                case.write(code, index, side, text)
        play(case, side, dice, resolved.steps, resolved.board)
        return
    if _repeats(case, index, claim):
        case.write("repeated-play", index, side, text)
        return
    if fault.code == "partial-play" and case.ends_after(index):
        case.write("cut-play", index, side, text)
        case.leave(index, side, dice)
        return
    near = nearest(case.board, side, dice, claim.hops)
    spot = case.spot(index, text, near)._replace(rule=fault.rule)
    case.findings.write(fault.code, spot, side, left=_left_out(claim.hops, dice), **fault.facts)
    case.rolled(side, dice)
    _go_on(case, side, resolved.board_after)


def _left_out(hops: Iterable[Hop], dice: Dice) -> str:
    """The text about the unused dice of a play that is too short."""
    pips = sum((hop.points[0] - hop.points[-1]) * hop.times for hop in hops)
    left = {dice.high: dice.low, dice.low: dice.high}.get(pips)
    if left is None or dice.is_double:
        return "could have played more"
    return f"left out a {left} that could be played"


def _repeats(case: Case, index: int, claim: Turn) -> bool:
    """True if this repeats the opponent's last play before a result (Q-15)."""
    before = case.sheet.claims[index - 1] if index else None
    return (
        isinstance(before, Turn)
        and before.side is not claim.side
        and claim.said is Said.PLAY
        and (before.dice, before.hops) == (claim.dice, claim.hops)
        and isinstance(case.following(index), Winning)
    )


def _go_on(case: Case, side: Side, board: Board | None) -> None:
    """Carry out an illegal play, if that is possible at all."""
    case.since = case.since or case.plies
    cube = case.match.game.cube
    if board is None:
        case.lose()
    elif board.winner is side:
        level = board.gammon_level(side)
        case.act(ReportedGame(side, level * cube.value, level, cube.value))
    else:
        case.act(RuledPosition(board, side.other, cube, reason=AFTER_ILLEGAL))


def _without_dice(case: Case, index: int, claim: Turn) -> None:
    """Handle a turn with impossible dice or none."""
    if claim.dice is None and not claim.hops:
        _without_roll(case, index, claim)
        return
    case.write("illegal-dice", index, claim.side, played_text(claim))
    case.counted()
    try:
        _go_on(case, claim.side, case.board.moved(claim.side, written_steps(claim.hops)))
    except Impossible:
        case.lose()


def _without_roll(case: Case, index: int, claim: Turn) -> None:
    """Handle a turn without a roll: closed out, or about to resign."""
    if not legal_plays(case.board, claim.side, CLOSED_OUT).dice_used and claim.said is Said.DANCE:
        case.write("closed-out", index, claim.side)
        play(case, claim.side, CLOSED_OUT, (), case.board)
    elif not case.ends_after(index):
        _give_up(case, index, claim)


def _give_up(case: Case, index: int, claim: Turn) -> None:
    """Skip the rest of a game whose board is unknown."""
    if not case.findings.blames(case.sheet.place(index).line):
        case.write("unknown-play", index, claim.side)
    case.counted()
    case.lose()


def _blank(case: Case, index: int, claim: Turn, dice: Dice) -> None:
    """Handle a roll without a written play."""
    side = claim.side
    plays = legal_plays(case.board, side, dice)
    if _is_left(case, index, claim):
        case.rolled(side, dice)
    elif not plays.dice_used:
        play(case, side, dice, (), case.board)
    elif len(plays) == 1 and claim.said is Said.NOTHING:
        case.write("forced-play-omitted", index, side, forced=plays[0].notation)
        play(case, side, dice, plays[0].steps, plays[0].board)
    elif claim.said is not Said.DANCE and case.ends_after(index):
        case.leave(index, side, dice)
    elif claim.said is Said.UNKNOWN:
        _give_up(case, index, claim)
    elif _tells_no_more(case, index):
        case.write("plays-not-written", index, side)
        case.counted()
        case.lose()
    else:
        _pass(case, index, side, dice)


def _is_left(case: Case, index: int, claim: Turn) -> bool:
    """True if the following claims show that the roll was never played."""
    after = case.following(index)
    if isinstance(after, Placing) and not _is_told(case.following(index + 1), after):
        return True
    return isinstance(after, Placing | Fact) and claim.said is Said.UNKNOWN


def _pass(case: Case, index: int, side: Side, dice: Dice) -> None:
    """Report a side that passed although it could move, and continue."""
    near = nearest(case.board, side, dice, ())
    case.findings.write("cannot-move-but-could", case.spot(index, nearest=near), side)
    case.rolled(side, dice)
    _go_on(case, side, case.board)


def take_up(case: Case, claim: Turn | None) -> None:
    """Handle the unplayed roll, unless *claim* repeats that roll with its play."""
    if case.lying is not None:
        (index, side, dice), case.lying = case.lying, None
        if claim is None or claim.side is not side or DICE.get(claim.dice or (0, 0)) != dice:
            _pass(case, index, side, dice)


def _tells_no_more(case: Case, index: int) -> bool:
    """True if no roll from here to the end of the game has a play."""
    turns = [claim for claim in case.sheet.claims[index:] if isinstance(claim, Turn)]
    return len(turns) > 1 and all(claim.said is Said.NOTHING for claim in turns)


def place(case: Case, index: int, claim: Placing) -> None:
    """Handle a position set by the sheet."""
    if case.is_over or _is_told(case.following(index), claim):
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


def _is_told(after: Claim | None, claim: Placing) -> bool:
    """True if the next claim is a comment that sets the same position, with more details."""
    return (
        isinstance(after, Fact)
        and isinstance(after.action, RuledPosition)
        and after.action.board == claim.board
    )


def played_text(claim: Turn) -> str:
    """The written play, without the dice."""
    return claim.text.partition(":")[2].strip()


def written_steps(hops: Iterable[Hop]) -> Iterable[Step]:
    """Yield the steps one after the other as written."""
    for hop in hops:
        for _ in range(hop.times):
            for source, target in zip(hop.points, hop.points[1:], strict=False):
                if source != target:
                    yield Step(source, target)
