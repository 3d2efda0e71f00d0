"""Preview of a plan for a number of players: brackets, rounds, matches, and its size with the expected end."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from draw.brackets.structure import FINAL
from draw.forecast import sketch
from draw.format import RoundPlan
from draw.lives import LIVES, UNTIL
from draw.options import BadOption
from draw.round_robin import WEEK
from draw.rules_of_play import RulesOfPlay
from tournaments.base import event_rows, formats, labels, local_times
from tournaments.plan import plan_edits
from tournaments.plan.templates import Plan, StagePlan


@dataclass(frozen=True, slots=True)
class OutlinedRound:
    title: str
    matches: int
    byes: int
    # The turn in which it is played; rounds with the same turn are played at the same time.
    turn: int
    length: int
    # Best of so many games; 0 if played to a score.
    best_of: int = 0
    # The second final of a double elimination, played only if the first does not decide.
    is_if_needed: bool = False


@dataclass(frozen=True, slots=True)
class OutlinedBracket:
    title: str
    rounds: tuple[OutlinedRound, ...]

    @property
    def matches(self) -> int:
        return sum(one.matches for one in self.rounds if not one.is_if_needed)


@dataclass(frozen=True, slots=True)
class Outline:
    players: int
    brackets: tuple[OutlinedBracket, ...]
    # The number of rounds that are played one after the other, without a second final.
    turns: int
    stage_turns: tuple[int, ...]

    @property
    def matches(self) -> int:
        return sum(one.matches for one in self.brackets)


def build_outline(plan: Plan, players: int) -> Outline:
    """Preview a plan; later stages have as many players as they take."""
    brackets: list[OutlinedBracket] = []
    turns: list[int] = []
    counts: dict[str, int] = {}
    for stage in plan.stages:
        count = counts[stage.name] = _count_taken(stage, plan, counts) if stage.takes else players
        made, more = _build_stage_brackets(stage, plan, count, sum(turns))
        brackets += made
        turns.append(more)
    return Outline(players, tuple(brackets), sum(turns), tuple(turns))


def _count_taken(stage: StagePlan, plan: Plan, counts: Mapping[str, int]) -> int:
    by_name = {one.name: one for one in plan.stages}
    taken = 0
    for take in stage.takes:
        there = counts.get(take["stage"], 0)
        size = max(1, there)
        if take.get("each_group"):
            before = by_name[take["stage"]]
            size = formats.get_format(before).group_size(formats.build_options(before), there) or size
        groups = -(-there // size)
        most = min(take.get("last") or size, size)
        taken += min(there, groups * max(0, most - take.get("first", 1) + 1))
    return taken


def _build_stage_brackets(
    stage: StagePlan, plan: Plan, players: int, before: int
) -> tuple[list[OutlinedBracket], int]:
    preview = formats.get_format(stage).preview
    try:
        if preview is None:
            return _build_rounds(stage, plan, players, before)
        rows = preview(formats.build_options(stage), players)
    except BadOption:
        return [], 0
    names = list(dict.fromkeys(row.bracket for row in rows))
    made = [
        _build_bracket(stage, name, plan, mine, before)
        for name in names
        if (mine := [row for row in rows if row.bracket == name and row.matches + row.byes])
    ]
    return made, max((row.slot for row in rows if row.matches and not _is_if_needed(row)), default=0)


def _is_if_needed(row: RoundPlan) -> bool:
    return row.bracket == FINAL and row.round > 1


def _build_bracket(
    stage: StagePlan, name: str, plan: Plan, rows: list[RoundPlan], before: int
) -> OutlinedBracket:
    last = max((row.round for row in rows), default=0)
    return OutlinedBracket(
        labels.format_bracket(name),
        tuple(
            OutlinedRound(
                labels.format_round_title(name, row.round, last, row.matches),
                row.matches,
                row.byes,
                before + row.slot,
                *_get_match_length(stage, name, row.round, last, plan),
                is_if_needed=_is_if_needed(row),
            )
            for row in rows
        ),
    )


def _build_rounds(
    stage: StagePlan, plan: Plan, players: int, before: int
) -> tuple[list[OutlinedBracket], int]:
    planned = formats.get_format(stage).count(formats.build_options(stage), players)
    if planned is None:
        return [], 0
    rounds = tuple(
        OutlinedRound(
            labels.format_round(number),
            planned.matches,
            planned.byes,
            before + number,
            *_get_match_length(stage, "", number, planned.rounds, plan),
        )
        for number in range(1, planned.rounds + 1)
    )
    return [OutlinedBracket(formats.format_name(stage.format), rounds)], len(rounds)


def _get_match_length(stage: StagePlan, name: str, number: int, last: int, plan: Plan) -> tuple[int, int]:
    """Return the length of the matches in a round, and the number of games in a "best of" (0 without)."""
    found, play = plan.match_length, plan.settings.play
    for rule in stage.rules:
        begins = rule.get("round", 1)
        begins = last + 1 + begins if begins < 0 else begins
        if rule.get("bracket", "") in {"", name} and number >= begins:
            found = int(rule.get("length", plan.match_length))
            play = RulesOfPlay.from_json(event_rows.merge_play_rules(plan.settings.play.to_json(), rule))
    return play.length(found), play.best_of


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
    shown = build_outline(plan, players)
    turns = _list_sketched_rounds(plan, shown)
    matches = sum(turn.tables for turn in turns)
    if not matches:
        return None
    later = shown.stage_turns[1:]
    numbers = (len(turns) - sum(later), *later)
    days = sum(
        number * (stage.round_days or (WEEK if plan_edits.counts_days(stage.format) else 0))
        for stage, number in zip(plan.stages, numbers, strict=True)
    )
    ends_at = local_times.compute_slot_end(starts_at + timedelta(minutes=sketch.estimate_minutes(turns)))
    return Extent(
        rounds=len(turns),
        each=round(2 * matches / players, 1),
        tables=sketch.count_tables(turns),
        is_about=any(_depends_on_results(stage, players) for stage in plan.stages),
        until="" if days else _format_end(ends_at, starts_at, zone),
        days=days,
    )


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
