"""Facts from comments: the match decides whether they are possible."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from engine import actions
from engine.errors import EngineError, IllegalAction
from engine.match import apply

if TYPE_CHECKING:
    from engine.match import Match
    from engine.referee.case import Case
    from engine.sheet import FactClaim

IMPOSSIBLE: Final = "impossible-ruling"
# These are no rulings to be noted, only facts that the format cannot express.
PLAIN: Final = (
    actions.Conceded,
    actions.Opened,
    actions.ResignAccepted,
    actions.ResignOffered,
    actions.Rolled,
    actions.Took,
)


def apply_fact_to_case(case: Case, index: int, claim: FactClaim) -> None:
    case.count_lying()
    was_over = case.is_over
    _, code, facts = apply_fact_to_match(case.match, claim)
    if code:
        case.write(code, index, None, **facts)
    if code == IMPOSSIBLE:
        return
    case.lost = case.lost and not isinstance(claim.action, actions.RuledPosition)
    case.act(claim.action)
    if not case.is_over:
        case.plies = max(case.plies, case.match.game.plies)
    elif not was_over:
        case.told_end = True
        case.told_winner = case.result.winner if case.result else case.match.winner


def apply_fact_to_match(match: Match, claim: FactClaim) -> tuple[Match, str, dict[str, Any]]:
    """Return the match after a fact, with the code and the values of a finding about it."""
    action = claim.action
    try:
        if isinstance(action, actions.RuledPosition):
            _require_playable(match, action)
        after = apply(match, action)
    except EngineError as error:
        return match, IMPOSSIBLE, {"text": claim.text, "right": _format_reason(error)}
    if isinstance(action, PLAIN):
        return after, "", {}
    code = "out-of-time" if isinstance(action, actions.Flagged) else "ruling"
    return after, code, {"text": claim.text}


def _format_reason(error: EngineError) -> str:
    sentence = str(error).removesuffix(".")
    return sentence[:1].lower() + sentence[1:]


def _require_playable(match: Match, action: actions.RuledPosition) -> None:
    if action.board.checkers != match.rules.start.checkers or action.board.winner is not None:
        raise IllegalAction("bad-position", "Nobody can play on from there.", rule="R01")
