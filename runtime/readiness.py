"""Whether the database answers and is as this version wants it: asked before anybody works with it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.utils import OperationalError

from runtime import squashed

if TYPE_CHECKING:
    from collections.abc import Callable


def complaint() -> str:
    """Say what is wrong with the database; nothing if it can be used."""
    # A pool would try again and again, and warn each time.
    probe = connection.copy()
    probe.settings_dict["OPTIONS"].pop("pool", None)
    try:
        executor = MigrationExecutor(probe)
        if half := squashed.complaint(executor.loader.applied_migrations):
            return half
        missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except OperationalError as error:
        return f"The database does not answer: {error}".strip()
    finally:
        probe.close()
    if not missing:
        return ""
    where = (
        ""
        if settings.DATABASE_URL
        else f" It is {settings.DATABASES['default']['NAME']}: DATABASE_URL is not set."
    )
    return f"The database is not up to date. Run `make migrate` once, then start again.{where}"


def require(say: Callable[[str], object]) -> None:
    """End a command that cannot do its work on this database."""
    if wrong := complaint():
        say(f"barpoint: {wrong}")
        sys.exit(2)
