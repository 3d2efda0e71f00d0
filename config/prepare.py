"""What must be true before the doors open: a current database, collected static files."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.core.checks import ERROR, run_checks
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.utils import OperationalError
from django.utils import timezone

from config.refusal import Refusal
from runtime import backup
from runtime.statics import collect_if_stale


def everything() -> None:
    """Bring database and static files up to date and check both."""
    Path(settings.DATA_DIR).mkdir(mode=0o700, parents=True, exist_ok=True)
    database()
    statics()
    checks()


def database() -> None:
    """Apply the migrations that are missing; copy a club's own file first."""
    try:
        executor = MigrationExecutor(connection)
    except OperationalError as error:
        raise Refusal(f"The database does not answer: {error}".strip()) from None
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if not plan:
        return
    if connection.vendor == "sqlite" and executor.loader.applied_migrations:
        stamp = timezone.now().strftime("%Y%m%d-%H%M%S")
        backup.copy_sqlite(Path(settings.DATA_DIR) / "backups" / f"before-upgrade-{stamp}.sqlite3")
    call_command("migrate", interactive=False, verbosity=0)


def statics() -> None:
    """Collect the static files unless they are current."""
    collect_if_stale()


def checks() -> None:
    """Run the checks that ask the database, and stop at an error."""
    errors = [
        issue
        for issue in run_checks(tags=["database", "barpoint"], databases=["default"])
        if issue.level >= ERROR
    ]
    if errors:
        raise Refusal(" ".join(str(issue.msg) for issue in errors))
