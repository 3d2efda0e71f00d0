"""Is there a row for this number? Put into SQL once, and asked with every act from then on.

What follows an event asks with every result whether there is anything to follow. To have Django build the same query
each time took longer than all that the answer was for.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

from django.db import connection
from django.db.models import BigIntegerField, Expression, QuerySet

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.models.sql.compiler import SQLCompiler

# The rows that are looked for, given the number of the row that they hang on: a `Number`.
Rows: TypeAlias = Callable[[Any], QuerySet[Any]]


class Number(Expression):
    """The number that is given when the question is asked."""

    def __init__(self) -> None:
        super().__init__(output_field=BigIntegerField())

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> Any:
        """Leave a gap that `is_there` fills."""
        return "%s", [self]


def is_there(rows: Rows, number: int) -> bool:
    """Say whether one of these rows is there for a number; *rows* is a function of a module, known by its name."""
    sql, values = _written(rows, connection.vendor)
    with connection.cursor() as cursor:
        cursor.execute(sql, [number if isinstance(value, Number) else value for value in values])
        return cursor.fetchone() is not None


@cache
def _written(rows: Rows, _vendor: str) -> tuple[str, tuple[Any, ...]]:
    sql, values = rows(Number()).query.exists().get_compiler(connection=connection).as_sql()
    return sql, tuple(values)
