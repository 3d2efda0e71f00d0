"""Helpers for requests of the lobby: the player, practice options, refusals as messages."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import wraps
from typing import Any, Final

from allauth.account.adapter import get_adapter
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from matches.lobby import visitors
from matches.state.errors import MatchError
from players.access.requests import find_player
from players.models import Player

# Limit for untrusted input.
LONGEST_LEVEL: Final = 40


def require_post(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Allow POST only; show a refusal as a message on the lobby page."""

    @wraps(view)
    def guarded(request: HttpRequest, **where: Any) -> HttpResponse:
        if request.method != "POST":
            return redirect("matches:lobby")
        try:
            return view(request, **where)
        except MatchError as error:
            messages.error(request, str(error), extra_tags=error.code)
            return redirect("matches:lobby")

    return guarded


def get_player(request: HttpRequest) -> Player:
    """Return the player of the signed-in user.

    :raises PermissionDenied: there is none.
    """
    player = find_player(request)
    if player is None:
        raise PermissionDenied
    return player


def load_practice_player(request: HttpRequest, *, now: datetime) -> Player:
    """Return the player of a practice match; without an account a visitor is created.

    :raises PermissionDenied: the account has no player.
    :raises Refused: too many visitors from this address within an hour.
    """
    player = find_player(request)
    if player is None:
        if request.user.is_authenticated:
            raise PermissionDenied
        address = get_adapter().get_client_ip(request)
        player = visitors.load_visitor(request.session, address=address, now=now)
    return player


def read_practice(request: HttpRequest) -> tuple[int | None, str]:
    """Return length and level of the requested practice match; None without a length that is offered."""
    sent = request.POST.get("length", "")
    length = int(sent) if sent in {str(each) for each in visitors.LENGTHS} else None
    return length, request.POST.get("level", "")[:LONGEST_LEVEL]
