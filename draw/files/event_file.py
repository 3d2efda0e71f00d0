"""An event as the file that `python -m draw` reads, so that every pairing can be reproduced (P40)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from draw.event import (
    NOTHING,
    WIN,
    Bye,
    Draw,
    Entrant,
    Event,
    Kind,
    Pairing,
    Result,
    Round,
    RoundRules,
    Stage,
    Take,
)
from draw.options import Value

Json = dict[str, Any]


def write_event(event: Event) -> Json:
    """Serialize an event so that `event_input.read_event` reads back an equal one."""
    is_one = len(event.stages) == 1 and not event.stages[0].name
    data: Json = {"seed": event.seed, "entrants": [_write_entrant(one) for one in event.entrants]}
    if is_one:
        data |= _write_stage(event.stages[0])
    else:
        data["stages"] = [{"name": stage.name, **_write_stage(stage)} for stage in event.stages]
    return _drop_empty(
        {
            **data,
            "rounds": [_write_round(one, is_one=is_one) for one in event.rounds],
            "absent": sorted(event.absent),
            "apart": [
                {"members": sorted(one.members), "hard": one.hard, "why": one.why} for one in event.apart
            ],
            "draws": [_write_draw(one) for one in event.draws],
            "scores": {str(who): str(points) for who, points in event.scores},
        }
    )


def _drop_empty(data: Mapping[str, Any]) -> Json:
    return {name: value for name, value in data.items() if value not in (None, "", [], {})}


def _write_entrant(one: Entrant) -> Json:
    return _drop_empty(
        {
            "id": one.id,
            "rating": one.rating,
            "club": one.club,
            "family": one.family,
            "seed": one.seed,
            "pot": one.pot,
            "arrived": one.arrived if one.arrived > 1 else None,
            "head_start": str(one.head_start) if one.head_start != NOTHING else None,
            "left": one.left and one.left.name.lower(),
            "left_as": one.left_as or None,
            "left_after_draws": list(one.left_after_draws),
            "asked": [{"round": each.round, "points": str(each.points)} for each in one.asked],
            "joins": one.joins,
        }
    )


def _write_stage(stage: Stage) -> Json:
    return _drop_empty(
        {
            "format": stage.format,
            "options": {name: _write_option(value) for name, value in stage.options.items},
            "takes": [_write_take(one) for one in stage.takes],
            "rules": [_write_rules(one) for one in stage.rules],
        }
    )


def _write_option(value: Value) -> Any:
    return [_write_option(one) for one in value] if isinstance(value, tuple) else value


def _write_take(one: Take) -> Json:
    return _drop_empty(
        {"stage": one.stage, "first": one.first, "last": one.last, "each_group": one.each_group or None}
    )


def _write_rules(one: RoundRules) -> Json:
    rules, clock = one.rules, one.rules.clock
    return _drop_empty(
        {
            "length": rules.length,
            "bracket": one.bracket,
            "round": one.round,
            "minutes_a_point": None if clock is None else str(clock.minutes_a_point),
            "delay_seconds": None if clock is None else clock.delay_seconds,
            "ruleset": rules.ruleset,
            "reporting": rules.reporting.value,
            "days": rules.days,
            "play": rules.play.to_json() or None,
        }
    )


def _write_round(batch: Round, *, is_one: bool) -> Json:
    return _drop_empty(
        {
            "number": batch.number,
            "stage": None if is_one else batch.stage,
            "pairs": [_write_pair(one) for one in batch.pairings],
            "byes": [_write_bye(one) for one in batch.byes],
            "absent": list(batch.absent),
        }
    )


def _write_pair(one: Pairing) -> Json:
    data: Json = {"key": one.key, "a": one.a, "b": one.b}
    result = one.result
    if result is None:
        return {**data, "open": True}
    if one.stands is not None:
        data["stands"] = _write_result(one.stands)
    return data | _write_result(result)


def _write_result(result: Result) -> Json:
    data: Json = {}
    if result.kind is not Kind.PLAYED:
        data["forfeit"] = result.kind.value
    if result.winner is not None:
        data["winner"] = result.winner
    if result.score is not None:
        data["score"] = list(result.score)
    return data


def _write_bye(one: Bye) -> Json:
    data: Json = {"entrant": one.entrant}
    if one.points != WIN:
        data["points"] = str(one.points)
    return {**data, "asked": True} if one.asked else data


def _write_draw(draw: Draw) -> Json:
    return _drop_empty(
        {
            "stage": draw.stage,
            "lines": list(draw.lines),
            "method": draw.method,
            "late": [{"line": line, "entrant": who} for line, who in draw.late],
            "commitment": draw.commitment,
            "witnesses": list(draw.witnesses),
            "note": draw.note,
        }
    )
