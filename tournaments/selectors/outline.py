"""What a plan comes to for so many players, before anybody is drawn: brackets, rounds, matches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from draw.formats import FORMATS
from draw.options import BadOption, Options
from draw.play import RulesOfPlay
from tournaments.selectors import labels, plays

if TYPE_CHECKING:
    from collections.abc import Mapping

    from draw.format import RoundPlan
    from tournaments.templates import Plan, StagePlan


@dataclass(frozen=True, slots=True)
class OutlinedRound:
    """One round."""

    title: str
    matches: int
    byes: int
    length: int
    # Of so many games, where no score is played for.
    best_of: int = 0


@dataclass(frozen=True, slots=True)
class OutlinedBracket:
    """One bracket, or all rounds of a format without one."""

    title: str
    rounds: tuple[OutlinedRound, ...]

    @property
    def matches(self) -> int:
        """How many matches it has."""
        return sum(one.matches for one in self.rounds)


@dataclass(frozen=True, slots=True)
class Outline:
    """A plan for so many players."""

    players: int
    brackets: tuple[OutlinedBracket, ...]
    # How many rounds are played one after the other.
    turns: int

    @property
    def matches(self) -> int:
        """How many matches there are."""
        return sum(one.matches for one in self.brackets)


def of(plan: Plan, players: int) -> Outline:
    """Return what a plan comes to; later stages take as many as they say."""
    brackets: list[OutlinedBracket] = []
    turns = 0
    counts: dict[str, int] = {}
    for stage in plan.stages:
        count = counts[stage.name] = _taken(stage, plan, counts) if stage.takes else players
        made, more = _stage(stage, _Usual(plan.match_length, plan.settings.play), count)
        brackets += made
        turns += more
    return Outline(players, tuple(brackets), turns)


def _taken(stage: StagePlan, plan: Plan, counts: Mapping[str, int]) -> int:
    """Return how many a stage takes from those before it."""
    by_name = {one.name: one for one in plan.stages}
    taken = 0
    for take in stage.takes:
        there = counts.get(take["stage"], 0)
        size = by_name[take["stage"]].options.get("size", 4) if take.get("each_group") else max(1, there)
        groups = -(-there // size)
        most = min(take.get("last") or size, size)
        taken += min(there, groups * max(0, most - take.get("first", 1) + 1))
    return taken


class _Usual(NamedTuple):
    """How matches are played where a stage does not say otherwise."""

    length: int
    play: RulesOfPlay


def _stage(stage: StagePlan, usual: _Usual, players: int) -> tuple[list[OutlinedBracket], int]:
    preview = FORMATS[stage.format].preview
    if preview is None:
        return _rounds(stage, usual, players)
    try:
        rows = preview(Options(tuple(sorted(stage.options.items()))), players)
    except BadOption:
        return [], 0
    names = list(dict.fromkeys(row.bracket for row in rows))
    made = [
        _bracket(stage, name, usual, [row for row in rows if row.bracket == name and row.matches + row.byes])
        for name in names
    ]
    return [one for one in made if one.rounds], max((row.slot for row in rows if row.matches), default=0)


def _bracket(stage: StagePlan, name: str, usual: _Usual, rows: list[RoundPlan]) -> OutlinedBracket:
    last = max((row.round for row in rows), default=0)
    return OutlinedBracket(
        labels.bracket(name),
        tuple(
            OutlinedRound(
                labels.round_title(name, row.round, last, row.matches),
                row.matches,
                row.byes,
                *_length(stage, name, row.round, last, usual),
            )
            for row in rows
        ),
    )


def _rounds(stage: StagePlan, usual: _Usual, players: int) -> tuple[list[OutlinedBracket], int]:
    options = stage.options
    group = options.get("size", 4) if stage.format == "groups" else players
    count = options.get("rounds") or (group if group % 2 else group - 1)
    if stage.format == "lives":
        return [], 0
    each = _pairs(players, group) if stage.format == "groups" else players // 2
    rounds = tuple(
        OutlinedRound(
            labels.plain_round(number),
            each,
            players % 2 if group == players else 0,
            *_length(stage, "", number, count, usual),
        )
        for number in range(1, max(0, count) + 1)
    )
    return [OutlinedBracket(labels.format_name(stage.format), rounds)], len(rounds)


def _pairs(players: int, group: int) -> int:
    whole, rest = divmod(players, group)
    return whole * (group // 2) + rest // 2


def _length(stage: StagePlan, name: str, number: int, last: int, usual: _Usual) -> tuple[int, int]:
    """Return how long the matches of a round are, and of how many games, where only games count."""
    found, play = usual
    for rule in stage.rules:
        begins = rule.get("round", 1)
        begins = last + 1 + begins if begins < 0 else begins
        if rule.get("bracket", "") in {"", name} and number >= begins:
            found = int(rule.get("length", usual.length))
            play = RulesOfPlay.from_json(plays.play_of(usual.play.to_json(), rule))
    return play.length(found), play.best_of
