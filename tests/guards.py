"""The guards of the database: unique constraints, unique fields and check constraints, each shown to refuse.

python -m tests.guards [WORD ...]    remove each guard whose name contains a word; no row may then be refused for it

For each guard the tests search for rows: some that the database accepts, and one that breaks this guard. The rows have
no parents: foreign keys are checked when a transaction ends, and each of these is rolled back.
"""

from __future__ import annotations

import contextlib
import copy
import os
import random
import re
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db.models import BaseConstraint, Field, Model, Q

Row = dict[str, Any]

NAMES: Final = Path(__file__).parent / "guards.txt"
# Packages that are not ours.
FOREIGN: Final = frozenset({"admin", "auth", "contenttypes", "sessions", "sites", "account", "mfa"})
TRIES: Final = 500
# With a guard removed, the search tries at least this many rows, and twice as many as with the guard.
FEW: Final = 60
MISSED: Final = "missed once removed"
HIDDEN: Final = "hidden by another guard"
MOMENT: Final = datetime(2026, 3, 5, 19, 0, tzinfo=UTC)
# How SQLite names what a row breaks: by an index or a constraint, or by columns.
REFUSAL: Final = re.compile(r"^(UNIQUE|CHECK|NOT NULL) constraint failed: (?:index '(\w+)'|(.+))$")
KINDS: Final = {"23502": "NOT NULL", "23505": "UNIQUE", "23514": "CHECK"}


class Guard(NamedTuple):
    """A constraint of a model, or a unique field."""

    name: str
    model: type[Model]
    constraint: BaseConstraint | None = None
    field: Field[Any, Any] | None = None


def list_guards() -> Iterator[Guard]:
    """Yield the guards of our models."""
    from django.apps import apps

    for model in apps.get_models():
        meta = model._meta
        if meta.app_label in FOREIGN or meta.proxy or not meta.managed:
            continue
        for constraint in meta.constraints:
            yield Guard(f"{meta.app_label}.{constraint.name}", model, constraint)
        for field in meta.local_fields:
            if field.unique and not field.primary_key:
                yield Guard(f"{meta.label}.{field.name}", model, field=field)


def read_table() -> dict[str, str]:
    """Return the names of all guards; with a reason where another guard refuses the same rows first."""
    lines = (line.partition("#") for line in NAMES.read_text().splitlines())
    return {name.strip(): why.strip() for name, _, why in lines}


def is_hidden(name: str) -> bool:
    """True if another guard of this database refuses the same rows first."""
    from django.db import connection

    return read_table()[name].startswith(f"on {connection.display_name} ")


class Searcher:
    """Searches rows of one model, by their columns."""

    def __init__(self, model: type[Model], seed: str = "7") -> None:
        self.model = model
        self.rng = random.Random(f"{model._meta.label} {seed}")
        self.fields = {
            field.attname: field for field in model._meta.local_concrete_fields if not field.generated
        }
        guards = [guard for guard in list_guards() if guard.model is model]
        # The columns that each refusal is about, by the words of the database.
        self.columns: dict[str, list[str]] = {}
        self.literals: dict[str, list[Any]] = {name: [] for name in self.fields}
        for guard in guards:
            self.columns[self.describe(guard)] = self._list_columns(guard)
        self.unique = {
            name for known, names in self.columns.items() if known.startswith("UNIQUE") for name in names
        }
        self.row: Row = {name: self._draw(name) for name in self.fields}

    def describe(self, guard: Guard) -> str:
        """Return the words with which the database refuses a row for this guard."""
        from django.db import connection
        from django.db.models import CheckConstraint

        table = self.model._meta.db_table
        if isinstance(guard.constraint, CheckConstraint):
            return f"CHECK {guard.constraint.name}"
        fields = [guard.field] if guard.field else self._get_fields(guard)
        if connection.vendor == "sqlite" and fields:
            return "UNIQUE " + ", ".join(f"{table}.{field.column}" for field in fields)
        if guard.constraint is not None:
            return f"UNIQUE {guard.constraint.name}"
        with connection.cursor() as cursor:
            found = connection.introspection.get_constraints(cursor, table)
        columns = [field.column for field in fields]
        return next(
            f"UNIQUE {name}" for name, it in found.items() if it["unique"] and it["columns"] == columns
        )

    def count_tries(self, guard: Guard, most: int = TRIES) -> int:
        """Count the rows tried until one is refused because of this guard; 0 if none is refused."""
        from django.db.models import CheckConstraint

        known = self.describe(guard)
        break_it = self._spoil if isinstance(guard.constraint, CheckConstraint) else self._double
        condition = getattr(guard.constraint, "condition", None)
        for number in range(1, most + 1):
            rows = break_it(self._find_row(), self.columns[known])
            if self._insert(*rows) == known and (len(rows) == 1 or self._meets(rows[0], condition)):
                return number
        return 0

    def _spoil(self, row: Row, names: list[str]) -> list[Row]:
        """Return a row with other values in some columns of a check."""
        return [row | {name: self._draw(name) for name in self._draw_some(names)}]

    def _double(self, row: Row, names: list[str]) -> list[Row]:
        """Return a row, and another one that is the same in these columns and new where other guards look."""
        others = (self.unique - set(names)) | {self.model._meta.pk.attname}
        return [row, row | {name: self._draw(name) for name in sorted(others)}]

    def _find_row(self) -> Row:
        """Return a row that the database accepts; values that it refuses are drawn again."""
        row = self.row | {name: self._draw(name) for name in self._draw_some(list(self.fields))}
        for _try in range(TRIES):
            broken = self._insert(row)
            if broken is None:
                self.row = row
                return row
            row |= {name: self._draw(name) for name in self._draw_some(self._find_columns(broken))}
        raise AssertionError(f"no row of {self.model._meta.label} was found: {broken}")

    def _insert(self, *rows: Row) -> str | None:
        """Insert rows and take them back; return the words with which one was refused."""
        from django.db import DatabaseError, transaction

        broken = None
        with transaction.atomic():
            try:
                with transaction.atomic():
                    for row in rows:
                        self.model._base_manager.bulk_create([self.model(**row)])
            except DatabaseError as refusal:
                broken = _parse(refusal)
            transaction.set_rollback(True)
        return broken

    def _meets(self, row: Row, condition: Q | None) -> bool:
        """True if a row is one of those for which a unique constraint holds."""
        from django.db.models import Value

        against = {field.name: Value(row[name], field) for name, field in self.fields.items()}
        return condition is None or condition.check(against)

    def _draw(self, name: str) -> Any:
        return _draw_value(self.fields[name], self.literals[name], self.rng)

    def _draw_some(self, names: list[str]) -> list[str]:
        return self.rng.sample(names, self.rng.randint(1, len(names)))

    def _find_columns(self, broken: str) -> list[str]:
        columns = {field.column: name for name, field in self.fields.items()}
        single = columns.get(broken.rpartition(".")[2].rpartition(" ")[2])
        return self.columns.get(broken) or ([single] if single else list(self.fields))

    def _get_fields(self, guard: Guard) -> list[Field[Any, Any]]:
        names = getattr(guard.constraint, "fields", ())
        return [self.model._meta.get_field(name) for name in names]  # type: ignore[misc]

    def _list_columns(self, guard: Guard) -> list[str]:
        """Return the columns of a guard; note the values that its condition names."""
        from django.db.models import F

        if guard.field:
            return [guard.field.attname]
        found = [field.attname for field in self._get_fields(guard)]
        for expression in getattr(guard.constraint, "expressions", ()):
            found += [self._get_column(each.name) for each in expression.flatten() if isinstance(each, F)]
        condition = getattr(guard.constraint, "condition", None)
        if condition is None:
            return found
        of_condition: list[str] = []
        for lookup, value in _list_leaves(condition):
            name = self._get_column(lookup.partition("__")[0])
            of_condition.append(name)
            if isinstance(value, F):
                of_condition.append(self._get_column(value.name))
            elif not lookup.endswith("__isnull"):
                self.literals[name] += value if isinstance(value, list | tuple) else [value]
        # The condition of a unique constraint is met by the row that is doubled.
        return found or sorted(set(of_condition))

    def _get_column(self, name: str) -> str:
        meta = self.model._meta
        return meta.pk.attname if name == "pk" else meta.get_field(name).attname  # type: ignore[union-attr]


def _list_leaves(condition: Q) -> Iterator[tuple[str, Any]]:
    for child in condition.children:
        if isinstance(child, tuple):
            yield child
        else:
            yield from _list_leaves(child)


def _parse(refusal: Exception) -> str:
    """Return kind and place of a refusal, as `Searcher.describe` words it."""
    diagnosis = getattr(refusal.__cause__, "diag", None)
    if diagnosis is not None:
        where = diagnosis.constraint_name or f"{diagnosis.table_name}.{diagnosis.column_name}"
        return f"{KINDS.get(diagnosis.sqlstate, 'data')} {where}"
    found = REFUSAL.match(str(refusal))
    return f"{found[1]} {found[2] or found[3]}" if found else str(refusal)


def _draw_value(field: Any, literals: list[Any], rng: random.Random) -> Any:
    """Draw a value for a field: None, one that a condition names or the next to it, or any of its type."""
    from django.db import models

    if field.null and rng.random() < 0.3:
        return None
    if field.is_relation:
        return _draw_value(field.target_field, literals, rng)
    if literals and rng.random() < 0.5:
        value = rng.choice(literals)
        return value + rng.choice((-1, 0, 1)) if type(value) is int else value
    number, small = rng.getrandbits(30), rng.randint(0, 3)
    moment = MOMENT + timedelta(days=small, hours=small)
    drawn: dict[type, Any] = {
        models.BooleanField: bool(small % 2),
        models.DateTimeField: moment,
        models.DateField: moment.date(),
        models.TimeField: moment.time(),
        models.DurationField: timedelta(hours=small),
        models.UUIDField: UUID(int=rng.getrandbits(128)),
        models.JSONField: {},
        models.BinaryField: number.to_bytes(4),
        models.FloatField: small,
        models.DecimalField: small,
        models.SmallIntegerField: rng.choice((small, number % 30_000)),
        models.IntegerField: rng.choice((small, number)),
        models.GenericIPAddressField: f"127.0.0.{small}",
        models.CharField: rng.choice(("", "a", f"{number:x}"))[: field.max_length or 8],
        models.TextField: rng.choice(("", "a", f"{number:x}")),
        models.FileField: f"{number:x}",
    }
    return next(value for kind, value in drawn.items() if isinstance(field, kind))


@contextlib.contextmanager
def without(guard: Guard) -> Iterator[None]:
    """Remove a guard from the database, and put it back."""
    from django.db import connection

    meta, field = guard.model._meta, guard.field
    constraints = list(meta.constraints)
    plain = copy.copy(field)
    if plain is not None:
        # `unique` is a cached copy of `_unique`.
        vars(plain).update(_unique=False, unique=False)
    with _keeping_triggers(), connection.schema_editor() as editor:
        if guard.constraint is not None:
            # SQLite rebuilds the table with the constraints of its model.
            meta.constraints = [each for each in constraints if each is not guard.constraint]
            editor.remove_constraint(guard.model, guard.constraint)
        else:
            # `alter_field` sees no difference in a OneToOneField.
            editor._remake_table(guard.model, alter_fields=[(field, plain)])
    try:
        yield
    finally:
        meta.constraints = constraints
        with _keeping_triggers(), connection.schema_editor() as editor:
            if guard.constraint is not None:
                editor.add_constraint(guard.model, guard.constraint)
            else:
                editor._remake_table(guard.model, alter_fields=[(plain, field)])


@contextlib.contextmanager
def _keeping_triggers() -> Iterator[None]:
    """Recreate the triggers that SQLite drops when it rebuilds a table."""
    from django.db import connection

    read = "SELECT sql FROM sqlite_master WHERE type = 'trigger'"
    with connection.cursor() as cursor:
        before = [sql for (sql,) in cursor.execute(read).fetchall()]
    yield
    with connection.cursor() as cursor:
        there = {sql for (sql,) in cursor.execute(read).fetchall()}
        for sql in before:
            if sql not in there:
                cursor.execute(sql)


# As a command, on a separate SQLite database


def main(words: list[str]) -> int:
    """Remove guards in turn and print the outcomes."""
    with tempfile.TemporaryDirectory(prefix="barpoint-guards-") as folder:
        os.environ |= {"DATA_DIR": folder, "LOG_LEVEL": "ERROR", "DJANGO_SETTINGS_MODULE": "config.settings"}
        os.environ.pop("DATABASE_URL", None)
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        guards = [guard for guard in list_guards() if not words or any(word in guard.name for word in words)]
        outcomes = {guard.name: remove_and_look(guard) for guard in guards}
    for outcome in sorted(set(outcomes.values())):
        names = [name for name, each in outcomes.items() if each == outcome]
        print(f"{outcome}: {len(names)}" + ("" if outcome == MISSED else f": {', '.join(names)}"))
    return 0 if set(outcomes.values()) <= {MISSED, HIDDEN} else 1


def remove_and_look(guard: Guard) -> str:
    """Return whether refused rows are found with a guard, and none without it."""
    if is_hidden(guard.name):
        return HIDDEN
    searcher = Searcher(guard.model)
    tries = searcher.count_tries(guard)
    if not tries:
        return "refuses nothing"
    with without(guard):
        return "not missed" if searcher.count_tries(guard, max(FEW, 2 * tries)) else MISSED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
