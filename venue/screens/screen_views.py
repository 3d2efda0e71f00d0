"""A club's screens, for its directors: bind, change and release."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.contrib import messages
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from players.access.permissions import require_permission
from players.clubs.club_pages import ClubRights
from players.errors import PlayersError
from venue.errors import VenueError
from venue.models import Screen
from venue.screens import screens
from venue.screens.screen_forms import BindForm, ProgrammeForm

if TYPE_CHECKING:
    from django.http import HttpResponse

    from players.access.requests import AccountRequest
    from players.models import Club


@require_http_methods(["GET", "POST"])
@require_permission("tournaments.direct")
def club(request: AccountRequest, club: Club) -> HttpResponse:
    form = BindForm(request.POST or None, club=club)
    if form.is_valid():
        said = form.cleaned_data
        try:
            screen = screens.bind(club=club, by=request.user, now=timezone.now(), **said)
        except (VenueError, PlayersError) as refusal:
            form.add_error("letters" if isinstance(refusal, VenueError) else "name", str(refusal))
        else:
            messages.success(request, _("%(name)s is on the wall.") % {"name": screen.name})
            return redirect("venue:screen", club.slug, screen.key)
    values = {
        "club": club,
        "rights": ClubRights.load(request.user, club),
        "screens": screens.list_screens(club),
        "form": form,
        "address": request.build_absolute_uri("/tv").partition("://")[2],
    }
    return render(request, "venue/screens.html", values, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "POST"])
@require_permission("tournaments.direct")
def screen(request: AccountRequest, club: Club, key: str) -> HttpResponse:
    row = get_object_or_404(Screen.objects.select_related("club", "room", "event"), club=club, key=key)
    now = timezone.now()
    if "release" in request.POST:
        screens.release(screen=row, by=request.user, now=now)
        messages.success(request, _("%(name)s is off the wall and shows letters again.") % {"name": row.name})
        return redirect("venue:screens", club.slug)
    form = ProgrammeForm(request.POST or None, club=club, initial=ProgrammeForm.build_initial(row, now=now))
    if form.is_valid():
        said = form.cleaned_data
        minutes = said.pop("minutes")
        until = None if minutes is None else now + timedelta(minutes=minutes)
        try:
            screens.change_settings(screen=row, by=request.user, now=now, announced_until=until, **said)
        except (VenueError, PlayersError) as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("%(name)s shows it now.") % {"name": said["name"]})
            return redirect("venue:screens", club.slug)
    values = {"club": club, "form": form, "screen": row}
    return render(request, "venue/screen.html", values, status=422 if form.is_bound else 200)
