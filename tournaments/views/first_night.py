"""The second and third step of a new club: tonight, and its draw. The first, the club, is `players.views.welcome`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from players.errors import PlayersError
from players.permissions import needs
from runtime import qr, reach
from runtime.refusals import for_form
from tournaments.errors import TournamentError
from tournaments.forms.first_night import FirstNightForm
from tournaments.selectors import draws, expectations
from tournaments.services import drawing, first_night, setup
from tournaments.templates import TEMPLATES
from tournaments.views import event_page

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from players.models import Club
    from tournaments.models import Tournament


@require_http_methods(["GET", "POST"])
@needs("tournaments.direct")
def tonight(request: HttpRequest, club: Club) -> HttpResponse:
    """Announce tonight, enter those who are here, and draw."""
    form = FirstNightForm(request.POST or None)
    if form.is_bound and form.is_valid():
        try:
            event = _begin(request, club, form)
        except (TournamentError, PlayersError) as refusal:
            form.add_error(None, for_form(refusal))
        else:
            if hasattr(event.stages.get(number=1), "draw"):
                return redirect("tournaments:first_draw", key=event.key)
            messages.success(request, _("Announced. Enter the players when they come, then draw."))
            return redirect("tournaments:roster", key=event.key)
    values = {"form": form, "club": club, "templates": TEMPLATES}
    return render(request, "tournaments/first_night.html", values, status=422 if form.is_bound else 200)


def _begin(request: HttpRequest, club: Club, form: FirstNightForm) -> Tournament:
    typed, now = form.cleaned_data, timezone.now()
    template = TEMPLATES[typed["template"]]
    details = setup.Details(
        name=typed["name"],
        starts_at=now.replace(second=0, microsecond=0),
        match_length=template.length,
    )
    return first_night.begin(
        club=club,
        by=event_page.signed_in(request),
        key=typed["key"],
        details=details,
        plan=template.plan(template.length, template.rounds),
        lines=typed["names"],
        now=now,
    )


@require_safe
@event_page.directs
def the_draw(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Show the draw before it is published, and how phones come here."""
    shown = draws.read(event, 1, commitment=drawing.commitment(event))
    if shown is None or not shown.is_there or shown.published_at:
        return redirect(event)
    place = reach.find()
    link = place.link(event.get_absolute_url())
    values = {
        "event": event,
        "draw": shown,
        "expects": expectations.written({"draw": expectations.draw(event, 1)}),
        "reach": place,
        "link": link,
        "qr": qr.svg(link, title=_("QR code of the event")) if link else "",
    }
    return render(request, "tournaments/first_draw.html", values)
