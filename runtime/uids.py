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


def add(app: str, *models: str) -> Callable[[Apps, BaseDatabaseSchemaEditor], None]:
    """Return the step of a migration that names the rows of databases from before; new ones have the column at once.

    One statement a table, so no row comes to us.
    """

    def step(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
        for model in (apps.get_model(app, name) for name in models):
            table = model._meta.db_table  # noqa: SLF001 - Django's own name for it
            if not _has(editor, table):
                _add(editor, model, table)

    return step


def _has(editor: BaseDatabaseSchemaEditor, table: str) -> bool:
    with editor.connection.cursor() as cursor:
        columns = editor.connection.introspection.get_table_description(cursor, table)
    return any(each.name == "uid" for each in columns)


def _add(editor: BaseDatabaseSchemaEditor, model: type[models.Model], table: str) -> None:
    blank: Field = models.UUIDField(null=True)
    full = field()
    for column in (blank, full):
        column.set_attributes_from_name("uid")
        column.model = model
    editor.add_field(model, blank)
    made = IN_SQL[editor.connection.vendor]
    editor.execute(f"UPDATE {editor.quote_name(table)} SET uid = {made}")  # noqa: S608 - nothing of it from outside
    editor.alter_field(model, blank, full)
