"""Rooms and tables: public pages, forms for directors, and printed cards with a code for each table."""

from __future__ import annotations

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from players.access import context
from players.access.permissions import require_permission
from players.access.requests import AccountRequest, refusals_added_to, refusals_shown_to
from players.clubs.club_pages import ClubRights
from players.models import Club
from runtime.refusals import build_form_error
from tournaments.base import labels
from tournaments.base.errors import ChangedMeanwhile
from tournaments.desk import printed_codes
from tournaments.desk.printed_codes import PrintedCode
from tournaments.models import Tournament
from tournaments.status import OPEN
from venue.calls import tables
from venue.errors import VenueError
from venue.models import Room, Table, TableState, TableTag
from venue.rooms import rooms
from venue.rooms.room_forms import RoomForm, TableForm, TablesForm, show_conflict


@require_safe
def club(request: HttpRequest, slug: str) -> HttpResponse:
    found = get_object_or_404(Club, slug=slug)
    context.set_club(request, found)
    values = {
        "club": found,
        "rights": ClubRights.load(request.user, found),
        "rooms": tables.load_rooms(found),
    }
    return render(request, "venue/rooms.html", values)


@require_permission("tournaments.direct", "GET", "POST")
def create(request: AccountRequest, club: Club) -> HttpResponse:
    form = RoomForm(request.POST or None)
    if form.is_valid():
        cleaned = form.cleaned_data
        with refusals_added_to(form):
            rooms.open_room(
                club=club, by=request.user, name=cleaned["name"], labels=cleaned["tables"], now=timezone.now()
            )
            return redirect("venue:rooms", club.slug)
    return _render_form(request, club, form, heading=_("Open a room"), submit=_("Open the room"))


@require_permission("tournaments.direct", "GET", "POST")
def add_tables(request: AccountRequest, club: Club, key: str) -> HttpResponse:
    room = get_object_or_404(Room.objects.select_related("club"), club=club, key=key)
    form = TablesForm(request.POST or None)
    if form.is_valid():
        with refusals_added_to(form, "tables"):
            rooms.add_tables(
                room=room, by=request.user, labels=form.cleaned_data["tables"], now=timezone.now()
            )
            return redirect("venue:rooms", club.slug)
    heading = _("More tables: %(room)s") % {"room": room.name}
    return _render_form(request, club, form, heading=heading, submit=_("Add tables"))


@require_permission("tournaments.direct", "GET", "POST")
def table(request: AccountRequest, club: Club, key: str) -> HttpResponse:
    found = get_object_or_404(Table.objects.select_related("room__club"), room__club=club, key=key)
    if "remove" in request.POST:
        with refusals_shown_to(request):
            rooms.remove_table(
                table=found, by=request.user, now=timezone.now(), saw=request.POST.get("saw", "")
            )
            messages.success(request, _("Table %(label)s is removed.") % {"label": found.label})
        return redirect("venue:rooms", club.slug)
    now = {
        "saw": tables.compute_settings_key(found),
        "label": found.label,
        "state": found.state,
        "tags": found.tags,
    }
    form = TableForm(request.POST or None, initial=now)
    if form.is_valid():
        cleaned = form.cleaned_data
        try:
            rooms.change_table(
                table=found,
                by=request.user,
                label=cleaned["label"],
                state=TableState(cleaned["state"]),
                tags=[TableTag(tag) for tag in cleaned["tags"]],
                now=timezone.now(),
                saw=cleaned["saw"],
            )
        except ChangedMeanwhile as refusal:
            found.refresh_from_db()
            show_conflict(form, refusal, saw=tables.compute_settings_key(found))
        except VenueError as refusal:
            form.add_error("label", build_form_error(refusal))
        else:
            return redirect("venue:rooms", club.slug)
    return _render_form(
        request, club, form, heading=labels.format_table(found.label), submit=_("Save"), table=found
    )


def _render_form(request: AccountRequest, club: Club, form: Form, **values: object) -> HttpResponse:
    page = "venue/table_form.html" if "table" in values else "form_page.html"
    cancel = reverse("venue:rooms", args=[club.slug])
    values = {"club": club, "form": form, "cancel": cancel, **values}
    return render(request, page, values, status=422 if form.is_bound else 200)


@require_permission("tournaments.direct", "GET", "HEAD")
def cards(request: HttpRequest, club: Club) -> HttpResponse:
    """Show a card for each table, four to a page: for the club, or with `?event=KEY` for one event."""
    now, key = timezone.now(), request.GET.get("event", "")
    chosen = get_object_or_404(Tournament, club=club, is_friendly=False, key=key) if key else None
    event = (
        tables.find_current_event(club.pk) if chosen is None else chosen if chosen.status in OPEN else None
    )
    rows = Table.objects.filter(room__club=club).select_related("room").order_by("room", "position")
    codes: dict[str, PrintedCode] = {}
    if event is not None:
        keys = [table.key for table in rows]
        codes = printed_codes.draw_table_codes(request, event, keys, is_for_event=chosen is not None, now=now)
    found = [(table, codes.get(table.key)) for table in rows]
    pages = [found[at : at + 4] for at in range(0, len(found), 4)]
    values = {
        "club": club,
        "pages": pages,
        "asked": chosen,
        "event": event,
        "can_be_scanned": printed_codes.can_be_scanned(request),
    }
    return render(request, "venue/cards.html", values)


def has_tables(event: Tournament) -> bool:
    return Table.objects.filter(room__club=event.club_id).exists()
