"""The second and third step for a new club: tonight's event and its draw.

The first step, the club, is `players.accounts.welcome_views`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from players.access.permissions import require_permission
from players.access.requests import refusals_added_to
from players.models import Club
from runtime.install import reach
from tournaments.base import expectations
from tournaments.base.pasted_lists import PastedLine
from tournaments.models import LONGEST_MATCH, Tournament
from tournaments.pages import access
from tournaments.plan import announcing_forms, draw_pages, plan_views, planning, setup, templates
from tournaments.plan.roster_forms import NamesForm
from tournaments.plan.templates import TEMPLATES

USUAL = "club-night"
CHOICES = [(name, one.name) for name, one in TEMPLATES.items()]


class FirstEventForm(NamesForm):
    """Tonight's event: name, format, length, room, and the names of the players."""

    name = forms.CharField(label=_("Name of the event"), max_length=80, initial=_("Club night"))
    template = forms.ChoiceField(
        label=_("How it is played"),
        choices=CHOICES,
        initial=USUAL,
        help_text=_("All of it can be changed before the draw is published."),
    )
    match_length = forms.IntegerField(
        label=_("Matches to"),
        min_value=1,
        max_value=LONGEST_MATCH,
        required=False,
        help_text=_("Points, from 1 to 25. Empty: as usual for what is played."),
    )
    key = announcing_forms.KeyField()
    field_order = ("name", "template", "match_length", "room", "tables", "names", "key")

    def __init__(self, *args: Any, club: Club, like: Tournament | None, **options: Any) -> None:
        """Propose the format, the name and the length of *like*, an event of the club."""
        super().__init__(*args, **options)
        if like is not None:
            self.initial.update(name=like.name, match_length=like.match_length)
            template = cast("forms.ChoiceField", self.fields["template"])
            template.choices = [
                (templates.LIKE + like.key, templates.format_repeat_label(like)),
                *CHOICES,
            ]
            template.initial = templates.LIKE + like.key
        announcing_forms.add_room_field(self, club, like)
        self.order_fields(self.field_order)
        self.fields["names"].label = _("Who is here")
        self.fields["names"].required = False
        self.fields["names"].help_text = _(
            "One name per line. Members are found by their name, all others are entered as "
            "guests. Leave empty if no one is here yet."
        )
        self.fields["names"].widget.attrs["rows"] = 10

    def clean_names(self) -> list[PastedLine]:
        """Parse the names; the field may be empty."""
        return super().clean_names() if self.cleaned_data["names"].strip() else []


@require_permission("tournaments.direct", "GET", "POST")
def tonight(request: HttpRequest, club: Club) -> HttpResponse:
    """Announce tonight's event, enter the players, and preview the draw."""
    like = plan_views.find_event_to_repeat(request, club, timezone.now())
    if like is not None and planning.load_plan(like) is None:
        like = None
    form = FirstEventForm(request.POST or None, club=club, like=like)
    if form.is_bound and form.is_valid():
        with refusals_added_to(form):
            event = _begin_first_event(request, club, form, like)
            if hasattr(event.stages.get(number=1), "draw"):
                return redirect("tournaments:first_draw", key=event.key)
            messages.success(request, gettext("Announced. Enter the players when they arrive, then draw."))
            return redirect("tournaments:roster", key=event.key)
    values = {"form": form, "club": club}
    return render(request, "tournaments/first_night.html", values, status=422 if form.is_bound else 200)


def _begin_first_event(
    request: HttpRequest, club: Club, form: FirstEventForm, like: Tournament | None
) -> Tournament:
    typed, now = form.cleaned_data, timezone.now()
    begun = {"name": typed["name"], "starts_at": now.replace(second=0, microsecond=0)}
    before = None if like is None else planning.load_plan(like, as_drawn=True)
    if like is None or before is None or typed["template"] in TEMPLATES:
        like, template = None, TEMPLATES[typed["template"]]
        length = typed["match_length"] or template.length
        details = setup.Details(**begun, match_length=length)
        plan = template.plan(length, template.rounds)
    else:
        length = typed["match_length"] or before.match_length
        details = replace(setup.build_details(like), **begun, match_length=length)
        plan = planning.postpone_dates(before, like.starts_at, details.starts_at, club.time_zone)
        plan = replace(plan, match_length=length)
    return setup.begin_first_event(
        club=club,
        by=access.require_user(request),
        key=typed["key"],
        details=details,
        plan=plan,
        lines=typed["names"],
        now=now,
        like=like,
        room=announcing_forms.read_room(form),
    )


@access.require_director("GET", "HEAD")
def the_draw(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Show the draw before it is published, and how phones reach this site."""
    shown = draw_pages.load_draw_page(event, 1)
    if shown is None or shown.row is None or shown.row.published_at:
        return redirect(event)
    place = reach.find_reach()
    link = place.link(event.get_absolute_url())
    values = {
        "event": event,
        "draw": shown,
        "expects": expectations.serialize_state({"draw": expectations.hash_draw(event, 1)}),
        "reach": place,
        "link": link,
        "qr": reach.render_qr_code(link, title=gettext("QR code of the event")) if link else "",
    }
    return render(request, "tournaments/first_draw.html", values)
