"""Heavy computation, in processes of its own so that pages stay quick.

Where web server and worker share one process, a long calculation in a worker thread would hold
the interpreter; it then goes to a pool of niced processes. In a worker of its own it is a plain call.
"""

from __future__ import annotations

import atexit
import multiprocessing
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
T = TypeVar("T")

NICENESS = 10

_lock = threading.Lock()
_pool: ProcessPoolExecutor | None = None
_is_shared = False


def share_process_with_pages() -> None:
    """Say that pages are served by this process, so that sums must leave it."""
    global _is_shared  # noqa: PLW0603
    _is_shared = True


def run(fn: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return ``fn(*args, **kwargs)``; *fn* must be importable by name and touch no database."""
    if not _is_shared:
        return fn(*args, **kwargs)
    pool = _the_pool()
    try:
        return pool.submit(fn, *args, **kwargs).result()
    except BrokenProcessPool:
        # A child was killed, perhaps for its memory: this sum failed, the next gets a new pool.
        _forget(pool)
        raise


def wake(fn: Callable[[], object]) -> None:
    """Begin the processes that are soon needed, where there are any, and have them load what *fn* needs; nobody waits."""
    if _is_shared:
        _the_pool().submit(fn)


def _the_pool() -> ProcessPoolExecutor:
    global _pool  # noqa: PLW0603
    with _lock:
        if _pool is None:
            _pool = ProcessPoolExecutor(
                max_workers=max(1, (os.cpu_count() or 2) - 1),
                # A forked child would inherit sockets, locks and database connections.
                mp_context=multiprocessing.get_context("spawn"),
                initializer=_behave,
            )
            atexit.register(close)
        return _pool


def _behave() -> None:
    """Begin a child: polite, deaf to the terminal's Ctrl-C, and gone when its server is gone."""
    os.nice(NICENESS)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _forget(pool: ProcessPoolExecutor) -> None:
    global _pool  # noqa: PLW0603
    with _lock:
        if _pool is pool:
            _pool = None


def close() -> None:
    """End the pool; what has not begun is dropped (the outbox still holds it)."""
    global _pool
    with _lock:
        pool, _pool = _pool, None
    if pool is not None:
        processes = list((pool._processes or {}).values())  # noqa: SLF001 - no public way to end a running sum
        pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()
