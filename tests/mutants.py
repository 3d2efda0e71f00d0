"""Mutants: the product with one guard of `tests/code_guards.txt` switched off.

python -m tests.mutants [--bites FILE] [WORD ...]    switch off each guard whose name contains a word

First the tests run as usual, to record in which of them each guard refuses something; FILE keeps that for another
run. Then each guard is switched off in turn for these tests, until one fails. That test must pass again with the
guard. Of the test that asks each role at each address, only the addresses run at which the guard refuses.
"""

from __future__ import annotations

import argparse
import builtins
import importlib.machinery
import importlib.util
import json
import signal
import sys
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from types import CodeType, SimpleNamespace
from typing import Any, Final

import pytest
from _pytest.runner import runtestprotocol

from tests import code_guards, drawn, locks

LONG: Final = ("slow", "long")
SERVERS: Final = ("browser", "services", "installation", "contract")
MATRIX: Final = "tests/test_access.py::test_each_role_meets_what_the_table_says"
AT: Final = " ==> "
# Without these, which run no product code or other programs.
OTHERS: Final = ("browser", "contract", "draw", "engine", "samples", "simulation", "test_mutants.py")
# Tests for each guard, and seconds for each test.
MOST, PATIENCE = 60, 60


class _Here(threading.local):
    """What holds in this thread: kinds of guards that are off, and calls of helpers that are under way."""

    def __init__(self) -> None:
        self.waived: Counter[str] = Counter()
        self.using: list[str] = []


here = _Here()
# The guard that is off, the test that runs, and by guard the tests in which it refuses.
off = ""
running = ""
bites: dict[str, dict[str, None]] = defaultdict(dict)


def is_off(name: str) -> bool:
    return name == off or bool(off and here.waived[name.partition(" ")[0]])


def note(name: str) -> None:
    """Record that a guard, and the helpers that called it, had an effect."""
    if not off:
        kind = name.partition(" ")[0]
        for each in (name, *(used for used in here.using if used.startswith(kind))):
            bites[each][running] = None


@contextmanager
def waiving(name: str, by: int = 1) -> Iterator[None]:
    kind = name.partition(" ")[0]
    if name == off:
        here.waived[kind] += by
    here.using.append(name)
    try:
        yield
    finally:
        here.using.pop()
        if name == off:
            here.waived[kind] -= by


# What `code_guards.Marker` calls. Each gets the guard's name, and what is there without it.


def refused(name: str, condition: Any) -> Any:
    if condition:
        note(name)
    return condition and not is_off(name) and condition


def allowed(name: str, answer: Any) -> Any:
    if not answer:
        note(name)
    return answer or is_off(name) or answer


def unlocked(name: str, rows: Any) -> Any:
    note(name)
    return _Unlocked(rows) if is_off(name) else rows


class _Unlocked:
    def __init__(self, rows: Any) -> None:
        self._rows = rows

    def select_for_update(self, **_options: Any) -> Any:
        return self._rows.all()


def skipped(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    note(name)
    return (lambda *_args: None) if is_off(name) else function


def used(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*args: Any, **options: Any) -> Any:
        with waiving(name):
            return function(*args, **options)

    return call


def decorated(name: str, decorate: Callable[..., Any]) -> Callable[..., Any]:
    def decorate_with_switch(view: Callable[..., Any]) -> Callable[..., Any]:
        reached: list[bool] = []

        @wraps(view)
        def inner(*args: Any, **options: Any) -> Any:
            reached.append(True)
            # Within the view, guards are on again.
            with waiving(name, by=-1):
                return view(*args, **options)

        guarded = decorate(inner)

        @wraps(guarded)
        def outer(*args: Any, **options: Any) -> Any:
            if name == off and "_required" in name:
                return view(*args, **options)
            reached.clear()
            try:
                with waiving(name):
                    return guarded(*args, **options)
            finally:
                if not reached:
                    note(name)

        return outer

    return decorate_with_switch


def classes(name: str, kinds: Sequence[type]) -> Sequence[type]:
    return [_switchable(name, kind) for kind in kinds]


def _switchable(name: str, kind: Any) -> type:
    def has_permission(self: Any, request: Any, view: Any) -> Any:
        return allowed(name, kind.has_permission(self, request, view))

    return type(kind.__name__, (kind,), {"has_permission": has_permission})


class Loader(importlib.machinery.SourceFileLoader):
    """Loads a module of the product with a switch at each of its guards."""

    def get_code(self, fullname: str) -> CodeType:
        import ast

        tree = ast.parse(self.get_data(self.path))
        return compile(code_guards.Marker(fullname).visit(tree), self.path, "exec", dont_inherit=True)


class Finder(importlib.machinery.PathFinder):
    """Finds the product's modules."""

    @classmethod
    def find_spec(cls, fullname: str, path: Any = None, target: Any = None) -> Any:
        spec = None
        if fullname.partition(".")[0] in code_guards.PACKAGES:
            spec = super().find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            spec.loader = Loader(spec.loader.name, spec.loader.path)
        return spec


def install() -> None:
    """Put the switches into all modules of the product that are imported from now on."""
    for function in (refused, allowed, unlocked, skipped, used, decorated, classes):
        setattr(builtins, f"__{function.__name__}__", function)
    sys.meta_path.insert(0, Finder)
    locks.CHECKS.holds_long_tests = True


class Runner:
    """A pytest plugin that runs the tests for the record, and then some for each guard."""

    def __init__(self, words: Sequence[str], tests: Sequence[str], record: Path | None) -> None:
        self._words, self._tests, self._record = words, tests, record
        self._nothing = SimpleNamespace()
        self._seconds: dict[str, float] = {}
        self._items: dict[str, pytest.Item] = {}
        self.outcomes: dict[str, str] = {}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Deselect long tests, except for the matrix, the requested tests and those in the table."""
        named = (
            MATRIX,
            *self._tests,
            *(why for why in code_guards.read_table().values() if why.startswith("tests/")),
        )
        items[:] = [
            item
            for item in items
            if not drawn.has_mark(item, SERVERS)
            and (item.nodeid.startswith(named) or not drawn.has_mark(item, LONG))
        ]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run everything; the session's fixtures live until the end."""
        self._items = {item.nodeid: item for item in session.items}
        # Between tests, fixtures of modules end and those of the session do not.
        self._nothing = SimpleNamespace(listchain=lambda: [session])
        self._follow_matrix()
        if self._record is not None and self._record.exists():
            found = json.loads(self._record.read_text())
            bites.update({name: dict.fromkeys(tests) for name, tests in found["bites"].items()})
            self._seconds = found["seconds"]
        else:
            self._record_bites()
        for name in code_guards.list_guards():
            if not self._words or any(word in name for word in self._words):
                self.outcomes[name] = self._switch_off(name)
                print(f"{self.outcomes[name]}: {name}", flush=True)
        session._setupstate.teardown_exact(None)
        return True

    def _follow_matrix(self) -> None:
        """Record the addresses of the matrix one by one."""
        from tests import access, test_access

        meet, self._rows = test_access.meet, access.rows

        def meet_one(world: Any, role: str, row: access.Row) -> str:
            global running
            running = f"{running.partition(AT)[0]}{AT}{row.address} {row.method} {row.case}"
            return meet(world, role, row)

        test_access.meet = meet_one

    def _record_bites(self) -> None:
        for number, nodeid in enumerate(self._items):
            began = time.monotonic()
            if not self._passes(nodeid):
                print(f"fails already: {nodeid}", flush=True)
            self._seconds[nodeid] = time.monotonic() - began
            if number % 200 == 0:
                print(f"{number} of {len(self._items)}", flush=True)
        if self._record is not None:
            found = {name: list(each) for name, each in bites.items()}
            self._record.write_text(json.dumps({"bites": found, "seconds": self._seconds}))

    def _passes(self, test: str) -> bool:
        """True if a test, or an address of the matrix, passes now."""
        global running
        from tests import access

        nodeid, _, address = test.partition(AT)
        running = nodeid
        access.rows = self._rows
        if address:
            rows = [row for row in self._rows() if address == f"{row.address} {row.method} {row.case}"]
            access.rows = lambda: rows
        item = self._items[nodeid]
        with _limited(PATIENCE * 5 if not off else PATIENCE):
            reports = runtestprotocol(item, log=False, nextitem=self._nothing)  # type: ignore[arg-type]
        return not any(report.failed for report in reports)

    def _switch_off(self, name: str) -> str:
        global off
        tests = [test for test in bites.get(name, ()) if test.partition(AT)[0] in self._items]
        for test in self._choose(tests):
            off = name
            try:
                is_noticed = not self._passes(test)
            finally:
                off = ""
            # A test that fails with the guard too says nothing.
            if is_noticed and self._passes(test):
                return f"noticed by {test}"
        return f"missed by {len(tests)}"

    def _choose(self, tests: list[str]) -> list[str]:
        """Return the quickest of each file, then the second of each; addresses of the matrix last."""
        turns: Counter[str] = Counter()
        ranked = []
        for test in sorted(tests, key=lambda test: self._seconds.get(test, 5.0)):
            file = test.partition("::")[0]
            ranked.append((AT in test, turns[file], self._seconds.get(test, 5.0), test))
            turns[file] += 1
        return [test for *_, test in sorted(ranked)[:MOST]]


@contextmanager
def _limited(seconds: int) -> Iterator[None]:
    """Interrupt a test that does not end without a guard."""

    def interrupt(*_signal: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def main(words: list[str]) -> int:
    """Switch off guards in turn and print the outcomes."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutants",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--bites", type=Path, metavar="FILE")
    parser.add_argument(
        "words", nargs="*", metavar="WORD", help="part of a guard's name, or a file of tests/"
    )
    given = parser.parse_args(words)
    tests = [word for word in given.words if word.startswith("tests/")]
    install()
    runner = Runner([word for word in given.words if word not in tests], tests, given.bites)
    options = ["-q", "-n0", "-pno:schemathesis", "-pno:playwright", "-pno:anyio", "-pno:cacheprovider"]
    options += [f"--ignore=tests/{each}" for each in OTHERS]
    pytest.main([*options, *(tests or ["tests"])], plugins=[runner])
    return report(runner.outcomes)


def report(outcomes: dict[str, str]) -> int:
    """Print how many guards of each kind were missed, and those for which the table has no reason."""
    table = code_guards.read_table()
    missed = []
    counts: Counter[str] = Counter()
    for name, outcome in outcomes.items():
        is_argued = table.get(name) and not table[name].startswith("tests/")
        is_noticed = outcome.startswith("noticed")
        counts[
            f"{name.partition(' ')[0]}: {'noticed' if is_noticed else 'argued' if is_argued else 'missed'}"
        ] += 1
        if not is_noticed and not is_argued:
            missed.append(name)
    print(*(f"{what} {count}" for what, count in sorted(counts.items())), sep="\n")
    print(f"missed without a reason: {len(missed)}", *missed, sep="\n    ")
    return 1 if missed or not outcomes else 0


if __name__ == "__main__":
    # The modules of the product call this module, not `__main__`.
    from tests import mutants

    sys.exit(mutants.main(sys.argv[1:]))
