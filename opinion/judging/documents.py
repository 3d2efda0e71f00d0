"""An analysis as JSON, for `python -m opinion analyse --json`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from engine.side import Side
from opinion.judging.figures import LEAST_COUNTED, build_line, compute_figures, explain_no_pr
from opinion.judging.passes import JudgedDecision

DIGITS: Final = 4
NOTES: Final = {
    "level": "From 1 ply no PR is published: it sorts decisions and does not measure players.",
    "counted": f"Under {LEAST_COUNTED} counted decisions no PR is published.",
}


def serialize_analysis(
    engine: str, version: str, level: int, judged: Sequence[JudgedDecision]
) -> dict[str, Any]:
    """Serialize the analysis of a match; `note` explains a null PR."""
    sides = [
        compute_figures(build_line(each) for each in judged if each.decision.side is side).totals
        for side in Side
    ]
    found: dict[str, Any] = {
        "engine": engine,
        "version": version,
        "level": level,
        "sides": [
            {
                "pr": totals.published(level),
                "counted": totals.counted,
                "error": round(totals.error, DIGITS),
                "luck": round(totals.luck, DIGITS),
            }
            for totals in sides
        ],
        "decisions": [serialize_decision(each) for each in judged],
    }
    reasons = sorted({reason for totals in sides if (reason := explain_no_pr(totals, level))})
    if reasons:
        found["note"] = " ".join(NOTES[reason] for reason in reasons)
    return found


def serialize_decision(each: JudgedDecision) -> dict[str, Any]:
    """Serialize a decision with the best action and the equities of the best plays."""
    decision = each.decision
    return {
        "game": decision.game,
        "roll": decision.ply,
        "side": decision.side.word,
        "kind": decision.kind.value,
        "position": decision.xgid,
        "dice": str(decision.dice) if decision.dice else None,
        "done": decision.done,
        "best": each.best,
        "counted": each.counted,
        "level": each.level,
        "error": each.error,
        "cost": each.cost,
        "fault": each.fault,
        "luck": None if each.luck is None else round(each.luck, DIGITS),
        "chance": each.chance,
        "plays": [play._asdict() for play in each.candidates],
        "cube": None
        if each.cube is None
        else {
            "no_double": round(each.cube.no_double, DIGITS),
            "take": round(each.cube.take, DIGITS),
            "pass": 1.0,
            "chances": [round(chance, DIGITS) for chance in each.cube.chances],
        },
    }
