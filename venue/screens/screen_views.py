"""The pages of screens: `/tv` itself, the overlay for a stream of a table, and both for the directors of a club.

`/tv` has no sign-in: a cookie identifies the screen. `/overlay/TABLE` has a secret in its address.
"""

from __future__ import annotations

import hmac
import math
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from allauth.account.adapter import get_adapter
from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from players.access.permissions import require_permission
from players.access.requests import AccountRequest
from players.clubs.club_pages import ClubRights
from players.errors import PlayersError
from players.models import Club
from players.people.fields import NameField
from tournaments.base import local_times
from tournaments.models import Tournament
from venue.errors import TooManyTries, VenueError
from venue.models import Layout, Overlay, Room, Screen, Show, Table
from venue.models.screens import LONGEST_DELAY
from venue.screens import overlays, screens, wall

COOKIE: Final = "screen"
# The longest that browsers allow; renewed at each visit.
COOKIE_LASTS: Final = 400 * 24 * 3600


class BindForm(forms.Form):
    letters = forms.CharField(
        label=_("Letters"),
        min_length=4,
        max_length=8,
        help_text=_("The four letters the screen shows."),
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false"}
        ),
    )
    name = NameField(
        label=_("Name"),
        max_length=80,
        help_text=_("Such as Bar. With the name of an existing screen, this one replaces it."),
    )
    room: forms.ModelChoiceField[Room] = forms.ModelChoiceField(
        queryset=Room.objects.none(), label=_("Room"), required=False, empty_label=_("All rooms")
    )

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["room"].queryset = screens.list_rooms(club)  # type: ignore[attr-defined]


if TYPE_CHECKING:
    EventField = forms.ModelChoiceField[Tournament]
else:
    EventField = forms.ModelChoiceField


class EventChoice(EventField):
    """A choice of events with their days: most nights of a club have the same name."""

    def label_from_instance(self, obj: Tournament) -> str:
        return f"{obj.name} · {local_times.format_full_day(obj.starts_at, obj.club.time_zone)}"


class ProgrammeForm(forms.Form):
    name = NameField(label=_("Name"), max_length=80)
    room: forms.ModelChoiceField[Room] = forms.ModelChoiceField(
        queryset=Room.objects.none(), label=_("Room"), required=False, empty_label=_("All rooms")
    )
    event = EventChoice(
        queryset=Tournament.objects.none(),
        label=_("Event"),
        required=False,
        empty_label=_("The running event, otherwise the last one"),
    )
    programme = forms.MultipleChoiceField(
        label=_("In turn"),
        choices=Show.choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Pages with nothing to show are skipped."),
    )
    seconds = forms.IntegerField(label=_("Seconds a page"), min_value=5, max_value=120)
    held = forms.ChoiceField(
        label=_("Show only one page"),
        choices=[("", _("No, show all in turn")), *Show.choices],
        required=False,
    )
    speaks = forms.BooleanField(
        label=_("Say each call aloud"),
        required=False,
        help_text=_("In the club's language. Most browsers speak only after a tap or a key on that screen."),
    )
    announcement = forms.CharField(
        label=_("Announcement"),
        max_length=160,
        required=False,
        help_text=_("Shown where Announcement is chosen above. Words between **two stars** stand out."),
    )
    minutes = forms.IntegerField(
        label=_("Minutes the announcement stays"),
        min_value=1,
        max_value=7 * 24 * 60,
        required=False,
        help_text=_("Empty: until you change it."),
    )

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["room"].queryset = screens.list_rooms(club)  # type: ignore[attr-defined]
        self.fields["event"].queryset = screens.list_events(club).select_related("club")  # type: ignore[attr-defined]

    @staticmethod
    def build_initial(screen: Screen, *, now: datetime) -> dict[str, object]:
        """Return the initial values of the form; an expired announcement is left out."""
        until = screen.announced_until
        is_over = until is not None and until <= now
        return {
            "name": screen.name,
            "room": screen.room_id,
            "event": screen.event_id,
            "programme": screen.programme,
            "seconds": screen.seconds,
            "held": screen.held,
            "speaks": screen.speaks,
            "announcement": "" if is_over else screen.announcement,
            "minutes": None
            if until is None or is_over
            else max(1, math.ceil((until - now).total_seconds() / 60)),
        }


class OverlayForm(forms.Form):
    layout = forms.ChoiceField(label=_("Layout"), choices=Layout.choices)
    delay = forms.IntegerField(
        label=_("Delay in seconds"),
        min_value=0,
        max_value=LONGEST_DELAY,
        help_text=_("As many seconds as the picture of the stream is delayed."),
    )


@require_permission("tournaments.direct", "GET", "POST")
def club(request: AccountRequest, club: Club) -> HttpResponse:
    form = BindForm(request.POST or None, club=club)
    if form.is_valid():
        cleaned = form.cleaned_data
        try:
            screen = screens.bind(club=club, by=request.user, now=timezone.now(), **cleaned)
        except (VenueError, PlayersError) as refusal:
            form.add_error("letters" if isinstance(refusal, VenueError) else "name", str(refusal))
        else:
            messages.success(request, gettext("%(name)s is on the wall.") % {"name": screen.name})
            return redirect("venue:screen", club.slug, screen.key)
    values = {
        "club": club,
        "rights": ClubRights.load(request.user, club),
        "screens": screens.list_screens(club),
        "form": form,
        "address": request.build_absolute_uri("/tv").partition("://")[2],
    }
    return render(request, "venue/screens.html", values, status=422 if form.is_bound else 200)


@require_permission("tournaments.direct", "GET", "POST")
def screen(request: AccountRequest, club: Club, key: str) -> HttpResponse:
    row = get_object_or_404(Screen.objects.select_related("club", "room", "event"), club=club, key=key)
    now = timezone.now()
    if "release" in request.POST:
        screens.release(screen=row, by=request.user, now=now)
        messages.success(
            request, gettext("%(name)s is off the wall and shows letters again.") % {"name": row.name}
        )
        return redirect("venue:screens", club.slug)
    form = ProgrammeForm(request.POST or None, club=club, initial=ProgrammeForm.build_initial(row, now=now))
    if form.is_valid():
        cleaned = form.cleaned_data
        minutes = cleaned.pop("minutes")
        until = None if minutes is None else now + timedelta(minutes=minutes)
        try:
            screens.change_settings(screen=row, by=request.user, now=now, announced_until=until, **cleaned)
        except (VenueError, PlayersError) as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, gettext("%(name)s shows it now.") % {"name": cleaned["name"]})
            return redirect("venue:screens", club.slug)
    values = {
        "club": club,
        "form": form,
        "heading": row.name,
        "lede": _("The screen shows it at once."),
        "submit": _("Show it"),
        "cancel": reverse("venue:screens", args=[club.slug]),
    }
    return render(request, "venue/screen.html", values, status=422 if form.is_bound else 200)


@require_safe
@never_cache
def tv(request: HttpRequest, template: str) -> HttpResponse:
    """Show a screen: its letters, or its programme; or only the picture that replaces the one shown."""
    now = timezone.now()
    token = request.COOKIES.get(COOKIE, "")[:64]
    screen = screens.find_screen(token)
    try:
        if screen is None:
            screen, token = screens.open_screen(address=get_adapter().get_client_ip(request), now=now)
        else:
            screen = screens.renew_letters(screen=screen, now=now)
    except TooManyTries as refusal:
        headers = {"Retry-After": str(refusal.context["seconds"])}
        return HttpResponse(
            str(refusal), status=429, content_type="text/plain; charset=utf-8", headers=headers
        )
    response = render(request, template, {"wall": wall.build_wall(screen, now=now)})
    response.set_cookie(
        COOKIE,
        token,
        max_age=COOKIE_LASTS,
        path="/tv",
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response


@require_safe
@never_cache
def overlay(request: HttpRequest, key: str, template: str) -> HttpResponse:
    """Show the overlay of a table to anyone who has its secret address, or only its current state.

    The page displays the state after the configured delay.
    """
    row = Overlay.objects.select_related("table__room__club").filter(table__key=key).first()
    secret = request.GET.get("secret", "")
    if row is None or not hmac.compare_digest(row.secret.encode(), secret.encode()):
        raise Http404
    return render(request, template, {"overlay": overlays.build_view(row, now=timezone.now()), "row": row})


@require_permission("tournaments.direct", "GET", "POST")
def table(request: AccountRequest, club: Club, key: str) -> HttpResponse:
    row = get_object_or_404(Table.objects.select_related("room__club"), room__club=club, key=key)
    shown, now = overlays.load_overlay(table=row, by=request.user), timezone.now()
    if "renew" in request.POST:
        overlays.renew_secret(overlay=shown, by=request.user, now=now)
        messages.success(request, gettext("The overlay has a new address."))
        return redirect("venue:table_overlay", club.slug, key)
    form = OverlayForm(request.POST or None, initial={"layout": shown.layout, "delay": shown.delay})
    if form.is_valid():
        cleaned = form.cleaned_data
        try:
            overlays.change_settings(
                overlay=shown,
                by=request.user,
                layout=Layout(cleaned["layout"]),
                delay=cleaned["delay"],
                now=now,
            )
        except VenueError as refusal:
            form.add_error("delay", str(refusal))
        else:
            messages.success(request, gettext("The overlay is changed."))
            return redirect("venue:table_overlay", club.slug, key)
    address = request.build_absolute_uri(f"{reverse('venue:overlay', args=[key])}?secret={shown.secret}")
    values = {"club": club, "table": row, "form": form, "address": address}
    return render(request, "venue/table_overlay.html", values, status=422 if form.is_bound else 200)
