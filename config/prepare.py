"""What must be true before pages are served: a current database, collected static files."""

from __future__ import annotations

import contextlib
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.checks import ERROR, run_checks
from django.core.management import call_command
from django.db import connection
from django.db.migrations.exceptions import NodeNotFoundError
from django.db.utils import OperationalError
from django.utils import timezone

from config import environment
from config.process import Refusal
from runtime.install import backup, copies, installation
from runtime.install import readiness as database_now
from runtime.install.statics import collect_if_stale

if TYPE_CHECKING:
    from collections.abc import Iterator


def everything() -> None:
    """Bring database and static files up to date and check both."""
    database()
    join(is_web=True)
    statics()
    pages()
    checks()


def say(line: str) -> None:
    """Print what takes a while now, so that nobody looks at an empty screen."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def folder() -> None:
    """Make the folder in which everything is kept."""
    try:
        Path(settings.DATA_DIR).mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise Refusal(environment.describe_folder(Path(settings.DATA_DIR), error)) from None


def database() -> None:
    """Apply the migrations that are missing; copy a club's own file first."""
    try:
        executor = database_now.read_migrations(connection)
    except NodeNotFoundError:
        raise Refusal(database_now.HALF) from None
    except OperationalError as error:
        raise Refusal(f"The database does not answer: {error}".strip()) from None
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if not plan:
        return
    if not executor.loader.applied_migrations:
        say("Making the database ...")
        with _hurried():
            call_command("migrate", interactive=False, verbosity=0)
        return
    if connection.vendor == "sqlite":
        say("Copying the database ...")
        now = timezone.now()
        name = f"before-upgrade-{now:%Y%m%d-%H%M%S}.sqlite3"
        backup.copy_sqlite(Path(settings.DATA_DIR) / "backups" / name, now=now)
    say("Bringing the database up to date ...")
    call_command("migrate", interactive=False, verbosity=0)


@contextlib.contextmanager
def _hurried() -> Iterator[None]:
    """Let SQLite not wait for the disk after each migration while there is nothing yet that could be lost.

    With its write-ahead log the file is sound after a power cut all the same, and goes on where it was.
    """
    if connection.vendor != "sqlite":
        yield
        return
    with connection.cursor() as cursor:
        before = cursor.execute("PRAGMA synchronous").fetchone()[0]
        cursor.execute("PRAGMA synchronous = NORMAL")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA synchronous = {before}")


def web(*, is_open: bool = False) -> None:
    """Require a current database, and collect the static files; others may be serving them."""
    current()
    join(is_web=True)
    statics(is_open=is_open)
    pages()


def pages() -> None:
    """Load the addresses and every view, so that a release with a broken one is never served."""
    import_module(settings.ROOT_URLCONF)


def part() -> None:
    """Require what one part of the installation finds made by others."""
    current()
    join(is_web=False)


def join(*, is_web: bool) -> None:
    """Require what all processes of an installation must have in common."""
    if complaint := installation.join(is_web=is_web, now=timezone.now()):
        raise Refusal(complaint)
    if is_web and copies.held().exists():
        say("This is a copy of a club: no e-mail and no webhook call leaves it. `make unhold` lets them go.")


def current() -> None:
    """Require a database that answers, and is up to date."""
    if wrong := database_now.complaint():
        raise Refusal(wrong)


def statics(*, is_open: bool = False) -> None:
    """Collect the static files unless they are current."""
    collect_if_stale(announce=lambda: say("Collecting the static files ..."), is_open=is_open)


def checks() -> None:
    """Run the checks that ask the database, and stop at an error."""
    issues = run_checks(tags=["database", "barpoint"], databases=["default"])
    errors = [issue for issue in issues if issue.level >= ERROR]
    if errors:
        raise Refusal(" ".join(str(issue.msg) for issue in errors))
    for issue in issues:
        if issue.id == "runtime.W004":
            say(f"Warning: {issue.msg} {issue.hint}")
