"""A helper enters a match game by game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.views.decorators.http import require_http_methods

from tournaments.services.changes import Helping
from tournaments.views import games
from tournaments.views.helping import for_helpers

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse

    from tournaments.models import Tournament
    from tournaments.selectors.helpers import HelperLine


@require_http_methods(["GET", "POST"])
@for_helpers
def enter_games(
    request: HttpRequest, event: Tournament, helper: HelperLine, now: datetime, *, match: str
) -> HttpResponse:
    """Show the games of an open match, and take them: the score follows, and is the result."""
    return games.answer(request, games.of_helper(event, match, Helping(helper.pk)))
