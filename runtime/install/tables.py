"""All tables of the models, read row by row as stored, and checksums of their contents.

Used for copying a database. `list_unknown_tables` lists the tables without a model.
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
# Not copied: each database has its own record of applied migrations.
MIGRATIONS: Final = "django_migrations"
# `migrate` fills these; their IDs may differ between databases.
FILLED_BY_MIGRATE: Final = frozenset({"django_content_type", "auth_permission"})


@dataclass(frozen=True, slots=True)
class Table:
    model: type[Model]
    fields: tuple[Field[Any, Any], ...]

    @property
    def name(self) -> str:
        return self.model._meta.db_table

    @property
    def written(self) -> list[Field[Any, Any]]:
        """The fields to write, without generated columns."""
        return [field for field in self.fields if not field.generated]

    @property
    def counter(self) -> Field[Any, Any] | None:
        return next((field for field in self.fields if isinstance(field, AutoField)), None)

    def rows(self, using: str) -> Iterator[tuple[Any, ...]]:
        """Iterate over all rows in chunks; JSON as stored text."""
        # As text, JSON null differs from SQL NULL.
        columns = [
            Cast(field.attname, TextField()) if isinstance(field, JSONField) else field.attname
            for field in self.fields
        ]
        query: QuerySet[Any, Any] = QuerySet(self.model, using=using).order_by().values_list(*columns)
        yield from query.iterator(chunk_size=CHUNK)


def list_tables() -> list[Table]:
    """Return the tables of all managed models, including many-to-many tables."""
    return [
        Table(model, tuple(model._meta.local_concrete_fields))
        for model in apps.get_models(include_auto_created=True)
        if model._meta.managed and not model._meta.proxy
    ]


def list_unknown_tables(connection: BaseDatabaseWrapper) -> list[str]:
    ours = {table.name for table in list_tables()}
    return sorted(set(connection.introspection.table_names()) - ours - {MIGRATIONS})


@dataclass(slots=True)
class Digest:
    """Row count and order-independent checksum of rows."""

    count: int = 0
    checksum: int = 0

    def add(self, table: Table, row: tuple[Any, ...]) -> None:
        plain = [_normalize_value(field, value) for field, value in zip(table.fields, row, strict=True)]
        hashed = blake2b(repr(plain).encode(), digest_size=16).digest()
        self.checksum = (self.checksum + int.from_bytes(hashed)) % (1 << 128)
        self.count += 1


def compute_digest(table: Table, *, using: str) -> Digest:
    found = Digest()
    for row in table.rows(using):
        found.add(table, row)
    return found


def _normalize_value(field: Field[Any, Any], value: Any) -> object:
    """Normalize a value, so that it is the same in every database."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, (memoryview, bytearray)):
        return bytes(value)
    if value is not None and isinstance(field, JSONField):
        # PostgreSQL preserves neither the order of keys nor the notation of numbers (1e16).
        return json.dumps(json.loads(value, parse_float=_parse_number), sort_keys=True, default=str)
    return value


def _parse_number(text: str) -> object:
    number = Decimal(text)
    return int(number) if number == number.to_integral_value() else float(text)
