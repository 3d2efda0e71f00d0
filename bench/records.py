"""How many records a second `manage.py import_records` takes in, with two processes that judge.

    python -m bench.records FOLDER [COPIES]

Each record of the folder is imported so often, with other players each time: no two are the same. A database of its own is made
and removed; DATABASE_URL says where, else it is SQLite.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from engine.cli import sources

COPIES = 10


def main() -> None:
    """Import, and print the figures."""
    folder, copies = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else COPIES
    with tempfile.TemporaryDirectory() as place:
        many = Path(place, "records")
        many.mkdir()
        count = write(folder, many, copies)
        environment = {**os.environ, "DATA_DIR": str(Path(place, "data"))}
        manage = [sys.executable, "manage.py"]
        subprocess.run([*manage, "migrate", "-v0"], check=True, env=environment)
        subprocess.run([*manage, "shell", "-v0", "-c", CLUB], check=True, env=environment)
        began = time.perf_counter()
        with Path(place, "lines").open("wb") as lines:
            subprocess.run(
                [*manage, "import_records", str(many), "--club", "bench"],
                check=True,
                env=environment,
                stdout=lines,
            )
        took = time.perf_counter() - began
        print(f"{count} records in {took:.1f} s: {count / took:.0f} a second, starting included")


CLUB = """
from django.utils import timezone
from players.accounts import accounts
from players.clubs import clubs
now = timezone.now()
owner = accounts.register(email="bench@example.org", password=None, name="Bench", now=now)
club = clubs.create(owner=owner, name="Bench", now=now)
print(club.slug)
"""


def write(folder: str, into: Path, copies: int) -> int:
    """Write each record so often, with a remark that makes it another file; return how many there are."""
    count = 0
    for path in sources.listed([folder]):
        for source in sources.opened(path):
            if not source.name.endswith((".mat", ".txt")):
                continue
            data = source.read()
            for copy in range(copies):
                count += 1
                (into / f"{count:06}.mat").write_bytes(data.rstrip() + b"\n" * (copy + 1))
    return count


if __name__ == "__main__":
    main()
