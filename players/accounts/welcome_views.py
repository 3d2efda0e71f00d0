"""Pages of the invitation link and the welcome link, and the next steps of the first person."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from players.access import context
from players.access.permissions import list_clubs_where
from players.access.requests import AccountRequest, SiteRequest, add_refusal, refusals_added_to
from players.accounts import accounts
from players.accounts.account_forms import WelcomeForm
from players.clubs import clubs, invitations
from players.clubs.club_forms import FirstClubForm
from players.errors import AlreadyMember, EmailTaken, InvitationUnknown, PlayersError, WelcomeLinkUsed
from players.models import User
from runtime.install import reach


@never_cache
def join(request: SiteRequest, token: str) -> HttpResponse:
    now = timezone.now()
    try:
        invitation = invitations.get_invitation(token=token)
    except InvitationUnknown as error:
        return render(request, "players/join_refused.html", {"reason": str(error)}, status=404)
    context.set_club(request, invitation.club)
    if request.method == "POST":
        if not isinstance(request.user, User):
            return redirect_to_login(request.get_full_path())
        return _accept_invitation(request, request.user, token)
    try:
        invitations.require_usable(invitation, now=now)
    except PlayersError as error:
        answer = {"reason": str(error), "club": invitation.club}
        return render(request, "players/join_refused.html", answer, status=410)
    return render(request, "players/join.html", {"invitation": invitation, "club": invitation.club})


def _accept_invitation(request: SiteRequest, user: User, token: str) -> HttpResponse:
    try:
        membership = invitations.accept(token=token, user=user, now=timezone.now())
    except AlreadyMember as error:
        messages.info(request, str(error), extra_tags=error.code)
        return redirect(invitations.get_invitation(token=token).club)
    except PlayersError as error:
        return render(request, "players/join_refused.html", {"reason": str(error)}, status=410)
    messages.success(request, _("Welcome to %(club)s.") % {"club": membership.club.name})
    return redirect(membership.club)


@never_cache
def first_director(request: SiteRequest, token: str) -> HttpResponse:
    """Create the first account, with access to the back office."""
    now = timezone.now()
    if not accounts.is_welcome_link_open(token=token):
        return render(request, "players/welcome_closed.html", {"reason": str(WelcomeLinkUsed())}, status=404)
    form = WelcomeForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            user = accounts.create_first_account(token=token, now=now, **form.cleaned_data)
        except WelcomeLinkUsed as error:
            return render(request, "players/welcome_closed.html", {"reason": str(error)}, status=404)
        except PlayersError as error:
            add_refusal(form, error, "email" if isinstance(error, EmailTaken) else None)
        else:
            login(request, user, backend="django.contrib.auth.backends.ModelBackend")
            return redirect("players:first_club")
    return render(request, "players/welcome.html", {"form": form})


@never_cache
@login_required
def first_club(request: AccountRequest) -> HttpResponse:
    """Create the first club; redirect a viewer who owns a club to the page for its first event."""
    owned = list_clubs_where(request.user, "players.edit_club").filter(memberships__player__user=request.user)
    if (there := owned.order_by("pk").first()) is not None:
        return redirect("tournaments:first_night", slug=there.slug)
    language = get_language()
    form = FirstClubForm(request.POST or None, initial={"time_zone": "UTC", "language": language})
    if request.method == "POST" and form.is_valid():
        with refusals_added_to(form):
            club = clubs.create(owner=request.user, now=timezone.now(), **form.cleaned_data)
            if club.language != language:
                # The next step is in the language chosen for the club.
                accounts.change(user=request.user, language=club.language, now=timezone.now())
            return redirect("tournaments:first_night", slug=club.slug)
    return render(request, "players/first_club.html", {"form": form})


@login_required
def phones(request: AccountRequest) -> HttpResponse:
    place = reach.find_reach()
    title = _("QR code of this site")
    shown = {"reach": place, "qr": reach.render_qr_code(place.origin, title=title) if place.origin else ""}
    return render(request, "players/phones.html", shown)
