"""A player's own page: their next match and what to do about it, their way, what they have entered, their notices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from careers import friends, my_matches
from players.services import notices
from runtime import stream
from tournaments.pages import access

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from players.models import Player

MOST_NOTICES: Final = 5
MOST_TOPICS: Final = 12


@require_safe
@login_required
@never_cache
def matches(request: HttpRequest) -> HttpResponse:
    """Show what concerns the viewer tonight. Nothing of it is kept: each time it is as the events and rooms are."""
    user, now = access.signed_in(request), timezone.now()
    player: Player | None = getattr(user, "player", None)
    if player is None:
        raise Http404
    # The streams before what is read, so that nothing falls in between.
    own = my_matches.keys(player, now=now)
    topics = [f"event.{key}" for key in dict.fromkeys([*own, *friends.events_of(user)])][:MOST_TOPICS]
    live = [stream.watch(topic) for topic in topics]
    values = {
        "shown": my_matches.of(player, user, now=now),
        "friends": friends.of(user, now=now),
        "notices": notices.list_notices(user=user).rows[:MOST_NOTICES],
        "topics": topics,
        "live_topics": live,
    }
    return render(request, "careers/me.html", values)
