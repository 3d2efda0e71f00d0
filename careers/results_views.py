"""The events that a player has finished."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from careers import results
from players.selectors import people
from tournaments.pages import etags

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_safe
def player_results(request: HttpRequest, key: str) -> HttpResponse:
    """Show the events that a player has finished, on their page or on a separate one."""
    player = people.get_player(key=key)
    if player.key != key:
        return redirect("careers:player_results", key=player.key)
    is_part = etags.is_part(request)
    shown = results.of(player, request.user, limit=8 if is_part else results.LIMIT)
    template = "careers/_player_results.html" if is_part else "careers/player_results.html"
    return render(request, template, {"player": shown, "is_part": is_part})
