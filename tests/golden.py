"""What the product answers, kept as files, so that a refactoring can be held against what was there before.

    python -m tests.golden write FOLDER          write every answer of this checkout
    python -m tests.golden compare FOLDER FOLDER print what differs, and exit with 1 if anything does

The answers are those to every GET of `access.csv` for each role in the world of `tests/world.py`, pages and API, the OpenAPI
document, what the command lines print about `tests/samples`, and what `manage.py verify` says of the demo club. The clock
stands still and chance is seeded; keys are replaced by what they name.
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
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.access import Row

ROOT: Final = Path(__file__).resolve().parent.parent
SAMPLES: Final = Path(__file__).with_name("samples")
NOON: Final = datetime(2026, 5, 1, 12, tzinfo=UTC)
# Lines of a difference that are printed of one answer.
MOST_LINES: Final = 12
# What is made anew for each answer, and what takes its place.
VARYING: Final = (
    (re.compile(r'(name="csrfmiddlewaretoken" value=)"[^"]*"'), r'\1"CSRF"'),
    (re.compile(r'("X-CSRFToken": )"[^"]*"'), r'\1"CSRF"'),
    # What a form will make has its key already.
    (re.compile(r'(name="key" value=)"[^"]*"'), r'\1"KEY"'),
    (re.compile(r'(<meta name="live" content=)"[^"]*"'), r'\1"TOKEN"'),
    (re.compile(r'(nonce=)"[^"]*"'), r'\1"NONCE"'),
    (re.compile(r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b"), "UUID"),
    # Signed values: something, a time and a signature.
    (re.compile(r"[\w-]{4,}:[\w-]{5,7}:[\w-]{27,43}"), "SIGNED"),
    (re.compile(r"\b[0-9a-f]{32,64}\b"), "DIGEST"),
    (re.compile(re.escape(tempfile.gettempdir()) + r"/\w+"), "FOLDER"),
)
# Of figures of the process nothing is the same twice; the back office is Django's own.
LEFT_OUT: Final = ("admin", "metrics")
# What is run on each sample whose name matches; a file of another kind is refused, which is an answer, too.
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
    """Yield what differs between the answers in two folders."""
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
    """Write every answer into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for name, text in answers():
        (folder / re.sub(r"[^\w.-]+", "_", name)).write_text(text)
        count += 1
    print(f"{count} answers in {folder}")


def answers() -> Iterator[tuple[str, str]]:
    """Yield each answer with its name."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"DATA_DIR": folder, "DJANGO_SETTINGS_MODULE": "tests.settings"}
        import django

        django.setup()
        yield from pages()
        yield from printed(Path(folder))


def pages() -> Iterator[tuple[str, str]]:
    """Yield what each role gets at each address."""
    import time_machine
    from django.db import transaction
    from django.test import Client
    from django.test.utils import setup_databases, setup_test_environment

    from tests import access
    from tests.world import BACKEND, World

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
                    client.force_login(user, backend=BACKEND)
                text = answer(client.get(world.path(row)))
                transaction.set_rollback(True)
            yield f"{row.address} {row.case} {role}", normalised(text, names)


def asked(rows: list[Row]) -> Iterator[tuple[Row, str]]:
    """Yield the rows of the table that are read, with each role."""
    from tests import access

    for row in rows:
        if row.method == "GET" and not row.address.startswith(LEFT_OUT):
            for role in access.ROLES:
                yield row, role


def answer(response: Any) -> str:
    """Return an answer as text: its status, where it leads, and what it says."""
    head = f"{response.status_code} {response.get('Content-Type', '')} {response.get('Location', '')}\n"
    if response.streaming:
        return head
    text = response.content.decode(errors="replace")
    # A line for each element, so that a difference is a line.
    return head + re.sub(r">\s*<", ">\n<", text)


def names_of_keys() -> dict[str, str]:
    """Return what each key in the database names: its model and number."""
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
    """Return a text without what is different in each run."""
    for pattern, instead in VARYING:
        text = pattern.sub(instead, text)
    known = re.compile("|".join(map(re.escape, sorted(names, key=len, reverse=True))) or "(?!)")
    return known.sub(lambda found: names[found[0]], text)


def seed(word: str) -> None:
    """Let everything that is left to chance begin anew."""
    chance = random.Random(word)
    random.seed(word)
    setattr(random, "_urandom", chance.randbytes)  # noqa: B010 - what SystemRandom and `secrets` read
    setattr(os, "urandom", chance.randbytes)  # noqa: B010


def printed(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield what the command lines print."""
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
    """Run a program with this Python; return what it prints and its exit status."""
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
