"""Win chances on the pages of matches and events, and the calibration page of a list."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from matches.journal import journal
from matches.play import match_access
from rankings.chances import calibration as calibrations
from rankings.chances import chances, titles
from rankings.chances.titles import TitleView
from rankings.requests import get_club, get_list
from tournaments.models import Pairing, Tournament


@require_safe
def calibration(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    club = get_club(request, slug)
    found = get_list(club=club, key=key)
    values = {
        "club": club,
        "list": found,
        "shown": calibrations.load_calibration(found),
        "enough": calibrations.ENOUGH,
        "most": calibrations.MOST,
    }
    return render(request, "rankings/calibration.html", values)


def build_match_part(request: HttpRequest, event: Tournament, key: str) -> tuple[chances.Chance, ...] | None:
    return _load_chances(request, Pairing.objects.filter(tournament=event, key=key))


def build_board_part(request: HttpRequest, key: str) -> tuple[chances.Chance, ...] | None:
    """Return the win chances on the page of a match played on this site, if it belongs to an event."""
    return _load_chances(request, Pairing.objects.filter(match__key=key))


def build_event_part(_request: HttpRequest, key: str) -> TitleView | None:
    return titles.load_title_chances(key)


def _load_chances(request: HttpRequest, rows: QuerySet[Pairing]) -> tuple[chances.Chance, ...] | None:
    row = rows.select_related("tournament", "a__player", "b__player", "match__white", "match__black").first()
    if row is None:
        return None
    now, played = timezone.now(), None
    if row.match is not None:
        # Chances reveal the score.
        if match_access.load_view(row.match, request.user) is None:
            return None
        played = journal.load(row.match).match
    return chances.compute_chances(row, played, now=now) or None
