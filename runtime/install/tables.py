"""Every table of ours, read row by row as stored, and a checksum of its contents.

Whoever copies a database goes by this list: it comes from the models, and `strangers` names what has no model.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

from django.apps import apps
from django.db.models import AutoField, JSONField, QuerySet, TextField
from django.db.models.functions import Cast

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.models import Field, Model

CHUNK: Final = 2_000
# Django's own books: what was applied to a database is said of that database alone.
MIGRATIONS: Final = "django_migrations"
# `migrate` fills these; the numbers in them need not be the same in two databases.
FILLED_BY_MIGRATE: Final = frozenset({"django_content_type", "auth_permission"})


@dataclass(frozen=True, slots=True)
class Table:
    """One table: its model, and the columns that are stored in it."""

    model: type[Model]
    fields: tuple[Field[Any, Any], ...]

    @property
    def name(self) -> str:
        """Return what the database calls it."""
        return self.model._meta.db_table

    @property
    def written(self) -> list[Field[Any, Any]]:
        """Return the columns that are written; the database makes the others itself."""
        return [field for field in self.fields if not field.generated]

    @property
    def counter(self) -> Field[Any, Any] | None:
        """Return the column that the database counts."""
        return next((field for field in self.fields if isinstance(field, AutoField)), None)

    def rows(self, using: str) -> Iterator[tuple[Any, ...]]:
        """Yield every row, a chunk in memory at a time; JSON as the text that is stored."""
        # As text, null in JSON is told from no value at all.
        columns = [
            Cast(field.attname, TextField()) if isinstance(field, JSONField) else field.attname
            for field in self.fields
        ]
        query: QuerySet[Any, Any] = QuerySet(self.model, using=using).order_by().values_list(*columns)
        yield from query.iterator(chunk_size=CHUNK)


def tables() -> list[Table]:
    """Return every table that a model stands for, those between two models included."""
    return [
        Table(model, tuple(model._meta.local_concrete_fields))
        for model in apps.get_models(include_auto_created=True)
        if model._meta.managed and not model._meta.proxy
    ]


def strangers(connection: BaseDatabaseWrapper) -> list[str]:
    """Return the tables of a database that no model stands for."""
    ours = {table.name for table in tables()}
    return sorted(set(connection.introspection.table_names()) - ours - {MIGRATIONS})


class Digest:
    """Counts rows and sums them up, in whatever order they come: equal for equal contents alone."""

    __slots__ = ("_sum", "count")

    def __init__(self) -> None:
        self.count = 0
        self._sum = 0

    def add(self, table: Table, row: tuple[Any, ...]) -> None:
        """Take in one row."""
        plain = [_plain(field, value) for field, value in zip(table.fields, row, strict=True)]
        hashed = blake2b(repr(plain).encode(), digest_size=16).digest()
        self._sum = (self._sum + int.from_bytes(hashed)) % (1 << 128)
        self.count += 1

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Digest) and (self.count, self._sum) == (other.count, other._sum)

    __hash__ = None  # type: ignore[assignment]


def stored(field: Field[Any, Any], value: Any, connection: BaseDatabaseWrapper) -> Any:
    """Return what *connection* writes for a value that was read from another database."""
    return value if isinstance(field, JSONField) else field.get_db_prep_save(value, connection)


def digest(table: Table, *, using: str) -> Digest:
    """Return the digest of all rows of a table."""
    found = Digest()
    for row in table.rows(using):
        found.add(table, row)
    return found


def _plain(field: Field[Any, Any], value: Any) -> object:
    """Return a value as every database would give it."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, (memoryview, bytearray)):
        return bytes(value)
    if value is not None and isinstance(field, JSONField):
        # Keys have no order, and 1e16 is 10000000000000000: PostgreSQL keeps neither as it was written.
        return json.dumps(json.loads(value, parse_float=_number), sort_keys=True, default=str)
    return value


def _number(text: str) -> object:
    number = Decimal(text)
    return int(number) if number == number.to_integral_value() else float(text)
