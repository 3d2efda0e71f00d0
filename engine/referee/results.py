"""The end of a game: how the sheet describes it, and the result.

After a bear-off or a drop the points written at the end are only compared, since the board determines the
result. After a resignation they are the only information, and writers differ: some write the true value,
some the points still needed, some the length of the match, some an arbitrary number.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from engine.actions import Conceded, Dropped, ReportedGame, ResignAccepted, ResignOffered
from engine.formats.comments import format_points
from engine.formats.mat.dialects import Dialect, LastGamePoints
from engine.game import Phase, Termination
from engine.match import GameResult
from engine.referee.case import Case
from engine.sheet import ResignClaim, Turn, TurnKind, WinClaim
from engine.side import BLACK, WHITE, Side

WHOLE_MATCH = 0
# Results of a bear-off or a drop: no written result can change them.
PLAYED_OUT: Final = (Termination.BEAROFF, Termination.DROP)


@dataclass(frozen=True, slots=True)
class Stakes:
    """The stakes of a game: the cube, its highest multiple, and the match around it."""

    cube: int
    worst: int
    # The length of the match, and the points the winner still needs; 0 in unlimited play.
    length: int
    needed: int
    # The winner's gain according to the next heading; None if it says nothing.
    gained: int | None
    # True if no other game follows.
    last: bool
    habits: Dialect


def interpret_resignation(claim: WinClaim, stakes: Stakes) -> tuple[int, str]:
    """Return the level of a written result as a resignation, 0 for the whole match, and the code of an oddity.

    >>> from engine.formats.mat.dialects import DIALECTS
    >>> from engine.side import Side
    >>> from engine.sheet import WinClaim
    >>> galaxy = DIALECTS["galaxy"]
    >>> stakes = Stakes(cube=2, worst=3, length=7, needed=3, gained=None, last=True, habits=galaxy)
    >>> interpret_resignation(WinClaim(Side.WHITE, 4), stakes)
    (2, '')
    >>> interpret_resignation(WinClaim(Side.WHITE, 7, match=True), stakes)
    (3, 'resign-odd-value')
    """
    level = _find_level(claim, stakes)
    if level is not None:
        gives_up = claim.match and stakes.last and level * stakes.cube < stakes.needed
        return WHOLE_MATCH if gives_up else level, ""
    points = claim.points or 0
    read = _find_multiple(stakes.gained, stakes) or max(1, min(-(-points // stakes.cube), stakes.worst))
    falls_short = stakes.last and read * stakes.cube < stakes.needed
    if falls_short and points == stakes.needed:
        return WHOLE_MATCH, "resign-odd-value"
    if stakes.last and 0 < points == stakes.needed and stakes.habits.last_points is LastGamePoints.NEEDED:
        return read, "resign-odd-value"
    if not stakes.last or not stakes.habits.resigns_oddly:
        return read, "wrong-points"
    if falls_short and points > stakes.needed:
        return WHOLE_MATCH, "resign-odd-value"
    expected = points <= read * stakes.cube or points in (stakes.needed, stakes.length)
    return read, "resign-odd-value" if expected else "absurd-points"


def _find_level(claim: WinClaim, stakes: Stakes) -> int | None:
    """Return the level; None if there are points and these are no valid multiple of the cube."""
    if claim.points is None:
        return claim.level or _find_multiple(stakes.gained, stakes) or 1
    return _find_multiple(claim.points, stakes)


def _find_multiple(points: int | None, stakes: Stakes) -> int | None:
    """Return *points* as a multiple of the cube, None if that is impossible."""
    if points is None or points < 1 or points % stakes.cube or points // stakes.cube > stakes.worst:
        return None
    return points // stakes.cube


def find_mismatch_code(points: int, won: int, stakes: Stakes) -> str:
    """Return the code for a game worth *won* to which the record gives other *points*."""
    usual = {
        LastGamePoints.TRUE: (),
        LastGamePoints.NEEDED: (stakes.needed,),
        LastGamePoints.LENGTH: (stakes.length,),
        LastGamePoints.ANY: (stakes.needed, stakes.length),
    }[stakes.habits.last_points]
    if not stakes.length or won < stakes.needed or points not in usual:
        return "wrong-points"
    return "capped-points" if points == stakes.needed else "length-as-points"


def remember_resignation(case: Case, index: int, claim: ResignClaim) -> None:
    """Remember the resignation; the following claims show its value."""
    if not case.is_over:
        case.resigning = claim
        case.ready = None


def apply_written_result(case: Case, index: int, claim: WinClaim) -> None:
    unplayed = case.count_lying()
    earlier, case.won = case.won, case.won or claim
    if case.result is not None:
        _compare_results(case, index, claim, case.result, earlier)
    elif case.is_over:
        if claim.side is not case.told_winner:
            case.write("wrong-winner", index, claim.side)
    elif case.lost:
        if _find_resigner(case, index, unplayed=True) is claim.side:
            case.write("resigner-unclear", index, claim.side)
        _record_result(case, claim.side, claim.points)
    elif not _infer_drop(case, index, claim.side, claim.points):
        if case.match.game.phase is Phase.OPENING:
            case.write("unplayed-game", index, claim.side)
        if _find_resigner(case, index, unplayed=unplayed) is claim.side:
            case.write("resigner-unclear", index, claim.side)
        _apply_resignation(case, index, claim)


def _find_resigner(case: Case, index: int, *, unplayed: bool) -> Side | None:
    """Return the side that seems to have resigned; the column of ``Wins`` may contradict it (Q-12, Q-17)."""
    if case.resigning is not None:
        return case.resigning.side
    before = case.sheet.claims[index - 1] if index else None
    if unplayed and isinstance(before, Turn) and before.kind is not TurnKind.PLAY:
        return before.side
    return None


def _compare_results(
    case: Case, index: int, claim: WinClaim, result: GameResult, earlier: WinClaim | None
) -> None:
    """Compare a written result with the actual one, or with one written earlier."""
    played_out = result.how in PLAYED_OUT
    if case.told_winner not in (None, claim.side):
        case.write("wrong-winner", index, claim.side)
    elif earlier is not None and (claim.side, claim.points) != (earlier.side, earlier.points):
        case.write("two-results", index, claim.side)
    elif played_out and claim.side is not result.winner:
        case.write("wrong-winner", index, claim.side)
    elif played_out and earlier is None and claim.points not in (None, result.points):
        _report_other_points(case, index, claim, result)


def _report_other_points(case: Case, index: int, claim: WinClaim, result: GameResult) -> None:
    winner, points = claim.side, claim.points or 0
    if points == result.cube and case.setting.jacoby_unsaid and result.kind > 1 and result.cube == 1:
        case.jacoby_shown = True
        return
    if points == case.setting.cap < result.points:  # no more than the cap can be lost
        return
    stakes = _build_stakes(case, result.start[winner], winner, result.cube)
    code = find_mismatch_code(points, result.points, stakes)
    case.write(code, index, winner, points=format_points(points), right=format_points(result.points))


def _build_stakes(case: Case, before: int, winner: Side, cube: int) -> Stakes:
    length = case.match.rules.length
    following = case.setting.following
    gained = following[winner] - before if following is not None else None
    return Stakes(
        cube=cube,
        worst=case.match.rules.worst,
        length=length,
        needed=length - before if length else 0,
        gained=gained,
        last=case.setting.last,
        habits=case.setting.habits,
    )


def _infer_drop(case: Case, index: int, winner: Side, points: int | None) -> bool:
    """True if the doubler wins the value of a drop that is not written; the drop is then applied."""
    game = case.match.game
    if game.phase is not Phase.DOUBLED or game.turn is not winner or game.asked is not winner.other:
        return False
    if points is not None and points != game.cube.value:
        return False
    case.write("drop-omitted", index, winner)
    case.act(Dropped(winner.other))
    return True


def _apply_resignation(case: Case, index: int, claim: WinClaim) -> None:
    winner, loser = claim.side, claim.side.other
    cube = case.match.game.cube.value
    stakes = _build_stakes(case, case.match.score[winner], winner, cube)
    whole = (
        case.resigning is not None and case.resigning.match
    )  # "Resigned Match", and then only "Wins 2 points"
    level, code = interpret_resignation(replace(claim, match=True) if whole else claim, stakes)
    resign_game(case, loser, level)
    worth = case.match.results[-1].points
    if not code and level and claim.points not in (None, worth):
        code = "wrong-points"  # a gammon with an untouched cube, under Jacoby
    if code and (code == "wrong-points" or claim.points != case.setting.cap):
        who = winner if code == "wrong-points" else loser
        points, right = format_points(claim.points or 0), format_points(worth)
        case.write(code, index, who, points=points, value=cube, right=right)


def resign_game(case: Case, loser: Side, level: int) -> None:
    """Resign the game for *loser*, or the match at level 0."""
    match = case.match
    if level == WHOLE_MATCH and match.away is not None:
        needed = match.away[loser.other]
        if match.game.phase is not Phase.OPENING:
            case.act(Conceded(loser))
            return
        if needed > match.rules.worst:
            case.act(ReportedGame(loser.other, needed))
            return
        level = needed
    if match.game.asked is loser and level == 1:
        case.act(Dropped(loser))
        return
    case.act(ResignOffered(loser, min(level, match.rules.worst)))
    case.act(ResignAccepted(loser.other))


def _record_result(case: Case, winner: Side, points: int | None) -> None:
    """Record the result of a game whose board is unknown."""
    cube = case.match.game.cube.value
    points = min(max(points or cube, 1), case.match.rules.worst * cube)
    kind = -(-points // cube)
    case.act(ReportedGame(winner, points, kind, cube))


def close_game(case: Case) -> None:
    """Finish a game without a written result."""
    case.count_lying()
    claim = case.resigning
    index = len(case.sheet.claims)
    gain = _find_gain(case)
    if case.lost:
        if gain is not None:
            _record_result(case, *gain)
    elif claim is not None and claim.side is not None:
        whole = claim.match and case.match.rules.is_match
        resign_game(case, claim.side, WHOLE_MATCH if whole else claim.level or 1)
    elif gain is not None:
        winner, points = gain
        case.write("result-omitted", index, winner, points=format_points(points))
        if not _infer_drop(case, index, winner, points):
            _apply_resignation(case, index, WinClaim(winner, points))
    else:
        case.write("unfinished-game", index, case.turn)


def _find_gain(case: Case) -> tuple[Side, int] | None:
    """Return winner and points according to the heading of the next game; None if it does not show them."""
    following, score = case.setting.following, case.match.score
    if following is None:
        return None
    white, black = following.white - score.white, following.black - score.black
    if white > 0 == black:
        return WHITE, white
    return (BLACK, black) if black > 0 == white else None
