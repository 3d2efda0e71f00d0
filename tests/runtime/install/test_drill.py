"""The restore drill of docs/operations.md, with its commands exactly as written."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from django.db import connections

from runtime.install import installation
from runtime.models import Installation
from tests.runtime.premises import ALIAS, Premises
from tests.runtime.support import ROOT, clean_environment
from tests.services import free_port

pytestmark = pytest.mark.slow
PAGE = (ROOT / "docs" / "operations.md").read_text()
DRILL = PAGE.partition("### A drill\n")[2].partition("\n## ")[0]
ON_SQLITE, ON_POSTGRESQL = re.findall(r"^```sh\n(.*?)^```", DRILL, re.M | re.S)
# Opens the copy as `make run` does, looks at a page as a visitor, and presses Ctrl-C.
LOOK_AROUND = """
import os, signal, subprocess, sys
from tests.runtime.support import answers, get, until
port = int(os.environ["PORT"])
server = subprocess.Popen(["make", "run"], start_new_session=True)
until(lambda: answers(port) or server.poll() is not None)
status, page, _ = get(port, "/clubs/")
os.killpg(server.pid, signal.SIGINT)
server.wait(60)
sys.exit(status != 200)
"""


def typed(block: str, env: dict[str, str], **instead: str) -> str:
    """Type the lines of a block; return what was printed."""
    for there, here in {"make run": f'{sys.executable} -c "$LOOK"', **instead}.items():
        assert there in block
        block = block.replace(there, here)
    done = subprocess.run(
        ["sh", "-ec", block],
        cwd=ROOT,
        env={**env, "LOOK": LOOK_AROUND, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_drill_on_sqlite(premises: Premises, tmp_path: Path) -> None:
    Installation.objects.using(ALIAS).create(
        pk=1, key=installation.compute_fingerprint("the key of the club")
    )
    kept = tmp_path / "kept"
    kept.mkdir()
    assert premises.run("backup", str(kept / "barpoint-2026-11-20.sqlite3")).returncode == 0
    (kept / "secret_key").write_text("the key of the club")
    drill = tmp_path / "drill"
    port = str(free_port())
    said = typed(
        ON_SQLITE, clean_environment(), **{"/tmp/drill": str(drill), "/srv/backup": str(kept), "8001": port}
    )
    assert "All well" in said
    assert "This is a copy of a club" in said
    assert f"Everything is kept in {drill}" in said
    assert not drill.exists()


@pytest.mark.services
def test_a_drill_on_postgresql(apart: Premises, tmp_path: Path) -> None:
    assert apart.open("serve", "web").stop() == 0
    kept = tmp_path / "kept"
    kept.mkdir()
    whole = urlsplit(apart.env["DATABASE_URL"])
    dump = ["pg_dump", "-Fc", f"--file={kept / 'barpoint-2026-11-20.dump'}", whole.geturl()]
    subprocess.run(dump, check=True)
    (kept / "secret_key").write_text(apart.env["SECRET_KEY"])
    name = f"drill_{uuid4().hex[:6]}"
    server = {
        "PGHOST": str(whole.hostname),
        "PGPORT": str(whole.port),
        "PGUSER": str(whole.username),
        "DATA_DIR": str(tmp_path / "var"),
        "STATIC_ROOT": apart.env["STATIC_ROOT"],
    }
    instead = {
        "postgres://barpoint:password@localhost/drill": whole._replace(path=f"/{name}").geturl(),
        "createdb -O barpoint drill": f"createdb -O {whole.username} {name}",
        "-d drill": f"-d {name}",
        "--role=barpoint": f"--role={whole.username}",
        "dropdb drill": f"dropdb {name}",
        "/srv/backup": str(kept),
        "8001": str(free_port()),
    }
    try:
        said = typed(ON_POSTGRESQL, clean_environment(**server), **instead)
    finally:
        connections[ALIAS].close()
        with suppress(subprocess.CalledProcessError):
            subprocess.run(["dropdb", "--if-exists", "--force", name], env={**os.environ, **server})
    assert "All well" in said
    assert "This is a copy of a club" in said
    assert f"Everything is kept in the database {name} on {whole.hostname}" in said
