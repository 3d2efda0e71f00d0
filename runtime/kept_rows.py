"""Many rows that are read again and again, of which few change in between.

To have the database write a row as one text and to compare that with the text of the last time takes a third of the
time that it takes to read its columns. So whole are read only the rows whose text is another.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, TypeVar

from django.db.models import Func, TextField

from runtime import prepared_queries
from runtime.prepared_queries import Given

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.models import QuerySet
    from django.db.models.sql.compiler import SQLCompiler

T = TypeVar("T")

# So many rows are asked for by name; where more have changed, all are read.
MOST_CHANGED: Final = 16


class RowText(Func):
    """Columns as one text: the same as long as each of them is the same."""

    def __init__(self, *columns: str) -> None:
        super().__init__(*columns, output_field=TextField())

    def as_sqlite(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **context: Any) -> Any:
        """Write them as a list in JSON."""
        return self.as_sql(compiler, connection, template="JSON_ARRAY(%(expressions)s)", **context)

    def as_postgresql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **context: Any) -> Any:
        """Write them as PostgreSQL writes a row."""
        return self.as_sql(compiler, connection, template="CAST(ROW(%(expressions)s) AS text)", **context)


class KeptRow(NamedTuple, Generic[T]):
    """A row as its text was, and what was made of it."""

    text: str
    made: T


@dataclass(frozen=True)
class KeptRows(Generic[T]):
    """The rows of a question with one gap, and what is made of these columns of each, which may belong to rows it names."""

    rows: Callable[[Any], QuerySet[Any, Any]]
    columns: tuple[str, ...]
    make: Callable[..., T]

    def read(self, given: int | str, known: Mapping[int, KeptRow[T]]) -> dict[int, KeptRow[T]]:
        """Return the rows by their primary keys, in order; those that are as they are *known* are the same objects."""
        if not known:
            return self._whole(given, known)
        texts = dict(prepared_queries.values(self._texts, given))
        changed = [pk for pk, text in texts.items() if (there := known.get(pk)) is None or there.text != text]
        if len(changed) > MOST_CHANGED:
            return self._whole(given, known)
        fresh = self._named(given, changed) if changed else {}
        if any(pk not in fresh or fresh[pk].text != texts[pk] for pk in changed):
            # They have changed again: what is told together is as it was at one moment.
            return self._whole(given, known)
        return {pk: fresh[pk] if pk in fresh else known[pk] for pk in texts}

    def _whole(self, given: int | str, known: Mapping[int, KeptRow[T]]) -> dict[int, KeptRow[T]]:
        found = {}
        for pk, text, *columns in prepared_queries.values(self._all, given):
            there = known.get(pk)
            found[pk] = there if there and there.text == text else KeptRow(text, self.make(*columns))
        return found

    def _named(self, given: int | str, wanted: list[int]) -> dict[int, KeptRow[T]]:
        gaps = wanted + wanted[-1:] * (MOST_CHANGED - len(wanted))
        rows = prepared_queries.values(self._some, given, *gaps)
        return {pk: KeptRow(text, self.make(*columns)) for pk, text, *columns in rows}

    def _texts(self, given: Any) -> QuerySet[Any, Any]:
        return self.rows(given).values_list("pk", RowText(*self.columns))

    def _all(self, given: Any) -> QuerySet[Any, Any]:
        return self.rows(given).values_list("pk", RowText(*self.columns), *self.columns)

    def _some(self, given: Any) -> QuerySet[Any, Any]:
        return self._all(given).filter(pk__in=[Given(at) for at in range(1, MOST_CHANGED + 1)])
