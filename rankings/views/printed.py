"""Lists and seasons as sheets for paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from players import context
from players.models import Club
from rankings.models import RatingList, Season
from rankings.selectors import dated, printed

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from rankings.selectors.printed import PrintedSheet


@require_safe
def rating_list(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """Show all of a list as it stands now."""
    club = get_object_or_404(Club, slug=slug)
    found = get_object_or_404(RatingList, club=club, key=key)
    return _show(request, club, printed.of_list(found, now=timezone.now()))


@require_safe
def dated_list(request: HttpRequest, slug: str, key: str, day: str) -> HttpResponse:
    """Show all of a list as it was published."""
    club = get_object_or_404(Club, slug=slug)
    found = dated.find(get_object_or_404(RatingList, club=club, key=key), day)
    if found is None:
        raise Http404
    return _show(request, club, printed.of_dated(found))


@require_safe
def season(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """Show all of a season's table."""
    club = get_object_or_404(Club, slug=slug)
    return _show(request, club, printed.of_season(get_object_or_404(Season, club=club, key=key)))


def _show(request: HttpRequest, club: Club, sheet: PrintedSheet) -> HttpResponse:
    context.visit(request, club)
    return render(request, "rankings/sheet.html", {"club": club, "sheet": sheet})
