"""Pages of the deck: a position, the user's decision, and then the solution."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from engine.layout import Layout
from engine.side import Side
from engine.svg import svg_board
from matches import hooks as match_hooks
from matches.journal.replays import serialize_decision
from opinion.analyses.analysis_views import CUBE_WORDS, GRADES
from opinion.deck import deck as decks
from opinion.deck.deck import CardView
from opinion.judging.decisions import Kind
from opinion.judging.formulas import grade_loss
from opinion.positions import positions
from opinion.positions.position_views import NAMES, PositionPage, build_page
from players.access.requests import AccountRequest, refusals_shown_to

# Buttons of the board; rolling means not doubling.
MAY: Final = {Kind.DOUBLE.value: ("roll", "double"), Kind.TAKE.value: ("take", "drop")}


@require_safe
@never_cache
@login_required
def deck(request: AccountRequest) -> HttpResponse:
    found = decks.load_deck(request.user, timezone.now())
    values: dict[str, Any] = {"deck": found}
    if found.card is not None:
        values["page"] = _build_position_page(found.card.position)
        values["choices"] = [(each, CUBE_WORDS.get(each, each)) for each in found.card.choices]
        values["data"] = _build_script_data(found.card)
    return render(request, "opinion/deck.html", values)


@require_POST
@login_required
def answer(request: AccountRequest, card: int) -> HttpResponse:
    to = reverse("opinion:deck")
    with refusals_shown_to(request):
        decks.store_answer(
            user=request.user, card=card, choice=request.POST.get("choice", ""), now=timezone.now()
        )
        to = reverse("opinion:answered", args=[card])
    return redirect(to)


@require_safe
@never_cache
@login_required
def answered(request: AccountRequest, card: int) -> HttpResponse:
    """Show the solution next to the answer; redirect to the deck if there is none."""
    found = decks.find_answer(request.user, card)
    if found is None or found.due_at <= timezone.now():
        return redirect("opinion:deck")
    remark = found.remark
    values = {
        "found": found,
        "page": _build_position_page(remark.position),
        "match_address": reverse("matches:match", args=[found.match])
        if found.match
        else match_hooks.RECORDS.get().address(request.user, found.record),
        "grade": GRADES[grade_loss(found.loss)],
        "choice": CUBE_WORDS.get(found.choice, found.choice),
        "best": CUBE_WORDS.get(remark.best, remark.best),
        "decided": CUBE_WORDS.get(remark.decided, remark.decided),
    }
    return render(request, "opinion/answered.html", values)


def _build_position_page(xgid: str) -> PositionPage:
    """Return the position from the view of the player to decide."""
    situation = positions.parse_position(xgid)
    page = build_page(situation, link="", is_open=False)
    drawn = svg_board(situation, Layout(situation.actor), title=page.title)
    return replace(page, board=mark_safe(drawn))  # noqa: S308 - drawn by us; the words in it are escaped


def _build_script_data(card: CardView) -> dict[str, Any]:
    """Return the data for the board script: the position and the allowed actions."""
    return {
        **serialize_decision(positions.parse_position(card.position)),
        "may": MAY.get(card.kind, ()),
        "names": {side.word: str(NAMES[side]) for side in Side},
    }
