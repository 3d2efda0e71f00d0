"""A start on a club's own machine, to its first page."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.runtime.support import ROOT, clean_environment

PREPARED = """
import os
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
import django
django.setup()
from config import preparation
preparation.prepare_all()
"""
A_START = """
import json, os, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
import django
django.setup()
import config.management.commands.serve
from config import asgi, preparation, wsgi
from wsgiref.util import setup_testing_defaults
preparation.prepare_all()
asked, said = {"HTTP_HOST": "localhost"}, []
setup_testing_defaults(asked)
page = b"".join(wsgi.application(asked, lambda status, headers: said.append(status)))
print(json.dumps([said, page.decode(), sorted(sys.modules)]))
"""


@pytest.mark.long
def test_what_streams_read_from_is_known_before_the_first_page(tmp_path: Path) -> None:
    run(tmp_path, PREPARED)
    said, page, loaded = json.loads(run(tmp_path, A_START).splitlines()[-1])
    assert said == ["200 OK"]
    assert "Barpoint" in page
    # Registered before the first stream: after a restart every open page comes back at once.
    assert {"matches.play.sources", "matches.play.presence"} <= set(loaded)


def run(folder: Path, code: str) -> str:
    environment = clean_environment(DATA_DIR=str(folder), SECRET_KEY="a start", LOG_LEVEL="ERROR")
    environment.pop("REDIS_URL", None)
    environment.pop("DATABASE_URL", None)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout
