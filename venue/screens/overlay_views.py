"""`/overlay/TABLE`: the overlay for a stream of a table, and the director's page about it."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING

from django.contrib import messages
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from players.access.permissions import require_permission
from venue.errors import VenueError
from venue.models import Layout, Overlay, Table
from venue.screens import overlays
from venue.screens.screen_forms import OverlayForm

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from players.access.requests import AccountRequest
    from players.models import Club


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


@require_http_methods(["GET", "POST"])
@require_permission("tournaments.direct")
def table(request: AccountRequest, club: Club, key: str) -> HttpResponse:
    """Change the settings of a table's overlay, and show its address."""
    row = get_object_or_404(Table.objects.select_related("room__club"), room__club=club, key=key)
    shown, now = overlays.load_overlay(table=row, by=request.user), timezone.now()
    if "renew" in request.POST:
        overlays.renew_secret(overlay=shown, by=request.user, now=now)
        messages.success(request, _("The overlay has a new address."))
        return redirect("venue:table_overlay", club.slug, key)
    form = OverlayForm(request.POST or None, initial={"layout": shown.layout, "delay": shown.delay})
    if form.is_valid():
        said = form.cleaned_data
        try:
            overlays.change_settings(
                overlay=shown, by=request.user, layout=Layout(said["layout"]), delay=said["delay"], now=now
            )
        except VenueError as refusal:
            form.add_error("delay", str(refusal))
        else:
            messages.success(request, _("The overlay is changed."))
            return redirect("venue:table_overlay", club.slug, key)
    address = request.build_absolute_uri(f"{reverse('venue:overlay', args=[key])}?secret={shown.secret}")
    values = {"club": club, "table": row, "form": form, "address": address}
    return render(request, "venue/table_overlay.html", values, status=422 if form.is_bound else 200)
