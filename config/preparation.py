"""Preparation before serving: migrations, shared settings, static files, checks."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from django.conf import settings
from django.core.checks import ERROR, run_checks
from django.core.management import call_command
from django.db import connection
from django.db.migrations.exceptions import NodeNotFoundError
from django.db.utils import OperationalError
from django.utils import timezone

from config import environment
from runtime.install import held_copies, installation
from runtime.install import readiness as database_now
from runtime.install.statics import collect_if_stale


class Refusal(Exception):
    """A reason why a server cannot start; the command shows the message and exits with status 2."""


def prepare_all() -> None:
    """Prepare a single-process installation: migrate, collect static files, run checks."""
    migrate_database()
    join_installation(is_web=True)
    collect_statics()
    import_pages()
    run_system_checks()


def print_step(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def create_data_folder() -> None:
    try:
        Path(settings.DATA_DIR).mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise Refusal(environment.describe_folder_error(Path(settings.DATA_DIR), error)) from None


def migrate_database() -> None:
    """Apply missing migrations; back up an existing SQLite database first."""
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
        print_step("Making the database ...")
    else:
        if connection.vendor == "sqlite":
            print_step("Copying the database ...")
            now = timezone.now()
            name = f"before-upgrade-{now:%Y%m%d-%H%M%S}.sqlite3"
            held_copies.copy_sqlite(Path(settings.DATA_DIR) / "backups" / name, now=now)
        print_step("Bringing the database up to date ...")
    call_command("migrate", interactive=False, verbosity=0)


def prepare_web(*, is_open: bool = False) -> None:
    """Prepare a web process: require a current database, run checks, and collect the static files."""
    require_current_database()
    run_system_checks()
    join_installation(is_web=True)
    collect_statics(is_open=is_open)
    import_pages()


def import_pages() -> None:
    """Import all URLs and views, so that a release with an import error does not start."""
    import_module(settings.ROOT_URLCONF)


def prepare_worker() -> None:
    """Prepare a worker or beat: require a current database and matching settings."""
    require_current_database()
    join_installation(is_web=False)


def join_installation(*, is_web: bool) -> None:
    """Check the settings that all processes of an installation must share."""
    if complaint := installation.join(is_web=is_web, now=timezone.now()):
        raise Refusal(complaint)
    if is_web and held_copies.query_held().exists():
        print_step(
            "This is a copy of a club: no e-mail and no webhook call leaves it. `make unhold` lets them go."
        )


def require_current_database() -> None:
    if wrong := database_now.find_problem():
        raise Refusal(wrong)


def collect_statics(*, is_open: bool = False) -> None:
    collect_if_stale(announce=lambda: print_step("Collecting the static files ..."), is_open=is_open)


def run_system_checks() -> None:
    issues = run_checks(tags=["database", "barpoint"], databases=["default"])
    errors = [issue for issue in issues if issue.level >= ERROR]
    if errors:
        raise Refusal(" ".join(str(issue.msg) for issue in errors))
    for issue in issues:
        if issue.id == "runtime.W004":
            print_step(f"Warning: {issue.msg} {issue.hint}")
