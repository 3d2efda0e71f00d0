"""What Celery's worker and beat do for us besides tasks: refuse a wrong installation, say that they are alive, stand in."""

from __future__ import annotations

import os
import sys
from typing import Final, Literal

from django.conf import settings
from django.db import DatabaseError, connection
from django.utils import timezone

from config import prepare as preparation
from config.process import Refusal
from runtime import failure_log, nodes
from runtime.work import sweeps
from runtime.work.poller import Poller

Role = Literal["worker", "beat"]

_tickers: Final[list[sweeps.Ticker]] = []


def prepare(role: Role) -> None:
    """End the process with a sentence if it cannot work here."""
    try:
        if not settings.REDIS_URL:
            raise Refusal(
                f"A {role} needs REDIS_URL: without it `make run` does the background work in the web process."
            )
        preparation.folder()
        preparation.part()
    except Refusal as refusal:
        sys.stderr.write(f"barpoint: {refusal}\n")
        sys.exit(2)
    # Letters and exports are nobody else's to read.
    os.umask(0o077)
    # One connection each: forked children must not share a pool's.
    connection.settings_dict["OPTIONS"].pop("pool", None)


def start(role: Role) -> None:
    """Begin to say that this process is alive; a worker also runs what nobody else does."""
    _tickers.append(sweeps.Ticker("poller", Poller(nodes.Heart(role)).tick))
    if role == "worker":
        _tickers.append(sweeps.Ticker("watch", sweeps.StandIn().tick, every=sweeps.WATCH_SECONDS))
    for ticker in _tickers:
        ticker.start()


def stop() -> None:
    """End what was started, and take back the promise of the next heartbeat."""
    for ticker in _tickers:
        ticker.stop()
    try:
        nodes.sign_off(now=timezone.now())
    except DatabaseError as error:
        failure_log.DATABASE.fail(error)
