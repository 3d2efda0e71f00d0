"""Deletion of expired rows every ten minutes; other apps add their own pruners."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from django.conf import settings

from runtime import hooks, idempotency, nodes
from runtime.install import mail_folder
from runtime.stream import events
from runtime.work import failures, outbox

if TYPE_CHECKING:
    from datetime import datetime


def prune_all(now: datetime) -> int:
    """Delete expired rows; return their number."""
    import_module(settings.SESSION_ENGINE).SessionStore.clear_expired()
    ours = (outbox, events, idempotency, nodes, failures, mail_folder)
    return sum(prune(now=now) for prune in (*(each.prune for each in ours), *hooks.PRUNERS))
