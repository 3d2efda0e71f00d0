"""The group of clubs that a club leads, and the groups of others that it is in."""

from __future__ import annotations

from typing import Final

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from players.access.permissions import require_permission
from players.access.requests import AccountRequest, SiteRequest, refusals_added_to
from players.models import Club
from rankings.errors import RankingError
from rankings.ledger import reach
from rankings.lists import groups
from rankings.lists.list_forms import InviteForm
from rankings.models import RatingList, Reach
from rankings.requests import get_club

# The actions of a club in a group of another, and in its own, each with its success message.
HERE: Final = {
    "join": gettext_lazy("Your club is in the group. What it plays from now on is rated there, too."),
    "decline": gettext_lazy("Your club does not join the group."),
    "leave": gettext_lazy("Matches that were played until now stay rated. New ones are not."),
}
OWN: Final = {
    "remove": gettext_lazy("Matches that were played until now stay rated. New ones are not."),
    "withdraw": gettext_lazy("The invitation is withdrawn."),
}


@require_safe
def group(request: SiteRequest, slug: str) -> HttpResponse:
    """Show the group that a club leads, and the groups of others that it is in."""
    return _render_page(request, get_club(request, slug), InviteForm())


@require_POST
@require_permission("tournaments.direct")
def change(request: AccountRequest, club: Club) -> HttpResponse:
    """Invite a club, join or leave a group, or remove a club from the group that the club leads."""
    if request.POST.get("act") in HERE | OWN:
        return _change_group(request, club)
    form = InviteForm(request.POST)
    if form.is_valid():
        with refusals_added_to(form, "club"):
            invited = form.cleaned_data["club"]
            groups.invite_club(lead=club, club=invited, by=request.user, now=timezone.now())
            messages.success(request, _("The club is invited. Its directors decide."))
            return redirect("rankings:group", club.slug)
    return _render_page(request, club, form)


def _render_page(request: SiteRequest, club: Club, form: InviteForm) -> HttpResponse:
    directs = request.user.is_authenticated and request.user.has_perm("tournaments.direct", club)
    values = {
        "club": club,
        "members": reach.list_members(club),
        "kept": RatingList.objects.filter(club=club, reach=Reach.GROUP).order_by("pk"),
        # Only directors see invitations.
        "groups": [row for row in reach.list_groups(club) if directs or row.joined_at],
        "asked": reach.list_invited(club) if directs else (),
        "directs": directs,
        "form": form,
    }
    return render(request, "rankings/group.html", values, status=422 if form.is_bound else 200)


def _change_group(request: AccountRequest, here: Club) -> HttpResponse:
    act, by, now = request.POST["act"], request.user, timezone.now()
    other = get_object_or_404(Club, slug=request.POST.get("club", "")[:60])
    try:
        if act == "join":
            groups.join_group(lead=other, club=here, by=by, now=now)
        else:
            lead, club = (other, here) if act in HERE else (here, other)
            groups.leave_group(lead=lead, club=club, by=by, now=now, joined=act in {"leave", "remove"})
        messages.success(request, (HERE | OWN)[act])
    except RankingError as refusal:
        messages.error(request, str(refusal))
    return redirect("rankings:group", here.slug)
