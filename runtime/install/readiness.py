"""Checks before a command or server starts that the database is reachable and migrated."""

from __future__ import annotations

import sys
from collections.abc import Callable

from django.conf import settings
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.exceptions import NodeNotFoundError
from django.db.migrations.executor import MigrationExecutor
from django.db.utils import OperationalError

# The last version with the single migrations that each app's `0001_first_release` replaces.
LAST_BEFORE = "6b062655"
HALF = (
    "The database is from before the first release, and was not brought up to date then. "
    f"Run `git checkout {LAST_BEFORE} && make migrate` once, then return to this version."
)


def read_migrations(connection: BaseDatabaseWrapper) -> MigrationExecutor:
    """Load the migrations of this version and the record of those applied to a database.

    :raises NodeNotFoundError: only some of the migrations that a `0001_first_release` replaces were applied. Django
        itself raises it only if another migration depends on that one.
    """
    executor = MigrationExecutor(connection)
    loader = executor.loader
    if half := loader.replacements.keys() - loader.graph.nodes.keys():
        raise NodeNotFoundError(HALF, min(half))
    return executor


def find_problem() -> str:
    """Return an error message if the database cannot be used, else ""."""
    # A pool would retry and log a warning each time.
    probe = connection.copy()
    probe.settings_dict["OPTIONS"].pop("pool", None)
    try:
        executor = read_migrations(probe)
        missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except NodeNotFoundError:
        return HALF
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


def require_database(say: Callable[[str], object]) -> None:
    """Exit with status 2 if the database cannot be used."""
    if wrong := find_problem():
        say(f"barpoint: {wrong}")
        sys.exit(2)
