"""Asking for an analysis, from the page of a match or of a replay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from matches.play import watching
from matches.state.errors import MatchError
from matches.watch import recorded
from opinion.errors import OpinionError
from opinion.services import requesting

if TYPE_CHECKING:
    from django.http import HttpResponse

    from players.requests import AccountRequest

# Asked from there, the replay is shown again; else the board.
REPLAY = "replay"


@require_POST
@login_required
def match(request: AccountRequest, key: str) -> HttpResponse:
    """Have a match of ours analysed."""
    seen = watching.get_or_404(key, request.user)
    try:
        requesting.of_match(seen, now=timezone.now())
    except (MatchError, OpinionError) as refusal:
        messages.error(request, str(refusal), extra_tags=refusal.code)
    page = "matches:replay" if request.POST.get("from") == REPLAY else "matches:match"
    return redirect(f"{reverse(page, args=[key])}#analysis")


@require_POST
@login_required
def record(request: AccountRequest, key: str) -> HttpResponse:
    """Have a recorded match analysed."""
    try:
        requesting.of_record(request.user, key, now=timezone.now())
    except OpinionError as refusal:
        messages.error(request, str(refusal), extra_tags=refusal.code)
    return redirect(f"{recorded.address(request.user, key)}#analysis")
