"""The two pages behind a link: an invitation, and the first person's welcome."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.views import redirect_to_login
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from players import context
from players.errors import AlreadyMember, EmailTaken, InvitationUnknown, PlayersError, WelcomeLinkUsed
from players.forms import WelcomeForm
from players.models import User
from players.services import invitations, welcome
from players.views.requests import Visit, add_refusal

if TYPE_CHECKING:
    from django.http import HttpResponse


@never_cache
def join(request: Visit, token: str) -> HttpResponse:
    """Show what an invitation offers, and accept it."""
    now = timezone.now()
    try:
        invitation = invitations.find(token=token)
    except InvitationUnknown as error:
        return render(request, "players/join_refused.html", {"reason": str(error)}, status=404)
    context.visit(request, invitation.club)
    if request.method == "POST":
        if not isinstance(request.user, User):
            return redirect_to_login(request.get_full_path())
        return _accept(request, request.user, token)
    try:
        invitations.refuse_unusable(invitation, now=now)
    except PlayersError as error:
        answer = {"reason": str(error), "club": invitation.club}
        return render(request, "players/join_refused.html", answer, status=410)
    return render(request, "players/join.html", {"invitation": invitation, "club": invitation.club})


def _accept(request: Visit, user: User, token: str) -> HttpResponse:
    try:
        membership = invitations.accept(token=token, user=user, now=timezone.now())
    except AlreadyMember as error:
        messages.info(request, str(error))
        return redirect(invitations.find(token=token).club)
    except PlayersError as error:
        return render(request, "players/join_refused.html", {"reason": str(error)}, status=410)
    messages.success(request, _("Welcome to %(club)s.") % {"club": membership.club.name})
    return redirect(membership.club)


@never_cache
def first_director(request: Visit, token: str) -> HttpResponse:
    """Let the first person in: an account, the back office, a club."""
    now = timezone.now()
    if not welcome.is_open(token=token, now=now):
        return render(request, "players/welcome_closed.html", {"reason": str(WelcomeLinkUsed())}, status=404)
    form = WelcomeForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            user = welcome.enter(token=token, now=now, **form.cleaned_data)
        except WelcomeLinkUsed as error:
            return render(request, "players/welcome_closed.html", {"reason": str(error)}, status=404)
        except PlayersError as error:
            add_refusal(form, error, "email" if isinstance(error, EmailTaken) else None)
        else:
            login(request, user, backend="django.contrib.auth.backends.ModelBackend")
            messages.success(request, _("You are all set. Invite your players, or set up an event."))
            return redirect(user.player.memberships.get().club)
    return render(request, "players/welcome.html", {"form": form})
