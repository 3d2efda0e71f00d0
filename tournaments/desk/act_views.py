"""The pages of a director's acts, each a form with a preview of its consequences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from players.access.callers import found_or_404
from players.access.requests import parse_number, refusals_added_to
from players.errors import PlayersError
from runtime.refusals import HasCode, build_form_error
from tournaments.base import event_view, result_reports
from tournaments.base.errors import ChangedMeanwhile, ReasonNeeded, TournamentError
from tournaments.base.event_view import EventView
from tournaments.desk import act_pages, agreements, desk, previews, rulings
from tournaments.desk.act_form import ActForm, Choices
from tournaments.desk.act_pages import ActPage
from tournaments.desk.acts import ACTS, list_event_acts, list_match_acts, map_page_acts
from tournaments.desk.acts.act import Act, ActCall
from tournaments.desk.acts.matches import DECIDED_BY_RULING
from tournaments.desk.previews import Preview
from tournaments.models import Ruling, Tournament
from tournaments.pages import access, bracket_display, reasons
from tournaments.pages.bracket_display import MatchLine
from tournaments.play import appointments, capacity, corrections, optimistic_locking, preview


@access.require_director("GET", "POST")
def act(request: HttpRequest, event: Tournament, name: str) -> HttpResponse:
    """Show the form of an act, preview it, and run it once it is confirmed."""
    chosen = map_page_acts().get(name)
    if chosen is None or not event.stages.exists():
        raise Http404
    if chosen.needs_rounds and not agreements.has_rounds(event):
        raise Http404
    sheet = act_pages.load_act_page(request, event, chosen)
    form = sheet.form
    if not form.is_bound:
        return _show_act(request, sheet)
    sure, is_look = request.POST.get("sure", ""), act_pages.is_preview_only(request)
    try:
        if not form.is_valid():
            if is_look:
                return _show_act(request, sheet)
            # A chosen player may be gone by now: that error comes first.
            _run_if_current(request, sheet, lambda: None)
            return _show_act(request, sheet, status=422)
        done, given = act_pages.get_submitted_act(sheet, stands=sure == "stand")
        call = ActCall(event, access.require_user(request), timezone.now(), given)
        effects = ""
        if is_look or not _is_confirmed(request, sheet, sure):
            run = partial(_run_if_current, request, sheet, lambda: done.do(call))
            seen = _build_preview(event, sheet.view, run, sheet.key)
            if not (sure == "unless-lost" and chosen.may_skip_preview and seen.is_harmless):
                instead = _preview_keeping_results(event, sheet.view, chosen, call, seen, sheet.key)
                note = form.answer or _describe_kept_money(event, chosen, given)
                return _show_act(request, sheet, seen=replace(seen, note=note, instead=instead))
            effects = seen.summary if seen.effects else ""
        _run_if_current(request, sheet, lambda: done.do(call))
    except (TournamentError, PlayersError) as refusal:
        if is_look:
            return _show_act(request, sheet)
        return _show_refusal(request, event, chosen, refusal)
    message = str(chosen.done) or _("Done: %(act)s.") % {"act": chosen.title}
    messages.success(request, " ".join(filter(None, (message, form.answer, effects))))
    return redirect(_get_next_url(sheet))


def _get_next_url(sheet: ActPage) -> str:
    """Return the address of the page after an act.

    That is the roster for acts on rounds, otherwise the desk, after a correction at the row of its match.
    """
    event = sheet.view.event
    if sheet.act.needs_rounds:
        return reverse("tournaments:roster", args=[event.key])
    address = reverse("tournaments:desk", args=[event.key])
    if not sheet.act.is_afterwards or sheet.line is None:
        return address
    state = "?state=done" if sheet.form.cleaned_data["kind"] else ""
    return f"{address}{state}#m-{sheet.line.play.stage_id}-{sheet.line.play.position}"


def _is_confirmed(request: HttpRequest, sheet: ActPage, sure: str) -> bool:
    """True if the act runs without a preview: it needs none, or this submission was already previewed."""
    if sheet.act.is_at_once or act_pages.is_claim(request):
        return True
    choice = act_pages.serialize_choice(sheet)
    seen = request.POST.get("seen")
    return seen == choice if sure == "unless-lost" else sure in {"yes", "stand"} and seen in {None, choice}


@access.require_director("GET", "POST")
def restore(request: HttpRequest, event: Tournament, ruling: int) -> HttpResponse:
    """Undo a ruling: preview it, and run it once it is confirmed."""
    row = get_object_or_404(Ruling, tournament=event, pk=ruling)
    view = event_view.load_view(event, with_drafts=True)
    form = ActForm(request.POST or None, act=ACTS["restore"], choices=Choices(view))
    user, now = access.require_user(request), timezone.now()
    seen = None
    if form.is_bound and form.is_valid():

        def run() -> object:
            return corrections.undo_act(
                tournament_id=event.pk, ruling_id=row.pk, reason=form.cleaned_data["reason"], by=user, now=now
            )

        with refusals_added_to(form):
            if request.POST.get("sure") == "yes":
                run()
                messages.success(request, _("Taken back: everything is as it was before."))
                return redirect("tournaments:rulings", key=event.key)
            seen = _build_preview(event, view, run)
    values = {
        **_build_page_values(event),
        "form": form,
        "title": _("Take it back: %(act)s") % {"act": row.get_act_display()},
        "button": _("Take it back"),
        "about": _("This restores everything as it was before, unless later changes depend on it."),
        "seen": seen,
        "back": reverse("tournaments:rulings", args=[event.key]),
        "ruling": rulings.describe_ruling(event, row, view),
    }
    values["focuses_heading"] = seen is None and not form.focus_first()
    return render(request, "tournaments/act.html", values, status=422 if form.errors else 200)


@access.require_director("GET", "HEAD")
def log(request: HttpRequest, event: Tournament) -> HttpResponse:
    view = event_view.load_view(event, with_drafts=True)
    before = parse_number(request.GET.get("before", ""), 18)
    values = {
        **_build_page_values(event),
        "log": rulings.list_rulings(event, view, before=before),
        "tab": "rulings",
        "live_topics": [access.get_position(event)],
    }
    return render(request, "tournaments/rulings.html", values)


@access.require_director("GET", "HEAD")
def pairing(request: HttpRequest, event: Tournament, match: str) -> HttpResponse:
    view = event_view.load_view(event, with_drafts=True)
    play = found_or_404(view.by_key.get(match))
    line = bracket_display.build_match_line(view, play)
    is_decided = play.state == "decided"
    facts = rulings.load_match_facts(event, view, play)
    is_disputed = not is_decided and play.needs_director == "dispute"
    # In a dispute, the act "rule" replaces these.
    useless = {*(DECIDED_BY_RULING if is_disputed else ()), *(() if facts.is_reported else ("rule",))}
    values = {
        **_build_page_values(event),
        "line": line,
        "acts": [
            each
            for each in list_match_acts()
            if line.a and line.b and each.is_afterwards == is_decided and each.name not in useless
        ],
        # The act for a dispute comes first.
        "ruling_act": map_page_acts()["rule"] if is_disputed and facts.is_reported else None,
        "facts": facts,
        "flag": desk.describe_flag(view, play),
        "arranged": appointments.find_appointment(view, play, now=timezone.now()) if play.is_open else None,
        "reasons": reasons.explain_match(view, play, directs=True),
        # Games can be entered instead of the result, or added to it afterwards.
        "games_after": _get_act_before_games(line),
        "about_games": (
            _("Enter the games that led to the result.")
            if is_decided
            else _("Enter each game: the score follows from them.")
        ),
        "log": rulings.list_rulings(event, view, key=match),
        "live_topics": [access.get_position(event)],
    }
    return render(request, "tournaments/pairing.html", values)


def _get_act_before_games(line: MatchLine) -> str:
    """Return the name of the act after which the page lists the games, "" if there are none to enter."""
    if line.play.state == "decided":
        return "correct" if line.play.kind == "played" and not line.games else ""
    return "result" if line.play.is_open else ""


def _build_page_values(event: Tournament) -> dict[str, Any]:
    return {"event": event, "club": event.club, "acts_of_event": list_event_acts()}


def _build_preview(event: Tournament, view: EventView, run: Callable[[], object], key: str = "") -> Preview:
    seen = preview.preview_act(event.pk, run)
    description = previews.describe_preview(view, seen)
    return replace(description, sheets=previews.draw_ripples(view, seen.ripples, seen.lost, key))


def _preview_keeping_results(
    event: Tournament, view: EventView, chosen: Act, call: ActCall, seen: Preview, key: str
) -> Preview | None:
    """Preview a correction again with later results kept; None if it loses none, or cannot keep them."""
    if chosen.name != "correct" or not seen.lost:
        return None
    standing = replace(call, given={**call.given, "stand": True})
    try:
        return _build_preview(event, view, lambda: chosen.do(standing), key)
    except TournamentError:
        return None  # later matches depend on points, or this one is played again


def _describe_kept_money(event: Tournament, chosen: Act, given: Mapping[str, Any]) -> str:
    """Describe the payments and lots that stay with exchanged entries; "" if there are none."""
    if chosen.name != "exchange":
        return ""
    used = capacity.list_used_numbers(event)
    if given["entry"] not in used and given["other"] not in used:
        return ""
    return _(
        "Payments and lots stay with the entry and count for the player who takes it over. If that is wrong, "
        "take them back under Money and record them for the other player."
    )


def _run_if_current(request: HttpRequest, sheet: ActPage, act: Callable[[], object]) -> None:
    about = optimistic_locking.ActTarget(key=sheet.key)
    access.run_if_current(request, sheet.view.event, act, needs=sheet.act.answers, about=about)


def _show_refusal(request: HttpRequest, event: Tournament, chosen: Act, refusal: HasCode) -> HttpResponse:
    """Show the act again in its current state, with the submitted data and the error."""
    sheet = act_pages.load_act_page(request, event, chosen)
    sheet.form.is_valid()
    if isinstance(refusal, ChangedMeanwhile):
        # The other errors follow from that one.
        sheet.form.errors.clear()
    sheet.form.add_error("reason" if isinstance(refusal, ReasonNeeded) else None, build_form_error(refusal))
    return _show_act(request, sheet, status=access.get_refusal_status(refusal))


def _show_act(
    request: HttpRequest, sheet: ActPage, *, seen: Preview | None = None, status: int = 200
) -> HttpResponse:
    event, chosen, line = sheet.view.event, sheet.act, sheet.line
    back = reverse("tournaments:desk", args=[event.key])
    if chosen.needs_rounds:
        back = reverse("tournaments:roster", args=[event.key])
    if line is not None:
        back = reverse("tournaments:pairing", args=[event.key, line.play.key])
    values = {
        **_build_page_values(event),
        "act": chosen,
        "title": chosen.title,
        "button": chosen.button or chosen.title,
        "about": chosen.about,
        "is_danger": chosen.is_danger,
        "is_at_once": chosen.is_at_once,
        "form": sheet.form,
        "line": line,
        "expects": sheet.expects,
        "seen": seen,
        "choice": act_pages.serialize_choice(sheet) if seen is not None else "",
        "is_look": act_pages.is_preview_only(request),
        "back": back,
    }
    if chosen.name == "rule" and line is not None:
        values["log"] = rulings.list_rulings(event, sheet.view, key=line.play.key)
        values["claims"] = result_reports.map_open_reports(sheet.view, line.play.key).get(line.play.key, ())
    # Buttons beside reports come before the first field, so the field gets no focus.
    values["focuses_heading"] = seen is None and (bool(values.get("claims")) or not sheet.form.focus_first())
    return render(request, "tournaments/act.html", values, status=status)
