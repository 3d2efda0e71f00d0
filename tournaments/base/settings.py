"""Settings of an event: forms, plans, the API, its document and the event's page share one declaration.

A setting is a field of `Settings` with its option (`draw/options.py`), and a column of that name in
`Tournament`. It also declares how long directors may change it: `planning.change_open_settings` refuses what
the draw has fixed. `tests/tournaments/test_toy_setting.py` adds one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, cast

from django.utils.translation import gettext_noop

from draw.options import (
    BadOption,
    Choice,
    Flag,
    Option,
    Setting,
    SettingDeadline,
    Specs,
    WholeNumber,
    declare_setting,
    list_settings,
)
from draw.rules_of_play import USUAL, RulesOfPlay
from tournaments.models import NoShowPolicy, ReportedBy, Tournament

Step = tuple[int, int | None]
WEEK: Final = 7 * 24 * 60
LARGEST_MINUTES: Final = 32_767


class SettingHeading(StrEnum):
    """The headings of settings, in the order of the page."""

    ENTERING = gettext_noop("Entering")
    RESULTS = gettext_noop("Results")
    LATENESS = gettext_noop("Lateness and no-shows")


@dataclass(frozen=True, slots=True)
class Minutes(WholeNumber):
    most: int = WEEK
    largest: int = LARGEST_MINUTES


@dataclass(frozen=True, slots=True)
class DateAndTime(Option[datetime]):
    def read(self, value: Any) -> datetime:
        """Return the time, or raise BadOption."""
        if not isinstance(value, datetime):
            raise BadOption(self.name, "is a day and an hour")
        return value


@dataclass(frozen=True, slots=True)
class Lateness(Option[tuple[Step, ...]]):
    """Penalty points by minutes of lateness; None for points loses the match."""

    def read(self, value: Any) -> tuple[Step, ...]:
        """Return the steps; raise BadOption unless their minutes rise and only the last one is a loss."""
        steps = tuple((minutes, points) for minutes, points in value)
        minutes = [at for at, _ in steps]
        rises = minutes == sorted(set(minutes)) and None not in [points for _, points in steps[:-1]]
        if not rises or any(at < 0 for at in minutes):
            raise BadOption(self.name, "minutes rise from step to step, and only the last one is a loss")
        return steps


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    entries_close_at: datetime | None = declare_setting(  # noqa: RUF009
        DateAndTime(
            "entries_close_at",
            None,
            gettext_noop("Entries close"),
            gettext_noop("In the club's time zone. Empty: with the draw."),
            heading=SettingHeading.ENTERING,
        )
    )
    needs_check_in: bool = declare_setting(
        Flag(
            "needs_check_in",
            False,
            gettext_noop("Players check in"),
            gettext_noop("Players who have not checked in when the draw is published are left out."),
            heading=SettingHeading.ENTERING,
        )
    )
    has_waiting_list: bool = declare_setting(
        Flag(
            "has_waiting_list",
            False,
            gettext_noop("With a waiting list"),
            gettext_noop("When the event is full, further players wait and move up when somebody withdraws."),
            heading=SettingHeading.ENTERING,
        )
    )
    reporting: str = declare_setting(
        Choice(
            "reporting",
            ReportedBy.WINNER.value,
            gettext_noop("Results are reported by"),
            first=ReportedBy.WINNER.value,
            choices=cast("dict[str, str]", dict(ReportedBy.choices)),
            heading=SettingHeading.RESULTS,
        )
    )
    confirm_minutes: int | None = declare_setting(
        Minutes(
            "confirm_minutes",
            None,
            gettext_noop("A report becomes final after"),
            gettext_noop("Minutes without an answer. Empty: only when it is confirmed."),
            heading=SettingHeading.RESULTS,
        )
    )
    scores_needed: bool = declare_setting(
        Flag(
            "scores_needed",
            True,
            gettext_noop("Results need a score"),
            gettext_noop(
                "If not, it is enough to say who won. Such a match counts as won, with no points for or against."
            ),
            heading=SettingHeading.RESULTS,
        ),
        "Without, a result may name the winner alone.",
        "Otherwise a result may name the winner alone.",
    )
    lateness: tuple[Step, ...] = declare_setting(
        Lateness(
            "lateness",
            (),
            gettext_noop("Lateness"),
            gettext_noop("Minutes and penalty points, as in 5: 1, 10: 2, 15: loss. Empty: none."),
            heading=SettingHeading.LATENESS,
        ),
        answer_help="Penalty points by minutes of lateness; null points lose the match.",
        is_shown=True,
    )
    remind_minutes: int | None = declare_setting(
        Minutes(
            "remind_minutes",
            None,
            gettext_noop("Reminder"),
            gettext_noop("Minutes before a deadline."),
            heading=SettingHeading.LATENESS,
        )
    )
    no_show_minutes: int | None = declare_setting(
        Minutes(
            "no_show_minutes",
            None,
            gettext_noop("No-show after"),
            gettext_noop("Minutes after the call. Empty: never automatically."),
            most=600,
            heading=SettingHeading.LATENESS,
        )
    )
    no_show_policy: str = declare_setting(
        Choice(
            "no_show_policy",
            NoShowPolicy.CALL.value,
            gettext_noop("After a no-show"),
            first=NoShowPolicy.CALL.value,
            choices=cast("dict[str, str]", dict(NoShowPolicy.choices)),
            heading=SettingHeading.LATENESS,
        )
    )
    # Its rules are declared in `draw/rules_of_play.py`; a stage, a bracket or a round may change them.
    play: RulesOfPlay = USUAL


def list_declared() -> dict[str, Setting]:
    return list_settings(Settings)


def list_options() -> Specs:
    return {name: each.option for name, each in list_declared().items()}


def list_open_after_draw() -> set[str]:
    """Return the settings that directors can still change after the draw is published."""
    return {name for name, each in list_declared().items() if each.until is SettingDeadline.END}


def read_settings(event: Tournament) -> Settings:
    values = {name: getattr(event, name) for name in list_declared()}
    return Settings(**_parse_values(values), play=RulesOfPlay.from_json(event.play))


def serialize_columns(settings: Settings) -> dict[str, Any]:
    """Convert settings to the event's columns.

    :raises BadOption: a setting cannot have that value.
    """
    values = {each.name: getattr(settings, each.name) for each in fields(settings) if each.metadata}
    return {name: _serialize_value(value) for name, value in _parse_values(values).items()} | {
        "play": settings.play.to_json()
    }


def serialize_public(event: Tournament) -> dict[str, Any]:
    return {
        name: getattr(event, name) for name, each in list_declared().items() if each.answer_help is not None
    }


def _parse_values(values: dict[str, Any]) -> dict[str, Any]:
    known = list_options()
    return {name: value if value is None else known[name].read(value) for name, value in values.items()}


def _serialize_value(value: Any) -> Any:
    return (
        [_serialize_value(one) for one in cast("Sequence[Any]", value)] if isinstance(value, tuple) else value
    )
