"""Pages about a player's matches: their own page, results, record, and two players against each other."""

from __future__ import annotations

from typing import Final

from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from careers import friends, my_matches, results
from careers import head_to_head as pairs
from careers import record as records
from players.access import listeners
from players.access.callers import found_or_404
from players.access.requests import get_page_number
from players.models import Player
from players.notices import notices
from players.people import people
from runtime import stream
from tournaments.models import Pairing, Tournament
from tournaments.pages import access, etags

MOST_NOTICES: Final = 5
MOST_TOPICS: Final = 12


@require_safe
@login_required
@never_cache
def me(request: HttpRequest) -> HttpResponse:
    """Show the viewer's own page. Never cached, because it reflects the current state of events and rooms."""
    user, now = access.require_user(request), timezone.now()
    player: Player | None = getattr(user, "player", None)
    if player is None:
        raise Http404
    # Recorded before the data is read, so that no change is missed.
    own = my_matches.list_event_keys(player, now=now)
    topics = [f"event.{key}" for key in dict.fromkeys([*own, *friends.list_event_keys(user)])][:MOST_TOPICS]
    live = stream.record_positions(*topics, listeners.build_user_name(user.pk))
    values = {
        "shown": my_matches.load_my_matches(player, user, now=now),
        "friends": friends.list_friends(user, now=now),
        "notices": notices.list_notices(user=user).rows[:MOST_NOTICES],
        "topics": topics,
        "live_topics": [live],
    }
    return render(request, "careers/me.html", values)


@require_safe
def player_results(request: HttpRequest, key: str) -> HttpResponse:
    """Show a player's finished events, on their page or on a separate one."""
    player = people.get_player(key=key)
    if player.key != key:
        return redirect("careers:player_results", key=player.key)
    is_part = etags.is_part(request)
    shown = results.load_results(player, request.user, limit=8 if is_part else results.LIMIT)
    template = "careers/_player_results.html" if is_part else "careers/player_results.html"
    return render(request, template, {"player": shown, "is_part": is_part})


@require_safe
def head_to_head(request: HttpRequest, key: str, other: str) -> HttpResponse:
    one, two = people.get_player(key=key), people.get_player(key=other)
    if (one.key, two.key) != (key, other):
        return redirect("careers:head_to_head", key=one.key, other=two.key)
    number = get_page_number(request)
    shown = found_or_404(pairs.load_head_to_head(one, two, request.user, number=number))
    is_hidden = one.hidden_from_search or two.hidden_from_search
    values = {"shown": shown, "page": shown.page, "is_hidden": is_hidden}
    return render(request, "careers/head_to_head.html", values)


@require_safe
def record(request: HttpRequest, key: str) -> HttpResponse:
    player = people.get_player(key=key)
    if player.key != key:
        return redirect("careers:record", key=player.key)
    shown = found_or_404(records.load_record(player, request.user, now=timezone.now()))
    values = {"record": shown, "is_hidden": player.hidden_from_search}
    return render(request, "careers/record.html", values)


def build_match_part(request: HttpRequest, event: Tournament, key: str) -> pairs.HeadToHeadLink | None:
    """Return the record of the two players, for the page of a match."""
    return _load_link(request, Pairing.objects.filter(tournament=event, key=key))


def build_board_part(request: HttpRequest, key: str) -> pairs.HeadToHeadLink | None:
    """Return the record of the two players, for the page of a live match, if it belongs to an event."""
    return _load_link(request, Pairing.objects.filter(match__key=key))


def _load_link(request: HttpRequest, rows: QuerySet[Pairing]) -> pairs.HeadToHeadLink | None:
    row = rows.select_related("a__player", "b__player").first()
    if row is None or row.a is None or row.b is None:
        return None
    return pairs.load_link(row.a.player, row.b.player, request.user)
