"""Pages of possible duplicates among a club's members: merge, or mark as two people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from players.access.permissions import require_permission
from players.access.requests import (
    AccountRequest,
    get_page_number,
    redirect_with_refusal,
    require_post_or_redirect,
)
from players.clubs import duplicates as selectors
from players.clubs import members, merging
from players.clubs.club_pages import ClubRights
from players.errors import PlayersError

if TYPE_CHECKING:
    from django.http import HttpResponse

    from players.models import Club


@require_permission("players.merge_players")
@require_safe
def duplicate_list(request: AccountRequest, club: Club) -> HttpResponse:
    """Show possible duplicates with the evidence."""
    shown = {
        "club": club,
        "rights": ClubRights.load(request.user, club),
        "page": selectors.list_duplicates(club=club, page=get_page_number(request)),
        "here": reverse("players:duplicates", args=[club.slug]),
    }
    return render(request, "players/duplicates.html", shown)


@require_post_or_redirect("players:duplicates")
@require_permission("players.merge_players")
def decide(request: AccountRequest, club: Club) -> HttpResponse:
    """Merge the two players of a row, or record that they are two people."""
    kept, dropped = (
        members.get_membership(club=club, key=request.POST.get(name, "")).player
        for name in ("kept", "dropped")
    )
    names = {"guest": dropped.name, "name": kept.name}
    now = timezone.now()
    try:
        if request.POST.get("act") == "merge":
            merging.merge_guest(kept=kept, dropped=dropped, by=request.user, now=now)
            said = _("%(guest)s is merged into %(name)s. You can undo this under Merge duplicates.") % names
        else:
            merging.tell_apart(club=club, one=kept, other=dropped, by=request.user, now=now)
            said = _("Noted: %(guest)s and %(name)s are two different people.") % names
    except PlayersError as error:
        return redirect_with_refusal(request, error, "players:duplicates", slug=club.slug)
    messages.success(request, said)
    return redirect(f"{reverse('players:duplicates', args=[club.slug])}?page={get_page_number(request)}")
