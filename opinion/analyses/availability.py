"""Availability of analyses on this installation."""

from __future__ import annotations

from functools import cache

from django.conf import settings

from opinion.errors import NoEngine
from opinion.judging import engine_process


def is_enabled() -> bool:
    """True unless the operator switched analyses off."""
    return bool(settings.OPINION)


@cache
def explain_absence() -> str:
    """Return why there is no engine on this machine; "" if there is one."""
    return engine_process.explain_absence()


@cache
def get_engine() -> tuple[str, str]:
    """Return name and version of the engine; empty strings without one."""
    return ("", "") if explain_absence() else engine_process.get_engine()


def is_available() -> bool:
    return not find_obstacle()


def find_obstacle() -> str:
    """Return `off` if analyses are disabled, `absent` without an engine, else ""."""
    if not is_enabled():
        return "off"
    return "absent" if explain_absence() else ""


def require_engine() -> None:
    """Refuse without an engine.

    :raises NoEngine: no engine is installed.
    """
    if not is_available():
        raise NoEngine
