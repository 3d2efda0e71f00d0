"""Answers of the API about analyses."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, Final

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from opinion.analyses.analyses import ABSENT, DIGITS, NONE, AnalysisView, RemarkView
from opinion.judging.decisions import Kind
from opinion.judging.documents import NOTES
from opinion.models import Progress
from runtime.http.answers import Answer, about

TAG: Final = "analysis"
PROGRESS: Final = (*Progress.values, NONE, ABSENT)


def make_rounded_source(path: str) -> Callable[[Any], float | None]:
    """Return a `source` that reads a number by attribute path and rounds it."""
    read = attrgetter(path)
    return lambda each: None if read(each) is None else round(read(each), DIGITS)


class FaultAnswer(Answer):
    """The errors of one kind."""

    fault: str
    number: int
    error: float


class AnalysedSideAnswer(Answer):
    """The figures of one side; an analysis has white's, then black's."""

    pr: float | None = about("Null from 1 ply and under 50 counted decisions.")
    interval: float | None = about("To either side of the PR, 95 %.")
    counted: int = about(source="totals.counted")
    error: float = about("In terms of the cube.", source=make_rounded_source("totals.error"))
    cost: float = about(
        "In terms of the match's chance; points in money play.", source=make_rounded_source("totals.cost")
    )
    luck: float = about(source=make_rounded_source("totals.luck"))
    luck_adjusted: float | None
    blunders: int = about(source="totals.blunders")
    faults: list[FaultAnswer]


class CandidateAnswer(Answer):
    """A play and its evaluation."""

    play: str
    equity: float
    level: int
    percents: list[float] = about("Wins, of them gammons and backgammons, lost gammons and backgammons.")


@extend_schema_field(
    {
        "type": "object",
        "nullable": True,
        "properties": {name: {"type": "number"} for name in ("no_double", "take", "pass")},
    }
)
class CubeField(serializers.DictField):
    """The equities of no double, a take and a pass for the doubler."""


def serialize_cube(remark: RemarkView) -> dict[str, float] | None:
    """Serialize the cube equities for the doubler; None for a play."""
    return remark.cube and {"no_double": remark.cube[0], "take": remark.cube[1], "pass": 1.0}


class DecisionAnswer(Answer):
    """A decision, or a roll after which there was none."""

    line: int = about("The line of the journal; of a record the fact, from 1.", source="seq")
    game: int
    roll: int = about(source="ply")
    side: str = about(source="side.word", words=("white", "black"))
    kind: Kind
    position: str = about("XGID.")
    dice: str | None = about(source=lambda each: each.dice or None)
    done: str = about(source="decided")
    best: str
    counted: bool
    level: int = about("0 where there was nothing to decide.")
    error: float
    cost: float
    fault: str
    luck: float | None = about(source=make_rounded_source("luck"))
    chance: float | None = about("White's chance of the match, had the decision been the best.")
    plays: list[CandidateAnswer]
    cube: dict[str, float] | None = about(source=serialize_cube, described=CubeField(allow_null=True))


def _build_note(found: AnalysisView) -> str:
    return " ".join(NOTES[why] for why in sorted({side.why_no_pr for side in found.sides if side.why_no_pr}))


class AnalysisAnswer(Answer):
    """The analysis of a finished match by an engine."""

    progress: str = about(words=PROGRESS)
    why: str
    engine: str
    version: str
    level: int = about("The deepest pass that is done; 0 before the first.")
    sides: list[AnalysedSideAnswer]
    decisions: list[DecisionAnswer] = about(source="remarks")
    left_out: int = about(
        "Decisions of a record that are not told now: their positions stand in a match that is being played."
    )
    note: str = about(source=_build_note)
