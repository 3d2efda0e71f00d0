"""Search for players, clubs, events and matches: the page, and the panel of the field in the header."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config import pages
from players.access.requests import get_query
from runtime.http.rate_limits import AnonThrottle, UserThrottle
from tournaments.programme import search

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

# Templates by htmx target: the page's list, and the panel below the field.
PARTS: Final = {"found": "find/_found.html", "find-panel": "find/_panel.html"}


@require_safe
@never_cache
def find(request: HttpRequest) -> HttpResponse:
    """Show the results, with the API's rate limits."""
    query = get_query(request)
    if query and _is_throttled(request):
        return pages.too_many_requests(request)
    found = search.search_site(request.user, query, now=timezone.now())
    template = PARTS.get(request.headers.get("HX-Target", ""), "find/find.html")
    response = render(request, template, {"found": found})
    patch_vary_headers(response, ("HX-Request", "HX-Target"))
    return response


def _is_throttled(request: Any) -> bool:
    view: Any = None
    return not all(limit().allow_request(request, view) for limit in (AnonThrottle, UserThrottle))
