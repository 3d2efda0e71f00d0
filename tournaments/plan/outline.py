"""Preview of a plan for a number of players: brackets, rounds, matches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from draw.brackets.structure import FINAL
from draw.options import BadOption
from draw.rules_of_play import RulesOfPlay
from tournaments.base import event_rows, formats, labels

if TYPE_CHECKING:
    from collections.abc import Mapping

    from draw.format import RoundPlan
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
    """One bracket, or all rounds of a format without brackets."""

    title: str
    rounds: tuple[OutlinedRound, ...]

    @property
    def matches(self) -> int:
        return sum(one.matches for one in self.rounds)


@dataclass(frozen=True, slots=True)
class Outline:
    players: int
    brackets: tuple[OutlinedBracket, ...]
    # The number of rounds that are played one after the other.
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
    """Return the number of players that a stage takes from earlier ones."""
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
    return made, max((row.slot for row in rows if row.matches), default=0)


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
                is_if_needed=name == FINAL and row.round > 1,
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
