"""Printed cards for the tables of a club, each with a code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from players.access.permissions import needs
from tournaments.desk import printed_codes
from tournaments.models import Tournament
from tournaments.status import OPEN
from venue.calls import tables
from venue.models import Table

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from players.models import Club
    from tournaments.desk.printed_codes import PrintedCode


@require_safe
@needs("tournaments.direct")
def cards(request: HttpRequest, club: Club) -> HttpResponse:
    """Show a card for each table, four to a page: for the club, or with `?event=KEY` for one event."""
    now, key = timezone.now(), request.GET.get("event", "")
    asked = get_object_or_404(Tournament, club=club, is_friendly=False, key=key) if key else None
    event = tables.current_event(club.pk) if asked is None else asked if asked.status in OPEN else None
    rows = Table.objects.filter(room__club=club).select_related("room").order_by("room", "position")
    codes: dict[str, PrintedCode] = {}
    if event is not None:
        keys = [table.key for table in rows]
        codes = printed_codes.of_tables(request, event, keys, is_for_event=asked is not None, now=now)
    found = [(table, codes.get(table.key)) for table in rows]
    pages = [found[at : at + 4] for at in range(0, len(found), 4)]
    values = {
        "club": club,
        "pages": pages,
        "asked": asked,
        "event": event,
        "can_be_scanned": printed_codes.can_be_scanned(request),
    }
    return render(request, "venue/cards.html", values)


def title() -> str:
    return _("Table cards")


def about() -> str:
    return _("A card for each table; the code on it opens the match that is played there.")


def is_there(event: Tournament) -> bool:
    return Table.objects.filter(room__club=event.club_id).exists()
