"""The product's answers, stored as files, to compare a refactored checkout with an earlier one.

    python -m tests.golden write FOLDER          write every answer of this checkout
    python -m tests.golden compare FOLDER FOLDER print the differences, and exit with 1 if there are any

The answers are those to every GET of `access.csv` for each role in the world of `tests/world.py`, pages and
API, the OpenAPI document, the output of the command lines for `tests/samples`, and the output of `manage.py
verify` for the demo club. The clock is frozen and random numbers are seeded; keys are replaced by the names
of their rows.
"""

from __future__ import annotations

import argparse
import difflib
import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from tests.access import Row

ROOT: Final = Path(__file__).resolve().parent.parent
SAMPLES: Final = Path(__file__).with_name("samples")
NOON: Final = datetime(2026, 5, 1, 12, tzinfo=UTC)
# Printed lines of the difference of a response.
MOST_LINES: Final = 12
# Patterns of values that vary between responses, and their replacements.
VARYING: Final = (
    (re.compile(r'(name="csrfmiddlewaretoken" value=)"[^"]*"'), r'\1"CSRF"'),
    (re.compile(r'("X-CSRFToken": )"[^"]*"'), r'\1"CSRF"'),
    # Keys of objects that a form will create.
    (re.compile(r'(name="key" value=)"[^"]*"'), r'\1"KEY"'),
    (re.compile(r'(<meta name="live" content=)"[^"]*"'), r'\1"TOKEN"'),
    (re.compile(r'(nonce=)"[^"]*"'), r'\1"NONCE"'),
    (re.compile(r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b"), "UUID"),
    # Signed values: a value, a time and a signature.
    (re.compile(r"[\w-]{4,}:[\w-]{5,7}:[\w-]{27,43}"), "SIGNED"),
    (re.compile(r"\b[0-9a-f]{32,64}\b"), "DIGEST"),
    (re.compile(re.escape(tempfile.gettempdir()) + r"/\w+"), "FOLDER"),
)
# Metrics vary; the admin is Django's.
LEFT_OUT: Final = ("admin", "metrics")
# Commands to run on each sample whose name matches; refusals of other file types are recorded, too.
COMMANDS: Final = (
    (("engine", "adjudicate"), "*"),
    (("engine", "show"), "*.mat"),
    (("engine", "convert", "--to", "sgf"), "*.mat"),
    (("draw", "propose"), "*.json"),
    (("rankings", "rate"), "*.json"),
    (("money", "settle"), "*.json"),
    (("venue", "next"), "*.json"),
)


def main(arguments: list[str] | None = None) -> int:
    """Write or compare; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    choices = parser.add_subparsers(dest="act", required=True)
    choices.add_parser("write").add_argument("folder", type=Path)
    comparing = choices.add_parser("compare")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    chosen = parser.parse_args(arguments)
    if chosen.act == "compare":
        lines = list(differences(chosen.before, chosen.after))
        print("\n".join(lines))
        return 1 if lines else 0
    write(chosen.folder)
    return 0


def differences(before: Path, after: Path) -> Iterator[str]:
    """Yield the differences between the responses in two folders."""
    names = sorted({path.name for folder in (before, after) for path in folder.iterdir()})
    for name in names:
        old, new = (folder / name for folder in (before, after))
        if not (old.exists() and new.exists()):
            yield f"{name}: only in {before if old.exists() else after}"
            continue
        changed = difflib.unified_diff(
            old.read_text().splitlines(), new.read_text().splitlines(), lineterm="", n=0
        )
        lines = list(changed)[2:]
        if lines:
            yield f"{name}: {len(lines)} lines"
            yield from (f"    {line[:200]}" for line in lines[:MOST_LINES])


def write(folder: Path) -> None:
    """Write all responses to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for name, text in answers():
        (folder / re.sub(r"[^\w.-]+", "_", name)).write_text(text)
        count += 1
    print(f"{count} answers in {folder}")


def answers() -> Iterator[tuple[str, str]]:
    """Yield (name, response) for all responses."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"DATA_DIR": folder, "DJANGO_SETTINGS_MODULE": "tests.settings"}
        import django

        django.setup()
        yield from pages()
        yield from printed(Path(folder))


def pages() -> Iterator[tuple[str, str]]:
    """Yield the responses of all routes for all roles."""
    import time_machine
    from django.db import transaction
    from django.test import Client
    from django.test.utils import setup_databases, setup_test_environment

    from tests import access
    from tests.world import World

    setup_test_environment()
    setup_databases(verbosity=0, interactive=False)
    with time_machine.travel(NOON, tick=False):
        seed("the world")
        world = World(NOON)
        names = names_of_keys()
        for row, role in asked(access.rows()):
            seed(f"{row.address} {row.case} {role}")
            client = Client(raise_request_exception=False)
            user = world.users[role]
            with transaction.atomic():
                if user is not None:
                    client.force_login(user)
                text = answer(client.get(world.path(row)))
                transaction.set_rollback(True)
            yield f"{row.address} {row.case} {role}", normalised(text, names)


def asked(rows: list[Row]) -> Iterator[tuple[Row, str]]:
    """Yield the GET rows of the table with each role."""
    from tests import access

    for row in rows:
        if row.method == "GET" and not row.address.startswith(LEFT_OUT):
            for role in access.ROLES:
                yield row, role


def answer(response: Any) -> str:
    """Return a response as text: status, redirect, body."""
    head = f"{response.status_code} {response.get('Content-Type', '')} {response.get('Location', '')}\n"
    if response.streaming:
        return head
    text = response.content.decode(errors="replace")
    # One element per line, for readable differences.
    return head + re.sub(r">\s*<", ">\n<", text)


def names_of_keys() -> dict[str, str]:
    """Return a readable name for each key in the database: its model and number."""
    from django.apps import apps

    found: dict[str, str] = {}
    for model in apps.get_models():
        for field in ("key", "uid", "token"):
            if field in {each.name for each in model._meta.get_fields()}:
                for pk, value in model._default_manager.order_by("pk").values_list("pk", field):
                    if value and len(str(value)) > 5:
                        found[str(value)] = f"{model._meta.label_lower}-{pk}"
    return found


def normalised(text: str, names: dict[str, str]) -> str:
    """Replace the parts of a text that differ between runs."""
    for pattern, instead in VARYING:
        text = pattern.sub(instead, text)
    known = re.compile("|".join(map(re.escape, sorted(names, key=len, reverse=True))) or "(?!)")
    return known.sub(lambda found: names[found[0]], text)


def seed(word: str) -> None:
    """Seed all sources of randomness."""
    chance = random.Random(word)
    random.seed(word)
    setattr(random, "_urandom", chance.randbytes)  # noqa: B010 - used by SystemRandom and `secrets`
    setattr(os, "urandom", chance.randbytes)  # noqa: B010


def printed(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the output of the command lines."""
    for command, pattern in COMMANDS:
        for file in sorted(SAMPLES.rglob(pattern)):
            if file.is_file() and file.suffix not in {".py", ".pyc"}:
                yield (
                    f"cli {' '.join(command)} {file.relative_to(SAMPLES)}",
                    run("-m", *command, str(file.relative_to(ROOT))),
                )
    there = {"DATA_DIR": str(folder / "demo"), "DJANGO_SETTINGS_MODULE": "config.settings"}
    run("manage.py", "migrate", "--verbosity", "0", **there)
    run("manage.py", "demo", **there)
    yield "cli verify", re.sub(r"\d+(\.\d+)? m?s\b", "TIME", run("manage.py", "verify", **there))


def run(*words: str, **environment: str) -> str:
    """Run a program with this Python; return its output and exit status."""
    done = subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return f"{done.returncode}\n{done.stdout}"


if __name__ == "__main__":
    if os.environ.get("PYTHONHASHSEED") != "0":
        again = [sys.executable, "-m", "tests.golden", *sys.argv[1:]]
        sys.exit(subprocess.run(again, env=os.environ | {"PYTHONHASHSEED": "0"}, check=False).returncode)
    sys.exit(main())
