"""The rows of an event, by queries that are compiled once: compiling them takes longer than running them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, TypeVar

from django.db.models import Model

if TYPE_CHECKING:
    from tournaments.models import Tournament

Row = TypeVar("Row", bound=Model)


def rows_of(model: type[Row], path: str, event: Tournament, *order: str) -> list[Row]:
    """Return the rows that lead to an event by this path, in this order."""
    return list(model._default_manager.raw(_compiled(model, path, order), [event.pk]))  # noqa: SLF001 - Django's own name


@cache
def _compiled(model: type[Model], path: str, order: tuple[str, ...]) -> str:
    rows = model._default_manager.filter(**{path: 0}).order_by(*order)  # noqa: SLF001 - Django's own name
    return rows.query.sql_with_params()[0]
