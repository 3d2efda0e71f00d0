"""Pagination."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar, cast

from django.core.paginator import Paginator
from django.db.models import Model

PAGE_SIZE = 50

Row = TypeVar("Row")
M = TypeVar("M", bound="Model")
M_co = TypeVar("M_co", bound="Model", covariant=True)


@dataclass(frozen=True, slots=True)
class Page(Generic[Row]):
    rows: tuple[Row, ...]
    total: int
    number: int = 1
    pages: int = 1

    @property
    def first(self) -> int:
        """The number of rows before this page."""
        return (self.number - 1) * PAGE_SIZE

    @property
    def previous(self) -> int | None:
        return self.number - 1 if self.number > 1 else None

    @property
    def next(self) -> int | None:
        return self.number + 1 if self.number < self.pages else None


class Sliceable(Protocol[M_co]):
    """A queryset, or an object with its count and slicing."""

    def count(self) -> int:
        """Return the number of rows."""

    def __getitem__(self, some: slice, /) -> Iterable[M_co]:
        """Return a slice of the rows."""


def paginate(rows: Sliceable[M], number: int, view: Callable[[M], Row]) -> Page[Row]:
    """Cut one page of *rows*, each converted by *view*; too large a number gives the last page."""
    if number <= 1:
        # Most lists fit on one page, which needs no count query.
        first = list(rows[: PAGE_SIZE + 1])
        if len(first) <= PAGE_SIZE:
            return Page(tuple(view(row) for row in first), len(first))
    paginator = Paginator(cast("Any", rows), PAGE_SIZE)
    page = paginator.get_page(number)
    return Page(tuple(view(row) for row in page), paginator.count, page.number, paginator.num_pages)
