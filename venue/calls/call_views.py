"""The call of a match to a table: by a director on the page of the match, or moved by a helper."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Final
from weakref import WeakKeyDictionary

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from players.access.permissions import get_any_club, require_permission
from players.access.requests import AccountRequest, refusals_shown_to
from players.models import Club, User
from tournaments.base import expectations
from tournaments.base.event_view import MatchView
from tournaments.models import Pairing, PairingState, Tournament
from tournaments.pages import access
from tournaments.pages.access import HelperLine
from tournaments.play import optimistic_locking
from tournaments.play.changes import HelperActor
from tournaments.status import Status
from venue.calls import calling, tables
from venue.models import Assignment, Table


@dataclass(frozen=True, slots=True)
class CallPart:
    club: str
    event: str
    match: str
    # The table the match is at, "" for none; its key, and its version, sent back by the page.
    at: str
    free: tuple[Table, ...]
    # The expected players, sent back by the page.
    expects: str
    table: str = ""
    table_seen: str = ""


@require_permission("tournaments.direct", "POST", find=get_any_club)
def call(request: AccountRequest, club: Club, key: str) -> HttpResponse:
    table = get_object_or_404(Table.objects.select_related("room__club"), room__club=club, key=key)
    event = get_object_or_404(Tournament, club=club, key=request.POST.get("event", "")[:10])
    match = request.POST.get("match", "")[:80]
    get_object_or_404(Pairing, tournament=event, key=match)
    act = partial(calling.call, table_saw=request.POST.get("saw", ""))
    _call_if_unchanged(
        request, act, event=event, match=match, table=table, by=request.user, now=timezone.now()
    )
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
    if here is None or here.table is None:
        return CallPart(event.club.slug, event.key, key, "", free, expects)
    seen = tables.compute_version_key(here.table.state, here.uid)
    return CallPart(event.club.slug, event.key, key, str(here.table), free, expects, here.table.key, seen)


# Cache per request, shared by all matches of a page: the tables of the event's matches, and the free tables.
_read: Final[WeakKeyDictionary[HttpRequest, tuple[dict[str, str], tuple[Table, ...]]]] = WeakKeyDictionary()


@require_POST
@access.require_helper
def move(request: HttpRequest, event: Tournament, helper: HelperLine, now: datetime) -> HttpResponse:
    found = Table.objects.select_related("room").filter(room__club=event.club)
    table = get_object_or_404(found, key=request.POST.get("table", ""))
    match, who = request.POST.get("match", "")[:80], HelperActor(helper.pk)
    _call_if_unchanged(request, calling.move, event=event, match=match, table=table, by=who, now=now)
    return redirect("tournaments:helping", event.key)


def _call_if_unchanged(
    request: HttpRequest,
    act: Callable[..., Assignment],
    *,
    event: Tournament,
    match: str,
    table: Table,
    by: User | HelperActor,
    now: datetime,
) -> None:
    """Call or move a match if its players and its table are those that the form showed."""
    seen = expectations.parse_state(request.POST.get("expects", ""), expectations.SEATS)
    saw = request.POST.get("at", "")
    with refusals_shown_to(request):
        optimistic_locking.run_if_unchanged(
            partial(act, table=table, event=event, key=match, by=by, now=now, saw=saw),
            tournament_id=event.pk,
            about=optimistic_locking.ActTarget(key=match),
            expects=seen or dict.fromkeys(expectations.SEATS),
            by=by,
        )

        messages.success(request, _("The match is called to table %(label)s.") % {"label": table.label})


def build_helper_part(
    request: HttpRequest, event: Tournament, match: MatchView, expects: str
) -> CallPart | None:
    """Return the free tables to which a match at a table can be moved; None if there are none."""
    if request not in _read:
        rows = Assignment.objects.filter(pairing__tournament=event, ended_at__isnull=True)
        here = {row.pairing.key: str(row.table) for row in rows.select_related("table", "pairing")}
        _read[request] = (here, tables.list_free_tables(event.club) if here else ())
    at, free = _read[request]
    if match.key not in at or not free:
        return None
    return CallPart(event.club.slug, event.key, match.key, at[match.key], free, expects)
