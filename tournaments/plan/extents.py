"""The size of a plan, for its card: rounds, matches of each player, tables, and its expected end."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from draw.forecast import sketch
from draw.lives import LIVES, UNTIL
from draw.round_robin import WEEK
from tournaments.base import formats, local_times
from tournaments.plan import outline, plan_edits

if TYPE_CHECKING:
    from tournaments.plan.outline import Outline
    from tournaments.plan.templates import Plan, StagePlan


@dataclass(frozen=True, slots=True)
class Extent:
    """The size of a plan for a number of players, computed by formula (P119)."""

    rounds: int
    # The average number of matches of a player.
    each: float
    tables: int
    # True if the numbers of rounds and matches depend on results or on the draw.
    is_about: bool
    # The expected end in the club's time zone; "" if it is played over days.
    until: str = ""
    days: int = 0

    @property
    def all_play(self) -> int:
        """Number of matches of every player; 0 if it is not the same for all."""
        return self.rounds if not self.is_about and self.each == self.rounds else 0


def compute_extent(plan: Plan, players: int, starts_at: datetime, zone: str) -> Extent | None:
    """Compute the size of a plan; None if it has no matches for so many players."""
    shown = outline.build_outline(plan, players)
    turns = _list_sketched_rounds(plan, shown)
    matches = sum(turn.tables for turn in turns)
    if not matches:
        return None
    later = shown.stage_turns[1:]
    numbers = (len(turns) - sum(later), *later)
    days = sum(_get_round_days(stage) * number for stage, number in zip(plan.stages, numbers, strict=True))
    ends_at = local_times.compute_slot_end(starts_at + timedelta(minutes=sketch.estimate_minutes(turns)))
    return Extent(
        rounds=len(turns),
        each=round(2 * matches / players, 1),
        tables=sketch.count_tables(turns),
        is_about=any(_depends_on_results(stage, players) for stage in plan.stages),
        until="" if days else _format_end(ends_at, starts_at, zone),
        days=days,
    )


def _get_round_days(stage: StagePlan) -> int:
    return stage.round_days or (WEEK if plan_edits.counts_days(stage.format) else 0)


def _list_sketched_rounds(plan: Plan, shown: Outline) -> list[sketch.SketchedRound]:
    """Return the rounds one after the other, each with all matches that are played at the same time."""
    first = plan.stages[0]
    counted: defaultdict[int, Counter[int]] = defaultdict(Counter)
    for bracket in shown.brackets:
        for one in bracket.rounds:
            if one.matches and not one.is_if_needed:
                counted[one.turn][one.length] += one.matches
    waits = not formats.get_format(first).is_elimination
    turns = [sketch.SketchedRound(counted[turn], waits) for turn in sorted(counted)]
    if not _has_lives(first):
        return turns
    options, length = formats.build_options(first), plan.settings.play.length(plan.match_length)
    before = sketch.list_rounds_from_lives([LIVES.get(options)] * shown.players, UNTIL.get(options))
    return [*(sketch.SketchedRound({length: matches}) for matches in before), *turns]


def _has_lives(stage: StagePlan) -> bool:
    return formats.get_format(stage).counts_in == "lives"


def _depends_on_results(stage: StagePlan, players: int) -> bool:
    """True if results or the draw decide the numbers: lives, and groups of different sizes."""
    size = formats.get_format(stage).group_size(formats.build_options(stage), players)
    return _has_lives(stage) or bool(size and players % size)


def _format_end(ends_at: datetime, starts_at: datetime, zone: str) -> str:
    hour = local_times.format_hour(ends_at, zone)
    is_later = local_times.is_later_day(ends_at, zone, starts_at)
    return f"{local_times.format_short_day(ends_at, zone)} {hour}" if is_later else hour
