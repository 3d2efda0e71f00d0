"""What the tests of pages share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.urls import reverse

if TYPE_CHECKING:
    from django.http import HttpResponse


def text(response: HttpResponse) -> str:
    assert response.status_code == 200, response.status_code
    return response.content.decode()


def url(name: str, *args: str) -> str:
    return reverse(f"tournaments:{name}", args=args)
