"""Pages of players."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from players.access.permissions import list_clubs_where
from players.access.requests import (
    AccountRequest,
    SiteRequest,
    get_page_number,
    get_query,
    render_part,
    require_post_or_redirect,
)
from players.errors import PlayersError
from players.people import people as selectors


@require_GET
def player_list(request: SiteRequest) -> HttpResponse:
    query = get_query(request)
    page = selectors.find_players(
        query=query,
        insider_of=list_clubs_where(request.user, "players.find_hidden"),
        page=get_page_number(request),
    )
    shown = {"page": page, "query": query}
    return render_part(request, "players/player_list.html", {"players": "players/_player_rows.html"}, shown)


@require_GET
def player(request: SiteRequest, key: str) -> HttpResponse:
    """Show a player; an old key redirects to the current one."""
    found = selectors.get_player(key=key)
    if found.key != key:
        # Not permanent: a merge can be undone.
        return redirect(found)
    person = selectors.load_player_page(
        user=request.user, player=found, insider_of=list_clubs_where(request.user, "players.find_hidden")
    )
    return render(request, "players/player.html", {"person": person})


@require_post_or_redirect("players:player")
@login_required
def follow(request: AccountRequest, key: str) -> HttpResponse:
    found = selectors.get_player(key=key)
    try:
        if request.POST.get("follow") == "no":
            selectors.unfollow(user=request.user, player=found)
        else:
            selectors.follow(user=request.user, player=found, now=timezone.now())
            messages.success(request, _("You follow them now. Their matches are on your page “My matches”."))
    except PlayersError as refusal:
        messages.error(request, str(refusal), extra_tags=refusal.code)
    return redirect(found)
