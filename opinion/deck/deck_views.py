"""The deck of one's own errors: a position, one's decision, and then what is right and why."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from engine.layout import Layout
from engine.side import Side
from engine.svg import svg_board
from matches.watch import recorded
from matches.watch.decisions import describe_decision
from opinion.analyses.analysis_views import CUBE_WORDS, GRADES
from opinion.deck import deck as decks
from opinion.deck import learning
from opinion.errors import OpinionError
from opinion.judging.decisions import Kind
from opinion.judging.leitner import grade
from opinion.positions import positions
from opinion.positions.position_views import NAMES, page_of

if TYPE_CHECKING:
    from django.http import HttpResponse

    from opinion.deck.deck import CardView
    from opinion.positions.position_views import PositionPage
    from players.access.requests import AccountRequest

# What the table's buttons offer; to roll is not to double.
MAY: Final = {Kind.DOUBLE.value: ("roll", "double"), Kind.TAKE.value: ("take", "drop")}


@require_safe
@never_cache
@login_required
def deck(request: AccountRequest) -> HttpResponse:
    """Show the next card."""
    found = decks.of_user(request.user, timezone.now())
    values: dict[str, Any] = {"deck": found}
    if found.card is not None:
        values["page"] = _position(found.card.position)
        values["choices"] = [(each, CUBE_WORDS.get(each, each)) for each in found.card.choices]
        values["data"] = _data(found.card)
    return render(request, "opinion/deck.html", values)


@require_POST
@login_required
def answer(request: AccountRequest, card: int) -> HttpResponse:
    """Take an answer, and lead to what is right."""
    try:
        learning.answer(
            user=request.user, card=card, choice=request.POST.get("choice", ""), now=timezone.now()
        )
    except OpinionError as refusal:
        messages.error(request, str(refusal), extra_tags=refusal.code)
        return redirect("opinion:deck")
    return redirect("opinion:answered", card=card)


@require_safe
@never_cache
@login_required
def answered(request: AccountRequest, card: int) -> HttpResponse:
    """Show what is right, beside what was answered; before there is an answer, the deck."""
    found = decks.answer(request.user, card)
    if found is None or found.due_at <= timezone.now():
        return redirect("opinion:deck")
    remark = found.remark
    values = {
        "found": found,
        "page": _position(remark.position),
        "match_address": reverse("matches:match", args=[found.match])
        if found.match
        else recorded.address(request.user, found.record),
        "grade": GRADES[grade(found.loss)],
        "choice": CUBE_WORDS.get(found.choice, found.choice),
        "best": CUBE_WORDS.get(remark.best, remark.best),
        "decided": CUBE_WORDS.get(remark.decided, remark.decided),
    }
    return render(request, "opinion/answered.html", values)


def _position(xgid: str) -> PositionPage:
    """Return the position as who has to decide sees it."""
    situation = positions.read(xgid)
    page = page_of(situation, link="", is_open=False)
    drawn = svg_board(situation, Layout(situation.actor), title=page.title)
    return replace(page, board=mark_safe(drawn))  # noqa: S308 - drawn by us; the words in it are escaped


def _data(card: CardView) -> dict[str, Any]:
    """Return what the script puts on the table, and what may be done there."""
    return {
        **describe_decision(positions.read(card.position)),
        "may": MAY.get(card.kind, ()),
        "names": {side.word: str(NAMES[side]) for side in Side},
    }
