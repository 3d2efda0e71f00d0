"""What a club's own machine loads before its first page."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.runtime.support import ROOT, clean_environment

A_START = """
import json, os, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
import django
django.setup()
import config.asgi, config.management.commands.serve, config.urls
print(json.dumps(sorted(sys.modules)))
"""


@pytest.mark.long
def test_a_start_loads_neither_redis_nor_what_reads_the_records_of_others(tmp_path: object) -> None:
    environment = clean_environment(DATA_DIR=str(tmp_path), SECRET_KEY="a start")
    environment.pop("REDIS_URL", None)
    done = subprocess.run(
        [sys.executable, "-c", A_START], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    loaded = set(json.loads(done.stdout.splitlines()[-1]))
    assert "tournaments.urls" in loaded
    assert loaded & {"redis", "engine.formats.table", "engine.formats.sgf", "engine.formats.mat"} == set()
