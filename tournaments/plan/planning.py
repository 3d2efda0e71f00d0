"""Conversion between plans and the stages and settings of an event."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from datetime import datetime
from typing import Any, Final

from draw import event as pure
from draw import limits
from draw import stages as pure_stages
from draw.event import EntrantId
from draw.new_round import BYE_POINTS
from draw.options import BadOption
from draw.rounds import LEFT_TO_LOT, ROUNDS
from draw.rules_of_play import RulesOfPlay
from tournaments.base import event_rows, formats, local_times, settings
from tournaments.base.errors import AlreadyDrawn, BadPlan
from tournaments.base.settings import Settings
from tournaments.models import Ruling, RulingKind, Stage, Tournament
from tournaments.models.rounds import LONGEST_POINTS
from tournaments.plan.templates import Plan, StagePlan
from tournaments.play import capacity

# The number of players in trials of a plan: enough for groups, crossings and all side brackets.
TRIERS: Final = 16
LONGEST_LABEL: Final = 60
# Of a delay, in seconds.
LONGEST_DELAY: Final = 60 * settings.LARGEST_MINUTES
STAGE: Final = tuple(field.name for field in fields(StagePlan))
# The acts that change the options of a drawn stage.
CHANGING: Final = (RulingKind.ADDED_ROUND, RulingKind.BREAKS_TIES)


def apply_plan(event: Tournament, plan: Plan) -> None:
    """Replace the stages and settings of a locked event.

    If only lengths and rules of matches or the label change, the stages and a previewed draw stay: no draw
    depends on these.

    :raises BadPlan: it cannot be played like this.
    :raises PlanTooLarge, TooManyPlayers: it has too many matches, for any number of players or for those who
        have entered.
    """
    before = load_plan(event)
    event.match_length = plan.settings.play.length(plan.match_length)
    event.format_label = plan.format_label[:LONGEST_LABEL]
    chosen = _assign_settings(event, plan.settings)
    rows = [_build_stage_row(event, number, stage) for number, stage in enumerate(plan.stages, 1)]
    capacity.require_plan(event, rows)
    _try_stages(event, rows)
    # After the trial all formats are known to exist.
    event.played_as = formats.serialize_formats(plan.stages)
    event.save(update_fields=["match_length", "format_label", "played_as", *chosen])
    if before is not None and _strip_lengths(before) == _strip_lengths(plan):
        for row in rows:
            Stage.objects.filter(tournament=event, number=row.number).update(rules=row.rules)
        return
    Stage.objects.filter(tournament=event).delete()
    Stage.objects.bulk_create(rows)


def change_open_settings(event: Tournament, plan: Plan) -> None:
    """Change the settings of a locked event that are not fixed by its published draw.

    :raises AlreadyDrawn: none of these settings differs, or another part of the plan does.
    :raises BadPlan: a setting cannot have that value.
    """
    before = AlreadyDrawn.raise_if_none(load_plan(event))
    wanted = {name: getattr(plan.settings, name) for name in settings.list_open_after_draw()}
    allowed = replace(before.settings, **wanted)
    if allowed == before.settings or plan != replace(
        before, settings=allowed, format_label=plan.format_label
    ):
        raise AlreadyDrawn
    _assign_settings(event, allowed)
    event.save(update_fields=wanted)


def _strip_lengths(plan: Plan) -> Plan:
    stages = tuple(replace(stage, rules=()) for stage in plan.stages)
    return replace(plan, stages=stages, match_length=0, format_label="")


def load_plan(event: Tournament, *, as_drawn: bool = False) -> Plan | None:
    """Return the plan of an event, None if it is only announced.

    With *as_drawn*, without the rounds that directors have added since the draw, and without their answers about
    ties: these are of this event alone.
    """
    rows = list(Stage.objects.filter(tournament=event).order_by("number"))
    if not rows:
        return None
    if as_drawn:
        _restore_drawn_options(event, rows)
    return Plan(
        stages=tuple(_build_stage_plan(row) for row in rows),
        settings=settings.read_settings(event),
        match_length=event.match_length,
        format_label=event.format_label,
    )


def _restore_drawn_options(event: Tournament, rows: Sequence[Stage]) -> None:
    """Set the options of these stages, which are not saved, to those with which they were drawn."""
    acts = Ruling.objects.filter(tournament=event, act__in=CHANGING).order_by("pk")
    changes = [
        (one or {}).get("stages", {}).get("changed", {}) for one in acts.values_list("before", flat=True)
    ]
    for row in rows:
        own = (change[str(row.pk)] for change in changes if str(row.pk) in change)
        before, _after = next(own, ({"options": row.options}, None))
        row.options = before["options"]


def postpone_dates(plan: Plan, start: datetime, new: datetime, zone: str) -> Plan:
    """Return the plan of an event at *start* for one at *new*: its dates are moved by the clock of the zone."""
    closes = plan.settings.entries_close_at
    if closes is None:
        return plan
    before, after = (local_times.convert_to_local(each, zone).replace(tzinfo=None) for each in (start, new))
    closes = local_times.add_by_clock(closes, after - before, zone)
    return replace(plan, settings=replace(plan.settings, entries_close_at=closes))


def _assign_settings(event: Tournament, chosen: Settings) -> dict[str, Any]:
    try:
        columns = settings.serialize_columns(chosen)
    except BadOption as problem:
        raise BadPlan(problem=str(problem)) from problem
    for name, value in columns.items():
        setattr(event, name, value)
    return columns


def _build_stage_row(event: Tournament, number: int, plan: StagePlan) -> Stage:
    values = {name: getattr(plan, name) for name in STAGE}
    values |= {
        "options": dict(plan.options),
        "takes": [dict(take) for take in plan.takes],
        "rules": [dict(rule) for rule in plan.rules],
    }
    return Stage(tournament=event, number=number, **values)


def _build_stage_plan(row: Stage) -> StagePlan:
    values = {name: getattr(row, name) for name in STAGE}
    # A director's decisions about ties in this event are not part of its plan.
    options = {name: value for name, value in row.options.items() if name != "placed"}
    if options.get("lots") == LEFT_TO_LOT:
        del options["lots"]
    return StagePlan(**values | {"options": options, "takes": tuple(row.takes), "rules": tuple(row.rules)})


def _try_stages(event: Tournament, rows: list[Stage]) -> None:
    """Propose the stages once with fictitious players.

    :raises BadPlan: a name, a clock or the stage that players come from is invalid, or a format cannot use an
        option.
    """
    try:
        built = tuple(event_rows.build_stage(event, row) for row in rows)
        for row, stage in zip(rows, built, strict=True):
            _check_bye_points(stage)
            _check_play(event, row)
            for one in stage.rules:
                _check_clock(one.rules.clock)
    except BadOption as problem:
        raise BadPlan(problem=str(problem)) from problem
    names = [stage.name for stage in built]
    if len(set(names)) < len(names) or (len(names) > 1 and not all(names)):
        raise BadPlan(problem="name: every stage needs a name of its own")
    if any(part in {".", ".."} for name in names for part in name.split("/")):
        # The name is part of the keys of matches, which are part of URLs.
        raise BadPlan(problem="name: a stage cannot be called . or ..")
    for at, stage in enumerate(built):
        if any(take.stage not in names[:at] for take in stage.takes):
            raise BadPlan(problem=f"takes: {stage.name} takes from a stage that does not come before it")
    try:
        for stage in built:
            alone = replace(stage, takes=())
            # Some plans have so many matches that fewer players can take part.
            players = min(TRIERS, limits.find_most_entrants((alone,)))
            there = tuple(pure.Entrant(EntrantId(str(number))) for number in range(1, players + 1))
            pure_stages.propose(pure.Event(stages=(alone,), entrants=there, seed="trial"))
    except BadOption as problem:
        raise BadPlan(problem=str(problem)) from problem
    _require_finite_stages(built)


def _check_clock(clock: pure.Clock | None) -> None:
    """Refuse times that no clock can have. Reading does not: the release before accepted such plans.

    :raises BadOption: a time is too small or too large.
    """
    if clock is None:
        return
    if not 0 <= clock.minutes_a_point <= settings.LARGEST_MINUTES:
        raise BadOption("minutes_a_point", f"is a number from 0 to {settings.LARGEST_MINUTES}")
    if type(clock.delay_seconds) is not int or not 0 <= clock.delay_seconds <= LONGEST_DELAY:
        raise BadOption("delay_seconds", f"is a whole number from 0 to {LONGEST_DELAY}")
    if not clock.minutes_a_point and not clock.delay_seconds:
        raise BadOption("delay_seconds", "has to be more than 0 where minutes_a_point is 0")


def _check_play(event: Tournament, row: Stage) -> None:
    """Refuse a rule of play of a stage that has no effect beside the event's `best_of`, in which only games count.

    :raises BadOption: there is one.
    """
    for own in row.rules:
        play = RulesOfPlay.from_json(event_rows.merge_play_rules(event.play, own))
        for name, value in own.get("play", {}).items():
            if getattr(play, name) != value:
                raise BadOption(f"play.{name}", f"cannot be {value!r} beside best_of {play.best_of}")


def _check_bye_points(stage: pure.Stage) -> None:
    """Refuse points that have no room in the row of a bye.

    :raises BadOption: they have too many figures.
    """
    if len(str(BYE_POINTS.get(stage.options))) > LONGEST_POINTS:
        raise BadOption(BYE_POINTS.name, "has too many figures")


def _require_finite_stages(stages: Sequence[pure.Stage]) -> None:
    """Require that every stage that others take from comes to an end.

    Formats without a number of rounds can go on until two players are left (P50).

    :raises BadPlan: such a stage has no number of rounds.
    """
    endless = {
        one.name for one in stages if pure_stages.get_format(one).is_endless and not ROUNDS.get(one.options)
    }
    for stage in stages:
        for take in stage.takes:
            if take.stage in endless:
                raise BadPlan(
                    problem=f"rounds: {stage.name} waits for the end of {take.stage}, which needs a number of rounds"
                )
