"""How times and scores are written on pages, by the server (`static/js/board/clock.js` writes them alike)."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _

DASH: Final = "\N{EN DASH}"

# From here on hours do not matter.
MANY_DAYS: Final = 10


def clock(milliseconds: int) -> str:
    """Return a reserve as the page's script spells it (`static/js/board/clock.js`), to the second.

    >>> clock(541_000), clock(3_723_000), clock(67_320_000), clock(187_200_000), clock(864_000_000)
    ('9:01', '1:02:03', '18:42 h', '2 d 4 h', '10 days')
    """
    seconds = -(-milliseconds // 1000)
    hours, minutes = divmod(milliseconds // 60_000, 60)
    if hours >= 24:
        return _days(*divmod(hours, 24))
    if hours >= 2:
        return _("{time} h").format(time=f"{hours}:{minutes:02}")
    minutes, left = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"


def _days(days: int, hours: int) -> str:
    if days < MANY_DAYS and hours:
        return _("{days} d {hours} h").format(days=days, hours=hours)
    return (_("{n} day") if days == 1 else _("{n} days")).format(n=days)
