"""Without schemathesis, which comes with the tools of development, there is nothing here to run."""

from __future__ import annotations

import importlib.util

if importlib.util.find_spec("schemathesis") is None:
    collect_ignore_glob = ["test_*.py"]
