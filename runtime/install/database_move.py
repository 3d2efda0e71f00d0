"""The move of a club from SQLite to PostgreSQL, all or nothing.

The copy is one transaction in PostgreSQL. It commits only if every table reads back with the same contents
and `verify` succeeds on both sides. SQLite is locked during the copy and held afterwards, like any copy.
The tables are read row by row as stored, with checksums of their contents; `list_unknown_tables` lists the
tables without a model.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from hashlib import blake2b
from typing import Any, Final

from django.apps import apps
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.db import DEFAULT_DB_ALIAS, Error, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor
from django.db.models import AutoField, Field, JSONField, Model, QuerySet, TextField
from django.db.models.functions import Cast

from runtime import nodes
from runtime.install import held_copies, instance_lock, verifiers

CHUNK: Final = 2_000
# Not copied: each database has its own record of applied migrations.
MIGRATIONS: Final = "django_migrations"
# `migrate` fills these; their IDs may differ between databases.
FILLED_BY_MIGRATE: Final = frozenset({"django_content_type", "auth_permission"})
TARGET: Final = "target"


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


class CannotMove(Exception):
    """The move is not possible and nothing was copied; str() is the reason."""


def move(*, settings_of_target: dict[str, Any], now: datetime, say: Callable[[str], None]) -> int:
    """Copy every row to the database of these settings; return their number.

    :raises CannotMove: the move failed and no rows were copied; empty tables may have been created.
    """
    source = connections[DEFAULT_DB_ALIAS]
    place = _require_source(source)
    try:
        # With Redis, processes do not take the instance lock.
        if alive := nodes.list_living(now=now).first():
            raise CannotMove(
                f"A {alive.role} process ({alive.name}) uses the club's database. Stop it first; if it was killed, wait a minute."
            )
        with register_database(settings_of_target, TARGET) as target:
            _require_empty(target)
            say("Making the tables ...")
            with route_default(target):
                call_command("migrate", interactive=False, verbosity=0)
            # Blocks all writers until the end, so that no row is written after it was copied.
            with transaction.atomic():
                say("Verifying the club here ...")
                _require_no_problems("here")
                moved = _copy_tables(source, target, say=say)
                # Like a backup: opened by mistake, it sends nothing.
                held_copies.hold(now=now)
                return moved
    except Error as error:
        raise CannotMove(f"The database says: {_get_first_line(error)}") from error
    finally:
        place.close()


@contextlib.contextmanager
def register_database(settings: dict[str, Any], alias: str) -> Iterator[BaseDatabaseWrapper]:
    """Register and open another database connection under *alias*."""
    defaults: dict[str, Any] = {
        "ATOMIC_REQUESTS": False, "AUTOCOMMIT": True, "CONN_HEALTH_CHECKS": False, "TIME_ZONE": None,
        "TEST": {}, "CONN_MAX_AGE": None,
    }  # fmt: skip
    connections.settings[alias] = {**settings, **defaults}
    connection = connections[alias]
    try:
        yield connection
    finally:
        connection.close()
        del connections[alias]
        del connections.settings[alias]


def _get_first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".") + "."


@contextlib.contextmanager
def route_default(target: BaseDatabaseWrapper) -> Iterator[None]:
    own = connections[DEFAULT_DB_ALIAS]
    connections[DEFAULT_DB_ALIAS] = target
    ContentType.objects.clear_cache()
    try:
        yield
    finally:
        connections[DEFAULT_DB_ALIAS] = own
        ContentType.objects.clear_cache()


def _require_source(source: BaseDatabaseWrapper) -> Any:
    """Require a migrated SQLite database that no process serves; return the instance lock."""
    if source.vendor != "sqlite":
        raise CannotMove("This club is on PostgreSQL already. DATABASE_URL must not name where it moves to.")
    executor = MigrationExecutor(source)
    if not executor.loader.applied_migrations:
        raise CannotMove(f"There is no club in {source.settings_dict['NAME']}. Is DATA_DIR right?")
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise CannotMove("The club's database is not up to date. Run `make migrate` first, then move.")
    try:
        return instance_lock.claim()
    except instance_lock.AlreadyServed:
        raise CannotMove("The club is open. Stop its server first, then move.") from None


def _require_empty(target: BaseDatabaseWrapper) -> None:
    """Require a reachable database without other tables than empty ones of Barpoint."""
    try:
        target.ensure_connection()
    except Error as error:
        raise CannotMove(f"PostgreSQL does not answer: {_get_first_line(error)}") from None
    if others := list_unknown_tables(target):
        raise CannotMove(f"The database there is not empty: it has a table {others[0]}.")
    there = set(target.introspection.table_names()) - {MIGRATIONS} - FILLED_BY_MIGRATE
    with target.cursor() as cursor:
        for name in sorted(there):
            cursor.execute(f"SELECT EXISTS (SELECT 1 FROM {target.ops.quote_name(name)})")  # noqa: S608
            if cursor.fetchone() == (True,):
                raise CannotMove(f"The database there is not empty: there are rows in {name}.")


def _require_no_problems(where: str) -> None:
    found = [f"{name}: {sentence}" for name, sentence in verifiers.find_problems()]
    if found:
        raise CannotMove(f"`verify` finds {len(found)} broken {where}, the first: {found[0]}")


def _copy_tables(
    source: BaseDatabaseWrapper, target: BaseDatabaseWrapper, *, say: Callable[[str], None]
) -> int:
    everything = list_tables()
    if others := [name for name in list_unknown_tables(source) if not name.startswith("sqlite_")]:
        raise CannotMove(f"Nobody knows what is in the table {others[0]}.")
    with transaction.atomic(using=TARGET):
        _prepare_target(target)
        say(f"Copying {len(everything)} tables ...")
        copied = {table.name: _copy_table(table, target) for table in everything}
        with target.cursor() as cursor:
            # Checked now rather than at commit, so that the error names the row.
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        _set_sequences(everything, source, target)
        say(f"Comparing {sum(each.count for each in copied.values()):,} rows ...")
        for table in everything:
            arrived, read = compute_digest(table, using=TARGET), copied[table.name]
            if arrived != read:
                raise CannotMove(
                    f"{table.name} did not arrive as it is: {read.count:,} rows here, {arrived.count:,} there, and they differ."
                )
        say("Verifying the club there ...")
        with route_default(target):
            _require_no_problems("there")
    with target.cursor() as cursor:
        cursor.execute("ANALYZE")
    return sum(each.count for each in copied.values())


def _prepare_target(target: BaseDatabaseWrapper) -> None:
    """Lift this transaction's timeouts, take the lock, and delete the rows that `migrate` has written."""
    with target.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = 0")
        cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [instance_lock.ADVISORY_KEY])
        if cursor.fetchone() != (True,):
            raise CannotMove("Somebody else uses the database there.")
        for name in sorted(FILLED_BY_MIGRATE):
            cursor.execute(f"DELETE FROM {target.ops.quote_name(name)}")  # noqa: S608


def _copy_table(table: Table, target: BaseDatabaseWrapper) -> Digest:
    """Copy all rows of a table; return the digest of the rows read."""
    from psycopg import sql

    fields = [(table.fields.index(field), field) for field in table.written]
    statement = sql.SQL("COPY {} ({}) FROM STDIN").format(
        sql.Identifier(table.name),
        sql.SQL(", ").join([sql.Identifier(str(field.column)) for _, field in fields]),
    )
    read = Digest()
    try:
        with target.wrap_database_errors, target.cursor() as cursor, cursor.copy(statement) as copy:
            for row in table.rows(DEFAULT_DB_ALIAS):
                read.add(table, row)
                copy.write_row(
                    [
                        row[at] if isinstance(field, JSONField) else field.get_db_prep_save(row[at], target)
                        for at, field in fields
                    ]
                )
    except Error as error:
        raise CannotMove(
            f"A row of {table.name} is refused by PostgreSQL: {_get_first_line(error)}"
        ) from error
    return read


def _set_sequences(everything: list[Table], source: BaseDatabaseWrapper, target: BaseDatabaseWrapper) -> None:
    """Continue each ID sequence where it was, so that IDs of deleted rows are not reused."""
    with source.cursor() as cursor:
        given = dict(cursor.execute("SELECT name, seq FROM sqlite_sequence").fetchall())
    with target.cursor() as cursor:
        for table in everything:
            if table.counter is not None and given.get(table.name):
                cursor.execute(
                    "SELECT setval(pg_get_serial_sequence(%s, %s), %s)",
                    [target.ops.quote_name(table.name), table.counter.column, given[table.name]],
                )
