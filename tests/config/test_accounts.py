"""The addresses of accounts are those that allauth has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allauth import urls as theirs
from django.urls import URLPattern, URLResolver

from config.urls import ACCOUNTS

if TYPE_CHECKING:
    from collections.abc import Iterator


def test_nothing_of_allauths_own_is_missing_and_each_address_leads_to_its_view() -> None:
    assert sorted(listed(ACCOUNTS)) == sorted(listed(theirs.urlpatterns))


def listed(patterns: list[URLPattern | URLResolver], before: str = "") -> Iterator[tuple[str, str, str]]:
    for pattern in patterns:
        where = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from listed(pattern.url_patterns, where)
        else:
            view = getattr(pattern.callback, "found", lambda view=pattern.callback: view)()
            yield where, str(pattern.name), f"{view.__module__}.{view.__qualname__}"
