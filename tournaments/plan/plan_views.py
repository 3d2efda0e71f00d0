"""How an event is played: choice of a template, settings, and a preview of rounds and matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from players.access.requests import parse_number
from players.models import Club
from runtime.refusals import build_form_error
from tournaments.base import formats, labels
from tournaments.base.errors import ChangedMeanwhile, TournamentError
from tournaments.base.form_fields import disable_fields
from tournaments.base.settings import list_open_after_draw
from tournaments.models import LONGEST_MATCH, Tournament
from tournaments.pages import access
from tournaments.plan import draw_pages, outline, plan_edits, planning, setup, templates
from tournaments.plan.outline import Extent, Outline
from tournaments.plan.settings_forms import PlayForm, SettingsForm, build_initial_values
from tournaments.plan.stage_forms import StageForm
from tournaments.plan.templates import TEMPLATES, Plan, Template
from tournaments.play import capacity, entering

FIELD: Final = 16
# The default template.
USUAL: Final = "club-night"
MOST_ROUNDS: Final = 15
LEAST_PLAYERS: Final = 2
MOST_PLAYERS: Final = 256
SIZES: Final = (8, 16, 32, 64)


@dataclass(frozen=True, slots=True)
class TemplateCard:
    """A choice: a template, or the event to repeat."""

    name: str
    title: str
    about: str
    extent: Extent | None


@dataclass(frozen=True, slots=True)
class ChosenTemplate:
    name: str
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

    @property
    def is_over_days(self) -> bool:
        return any(formats.is_over_days(stage) for stage in self.plan.stages)


def build_cards(
    like: Tournament | None, players: int, starts_at: datetime, zone: str
) -> tuple[TemplateCard, ...]:
    """Return the choices with previews for so many players.

    They are the event to repeat, if there is one, and the templates.
    """
    before = None if like is None else planning.load_plan(like, as_drawn=True)
    found = [
        (name, str(one.name), str(one.about), one.plan(_get_template_length(one, before), one.rounds))
        for name, one in TEMPLATES.items()
    ]
    if like is not None and before is not None:
        title = templates.format_repeat_label(like)
        about = f"{like.name} · {labels.describe_plan(formats.serialize_formats(before.stages))}"
        found.insert(0, (templates.LIKE + like.key, title, about, before))
    return tuple(
        TemplateCard(name, title, about, outline.compute_extent(plan, players, starts_at, zone))
        for name, title, about, plan in found
    )


def count_preview_players(like: Tournament | None) -> int:
    """Return the number of players for previews: that of the event, or a default if it is not usable."""
    there = 0 if like is None else capacity.count_entered(like)
    return there if MOST_PLAYERS >= there >= LEAST_PLAYERS else FIELD


def find_event_to_repeat(request: HttpRequest, club: Club, now: datetime) -> Tournament | None:
    """Find the event to propose again: the one chosen in the form, or else that of `find_last_event`."""
    for chosen in (request.POST.get("choose", ""), request.POST.get("template", "")):
        if chosen.startswith(templates.LIKE):
            return templates.find_public_event(club, chosen.removeprefix(templates.LIKE))
    return templates.find_last_event(club, day=now, now=now)


def get_usual_length(name: str, like: Tournament | None) -> int:
    """Return the match length to propose with a choice.

    For a template it is that of *like* if that event had this format and these rules, else the template's.
    """
    one = TEMPLATES.get(name)
    if one is None:
        return like.match_length if like is not None and name == templates.LIKE + like.key else 5
    return _get_template_length(one, None if like is None else planning.load_plan(like))


def _get_template_length(one: Template, before: Plan | None) -> int:
    plan = one.plan(one.length, one.rounds)
    if before is None or before.settings.play != plan.settings.play:
        return one.length
    is_same = [stage.format for stage in before.stages] == [stage.format for stage in plan.stages]
    return before.match_length if is_same else one.length


def read_chosen_template(request: HttpRequest, like: Tournament | None) -> ChosenTemplate | None:
    """Return the choice in the request, with a preview for the number of players in it.

    The default is the event to repeat, or else the usual template.
    """
    if request.method == "POST":
        posted, name = request.POST, request.POST.get("choose") or request.POST.get("template", "")
    else:
        usual_name = USUAL if like is None else templates.LIKE + like.key
        posted, name = request.GET, request.GET.get("template", usual_name)
    if like is not None and name == templates.LIKE + like.key:
        plan = planning.load_plan(like, as_drawn=True)
        if plan is None:
            return None
        card: dict[str, Any] = {"name": name, "length": plan.match_length, "rounds": 0, "like": like}
        return _build_choice(request, plan, count_preview_players(like), **card)
    if name not in TEMPLATES:
        return None
    one, usual = TEMPLATES[name], get_usual_length(name, like)
    length = _parse_bounded(posted.get("match_length") or posted.get("length", ""), 1, LONGEST_MATCH, usual)
    is_other = "choose" in posted and posted["choose"] != posted.get("template")
    if is_other and (
        posted.get("template") in TEMPLATES or posted.get("template", "").startswith(templates.LIKE)
    ):
        length = usual
    rounds_text = "" if is_other else posted.get("rounds", "")
    rounds = _parse_bounded(rounds_text, 1, MOST_ROUNDS, one.rounds) if one.rounds else 0
    card = {"name": name, "length": length, "rounds": rounds}
    return _build_choice(request, one.plan(length, rounds), count_preview_players(like), **card)


def _build_choice(request: HttpRequest, plan: Plan, field: int, **card: Any) -> ChosenTemplate:
    submitted = request.POST if request.method == "POST" else request.GET
    players = _parse_bounded(submitted.get("players", ""), LEAST_PLAYERS, MOST_PLAYERS, field)
    return ChosenTemplate(
        **card,
        plan=plan,
        outline=outline.build_outline(plan, players),
        words=labels.describe_plan(formats.serialize_formats(plan.stages)),
        play=PlayForm(request.POST if request.method == "POST" else None, play=plan.settings.play),
    )


def build_plan(template: ChosenTemplate | None, details: setup.Details) -> Plan | None:
    """Return the plan for an announcement, None if the event is only announced."""
    if template is None:
        return None
    plan = replace(template.plan, format_label=details.format_label, match_length=details.match_length)
    if template.like is not None:
        like = template.like
        plan = planning.postpone_dates(plan, like.starts_at, details.starts_at, like.club.time_zone)
    return replace(plan, settings=replace(plan.settings, play=template.play.rules()))


@access.require_director("GET", "POST")
def settings(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Change how an event is played. The published draw fixes most settings."""
    plan = planning.load_plan(event)
    if plan is None:
        return redirect(event)
    data = request.POST or None
    play = PlayForm(data, play=plan.settings.play)
    form = SettingsForm(data, zone=event.club.time_zone, initial=build_initial_values(plan))
    has_others = len(plan.stages) > 1
    stages = [
        StageForm(data, plan=stage, has_others=has_others, prefix=f"stage-{at}")
        for at, stage in enumerate(plan.stages, 1)
    ]
    is_drawn = draw_pages.has_unpublished_draw(event)
    seen = request.POST.get("seen") if data is not None else setup.compute_version_key(plan)
    is_fixed, still_open = entering.is_drawn(event), list_open_after_draw()
    if is_fixed:
        disable_fields(form, form.fields.keys() - still_open)
        for each in (play, *stages):
            disable_fields(each, each.fields)
    if data is not None and all([form.is_valid(), play.is_right(), *(each.is_valid() for each in stages)]):
        wanted = _add_or_remove_stage(_build_plan_from_forms(plan, form, play, stages), data.get("then", ""))
        try:
            setup.arrange(
                tournament_id=event.pk,
                plan=wanted,
                by=access.require_user(request),
                now=timezone.now(),
                seen=seen,
            )
        except ChangedMeanwhile as refusal:
            event.refresh_from_db()
            seen = setup.compute_version_key(planning.load_plan(event))
            form.add_error(None, build_form_error(refusal))
        except TournamentError as refusal:
            form.add_error(None, build_form_error(refusal))
        else:
            message = _("Saved. This is how it will be played.")
            if is_drawn and not draw_pages.has_unpublished_draw(event):
                message = _("Saved. The unpublished draw is deleted: draw again before you publish.")
            messages.success(request, message)
            return redirect("tournaments:arrange", key=event.key)
    players = capacity.count_entered(event)
    values = {
        "event": event,
        "form": form,
        "seen": seen,
        "play": play,
        "stages": stages,
        "may_grow": plan_edits.may_add_stage(plan) and not is_fixed,
        "may_save": not is_fixed or still_open,
        "outline": outline.build_outline(plan, players if players > 2 else FIELD),
        "is_drawn": is_drawn,
        "tab": "settings",
    }
    is_wrong = bool(form.errors or play.errors) or any(each.errors for each in stages)
    return render(request, "tournaments/settings.html", values, status=422 if is_wrong else 200)


def _build_plan_from_forms(
    plan: Plan, form: SettingsForm, play: PlayForm, stages: Sequence[StageForm]
) -> Plan:
    """Return the plan from the forms; stages that take from a renamed stage refer to its new name."""
    made = tuple(each.stage() for each in stages)
    names = {each.plan.name: stage.name for each, stage in zip(stages, made, strict=True)}
    return replace(
        plan,
        stages=plan_edits.rename_stages(made, names),
        settings=form.settings(play.rules()),
        match_length=form.cleaned_data["match_length"],
    )


def _add_or_remove_stage(plan: Plan, then: str) -> Plan:
    """Add a stage after the last one, or remove the last one, if that button was pressed."""
    if then == "grow" and plan_edits.may_add_stage(plan):
        return plan_edits.add_stage(plan)
    return plan_edits.remove_stage(plan) if then == "shorten" else plan


def _parse_bounded(text: str, least: int, most: int, usual: int) -> int:
    found = parse_number(text, 4)
    return usual if found is None or not least <= found <= most else found
