"""How an event is played: choice of a template, settings, and a preview of rounds and matches."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from django.contrib import messages
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from runtime.refusals import for_form
from tournaments.base import formats, labels
from tournaments.base.errors import TournamentError
from tournaments.base.form_fields import freeze
from tournaments.base.settings import open_after_draw
from tournaments.models import LONGEST_MATCH
from tournaments.pages import access
from tournaments.plan import draws, extents, last_times, outline, plan_edits, planning, setup
from tournaments.plan.arranging_forms import SettingsForm, initial
from tournaments.plan.play_forms import PlayForm
from tournaments.plan.stage_forms import StageForm
from tournaments.plan.templates import TEMPLATES
from tournaments.play import entering

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse

    from players.models import Club
    from tournaments.models import Tournament
    from tournaments.plan.extents import Extent
    from tournaments.plan.outline import Outline
    from tournaments.plan.templates import Plan

FIELD: Final = 16
# The default template.
USUAL: Final = "club-night"
MOST_ROUNDS: Final = 15
LEAST_PLAYERS: Final = 2
MOST_PLAYERS: Final = 256
SIZES: Final = (8, 16, 32, 64)


@dataclass(frozen=True, slots=True)
class Card:
    """A choice: a template, or the last event on this weekday."""

    name: str
    title: str
    about: str
    extent: Extent | None


@dataclass(frozen=True, slots=True)
class Chosen:
    """The chosen template with its preview."""

    name: str
    title: str
    about: str
    length: int
    rounds: int
    plan: Plan
    outline: Outline
    # The formats in a few words.
    words: str
    play: PlayForm
    sizes: tuple[int, ...] = SIZES
    # The event to repeat, if that was chosen.
    like: Tournament | None = None


def cards(like: Tournament | None, players: int, starts_at: datetime, zone: str) -> tuple[Card, ...]:
    """Return the choices with previews for so many players: the last event on that weekday, and the
    templates.
    """
    again = () if like is None else _again(like, players, starts_at)
    return again + tuple(
        Card(
            name,
            str(one.name),
            str(one.about),
            extents.compute_extent(one.plan(one.length, one.rounds), players, starts_at, zone),
        )
        for name, one in TEMPLATES.items()
    )


def _again(event: Tournament, players: int, starts_at: datetime) -> tuple[Card, ...]:
    plan, zone = setup.plan_of(event), event.club.time_zone
    if plan is None:
        return ()
    about = f"{event.name} · {labels.plan_words(formats.announced(plan.stages))}"
    return (
        Card(
            last_times.LIKE + event.key,
            last_times.title(event),
            about,
            extents.compute_extent(plan, players, starts_at, zone),
        ),
    )


def field_of(like: Tournament | None) -> int:
    """Return the number of players for previews: that of the event, or a default."""
    there = 0 if like is None else last_times.players(like)
    return there if MOST_PLAYERS >= there >= LEAST_PLAYERS else FIELD


def find_like(request: HttpRequest, club: Club, now: datetime) -> Tournament | None:
    """Find the event to propose again: the one in the form, or the last of this weekday."""
    for said in (request.POST.get("choose", ""), request.POST.get("template", "")):
        if said.startswith(last_times.LIKE):
            return last_times.by_key(club, said.removeprefix(last_times.LIKE))
    return last_times.played_here(club, day=now, now=now)


def said_name(request: HttpRequest, like: Tournament | None) -> str:
    """Return the name of the choice in the request. The default is the last event on this weekday, or else
    the usual template.
    """
    if request.method == "POST":
        return request.POST.get("choose") or request.POST.get("template", "")
    return request.GET.get("template", USUAL if like is None else last_times.LIKE + like.key)


def usual_length(name: str, like: Tournament | None) -> int:
    """Return the match length to propose: that of the club's last event if it had this format, else the template's."""
    one = TEMPLATES.get(name)
    if one is None:
        return like.match_length if like is not None and name == last_times.LIKE + like.key else 5
    before, plan = None if like is None else setup.plan_of(like), one.plan(one.length, one.rounds)
    if before is None or before.settings.play != plan.settings.play:
        return one.length
    is_same = [stage.format for stage in before.stages] == [stage.format for stage in plan.stages]
    return before.match_length if is_same else one.length


def chosen(request: HttpRequest, like: Tournament | None) -> Chosen | None:
    """Return the choice in the request, with a preview for the number of players in it."""
    said = request.POST if request.method == "POST" else request.GET
    name = said_name(request, like)
    if like is not None and name == last_times.LIKE + like.key:
        return _like(request, like)
    if name not in TEMPLATES:
        return None
    one, usual = TEMPLATES[name], usual_length(name, like)
    length = _within(said.get("match_length") or said.get("length", ""), 1, LONGEST_MATCH, usual)
    is_other = "choose" in said and said["choose"] != said.get("template")
    if is_other and (
        said.get("template") in TEMPLATES or said.get("template", "").startswith(last_times.LIKE)
    ):
        length = usual
    asked = "" if is_other else said.get("rounds", "")
    rounds = _within(asked, 1, MOST_ROUNDS, one.rounds) if one.rounds else 0
    card = _Choice(name, str(one.name), str(one.about), length, rounds, one.plan(length, rounds))
    return _shown(request, card, field_of(like))


def _like(request: HttpRequest, event: Tournament) -> Chosen | None:
    """Return the choice of repeating an event."""
    plan = setup.plan_of(event)
    if plan is None:
        return None
    card = _Choice(
        last_times.LIKE + event.key, last_times.title(event), event.name, plan.match_length, 0, plan
    )
    return replace(_shown(request, card, field_of(event)), like=event)


class _Choice(NamedTuple):
    """A choice without its preview."""

    name: str
    title: str
    about: str
    length: int
    rounds: int
    plan: Plan


def _shown(request: HttpRequest, choice: _Choice, field: int) -> Chosen:
    """Add the preview, the description and the rules of play to a choice."""
    said, plan = request.POST if request.method == "POST" else request.GET, choice.plan
    players = _within(said.get("players", ""), LEAST_PLAYERS, MOST_PLAYERS, field)
    words = labels.plan_words(formats.announced(plan.stages))
    play = PlayForm(request.POST if request.method == "POST" else None, play=plan.settings.play)
    return Chosen(*choice, outline.build_outline(plan, players), words, play)


def plan_for(template: Chosen | None, details: setup.Details) -> Plan | None:
    """Return the plan for an announcement, None if the event is only announced."""
    if template is None:
        return None
    plan = replace(template.plan, format_label=details.format_label, match_length=details.match_length)
    if template.like is not None:
        plan = planning.postponed(plan, details.starts_at - template.like.starts_at)
    return replace(plan, settings=replace(plan.settings, play=template.play.rules()))


@require_http_methods(["GET", "POST"])
@access.directs
def settings(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Change how an event is played. The published draw fixes most settings."""
    plan = setup.plan_of(event)
    if plan is None:
        return redirect(event)
    data = request.POST or None
    play = PlayForm(data, play=plan.settings.play)
    form = SettingsForm(data, zone=event.club.time_zone, initial=initial(plan))
    has_others = len(plan.stages) > 1
    stages = [
        StageForm(data, plan=stage, has_others=has_others, prefix=f"stage-{at}")
        for at, stage in enumerate(plan.stages, 1)
    ]
    is_drawn = draws.has_unpublished_draw(event)
    is_fixed, still_open = entering.is_drawn(event), open_after_draw()
    if is_fixed:
        freeze(form, form.fields.keys() - still_open)
        for each in (play, *stages):
            freeze(each, each.fields)
    if data is not None and all([form.is_valid(), play.is_right(), *(each.is_valid() for each in stages)]):
        wanted = _restructured(_wanted(plan, form, play, stages), data.get("then", ""))
        try:
            setup.arrange(
                tournament_id=event.pk, plan=wanted, by=access.signed_in(request), now=timezone.now()
            )
        except TournamentError as refusal:
            form.add_error(None, for_form(refusal))
        else:
            said = _("Saved. This is how it will be played.")
            if is_drawn and not draws.has_unpublished_draw(event):
                said = _("Saved. The unpublished draw is deleted: draw again before you publish.")
            messages.success(request, said)
            return redirect("tournaments:arrange", key=event.key)
    players = (
        max(2, event.entries.filter(withdrawn_at__isnull=True, waits=False).count()) if event.pk else FIELD
    )
    values = {
        "event": event,
        "club": event.club,
        "form": form,
        "play": play,
        "stages": stages,
        "may_grow": plan_edits.may_grow(plan) and not is_fixed,
        "may_save": not is_fixed or still_open,
        "outline": outline.build_outline(plan, players if players > 2 else FIELD),
        "is_drawn": is_drawn,
        "tab": "settings",
    }
    is_wrong = bool(form.errors or play.errors) or any(each.errors for each in stages)
    return render(request, "tournaments/settings.html", values, status=422 if is_wrong else 200)


def _wanted(plan: Plan, form: SettingsForm, play: PlayForm, stages: Sequence[StageForm]) -> Plan:
    """Return the plan from the forms; stages that take from a renamed stage refer to its new name."""
    made = tuple(each.stage() for each in stages)
    names = {each.plan.name: stage.name for each, stage in zip(stages, made, strict=True)}
    return replace(
        plan,
        stages=plan_edits.renamed(made, names),
        settings=form.settings(play.rules()),
        match_length=form.cleaned_data["match_length"],
    )


def _restructured(plan: Plan, then: str) -> Plan:
    """Add a stage after the last one, or remove the last one, if that button was pressed."""
    if then == "grow" and plan_edits.may_grow(plan):
        return plan_edits.grown(plan)
    return plan_edits.shortened(plan) if then == "shorten" else plan


def _within(text: str, least: int, most: int, usual: int) -> int:
    is_number = text.isascii() and text.isdigit() and len(text) < 5
    return int(text) if is_number and least <= int(text) <= most else usual
