"""Whether matches are analysed on this installation."""

from __future__ import annotations

from functools import cache

from django.conf import settings

from opinion.judging import child


def is_wanted() -> bool:
    """Is it not switched off?"""
    return bool(settings.OPINION)


@cache
def why_not() -> str:
    """Return why there is no engine on this machine; "" if there is one."""
    return child.why_not()


@cache
def engine() -> tuple[str, str]:
    """Return the engine of this machine and its version; nothing where there is none."""
    return ("", "") if why_not() else child.engine()


def is_on() -> bool:
    """Are matches analysed here?"""
    return is_wanted() and not why_not()
