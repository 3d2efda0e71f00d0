"""Which work may wait for other work, in the installation as a whole."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from opinion.analyses import availability
from runtime.models import Queue
from runtime.work import sweeps
from tests.inputs import PACKAGES, ROOT
from tests.runtime.support import python

# A person waits for these: verdicts and pairings (in the outbox, and lost ones), and a visitor's end is
# quick.
QUICK = {"outbox-slow", "tournaments.rounds", "matches.visitors"}


def test_whatever_takes_long_leaves_a_thread_to_verdicts_and_pairings() -> None:
    slow = [sweep for sweep in sweeps.list_sweeps() if sweep.queue == Queue.SLOW]
    assert {sweep.name for sweep in slow if not sweep.is_background} <= QUICK
    assert {"rankings.rebuild", "rankings.dated", "records.archive", "venue.rehearsals"} <= {
        sweep.name for sweep in slow
    }
    assert ("opinion.analyses" in {sweep.name for sweep in slow}) == availability.is_available()


def calls_of_the_pool() -> Iterator[tuple[str, ast.expr]]:
    """Yield each module that has a sum worked out in another process, with the name of what works it out."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call) and ast.unparse(node.func) in {
                    "cpu.run",
                    "cpu.run_in_background",
                }:
                    yield ".".join(path.relative_to(ROOT).with_suffix("").parts), node.args[0]


@pytest.mark.long
@pytest.mark.share
def test_what_another_process_works_out_is_loaded_there_without_django() -> None:
    """It is begun with nothing set up: a function beside a model ends it, and the sum fails each time."""
    found = set()
    for module, name in calls_of_the_pool():
        function = eval(ast.unparse(name), vars(import_module(module)))
        found.add(function.__module__)
    assert len(found) >= 5

    code = (
        f"import sys\nfor name in {sorted(found)}: __import__(name)\nsys.exit('django.apps' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, timeout=60)


@pytest.mark.long
@pytest.mark.share
def test_a_worker_that_starts_knows_its_tasks(tmp_path: Path) -> None:
    """In its own process: here the tests have imported them already."""
    code = "from config.celery import app; app.loader.import_default_modules(); print(*sorted(app.tasks))"
    done = python(code, DATA_DIR=str(tmp_path))
    assert {"runtime.deliver", "runtime.sweep"} <= set(done.stdout.split()), done.stderr
