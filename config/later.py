"""Pages of files that are not read now: 429 with a sentence, a code and `Retry-After`, whatever view was asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from config import pages
from runtime.work.children import Later

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse
    from django.http.response import HttpResponseBase


class LaterMiddleware:
    """Answer a refusal that may be tried again (`runtime.work.children.Later`); the API has answered its own."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Let everything pass."""
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Say when to try again."""
        if not isinstance(exception, Later):
            return None
        response = pages.error_page(request, 429, sentence=str(exception), code=exception.code)
        response["Retry-After"] = str(exception.wait)
        return response
