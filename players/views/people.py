"""Players as everyone sees them, and one's own notices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from players.errors import PlayersError
from players.permissions import clubs_where
from players.requests import AccountRequest, Visit, by_post, page_of, query_of, render_part
from players.selectors import people as selectors
from players.services import follows
from players.services import notices as service

if TYPE_CHECKING:
    from django.http import HttpResponse


@require_GET
def player_list(request: Visit) -> HttpResponse:
    """Search players by the name they show."""
    query = query_of(request)
    page = selectors.find_players(
        query=query, insider_of=clubs_where(request.user, "players.find_hidden"), page=page_of(request)
    )
    shown = {"page": page, "query": query}
    return render_part(request, "players/player_list.html", {"players": "players/_player_rows.html"}, shown)


@require_GET
def player(request: Visit, key: str) -> HttpResponse:
    """Show a player to anyone; an old key of theirs leads to the one they have now."""
    found = selectors.get_player(key=key)
    if found.key != key:
        # Not for good: a merge can be undone.
        return redirect(found)
    person = selectors.show_player(
        user=request.user, player=found, insider_of=clubs_where(request.user, "players.find_hidden")
    )
    return render(request, "players/player.html", {"person": person})


@by_post("players:player")
@login_required
def follow(request: AccountRequest, key: str) -> HttpResponse:
    """Follow a player, or end it; show them again."""
    found = selectors.get_player(key=key)
    try:
        if request.POST.get("follow") == "no":
            follows.unfollow(user=request.user, player=found)
        else:
            follows.follow(user=request.user, player=found, now=timezone.now())
            messages.success(request, _("You follow them now. Their matches are on your page “My matches”."))
    except PlayersError as refusal:
        messages.error(request, str(refusal), extra_tags=refusal.code)
    return redirect(found)


@login_required
@require_GET
def notices(request: AccountRequest) -> HttpResponse:
    """Show the account's notices."""
    page = selectors.list_notices(user=request.user, page=page_of(request))
    shown = {"page": page, "has_new": any(row.is_new for row in page.rows)}
    return render_part(request, "players/notices.html", {"notice-rows": "players/_notice_rows.html"}, shown)


@by_post("players:notices")
@login_required
def read_notices(request: AccountRequest) -> HttpResponse:
    """Mark every notice read."""
    service.mark_read(user=request.user, now=timezone.now())
    return redirect("players:notices")


@by_post("players:notices")
@login_required
def follow_notice(request: AccountRequest, notice_id: int) -> HttpResponse:
    """Mark one notice read and go where it leads."""
    notice = selectors.find_notice(user=request.user, notice_id=notice_id)
    if notice is None:
        raise Http404
    service.mark_read(user=request.user, now=timezone.now(), notice_id=notice.pk)
    return redirect(notice.url or "players:notices")
