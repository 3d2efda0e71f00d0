"""Runs of plain plays: each is added to the board, and only results with bits under the mask are examined.

Nothing here finds a fault. A play that is not plainly legal is left to `engine.referee.turns`, which reads
the claim from the start (see `engine.strokes` for deltas and masks).
"""

from __future__ import annotations

from engine.board import Board
from engine.game import Phase
from engine.movegen import results
from engine.referee.case import Case
from engine.referee.game_state import UnorderedPlay, build_ply
from engine.referee.turns import apply_play
from engine.sheet import FactClaim, PositionClaim, Turn
from engine.side import BLACK, WHITE, Side
from engine.strokes import BLOTS, GONE, SHUT, WAITING, Stroke, narrow_board, narrow_for_side


def apply_plain_plays(case: Case, index: int) -> int:
    """Apply the plain plays from the claim at *index* on; return the index of the first other claim."""
    side, opens = case.ready, False
    claim = case.sheet.claims[index]
    if side is None and isinstance(claim, Turn) and _is_opening(case, claim):
        case.resigning = None
        side, opens = claim.side, True
    return index if side is None else index + _add_up_plays(case, index, side, opens=opens)


def _is_opening(case: Case, claim: Turn) -> bool:
    """True if this is the first roll of a game, with two different dice (R10)."""
    if case.lost or case.is_over or case.lying is not None or claim.stroke is None or claim.dice is None:
        return False
    return claim.dice[0] != claim.dice[1] and case.match.game.phase is Phase.OPENING


def _add_up_plays(case: Case, index: int, side: Side, *, opens: bool) -> int:
    """Apply the plain plays, of which *side*'s is the next; return their number."""
    board, more = case.widen()
    plays: list[Turn | UnorderedPlay] = []
    won: tuple[Turn | UnorderedPlay, Board] | None = None
    for claim in case.sheet.claims[index:]:
        if type(claim) is not Turn or claim.stroke is None or claim.side is not side:
            break
        step, mask, _ = claim.stroke
        after = board + step
        entry: Turn | UnorderedPlay = claim
        if after & mask:
            looked = _examine_play(case, index + len(plays), claim, claim.stroke, board, more)
            if looked is None:
                break
            after, entry = looked
            if after & GONE[side]:
                won = entry, Board(narrow_board(after, more))
                break
        plays.append(entry)
        board = after
        side = BLACK if side is WHITE else WHITE
    if plays:
        case.run(plays, side, board, opens=opens)
    if won:
        _, _, dice, steps = build_ply(won[0])
        apply_play(case, side, dice, steps, won[1])
    return len(plays) + (won is not None)


def _examine_play(
    case: Case, index: int, claim: Turn, stroke: Stroke, board: int, more: int
) -> tuple[int, Turn | UnorderedPlay] | None:
    """Return the board after a play that its mask does not pass, and its journal entry.

    None if it is not plainly legal.
    """
    side = claim.side
    step, mask, rest = stroke
    after = board + step
    if rest:
        mask = rest.mask
        if rest.shut and after + SHUT & rest.shut == rest.shut and not after & mask:  # R23, R29
            return None if isinstance(case.following(index), PositionClaim | FactClaim) else (after, claim)
        if rest.left == 0:
            return None
    fault = after & mask
    met = fault & BLOTS[side]
    if fault ^ met and fault != GONE[side]:
        return None
    if met:  # R14, R25: blots go to the bar
        if case.setting.marks_hits():
            return None
        after += met.bit_count() * WAITING[side.other] - met
    if not rest:
        return after, claim
    if rest.left is None:
        return after, UnorderedPlay(claim, board, after, more)
    used, found = results(narrow_for_side(board, more, side), *rest.dice)
    return (after, claim) if used == rest.left and narrow_for_side(after, more, side) in found else None
