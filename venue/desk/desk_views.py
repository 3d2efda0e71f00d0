"""Acts on the room at a director's desk: call the next match, free or break tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import zip_longest

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from players.access.requests import refusals_shown_to
from players.models import User
from tournaments.desk.typed_scores import DeskRow
from tournaments.models import PairingState, Report, Tournament
from tournaments.pages import access
from tournaments.play import incidents
from tournaments.status import Status
from venue.calls import calling, conflict_checks, table_filling
from venue.calls import calls as called
from venue.calls.calls import CallNow
from venue.desk import desk_room as desks
from venue.desk import slow_play
from venue.desk.desk_room import RoomRows
from venue.desk.slow_play import SlowMatch
from venue.errors import NotAtTable
from venue.models import Assignment, EventRoom, Table, TableState
from venue.rooms import rooms

DESK = "tournaments:desk"


@dataclass(frozen=True, slots=True)
class UnseenCalls:
    """All unanswered calls of an event, in one line of its desk."""

    event: str
    calls: tuple[CallNow, ...]


@access.require_director(form=DESK)
def call_next(request: HttpRequest, event: Tournament) -> HttpResponse:
    used = get_object_or_404(EventRoom.objects.select_related("room__club"), event=event)
    with refusals_shown_to(request):
        made = table_filling.call_next(
            room=used.room,
            by=access.require_user(request),
            now=timezone.now(),
            saw=request.POST.get("latest", ""),
        )
        messages.success(request, _("Called to table %(label)s.") % {"label": made.table})
    return redirect(DESK, event.key)


@access.require_director(form=DESK)
def change(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Carry out an act on one or several tables of the event's room."""
    act = ACTS.get(request.POST.get("act", ""))
    # A match can be at a table although its event has no room, or another.
    used = Q(room__events__event=event) | Q(
        assignments__pairing__tournament=event, assignments__ended_at__isnull=True
    )
    rows = Table.objects.filter(used, room__club=event.club).select_related("room__club").distinct()
    saw = dict(zip_longest(request.POST.getlist("table"), request.POST.getlist("saw"), fillvalue=""))
    tables = {table.key: table for table in rows.filter(key__in=saw)}
    if act is None or not saw or tables.keys() != saw.keys():
        raise Http404
    by, now = access.require_user(request), timezone.now()
    for key in saw:
        table = tables[key]
        with refusals_shown_to(request):
            conflict_checks.run_if_unchanged(
                partial(act, table=table, by=by, now=now), table=table, saw=saw[key]
            )
    return redirect(DESK, event.key)


def _withdraw_call(*, table: Table, by: User, now: datetime) -> None:
    calling.withdraw_call(assignment=_get_assignment(table), by=by, now=now)


def _mark_both_present(*, table: Table, by: User, now: datetime) -> None:
    pairing = _get_assignment(table).pairing
    for entry in (pairing.a, pairing.b):
        if entry is not None:
            incidents.record_arrival(
                tournament_id=pairing.tournament_id, key=pairing.key, entry=entry.number, by=by, now=now
            )


def _get_assignment(table: Table) -> Assignment:
    rows = Assignment.objects.filter(table=table, ended_at__isnull=True, pairing__state=PairingState.READY)
    return NotAtTable.raise_if_none(rows.select_related("pairing__a", "pairing__b").first())


# Called with the table, `by` and `now`.
ACTS: dict[str, Callable[..., None]] = {
    "take-back": _withdraw_call,
    "here": _mark_both_present,
    "free": partial(rooms.set_state, state=TableState.FREE),
    "hold": partial(rooms.set_state, state=TableState.HELD),
    "break": calling.break_table,
}


def build_desk_part(request: HttpRequest, key: str, rows: Sequence[DeskRow]) -> RoomRows | None:
    """Return the room with the open matches of a running event; None if it has no room.

    :raises PermissionDenied: the viewer does not direct at the event's club.
    """
    event = access.load_any_event(key)
    if event.status != Status.RUNNING:
        return None
    if not request.user.has_perm("tournaments.direct", event.club):
        raise PermissionDenied
    room = desks.load_event_room(event, now=timezone.now())
    return None if room is None else desks.build_room_rows(room, rows)


def find_very_slow_matches(_request: HttpRequest, key: str) -> tuple[SlowMatch, ...] | None:
    """Return the very slow matches of an event, the longest at a table first; None if there are none."""
    now = timezone.now()
    used = (
        EventRoom.objects.filter(event__key=key, event__status=Status.RUNNING).select_related("room").first()
    )
    if used is None:
        return None
    at_tables = [call for call in called.list_calls(used.room) if call.event == key and not call.is_at_desk]
    found = slow_play.find_slow_matches(used.room, at_tables, now=now).matches.values()
    return tuple(sorted((each for each in found if each.is_very), key=lambda each: each.since)) or None


def find_unseen_calls(_request: HttpRequest, key: str) -> UnseenCalls | None:
    """Return the calls of an event that a player with an account has not answered in time; None if none."""
    late = Assignment.objects.filter(
        pairing__tournament__key=key,
        ended_at__isnull=True,
        started_at__isnull=True,
        called_at__lte=timezone.now() - called.TO_BE_SEEN,
    )
    # A report proves that both players were there.
    reports = Report.objects.filter(pairing=OuterRef("pairing"), at__gte=OuterRef("called_at"))
    late = late.exclude(Exists(reports))
    found = called.load_calls(late.order_by("called_at", "pk"))
    calls = tuple(call for call in found if call.unanswered and not call.is_at_desk)
    return UnseenCalls(key, calls) if calls else None
