"""What is run by itself can be imported before Django is set up: what measures the product, and the tools of the tests."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FILES = [
    *(ROOT / "bench").glob("*.py"),
    *(
        path
        for path in (ROOT / "tests").rglob("*.py")
        if 'if __name__ == "__main__"' in path.read_text("utf-8")
    ),
]
MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in FILES
    if not path.name.startswith("test_")
)
# Each in a process without the others: some of them set Django up.
CODE = f"""
import importlib, os, sys
for name in {MODULES}:
    if not (child := os.fork()):
        importlib.import_module(name)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0, name
"""


@pytest.mark.long
def test_every_tool_can_be_imported() -> None:
    pytest.importorskip("playwright", reason="some look at pages: the tools of development are not installed")
    told = subprocess.run([sys.executable, "-c", CODE], cwd=ROOT, capture_output=True, text=True, check=False)

    assert told.returncode == 0, told.stderr
