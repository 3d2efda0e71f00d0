"""Many EXISTS queries in one SQL statement, compiled once.

A question is a function of a time that returns querysets; its answer is true if any of them has a row. It is
compiled to SQL once, with a `QueryTime` as a placeholder for the time, because a process that polls each
second should not rebuild the same queries each time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from functools import cache, lru_cache
from typing import Any, TypeAlias

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import DateTimeField, Expression, QuerySet
from django.db.models.sql.compiler import SQLCompiler

# The querysets select what has been waiting since the time or longer: a datetime, or a `QueryTime`.
Question: TypeAlias = Callable[[Any], Iterable[QuerySet[Any]]]


class QueryTime(Expression):
    """Placeholder for the time of the query, plus an offset."""

    def __init__(self, offset: timedelta = timedelta()) -> None:
        super().__init__(output_field=DateTimeField())
        self.offset = offset

    def __add__(self, other: timedelta) -> QueryTime:  # type: ignore[override]
        return QueryTime(self.offset + other)

    def __sub__(self, other: timedelta) -> QueryTime:  # type: ignore[override]
        return QueryTime(self.offset - other)

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> Any:
        """Emit a parameter that `find_true` replaces with the time."""
        return "%s", [self]


def find_true(questions: Mapping[str, Question], *, now: datetime) -> set[str]:
    """Return the names of the questions that are true at *now*, using one statement."""
    if not questions:
        return set()
    vendor = connection.vendor
    parts = [_compile_question(question, vendor) for question in questions.values()]
    given = _fill_parameters([value for _, values in parts for value in values], now)
    with connection.cursor() as cursor:
        cursor.execute("SELECT " + ", ".join(sql for sql, _ in parts), given)
        row = cursor.fetchone()
    return {name for name, found in zip(questions, row or (), strict=True) if found}


@lru_cache(maxsize=256)
def _compile_question(question: Question, _vendor: str) -> tuple[str, tuple[Any, ...]]:
    parts: list[str] = []
    values: list[Any] = []
    for rows in question(QueryTime()):
        try:
            sql, given = rows.query.exists().get_compiler(connection=connection).as_sql()
        except EmptyResultSet:
            continue
        parts.append(f"EXISTS({sql})")
        values += given
    return f"({' OR '.join(parts) or '1 = 0'})", tuple(values)


def _fill_parameters(values: Iterable[Any], now: datetime) -> list[Any]:
    # Many parameters share one offset, so each is adapted once.
    at = cache(lambda offset: connection.ops.adapt_datetimefield_value(now + offset))
    return [at(value.offset) if isinstance(value, QueryTime) else value for value in values]
