"""What measures the product imports what there is: a name that has changed is seen before the day on which something is measured."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MODULES = sorted(f"bench.{path.stem}" for path in (ROOT / "bench").glob("*.py"))


@pytest.mark.long
def test_every_bench_can_be_imported() -> None:
    pytest.importorskip("playwright", reason="some look at pages: the tools of development are not installed")
    # In its own process: some of them set up applications.
    code = f"import importlib\nfor each in {MODULES}: importlib.import_module(each)"
    told = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)

    assert told.returncode == 0, told.stderr
