"""A club's hall of fame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from players import context
from players.models import Club
from rankings.models import RatingList
from rankings.selectors import fame

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_safe
def club(request: HttpRequest, slug: str) -> HttpResponse:
    """Show who has won most here, who won the seasons, and who led the lists."""
    found = get_object_or_404(Club, slug=slug)
    context.visit(request, found)
    values = {
        "club": found,
        "lists": RatingList.objects.filter(club=found).order_by("pk"),
        "fame": fame.of(found, now=timezone.now()),
    }
    return render(request, "rankings/fame.html", values)
