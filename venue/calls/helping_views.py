"""Acts of helpers in the room: moving a match to another table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from django.contrib import messages
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from runtime.refusals import Refusal
from tournaments.base import expectations
from tournaments.pages import access
from tournaments.play import optimistic_locking
from tournaments.play.changes import HelperActor
from venue.calls import calling, tables
from venue.calls.call_views import CallPart
from venue.models import Assignment, Table

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse

    from tournaments.base.event_view import MatchView
    from tournaments.models import Tournament
    from tournaments.pages.access import HelperLine

# Cache per request, shared by all matches of a page.
_read: Final[WeakKeyDictionary[HttpRequest, tuple[dict[str, str], tuple[Table, ...]]]] = WeakKeyDictionary()


@require_POST
@access.require_helper
def move(request: HttpRequest, event: Tournament, helper: HelperLine, now: datetime) -> HttpResponse:
    found = Table.objects.select_related("room").filter(room__club=event.club)
    table = get_object_or_404(found, key=request.POST.get("table", ""))
    key, who = request.POST.get("match", "")[:80], HelperActor(helper.pk)
    seen = expectations.parse_state(request.POST.get("expects", ""), expectations.SEATS)
    try:
        optimistic_locking.run_if_unchanged(
            lambda: calling.move(
                table=table, event=event, key=key, by=who, now=now, saw=request.POST.get("at", "")
            ),
            tournament_id=event.pk,
            about=optimistic_locking.ActTarget(key=key),
            expects=seen or dict.fromkeys(expectations.SEATS),
            by=who,
        )
    except Refusal as refusal:
        messages.error(request, str(refusal), extra_tags=refusal.code)
    else:
        messages.success(request, _("The match is called to table %(label)s.") % {"label": table.label})
    return redirect("tournaments:helping", event.key)


def build_match_part(
    request: HttpRequest, event: Tournament, match: MatchView, expects: str
) -> CallPart | None:
    """Return the free tables to which a match at a table can be moved; None if there are none."""
    at, free = _load_tables(request, event)
    if match.key not in at or not free:
        return None
    return CallPart(event.club.slug, event.key, match.key, at[match.key], free, expects)


def _load_tables(request: HttpRequest, event: Tournament) -> tuple[dict[str, str], tuple[Table, ...]]:
    """Return the tables of the event's matches by match key, and the free tables."""
    if request not in _read:
        rows = Assignment.objects.filter(pairing__tournament=event, ended_at__isnull=True)
        at = {row.pairing.key: str(row.table) for row in rows.select_related("table", "pairing")}
        _read[request] = (at, tables.list_free_tables(event.club) if at else ())
    return _read[request]
