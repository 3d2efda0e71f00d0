"""Drawing: previewed first, lines exchanged if necessary, then published."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final, NamedTuple

from django.contrib import messages
from django.db import transaction
from django.forms import BoundField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from players.access.callers import found_or_404
from players.access.requests import parse_number, parse_numbers
from players.errors import PlayersError
from tournaments.base import expectations, local_times
from tournaments.base.errors import TournamentError
from tournaments.desk.acts.preparation import DRAWN
from tournaments.models import Entry, Tournament
from tournaments.pages import access
from tournaments.plan import draw_pages, drawing
from tournaments.plan.drawing_forms import HandDrawForm, WitnessesForm
from tournaments.play import entering, optimistic_locking

# Answers when the announced start is days away: it is moved to now, or kept.
STARTS: Final = frozenset({"now", "keep"})


class HandLine(NamedTuple):
    number: int
    field: BoundField
    is_wrong: bool


@access.require_director("GET", "HEAD")
def draw(request: HttpRequest, event: Tournament) -> HttpResponse:
    if not event.stages.exists():
        return redirect(event)
    return _show_draw(request, event, _parse_stage(request))


@access.require_director(form="tournaments:draw")
def preview(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Draw a stage as a preview; a further preview needs a reason."""
    stage, reason = _parse_stage(request), request.POST.get("reason", "")
    user, now = access.require_user(request), timezone.now()
    is_everyone = request.POST.get("everyone") == "yes"

    def run() -> None:
        with transaction.atomic():
            if is_everyone:
                entries = Entry.objects.filter(tournament=event, withdrawn_at__isnull=True, waits=False)
                numbers = list(entries.values_list("number", flat=True))
                entering.check_in_entries(tournament_id=event.pk, entries=numbers, by=user, now=now)
            drawing.preview(tournament_id=event.pk, by=user, now=now, stage=stage, reason=reason)

    done = _("Drawn. Only directors see it until you publish it.")
    return _run_and_redirect(request, event, run, typed={"reason": reason}, done=done)


@access.require_director(form="tournaments:draw")
def swap(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Exchange two lines of a draw that is not published."""
    lines = parse_numbers(request.POST.getlist("line"), 4)
    stage, reason = _parse_stage(request), request.POST.get("reason", "")
    user, now = access.require_user(request), timezone.now()
    typed = {"ticked": lines, "swap_reason": reason}
    if len(lines) != 2:
        wrong = {"swap_error": _("Tick exactly two lines."), **typed}
        return _show_draw(request, event, stage, wrong, status=422)
    arguments: dict[str, Any] = {"line_a": lines[0], "line_b": lines[1], "stage": stage, "reason": reason}
    run = partial(drawing.swap, tournament_id=event.pk, by=user, now=now, **arguments)
    return _run_and_redirect(request, event, run, typed=typed, done=_("The two lines are exchanged."))


@access.require_director("GET", "POST")
def by_hand(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Enter a draw made by hand; an invalid one is shown again as typed."""
    stage = _parse_stage(request)
    try:
        sheet = draw_pages.load_hand_draw_sheet(event, stage, drawing.build_blank_lines(event, stage))
    except (TournamentError, PlayersError) as refusal:
        messages.error(request, str(refusal), extra_tags=refusal.code)
        return _redirect_to_draw(event, stage)
    first: dict[str, Any] = {f"line-{line}": one for line, one in enumerate(sheet.lines, 1)}
    first |= {"witnesses": ", ".join(sheet.witnesses), "note": sheet.note}
    typed = request.POST if request.method == "POST" else None
    form = HandDrawForm(typed, size=len(sheet.lines), people=sheet.people, initial=first)
    refusal_said, status = "", 422 if form.is_bound else 200
    if form.is_valid():
        try:
            arguments: dict[str, Any] = {name: form.cleaned_data[name] for name in ("witnesses", "note")}
            arguments |= {"lines": form.lines(), "by": access.require_user(request), "now": timezone.now()}
            run = partial(drawing.record_hand_draw, tournament_id=event.pk, stage=stage, **arguments)
            _run_if_current(request, event, run)
        except (TournamentError, PlayersError) as refusal:
            refusal_said, status = str(refusal), access.get_refusal_status(refusal)
        else:
            messages.success(request, _("The draw is entered. Only directors see it until you publish it."))
            return _redirect_to_draw(event, stage)
    values = {"event": event, "sheet": sheet, "form": form, "tab": "draw"}
    values |= {
        "refusal": refusal_said,
        "pairs": _list_line_pairs(form),
        "expects": _build_expects(event, stage),
    }
    return render(request, "tournaments/draw_hand.html", values, status=status)


@access.require_director(form="tournaments:draw")
def publish(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Publish the draw of a stage; the draw of the first stage starts the event."""
    stage, form = _parse_stage(request), WitnessesForm(request.POST)
    user, now = access.require_user(request), timezone.now()
    if not form.is_valid():
        return _show_draw(request, event, stage, {"proof_form": form}, status=422)
    start = request.POST.get("start", "")
    zone = event.club.time_zone
    if stage == 1 and start not in STARTS and local_times.is_later_day(event.starts_at, zone, now):
        options = {"proof_form": form, "asks_start": local_times.format_day(event.starts_at, zone)}
        return _show_draw(request, event, stage, options)
    arguments = {name: form.cleaned_data[name] for name in ("witnesses", "note")} | {
        "starts_now": start == "now"
    }
    run = partial(drawing.publish, tournament_id=event.pk, by=user, now=now, stage=stage, **arguments)
    done, to = _("The draw is published. Good luck to all!"), reverse("tournaments:desk", args=[event.key])
    return _run_and_redirect(request, event, run, typed={"proof_form": form}, done=done, to=to)


def _run_and_redirect(
    request: HttpRequest,
    event: Tournament,
    run: Callable[[], object],
    *,
    typed: dict[str, Any],
    done: str,
    to: str = "",
) -> HttpResponse:
    """Run an act on the draw, then redirect to *to*, by default the draw; a refusal shows what was typed."""
    stage = _parse_stage(request)
    try:
        _run_if_current(request, event, run)
    except (TournamentError, PlayersError) as refusal:
        wrong = {"refusal": str(refusal), "refusal_code": refusal.code, **typed}
        return _show_draw(request, event, stage, wrong, status=access.get_refusal_status(refusal))
    messages.success(request, done)
    return redirect(to) if to else _redirect_to_draw(event, stage)


def _run_if_current(request: HttpRequest, event: Tournament, act: Callable[[], object]) -> None:
    about = optimistic_locking.ActTarget(stage=_parse_stage(request))
    access.run_if_current(request, event, act, needs=DRAWN, about=about)


def _redirect_to_draw(event: Tournament, stage: int) -> HttpResponse:
    response = redirect("tournaments:draw", key=event.key)
    if stage > 1:
        response["Location"] += f"?stage={stage}"
    return response


def _list_line_pairs(form: HandDrawForm) -> list[tuple[HandLine, HandLine]]:
    wrong = form.wrong_lines()
    lines = [HandLine(line, form[f"line-{line}"], line in wrong) for line in range(1, form.size + 1)]
    return list(zip(lines[::2], lines[1::2], strict=True))


def _show_draw(
    request: HttpRequest,
    event: Tournament,
    stage: int,
    extra: dict[str, Any] | None = None,
    status: int = 200,
) -> HttpResponse:
    event.refresh_from_db()
    shown = found_or_404(draw_pages.load_draw_page(event, stage))
    values = {"event": event, "draw": shown, "tab": "draw", "proof_form": WitnessesForm()}
    values |= {"expects": _build_expects(event, stage), **(extra or {})}
    return render(request, "tournaments/draw.html", values, status=status)


def _build_expects(event: Tournament, stage: int) -> str:
    return expectations.serialize_state({"draw": expectations.hash_draw(event, stage)})


def _parse_stage(request: HttpRequest) -> int:
    found = parse_number(request.POST.get("stage") or request.GET.get("stage", "1"), 2)
    return 1 if found is None else found
