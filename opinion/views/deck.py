"""The deck of one's own errors: a position, one's decision, and then what is right and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from opinion.errors import OpinionError
from opinion.judging.leitner import grade
from opinion.selectors import deck as decks
from opinion.selectors import positions
from opinion.services import learning
from opinion.views.parts import CUBE_WORDS, GRADES
from opinion.views.positions import page_of

if TYPE_CHECKING:
    from django.http import HttpResponse

    from opinion.views.positions import PositionPage
    from players.views.requests import AccountRequest


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
        "grade": GRADES[grade(found.loss)],
        "choice": CUBE_WORDS.get(found.choice, found.choice),
        "best": CUBE_WORDS.get(remark.best, remark.best),
        "decided": CUBE_WORDS.get(remark.decided, remark.decided),
    }
    return render(request, "opinion/answered.html", values)


def _position(xgid: str) -> PositionPage:
    return page_of(positions.read(xgid), link="", is_open=False)
