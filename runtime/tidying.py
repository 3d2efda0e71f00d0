"""What has had its time is forgotten, every ten minutes; each app says what of its own."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from django.conf import settings

from runtime import failures, idempotency, mail_folder, nodes, outbox
from runtime.stream import events

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

_of_apps: dict[str, Callable[..., int]] = {}


def register(name: str, prune: Callable[..., int]) -> None:
    """Have *prune* called with `now`; it returns how much it forgot."""
    _of_apps[name] = prune


def tidy(now: datetime) -> int:
    """Forget what has had its time."""
    import_module(settings.SESSION_ENGINE).SessionStore.clear_expired()
    ours = (outbox, events, idempotency, nodes, failures, mail_folder)
    return sum(prune(now=now) for prune in (*(each.prune for each in ours), *_of_apps.values()))
