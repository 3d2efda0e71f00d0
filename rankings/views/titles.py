"""Title chances on the page of an event."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankings.selectors import titles

if TYPE_CHECKING:
    from django.http import HttpRequest

    from rankings.selectors.titles import TitleView


def part_of_event(_request: HttpRequest, key: str) -> TitleView | None:
    """Return the chances of an event that is being played."""
    return titles.of_event(key)
