"""Heavy computation in separate processes, so that pages stay quick.

If web server and worker share one process, a long calculation in a worker thread would hold the interpreter
lock, so it runs in niced processes. Background work has a separate process, so that pairings and
verdicts do not wait for it. In a Celery worker the computation is a plain call.
"""

from __future__ import annotations

import atexit
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Final, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

NICENESS = 10
BACKGROUND_NICENESS = 19

_is_shared = False


def enable_pools() -> None:
    """Use other processes from now on, because this one serves pages."""
    global _is_shared  # noqa: PLW0603
    _is_shared = True


def run(fn: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return ``fn(*args, **kwargs)``, in another process if pools are enabled.

    *fn* must be importable by name and touch no database.
    """
    return _SUMS.run(fn, *args, **kwargs) if _is_shared else fn(*args, **kwargs)


def run_in_background(fn: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run *fn* like `run`, for background work: one call at a time, at the lowest priority."""
    return _BACKGROUND.run(fn, *args, **kwargs) if _is_shared else fn(*args, **kwargs)


class Pool:
    """A process pool of one niceness, started on first use."""

    def __init__(self, workers: int, niceness: int) -> None:
        self._workers = workers
        self._niceness = niceness
        self._lock = threading.Lock()
        self.executor: ProcessPoolExecutor | None = None

    def run(self, fn: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        with self._lock:
            if self.executor is None:
                self.executor = ProcessPoolExecutor(
                    max_workers=self._workers,
                    # A forked child would inherit sockets, locks and database connections.
                    mp_context=multiprocessing.get_context("spawn"),
                    initializer=_initialize_child,
                    initargs=(self._niceness,),
                )
                atexit.register(self.close)
            executor = self.executor
        try:
            return executor.submit(fn, *args, **kwargs).result()
        except BrokenProcessPool:
            # A child was killed, perhaps for its memory: this call fails, the next one gets a new pool.
            with self._lock:
                if self.executor is executor:
                    self.executor = None
            raise

    def close(self) -> None:
        """End the processes and drop queued calls (their outbox rows remain)."""
        with self._lock:
            executor, self.executor = self.executor, None
        if executor is not None:
            processes = list((executor._processes or {}).values())  # noqa: SLF001 - no public way to end a running call
            executor.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.terminate()


def _initialize_child(niceness: int) -> None:
    """Initialize a child: niced, ignoring Ctrl-C, and ending together with its parent."""
    os.nice(niceness)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


_SUMS: Final = Pool(max(1, (os.cpu_count() or 2) - 1), NICENESS)
_BACKGROUND: Final = Pool(1, BACKGROUND_NICENESS)


def close() -> None:
    for pool in (_SUMS, _BACKGROUND):
        pool.close()
