"""Read access to analyses, for pages and the API, and querysets of pending ones. Unfinished matches have none.

An uploaded record is of a finished match, but may contain a position of a match being played between people:
that decision is left out until the match is over (ADR 73).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Count, Exists, F, Max, Min, OuterRef, Q, QuerySet

from engine.formats import xgid
from engine.side import BySide, Side
from matches import hooks as match_hooks
from matches.hooks import RecordedMatch
from matches.journal import positions_in_play
from matches.models import Match
from matches.state.status import ENDED, Status
from opinion.analyses import availability, subjects
from opinion.analyses.subjects import Subject
from opinion.judging.decisions import Kind
from opinion.judging.figures import Line, Totals, adjust_for_luck, compute_figures, explain_no_pr, find_label
from opinion.judging.formulas import BLUNDER
from opinion.models import Analysis, AskedPosition, Progress, Remark

# Length of the list of worst decisions.
MOST_BLUNDERS: Final = 20
DIGITS: Final = 4
# Progress values for "not requested", "no engine" and "switched off by the operator".
NONE, ABSENT, OFF = "none", "absent", "off"
VOID: Final = "The match is void."
# The columns of a remark that are shown unchanged.
SAME: Final = (
    "number", "seq", "game", "ply", "kind", "dice", "position", "decided", "best", "level", "counted", "error",
    "cost", "fault", "luck",
)  # fmt: skip
# Matches that ended earlier are only analysed on request.
FRESH: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class PlayView:
    """One of the best plays, or the one played."""

    play: str
    equity: float
    # Equity lost against the best play of its level; None if it was evaluated less deeply.
    behind: float | None
    # Percent: wins, gammons and backgammons among them, lost gammons and backgammons.
    percents: tuple[float, ...]
    level: int
    is_made: bool


@dataclass(frozen=True, slots=True)
class RemarkView:
    number: int
    # Journal line of the decision, or number of the fact in a record, from 1.
    seq: int
    game: int
    ply: int
    side: Side
    kind: str
    dice: str
    position: str
    decided: str
    best: str
    level: int
    counted: bool
    error: float
    cost: float
    fault: str
    luck: float | None
    # White's chance of winning the match; None without a decision. Without meaning in money play.
    chance: float | None
    plays: tuple[PlayView, ...]
    # Equities of no double and of double, take.
    cube: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class FaultView:
    fault: str
    number: int
    error: float


@dataclass(frozen=True, slots=True)
class AnalysedSide:
    name: str
    totals: Totals
    pr: float | None
    # Why there is no PR: `level`, `counted` or "".
    why_no_pr: str
    label: str
    # The result adjusted for luck, as a share of match winning chance; None in money play.
    luck_adjusted: float | None
    faults: tuple[FaultView, ...]

    @property
    def interval(self) -> float | None:
        """Half width of the PR's 95 % interval; None without a PR."""
        return None if self.pr is None else self.totals.interval


@dataclass(frozen=True, slots=True)
class AnalysisView:
    # One of `Progress`, or `none`, or `absent`.
    progress: str
    why: str
    engine: str = ""
    version: str = ""
    level: int = 0
    is_match: bool = True
    sides: tuple[AnalysedSide, ...] = ()
    remarks: tuple[RemarkView, ...] = ()
    # Number of decisions left out because their positions occur in a match being played.
    left_out: int = 0

    @property
    def is_there(self) -> bool:
        """True if at least the first pass is done."""
        return self.level > 0

    @property
    def blunders(self) -> tuple[RemarkView, ...]:
        """The worst decisions, the worst first."""
        worst = sorted((each for each in self.remarks if each.error >= BLUNDER), key=lambda each: -each.error)
        return tuple(worst[:MOST_BLUNDERS])


def load_analysis(row: Match, now: datetime) -> AnalysisView | None:
    """Return the analysis of a match; None while it is not over.

    The caller checks access to the match.
    """
    if row.status not in ENDED:
        return None
    if not availability.is_enabled():
        return AnalysisView(ABSENT, "")
    subject = subjects.build_match_subject(row)
    if subject is None:
        return AnalysisView(Progress.UNJUDGED.value, VOID)
    found = Analysis.objects.filter(match=row, head_hash=row.head_hash).first()
    return _build_view(subject, found, is_awaited=list_unanalysed(now).filter(pk=row.pk).exists)


def load_record_analysis(row: RecordedMatch, now: datetime) -> AnalysisView:
    """Return the analysis of a recorded match. The caller checks access."""
    if not availability.is_enabled():
        return AnalysisView(ABSENT, "")
    found = Analysis.objects.filter(record=row.key, head_hash=row.sha256).first()

    def is_awaited() -> bool:
        return list_unanalysed_records(now).filter(key=row.key).exists()

    return _build_view(subjects.build_record_subject(row), found, is_awaited=is_awaited)


def _build_view(subject: Subject, found: Analysis | None, *, is_awaited: Callable[[], bool]) -> AnalysisView:
    if found is None:
        if why := availability.explain_absence():
            return AnalysisView(ABSENT, why)
        return AnalysisView(Progress.WAITING.value if is_awaited() else NONE, "")
    if not found.level:
        return AnalysisView(found.progress, found.why)
    rows = list(found.remarks.order_by("number"))
    shown_rows = exclude_in_play(rows) if subject.kind == subjects.RECORD else rows
    is_match = bool(subject.length)
    # A record can be the second part of a match.
    starts_at_zero = bool(rows) and not any(xgid.decode(rows[0].position).score)
    is_whole = len(shown_rows) == len(rows) and starts_at_zero
    return AnalysisView(
        found.progress,
        found.why,
        found.engine,
        found.version,
        found.level,
        is_match,
        _build_sides(subject, shown_rows, found.level, has_result=is_match and is_whole),
        tuple(build_remark_view(each, is_match=is_match) for each in shown_rows),
        len(rows) - len(shown_rows),
    )


def exclude_in_play(rows: Sequence[Remark]) -> list[Remark]:
    """Return the remarks whose positions occur in no match between people, now or within a few turns.

    Anyone can upload a record that contains the position they are playing.
    """
    boards = [xgid.decode(row.position).board for row in rows]
    stand = positions_in_play.find_in_play(boards)
    return [row for row, board in zip(rows, boards, strict=True) if board not in stand]


def _build_sides(
    subject: Subject, rows: Sequence[Remark], level: int, *, has_result: bool
) -> tuple[AnalysedSide, ...]:
    lines: BySide[list[Line]] = BySide([], [])
    for each in rows:
        lines[Side(each.side)].append(build_line(each))
    sums = lines.map(compute_figures)
    return tuple(
        AnalysedSide(
            name=subject.names[side],
            totals=sums[side].totals,
            pr=(pr := sums[side].totals.published(level)),
            why_no_pr=explain_no_pr(sums[side].totals, level),
            label="" if pr is None else find_label(pr),
            luck_adjusted=adjust_for_luck(
                0.5 if subject.winner is side else -0.5, sums[side].totals, sums[side.other].totals
            )
            if has_result and subject.winner is not None
            else None,
            faults=tuple(
                FaultView(fault, each.number, each.error)
                for fault, each in sorted(sums[side].by_fault.items(), key=lambda item: -item[1].error)
            ),
        )
        for side in Side
    )


def build_line(row: Remark) -> Line:
    is_play = row.kind == Kind.PLAY.value and row.level > 0
    return Line(row.error, row.cost, row.counted, row.fault, row.luck, row.luck_cost, is_play)


def build_remark_view(row: Remark, *, is_match: bool) -> RemarkView:
    side = Side(row.side)
    return RemarkView(
        **{name: getattr(row, name) for name in SAME},
        side=side,
        chance=_compute_white_chance(row, side) if is_match else None,
        plays=build_play_views(row.plays, row.level, made=row.decided),
        cube=None if row.cube is None else (row.cube[0], row.cube[1]),
    )


def build_play_views(
    plays: Iterable[Sequence[Any]], deepest: int, *, made: str | None = None
) -> tuple[PlayView, ...]:
    """Convert stored plays for display; `made` is the one that was played."""
    best = max((equity for _, equity, _, level in plays if level == deepest), default=0.0)
    return tuple(
        PlayView(
            play=play,
            equity=equity,
            behind=round(best - equity, DIGITS) if level == deepest else None,
            percents=tuple(round(100 * chance, 1) for chance in chances),
            level=level,
            is_made=play == made,
        )
        for play, equity, chances, level in plays
    )


def _compute_white_chance(row: Remark, side: Side) -> float | None:
    """Return White's chance of the match; None where the engine's value is outside its range."""
    if row.chance is None or not 0 <= row.chance <= 1:
        return None
    return row.chance if side is Side.WHITE else round(1 - row.chance, DIGITS)


def query_due(at: Any) -> Iterator[QuerySet[Any]]:
    """Query the pending work, for the sweep's due check."""
    yield list_unanalysed(at)
    yield list_unanalysed_records(at)
    yield Analysis.objects.filter(filter_claimable(at))


def list_unanalysed(at: Any) -> QuerySet[Match]:
    """Return the recently ended matches without an analysis of their current journal."""
    is_stale = Q(analysis__isnull=True) | ~Q(analysis__head_hash=F("head_hash"))
    return Match.objects.filter(
        is_stale, status=Status.FINISHED.value, moved_at__gte=at - FRESH, moved_at__lte=at
    )


def list_unanalysed_records(at: Any) -> QuerySet[Any]:
    recent = match_hooks.RECORDS.get().standing(at - FRESH)
    return recent.filter(~Exists(Analysis.objects.filter(record=OuterRef("key"))))


def filter_claimable(at: Any) -> Q:
    """Return a filter for waiting analyses or positions without an active lease."""
    is_free = Q(leased_until__isnull=True) | Q(leased_until__lte=at)
    return is_free & Q(progress=Progress.WAITING, next_at__lte=at)


def query_due_questions(at: Any) -> Iterator[QuerySet[Any]]:
    """Query the pending positions, for the sweep's due check."""
    yield AskedPosition.objects.filter(filter_claimable(at))


def verify_analyses() -> Iterator[str]:
    """Report incomplete analyses. Those of an outdated journal are skipped, since they will be dropped."""
    rows = (
        Analysis.objects.filter(Q(head_hash=F("match__head_hash")) | ~Q(record=""))
        .select_related("match")
        .order_by("pk")
    )
    for row in rows.annotate(
        remarked=Count("remarks"),
        first=Min("remarks__number"),
        last=Max("remarks__number"),
        line=Max("remarks__seq"),
    ).iterator(chunk_size=500):
        of = f"record {row.record}" if row.match is None else f"match {row.match.key}"
        yield from (f"analysis of {of}: {sentence}" for sentence in _list_problems(row))


def _list_problems(row: Analysis) -> Iterator[str]:
    # The annotations of `verify_analyses`.
    remarked, first, last, line = (getattr(row, name) for name in ("remarked", "first", "last", "line"))
    expected = row.total if row.level else row.done
    if row.progress != Progress.UNJUDGED and remarked < expected:
        yield f"{remarked} decisions are told of {expected}"
    summed = sum(row.sums.values_list("number", flat=True)) if row.level else remarked
    if summed != remarked:
        yield f"its sums are of {summed} decisions, it has {remarked}"
    if remarked and (first != 0 or last != remarked - 1):
        yield "its decisions are not numbered without a gap"
    if line is not None and row.match is not None and line > row.match.head:
        yield f"it speaks of line {line}, the journal ends with {row.match.head}"
