"""Queries that are put into SQL once, and asked with one value that differs from time to time.

What follows an event asks with every result whether there is anything to follow, and pages ask the same few things
each time they are made. To have Django build the same query each time took longer than all that the answer was for.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

from django.db import connection
from django.db.models import BigIntegerField, Expression, QuerySet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.models.sql.compiler import SQLCompiler

# The rows that are looked for, given what they are found by: a `Given`. A function of a module, known by its name.
Rows: TypeAlias = Callable[[Any], QuerySet[Any, Any]]


class Given(Expression):
    """What is given when the question is asked: a number or a text, by its turn where there are several."""

    def __init__(self, at: int = 0) -> None:
        super().__init__(output_field=BigIntegerField())
        self.at = at

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> Any:
        """Leave a gap that is filled with each question."""
        return "%s", [self]


def is_there(rows: Rows, given: int | str) -> bool:
    """Say whether one of these rows is there."""
    sql, gaps = _existence(rows, connection.vendor)
    with connection.cursor() as cursor:
        cursor.execute(sql, _filled(gaps, (given,)))
        return cursor.fetchone() is not None


def values(rows: Rows, *given: int | str) -> list[tuple[Any, ...]]:
    """Return what these rows hold in the columns that their `values_list` names."""
    sql, gaps, converters = _selection(rows, connection.vendor)
    with connection.cursor() as cursor:
        cursor.execute(sql, _filled(gaps, given))
        found = cursor.fetchall()
    return [_converted(row, converters) for row in found] if converters else found


def _filled(gaps: Sequence[Any], given: Sequence[int | str]) -> list[Any]:
    return [given[gap.at] if isinstance(gap, Given) else gap for gap in gaps]


def _converted(row: Sequence[Any], converters: dict[int, Any]) -> tuple[Any, ...]:
    """Turn what the database keeps into what the fields promise, as a query set does."""
    held = list(row)
    for column, (steps, expression) in converters.items():
        for step in steps:
            held[column] = step(held[column], expression, connection)
    return tuple(held)


@cache
def _existence(rows: Rows, _vendor: str) -> tuple[str, tuple[Any, ...]]:
    sql, gaps = rows(Given()).query.exists().get_compiler(connection=connection).as_sql()
    return sql, tuple(gaps)


@cache
def _selection(rows: Rows, _vendor: str) -> tuple[str, tuple[Any, ...], dict[int, Any]]:
    compiler = rows(Given()).query.get_compiler(connection=connection)
    sql, gaps = compiler.as_sql()
    columns = [expression for expression, _sql, _alias in compiler.select]
    return sql, tuple(gaps), compiler.get_converters(columns)
