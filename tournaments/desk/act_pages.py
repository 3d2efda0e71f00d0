"""The page of an act: its match, its form with the choices, and what was submitted."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, QueryDict

from tournaments.base import event_view, expectations
from tournaments.base.event_view import EventView
from tournaments.desk import agreements
from tournaments.desk.act_form import ActForm, Choices
from tournaments.desk.acts import ACTS
from tournaments.desk.acts.act import Act
from tournaments.models import Decision, Tournament
from tournaments.pages import bracket_display, candidates
from tournaments.pages.bracket_display import MatchLine
from tournaments.play import openings


@dataclass(frozen=True, slots=True)
class ActPage:
    act: Act
    view: EventView
    line: MatchLine | None
    form: ActForm

    @property
    def key(self) -> str:
        """The key of the act's match, "" for an act on the event."""
        return "" if self.line is None else self.line.play.key

    @property
    def expects(self) -> str:
        state: expectations.Sight = {}
        if self.line is not None:
            state = expectations.build_view_state(self.view, self.line.play, self.act.answers)
        elif self.act.answers:
            state = {"people": expectations.map_entry_players(self.view.event)}
        return expectations.serialize_state(state)


def load_act_page(request: HttpRequest, event: Tournament, chosen: Act) -> ActPage:
    view = event_view.load_view(event, with_drafts=True)
    line = _get_line(request, view, chosen)
    return ActPage(chosen, view, line, _build_form(request, event, view, chosen, line))


def get_submitted_act(sheet: ActPage, *, stands: bool) -> tuple[Act, dict[str, Any]]:
    """Return the submitted act with its arguments; a latecomer in another player's place is a substitution.

    If *stands*, a correction keeps the later results.
    """
    given = {**sheet.form.cleaned_data, "key": sheet.key, "stand": stands}
    if given.get("place") == openings.INSTEAD:
        # A substitute needs a reason: by default it is the label of this choice.
        way = dict(sheet.form.choices.places)[openings.INSTEAD]
        return ACTS["substitute"], {**given, "entry": given["instead"], "reason": given["reason"] or way}
    return sheet.act, given


def _get_line(request: HttpRequest, view: EventView, chosen: Act) -> MatchLine | None:
    """Return the match of an act; None for an act on the event."""
    if not chosen.is_of_match:
        return None
    play = view.by_key.get(request.POST.get("match") or request.GET.get("match", ""))
    is_for_two = play is not None and play.a_id is not None and play.b_id is not None
    # A submitted form is answered with an explanation even if one player is gone by now.
    if play is None or not (is_for_two or request.method == "POST"):
        raise Http404
    return bracket_display.build_match_line(view, play)


def _build_form(
    request: HttpRequest, event: Tournament, view: EventView, chosen: Act, line: MatchLine | None
) -> ActForm:
    field_names = {field.name for field in chosen.fields}
    is_new = "player_key" in field_names
    members = candidates.list_candidates(event).people if is_new else ()
    choices = Choices(
        view,
        line,
        members=[(each.key, each.name) for each in members],
        waiting=openings.list_waiting(event) if is_new else (),
        places=openings.list_choices(view, openings.list_openings(event)) if "place" in field_names else (),
        has_rounds=agreements.has_rounds(event),
    )
    # A link may preselect the player.
    initial: dict[str, Any] = {
        name: request.GET[name] for name in ("entry", "loser", "player_key", "name") if name in request.GET
    }
    if chosen.needs_rounds:
        initial["round"] = 1 + max((play.round for play in view.plays), default=0)
    if line is not None:
        initial |= _build_recorded_result(view, line) if chosen.is_afterwards else {"table": line.play.table}
        # A link may carry the right result.
        initial |= {name: request.GET[name] for name in ("score", "winner") if request.GET.get(name)}
    return ActForm(_get_submitted_data(request), act=chosen, choices=choices, initial=initial)


def _get_submitted_data(request: HttpRequest) -> QueryDict | None:
    """Return the submitted data; the button beside a report overrides the other fields."""
    typed = request.POST.copy()
    if is_preview_only(request):
        # A preview needs no reason, but the form requires one.
        typed["reason"] = request.POST["look"]
    elif is_claim(request):
        typed["decision"], typed["entry"] = Decision.ACCEPT.value, request.POST["claim"]
    return typed or None


def is_claim(request: HttpRequest) -> bool:
    return "claim" in request.POST


def is_preview_only(request: HttpRequest) -> bool:
    return "look" in request.POST


def serialize_choice(sheet: ActPage) -> str:
    """Serialize all fields except the reason, to compare a submission with its preview."""
    return json.dumps({**sheet.form.cleaned_data, "reason": None}, default=str, sort_keys=True)


def _build_recorded_result(view: EventView, line: MatchLine) -> dict[str, Any]:
    play = line.play
    if play.score_a is not None:
        return {"kind": play.kind, "score": f"{play.score_a} {play.score_b}"}
    won = view.who(play.winner_id)
    return {"kind": play.kind, "winner": won and won.number}
