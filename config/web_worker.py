"""Start and end of one of several web processes; called by `config.asgi`."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from typing import TYPE_CHECKING, Final

from django.db import connections
from django.utils import timezone

from config import preparation, servers
from runtime import nodes

if TYPE_CHECKING:
    from runtime.work import sweeps

_tickers: Final[list[sweeps.Ticker]] = []


def begin() -> None:
    """Check the installation, then start the tickers.

    On a Refusal, uvicorn keeps the process that was to be replaced.
    """
    preparation.prepare_web(is_open=True)
    connections.close_all()
    servers.freeze_imports()
    threading.Thread(target=_end_with_supervisor, name="supervisor", daemon=True).start()
    _tickers.extend(servers.build_tickers())
    for ticker in _tickers:
        ticker.start()


def end() -> None:
    """Stop the tickers and sign off the node."""
    for ticker in _tickers:
        ticker.stop()
    if _tickers:
        nodes.deregister(now=timezone.now())


def _end_with_supervisor() -> None:
    """End if the supervisor was killed; this process would keep the socket and never be replaced."""
    supervisor = multiprocessing.parent_process()
    if supervisor is not None:
        supervisor.join()
        os.kill(os.getpid(), signal.SIGTERM)
