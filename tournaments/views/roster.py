"""Who is in: directors enter players, and take them out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from players.errors import PlayersError
from tournaments.errors import TournamentError
from tournaments.forms import GuestForm
from tournaments.selectors import candidates
from tournaments.services import directing
from tournaments.views import acts

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from tournaments.models import Tournament

MOST_AT_ONCE = 512


@acts.posted
@acts.directs
def admit(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Enter the members that were ticked, those of last time, or everyone."""
    keys, nobody = _wanted(request, event)
    if not keys:
        messages.info(request, nobody)
        return redirect(event)
    try:
        new = directing.admit(
            tournament_id=event.pk,
            player_keys=keys[:MOST_AT_ONCE],
            by=acts.signed_in(request),
            now=timezone.now(),
        )
    except (TournamentError, PlayersError) as refusal:
        messages.error(request, str(refusal))
    else:
        said = ngettext("%(count)s player entered.", "%(count)s players entered.", new) % {"count": new}
        messages.success(request, said)
    return redirect(event)


@acts.posted
@acts.directs
def admit_guest(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Enter someone who only says a name."""
    form = GuestForm(request.POST, auto_id="guest-%s")
    if not form.is_valid():
        return acts.show_event(request, event, guest=form, status=422)
    name = form.cleaned_data["name"]
    user, now = acts.signed_in(request), timezone.now()
    return acts.attempt(
        request,
        event,
        lambda: directing.admit_guest(tournament_id=event.pk, name=name, by=user, now=now),
        done=_("%(name)s is in.") % {"name": name},
    )


@acts.posted
@acts.directs
def take_out(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Withdraw a player."""
    player_key = request.POST.get("player", "")
    user, now = acts.signed_in(request), timezone.now()
    return acts.attempt(
        request,
        event,
        lambda: directing.take_out(tournament_id=event.pk, player_key=player_key, by=user, now=now),
        done=_("Taken out. You can enter the player again at any time before the result."),
    )


def _wanted(request: HttpRequest, event: Tournament) -> tuple[list[str], str]:
    """Return whom the pressed button means, and what to say if that is nobody."""
    if "last" in request.POST:
        those = candidates.those_of(event, last_key=request.POST["last"])
        return those, _("Everyone of last time who is still a member is in already.")
    if "everyone" in request.POST:
        return candidates.everyone(event), _("Every member of the club is in.")
    return request.POST.getlist("player"), _("Nobody was ticked.")
