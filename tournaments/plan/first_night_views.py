"""The second and third step for a new club: tonight's event and its draw.

The first step, the club, is `players.accounts.welcome_views`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from django.contrib import messages
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from players.access.permissions import needs
from runtime import qr
from runtime.install import reach
from runtime.refusals import Refusal, for_form
from tournaments.base import expectations
from tournaments.pages import access
from tournaments.plan import arranging_views, drawing, draws, first_night, planning, room_forms, setup
from tournaments.plan.first_night_forms import FirstNightForm
from tournaments.plan.templates import TEMPLATES

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from players.models import Club
    from tournaments.models import Tournament


@require_http_methods(["GET", "POST"])
@needs("tournaments.direct")
def tonight(request: HttpRequest, club: Club) -> HttpResponse:
    """Announce tonight's event, enter the players, and preview the draw."""
    like = arranging_views.find_like(request, club, timezone.now())
    if like is not None and setup.plan_of(like) is None:
        like = None
    form = FirstNightForm(request.POST or None, club=club, like=like)
    if form.is_bound and form.is_valid():
        try:
            event = _begin(request, club, form, like)
        except Refusal as refusal:
            form.add_error(None, for_form(refusal))
        else:
            if hasattr(event.stages.get(number=1), "draw"):
                return redirect("tournaments:first_draw", key=event.key)
            messages.success(request, _("Announced. Enter the players when they arrive, then draw."))
            return redirect("tournaments:roster", key=event.key)
    values = {"form": form, "club": club, "templates": TEMPLATES}
    return render(request, "tournaments/first_night.html", values, status=422 if form.is_bound else 200)


def _begin(request: HttpRequest, club: Club, form: FirstNightForm, like: Tournament | None) -> Tournament:
    typed, now = form.cleaned_data, timezone.now()
    begun = {"name": typed["name"], "starts_at": now.replace(second=0, microsecond=0)}
    before = None if like is None else setup.plan_of(like)
    if like is None or before is None or typed["template"] in TEMPLATES:
        like, template = None, TEMPLATES[typed["template"]]
        length = typed["match_length"] or template.length
        details = setup.Details(**begun, match_length=length)
        plan = template.plan(length, template.rounds)
    else:
        length = typed["match_length"] or before.match_length
        details = replace(setup.details(like), **begun, match_length=length)
        plan = planning.postponed(before, details.starts_at - like.starts_at)
        plan = replace(plan, match_length=length)
    return first_night.begin(
        club=club,
        by=access.signed_in(request),
        key=typed["key"],
        details=details,
        plan=plan,
        lines=typed["names"],
        now=now,
        like=like,
        room=room_forms.read(form),
    )


@require_safe
@access.directs
def the_draw(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Show the draw before it is published, and how phones reach this site."""
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
