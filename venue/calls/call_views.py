"""The call of a match to a table, on the director's page of the match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.contrib import messages
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from players.access.permissions import get_any_club, require_permission
from runtime.refusals import Refusal
from tournaments.base import expectations
from tournaments.models import Pairing, PairingState, Tournament
from tournaments.play import optimistic_locking
from tournaments.status import Status
from venue.calls import calling, tables
from venue.models import Assignment, Table

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from players.access.requests import AccountRequest
    from players.models import Club


@dataclass(frozen=True, slots=True)
class CallPart:
    """The tables to which a match can be called or moved."""

    club: str
    event: str
    match: str
    # The table the match is at, "" for none.
    at: str
    free: tuple[Table, ...]
    # The expected players, sent back by the page.
    expects: str


@require_http_methods(["POST"])
@require_permission("tournaments.direct", find=get_any_club)
def call(request: AccountRequest, club: Club, key: str) -> HttpResponse:
    table = get_object_or_404(Table.objects.select_related("room__club"), room__club=club, key=key)
    event = get_object_or_404(Tournament, club=club, key=request.POST.get("event", "")[:10])
    match = request.POST.get("match", "")[:80]
    get_object_or_404(Pairing, tournament=event, key=match)
    now = timezone.now()
    expects = expectations.parse_state(request.POST.get("expects", ""), expectations.SEATS)
    try:
        optimistic_locking.run_if_unchanged(
            lambda: calling.call(
                table=table,
                event=event,
                key=match,
                by=request.user,
                now=now,
                saw=request.POST.get("at", ""),
                table_saw=request.POST.get("saw", ""),
            ),
            tournament_id=event.pk,
            about=optimistic_locking.ActTarget(key=match),
            expects=expects or dict.fromkeys(expectations.SEATS),
            by=request.user,
        )
    except Refusal as refusal:
        messages.error(request, str(refusal), extra_tags=refusal.code)
    else:
        messages.success(request, _("The match is called to table %(label)s.") % {"label": table.label})
    if request.POST.get("back") == "desk":
        return redirect("tournaments:desk", event.key)
    return redirect("tournaments:pairing", event.key, match)


def build_match_part(request: HttpRequest, event: Tournament, key: str) -> CallPart | None:
    """Return the free tables for an open match, on its director's page; None if it cannot be called."""
    if event.status != Status.RUNNING or not request.user.has_perm("tournaments.direct", event.club):
        return None
    open_ones = Pairing.objects.filter(tournament=event, key=key, state=PairingState.READY)
    row = open_ones.select_related("a__player", "b__player").first()
    if row is None:
        return None
    free = tables.list_free_tables(event.club)
    at = Assignment.objects.filter(pairing__tournament=event, pairing__key=key, ended_at__isnull=True)
    here = at.select_related("table").first()
    if not free and here is None:
        return None
    expects = expectations.serialize_state(expectations.build_row_state(event, row, expectations.SEATS))
    return CallPart(event.club.slug, event.key, key, str(here.table) if here else "", free, expects)
