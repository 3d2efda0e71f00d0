"""Texts of the clock of a score sheet."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from draw.rules_of_play import RulesOfPlay
from records.sheets.table_clock import PRESS, START, TableClock

SECOND: Final = 1000


@dataclass(frozen=True, slots=True)
class ClockFace:
    side: str
    name: str
    reserve: str
    # Seconds left of the turn's delay; 0 if none is running.
    free: int
    has_turn: bool
    is_running: bool
    is_fallen: bool
    # What a tap does, "" if nothing.
    do: str

    @property
    def classes(self) -> str:
        state = "is-fallen" if self.is_fallen else "is-running" if self.is_running else ""
        return " ".join(
            filter(None, (f"clock-half--{self.side}", "has-turn" if self.has_turn else "", state))
        )

    @classmethod
    def build(cls, clock: TableClock, side: str, name: str, at: int) -> ClockFace:
        """Build the face of one side at a moment, in milliseconds since 1970."""
        reserve, free = clock.shown(side, at)
        has_turn, is_fallen = clock.turn == side, clock.fallen(at) == side
        runs = has_turn and clock.is_running
        do = "" if clock.turn else START
        if runs and not is_fallen:
            do = PRESS
        shown = format_reserve(reserve)
        return cls(side, name, shown, -(-free // SECOND) if has_turn else 0, has_turn, runs, is_fallen, do)


def to_milliseconds(when: datetime) -> int:
    return round(when.timestamp() * SECOND)


def format_reserve(reserve: int) -> str:
    """Format milliseconds like a clock; partial seconds are rounded up.

    >>> format_reserve(600_000), format_reserve(59_001), format_reserve(3_723_000)
    ('10:00', '1:00', '1:02:03')
    """
    seconds = -(-reserve // SECOND)
    hours, minutes = seconds // 3600, seconds // 60 % 60
    return f"{hours}:{minutes:02}:{seconds % 60:02}" if hours else f"{minutes}:{seconds % 60:02}"


def build_script_texts(play: RulesOfPlay) -> dict[str, str]:
    return {
        "flag": " ".join((_("%(name)s has run out of time."), describe_penalty(play))),
        "begins": _("%(name)s begins"),
        "press": _("Tap to end your turn"),
        "toPlay": _("to play"),
        "out": _("time is out"),
        "pause": _("Pause the clock"),
        "resume": _("Let the clock run on"),
        "renew": _("Give half the time back and go on"),
    }


def describe_penalty(play: RulesOfPlay) -> str:
    if not play.flag_points:
        return _("By the rules of the event, this loses the match: call the director.")
    sentence = ngettext(
        "By the rules of the event, this costs %(points)s point, which the director enters, and half the time "
        "is given back.",
        "By the rules of the event, this costs %(points)s points, which the director enters, and half the "
        "time is given back.",
        play.flag_points,
    )
    return sentence % {"points": play.flag_points}
