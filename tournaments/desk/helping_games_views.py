"""A helper enters a match game by game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.views.decorators.http import require_http_methods

from tournaments.desk import games_views
from tournaments.pages import access
from tournaments.play.changes import Helping

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse

    from tournaments.models import Tournament
    from tournaments.pages.helpers import HelperLine


@require_http_methods(["GET", "POST"])
@access.for_helpers
def enter_games(
    request: HttpRequest, event: Tournament, helper: HelperLine, now: datetime, *, match: str
) -> HttpResponse:
    """Show the games of an open match, and take them: the score follows, and is the result."""
    return games_views.answer(request, games_views.of_helper(event, match, Helping(helper.pk)))
