"""What is thought of a match, for pages and programs. Of a match that is not over there is nothing, whoever asks.

A record that was handed in tells of a match that is over, and may still hold a position that stands in a match between
people: of that decision nothing is told or counted until that match is over (ADR 73).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.formats import xgid
from engine.side import BySide, Side
from matches.journal import standing
from matches.state.status import ENDED
from opinion.analyses import here, subjects, waiting
from opinion.judging.decisions import Kind
from opinion.judging.figures import Line, figures, label, luck_adjusted, why_no_pr
from opinion.judging.formulas import BLUNDER
from opinion.models import Analysis, Progress, Remark

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from matches.hooks import RecordedMatch
    from matches.models import Match
    from opinion.analyses.subjects import Subject
    from opinion.judging.figures import Totals

# A page lists so many of the worst.
MOST_BLUNDERS: Final = 20
DIGITS: Final = 4
# Progress of a match that nobody has taken up yet, and where there is no engine.
NONE, ABSENT = "none", "absent"


@dataclass(frozen=True, slots=True)
class PlayView:
    """One of the best plays, or the one made."""

    play: str
    equity: float
    # How much worse than the best of its level; None for one that was looked at less deeply.
    behind: float | None
    # Percents: won, of it gammons and backgammons, lost gammons and backgammons.
    percents: tuple[float, ...]
    level: int
    is_made: bool
    is_best: bool


@dataclass(frozen=True, slots=True)
class RemarkView:
    """A decision and what is thought of it."""

    number: int
    # The line of the journal that it is, to find the position by.
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
    # White's chance of the match; None in unlimited play and where there was nothing to decide.
    chance: float | None
    plays: tuple[PlayView, ...]
    # No double, and double and take.
    cube: tuple[float, float] | None

    @property
    def is_blunder(self) -> bool:
        """Did it give away so much that it is called one?"""
        return self.error >= BLUNDER


@dataclass(frozen=True, slots=True)
class FaultView:
    """The errors of one kind."""

    fault: str
    number: int
    error: float


@dataclass(frozen=True, slots=True)
class AnalysedSide:
    """One side's figures."""

    name: str
    totals: Totals
    pr: float | None
    # Why no PR is shown: `level`, `counted` or nothing.
    why_no_pr: str
    label: str
    # The result without its dice, as a part of the match's chance; None in unlimited play.
    luck_adjusted: float | None
    faults: tuple[FaultView, ...]

    @property
    def interval(self) -> float | None:
        """To either side of the PR, 95 %; None without a PR."""
        return None if self.pr is None else self.totals.interval


@dataclass(frozen=True, slots=True)
class AnalysisView:
    """What is thought of one match, and how far that is."""

    # One of `Progress`, or `none`, or `absent`.
    progress: str
    why: str
    engine: str = ""
    version: str = ""
    level: int = 0
    is_match: bool = True
    sides: tuple[AnalysedSide, ...] = ()
    remarks: tuple[RemarkView, ...] = ()
    # So many decisions are left out, for their positions stand in a match that is being played.
    left_out: int = 0

    @property
    def is_there(self) -> bool:
        """Is at least the first pass done?"""
        return self.level > 0

    @property
    def blunders(self) -> tuple[RemarkView, ...]:
        """The worst decisions, the worst first."""
        worst = sorted((each for each in self.remarks if each.is_blunder), key=lambda each: -each.error)
        return tuple(worst[:MOST_BLUNDERS])

    @property
    def chances(self) -> tuple[float, ...]:
        """White's chance of the match, decision by decision."""
        return tuple(each.chance for each in self.remarks if each.chance is not None)


def of_match(row: Match, now: datetime) -> AnalysisView | None:
    """Return what is thought of a match; None while it is not over.

    Whether somebody may know of the match at all is asked by whoever calls.
    """
    if row.status not in ENDED:
        return None
    if not here.is_wanted():
        return AnalysisView(ABSENT, "")
    subject = subjects.of_match(row)
    if subject is None:
        return AnalysisView(Progress.UNJUDGED.value, "The match is void.")
    found = Analysis.objects.filter(match=row, head_hash=row.head_hash).first()
    return _view(subject, found, is_awaited=waiting.unseen(now).filter(pk=row.pk).exists)


def of_record(row: RecordedMatch, now: datetime) -> AnalysisView:
    """Return what is thought of a match that was handed in; who may see its facts is asked by whoever calls."""
    if not here.is_wanted():
        return AnalysisView(ABSENT, "")
    found = Analysis.objects.filter(record=row.key, head_hash=row.sha256).first()

    def is_awaited() -> bool:
        records = waiting.unseen_records(now)
        return records is not None and records.filter(key=row.key).exists()

    return _view(subjects.of_record(row), found, is_awaited=is_awaited)


def _view(subject: Subject, found: Analysis | None, *, is_awaited: Callable[[], bool]) -> AnalysisView:
    if found is None:
        if why := here.why_not():
            return AnalysisView(ABSENT, why)
        return AnalysisView(Progress.WAITING.value if is_awaited() else NONE, "")
    if not found.level:
        return AnalysisView(found.progress, found.why)
    rows = list(found.remarks.order_by("number"))
    told = outside_play(rows) if subject.kind == subjects.RECORD else rows
    is_match = bool(subject.length)
    is_whole = len(told) == len(rows) and _begins_at_love(rows)
    return AnalysisView(
        found.progress,
        found.why,
        found.engine,
        found.version,
        found.level,
        is_match,
        _sides(subject, told, found.level, has_result=is_match and is_whole),
        tuple(remark_view(each) for each in told),
        len(rows) - len(told),
    )


def outside_play(rows: Sequence[Remark]) -> list[Remark]:
    """Return the remarks on positions that stand in no match between people, now or within a few turns.

    Anybody may write a record, and put into it the very position that they are playing.
    """
    boards = [xgid.decode(row.position).board for row in rows]
    stand = standing.among(boards)
    return [row for row, board in zip(rows, boards, strict=True) if board not in stand]


def _begins_at_love(rows: Sequence[Remark]) -> bool:
    """Is the match told from its first game on? A record may be the second half of one."""
    return bool(rows) and not any(xgid.decode(rows[0].position).score)


def _sides(
    subject: Subject, rows: Sequence[Remark], level: int, *, has_result: bool
) -> tuple[AnalysedSide, ...]:
    lines: BySide[list[Line]] = BySide([], [])
    for each in rows:
        lines[Side(each.side)].append(line(each))
    sums = lines.map(figures)
    return tuple(
        AnalysedSide(
            name=subject.names[side],
            totals=sums[side].totals,
            pr=(pr := sums[side].totals.published(level)),
            why_no_pr=why_no_pr(sums[side].totals, level),
            label="" if pr is None else label(pr),
            luck_adjusted=luck_adjusted(
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


def line(row: Remark) -> Line:
    """Return a decision as figures count it."""
    is_play = row.kind == Kind.PLAY.value and row.level > 0
    return Line(row.error, row.cost, row.counted, row.fault, row.luck, row.luck_cost, is_play)


def remark_view(row: Remark) -> RemarkView:
    """Return a decision and what is thought of it."""
    side = Side(row.side)
    best = max((equity for _, equity, _, level in row.plays if level == row.level), default=0.0)
    return RemarkView(
        number=row.number,
        seq=row.seq,
        game=row.game,
        ply=row.ply,
        side=side,
        kind=row.kind,
        dice=row.dice,
        position=row.position,
        decided=row.decided,
        best=row.best,
        level=row.level,
        counted=row.counted,
        error=row.error,
        cost=row.cost,
        fault=row.fault,
        luck=row.luck,
        chance=_whites(row, side),
        plays=tuple(
            PlayView(
                play=play,
                equity=equity,
                behind=round(best - equity, DIGITS) if level == row.level else None,
                percents=tuple(round(100 * chance, 1) for chance in chances),
                level=level,
                is_made=play == row.decided,
                is_best=play == row.best,
            )
            for play, equity, chances, level in row.plays
        ),
        cube=None if row.cube is None else (row.cube[0], row.cube[1]),
    )


def _whites(row: Remark, side: Side) -> float | None:
    """Return white's chance; points of unlimited play are none."""
    if row.chance is None or not 0 <= row.chance <= 1:
        return None
    return row.chance if side is Side.WHITE else round(1 - row.chance, DIGITS)
