"""Ratings as JSON, in full precision: rating the same matches again gives identical figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankings.formulas.systems import rate
from rankings.formulas.values import BadMatches

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rankings.formulas.match_input import RatingRequest
    from rankings.formulas.values import Standing, Step


def serialize_ratings(request: RatingRequest) -> Mapping[str, object]:
    """Serialize all standings, and the ledger entries in order."""
    found = rate(request.system, request.outcomes, request.players, last=request.last)
    return {
        "players": {
            name: _serialize_standing(standing, request) for name, standing in sorted(found.players.items())
        },
        "entries": [_serialize_entry(step, request) for step in found.steps],
    }


def serialize_explanation(request: RatingRequest, match: str | None) -> Mapping[str, object]:
    """Serialize the effect of one match on both players; if *match* is None, of the only match.

    :raises BadMatches: there is no such match, or *match* is None and there are several.
    """
    if match is None and len(request.outcomes) != 1:
        raise BadMatches(f"explain: say by --match ID which of the {len(request.outcomes)} matches is meant")
    steps = rate(request.system, request.outcomes, request.players).steps
    asked = [_serialize_entry(step, request) for step in steps if match is None or str(step.match) == match]
    if not asked:
        raise BadMatches(f"explain: there is no match {match!r}")
    outcome = next(each for each in request.outcomes if match is None or str(each.id) == match)
    return {"match": outcome.id, "length": outcome.length, "entries": asked}


def _serialize_entry(step: Step, request: RatingRequest) -> Mapping[str, object]:
    after = _serialize_standing(step.after, request)
    return {
        "match": step.match,
        "player": step.player,
        "opponent": step.opponent,
        "won": step.won,
        "before": step.before,
        "opponent_before": step.opponent_before,
        "expectancy": step.expectancy,
        "weight": step.weight,
        "k": step.k,
        "change": step.change,
        "after": after.pop("rating"),
        **after,
    }


def _serialize_standing(standing: Standing, request: RatingRequest) -> dict[str, object]:
    if request.has_periods:
        return {
            "rating": standing.rating,
            "deviation": standing.deviation,
            "volatility": standing.volatility,
        }
    return {"rating": standing.rating, "experience": standing.experience}
