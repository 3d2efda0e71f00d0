"""What one of several web processes does beside answering: uvicorn starts it, and `config.asgi` calls this."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from typing import TYPE_CHECKING, Final

from django.db import connections
from django.utils import timezone

from config import prepare, serve
from runtime import nodes

if TYPE_CHECKING:
    from runtime.work import sweeps

_tickers: Final[list[sweeps.Ticker]] = []


def begin() -> None:
    """Require what pages need, then beat and watch; a Refusal leaves the process that was to be replaced in its place."""
    prepare.web(is_open=True)
    connections.close_all()
    serve.freeze_imports()
    threading.Thread(target=_end_with_supervisor, name="supervisor", daemon=True).start()
    _tickers.extend(serve.tickers())
    for ticker in _tickers:
        ticker.start()


def end() -> None:
    """Say that this process is no more."""
    for ticker in _tickers:
        ticker.stop()
    if _tickers:
        nodes.sign_off(now=timezone.now())


def _end_with_supervisor() -> None:
    """End where the supervisor was killed: this process would hold the socket, and nobody would replace it."""
    supervisor = multiprocessing.parent_process()
    if supervisor is not None:
        supervisor.join()
        os.kill(os.getpid(), signal.SIGTERM)
