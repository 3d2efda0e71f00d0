"""Names for rows that will meet rows of other installations (docs/adr/0047)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from django.db import models

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.apps.registry import Apps
    from django.db.backends.base.schema import BaseDatabaseSchemaEditor

    Field = models.UUIDField[Any, Any]

# What the API says of it.
ABOUT: Final = "Made with the row, never changed, and the same wherever the row travels."

# A UUID of version 4 in the database's own words, anew for each row.
IN_SQL: Final = {
    "postgresql": "gen_random_uuid()",
    "sqlite": (
        "lower(hex(randomblob(6)) || '4' || substr(hex(randomblob(2)), 2)"
        " || substr('89AB', 1 + (random() & 3), 1) || substr(hex(randomblob(8)), 2))"
    ),
}


def field() -> Field:
    """Return the column: made with the row, never changed, never given twice."""
    return models.UUIDField(default=uuid4, unique=True, editable=False)


def fill(app: str, model: str) -> Callable[[Apps, BaseDatabaseSchemaEditor], None]:
    """Return the step of a migration that names the rows there are: one statement, so no row comes to us."""

    def give(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
        table = editor.quote_name(apps.get_model(app, model)._meta.db_table)  # noqa: SLF001 - Django's own name for it
        editor.execute(f"UPDATE {table} SET uid = {IN_SQL[editor.connection.vendor]} WHERE uid IS NULL")  # noqa: S608

    return give
