"""Descriptions of clocks, for lists, boards, events and forms.

>>> from engine.clock import MINUTE, SECOND, DelayMethod, TimeControl
>>> describe_clock(TimeControl(DelayMethod.SIMPLE, 10 * MINUTE, 12 * SECOND))
'10 min + 12 s delay'
>>> describe_preset("us-2013")
'2 min a point (1 min less for each point won) + 12 s delay'
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from engine.clock import DAY, MINUTE, PRESETS, SECOND, DelayMethod, Preset, TimeControl
from matches.state.terms import CORRESPONDENCE, HOUR, control_from_json

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


# Names of the presets. The figures come from the presets themselves.
NAMES: Final[Mapping[str, StrOrPromise]] = {
    "blitz": gettext_lazy("Blitz"),
    "fast": gettext_lazy("Fast"),
    "club": gettext_lazy("Club"),
    "slow": gettext_lazy("Slow"),
    "us-2013": gettext_lazy("US rules 2013"),
    "us-2013-doubles": gettext_lazy("US rules 2013, pairs"),
    "unified-2001": gettext_lazy("Unified rules 2001"),
    "correspondence": gettext_lazy("Correspondence"),
}


def describe_terms(terms: Mapping[str, Any]) -> str:
    if terms.get("clock") in PRESETS:
        return describe_preset(str(terms["clock"]))
    return describe_clock(control_from_json(terms.get("control")), limit=terms.get("limit", 0))


def describe_clock(control: TimeControl | None, *, limit: int = 0) -> str:
    """Describe a clock as set for one match; without a clock the limit in days.

    >>> describe_clock(None, limit=14 * DAY), describe_clock(None)
    ('No clock, 14 days a move at most', 'No clock')
    """
    if control is None:
        return (
            _("No clock, %(time)s a move at most") % {"time": format_duration(limit)}
            if limit
            else _("No clock")
        )
    return _describe_with_delay(
        control.timing, format_duration(control.reserve) if control.reserve else "", control.delay
    )


def describe_preset(name: str) -> str:
    preset = PRESETS[name]
    return _describe_with_delay(preset.timing, _describe_reserve(preset), preset.delay)


def describe_per_point(reserve: int, delay: int) -> str:
    """Describe a clock that depends on the length of the match.

    >>> describe_per_point(150 * SECOND, 15 * SECOND)
    '2 min 30 s a point + 15 s delay'
    """
    words = _("%(time)s a point") % {"time": format_duration(reserve)}
    return _describe_with_delay(DelayMethod.SIMPLE, words, delay)


def get_preset_name(preset: str) -> str:
    return _("%(name)s: %(clock)s") % {"name": NAMES[preset], "clock": describe_preset(preset)}


def _describe_reserve(preset: Preset) -> str:
    if not preset.a_point:
        return format_duration(preset.base)
    values = {"time": format_duration(preset.a_point), "less": format_duration(preset.less_a_point_won)}
    if preset.less_a_point_won:
        return _("%(time)s a point (%(less)s less for each point won)") % values
    return _("%(time)s a point") % values


def _describe_with_delay(timing: DelayMethod, reserve: str, delay: int) -> str:
    if not delay:
        return _("%(reserve)s, no delay") % {"reserve": reserve}
    values = {"reserve": reserve, "delay": format_duration(delay)}
    if not reserve:
        return _("%(delay)s a move") % values
    match timing:
        case DelayMethod.FISCHER:
            return _("%(reserve)s + %(delay)s increment") % values
        case DelayMethod.BRONSTEIN:
            return _("%(reserve)s + %(delay)s Bronstein delay") % values
        case _ if delay >= CORRESPONDENCE:
            return _("%(reserve)s + %(delay)s a move") % values
        case _:
            return _("%(reserve)s + %(delay)s delay") % values


def format_duration(milliseconds: int) -> str:
    """Format a duration.

    >>> format_duration(DAY + 90 * SECOND), format_duration(0)
    ('1 day 1 min 30 s', '0 s')
    """
    days, rest = divmod(milliseconds, DAY)
    hours, rest = divmod(rest, HOUR)
    minutes, rest = divmod(rest, MINUTE)
    seconds = rest // SECOND
    found = [ngettext("%(n)s day", "%(n)s days", days) % {"n": days}] if days else []
    found += [_("%(n)s h") % {"n": hours}] if hours else []
    found += [_("%(n)s min") % {"n": minutes}] if minutes else []
    found += [_("%(n)s s") % {"n": seconds}] if seconds or not found else []
    return " ".join(found)


DASH: Final = "\N{EN DASH}"

# From this number of days on, hours are left out.
MANY_DAYS: Final = 10


def format_clock(milliseconds: int) -> str:
    """Format a reserve to the second, as the page's script does (`static/js/board/clock.js`).

    >>> format_clock(541_000), format_clock(3_723_000), format_clock(67_320_000)
    ('9:01', '1:02:03', '18:42 h')
    >>> format_clock(187_200_000), format_clock(864_000_000)
    ('2 d 4 h', '10 days')
    """
    seconds = -(-milliseconds // 1000)
    hours, minutes = divmod(milliseconds // 60_000, 60)
    if hours >= 24:
        days, hours = divmod(hours, 24)
        if days < MANY_DAYS and hours:
            return _("{days} d {hours} h").format(days=days, hours=hours)
        return (_("{n} day") if days == 1 else _("{n} days")).format(n=days)
    if hours >= 2:
        return _("{time} h").format(time=f"{hours}:{minutes:02}")
    minutes, left = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"
