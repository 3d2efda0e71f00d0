"""A member's friendlies: proposed, answered, called off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from players.errors import PlayersError
from players.selectors import people
from players.views.requests import by_post
from runtime.refusals import for_form
from tournaments.errors import TournamentError
from tournaments.forms.friendlies import FriendlyForm
from tournaments.selectors import friendlies as selectors
from tournaments.services import friendlies as services
from tournaments.views import event_page

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse
    from django_stubs_ext import StrPromise

    from players.models import Player
    from players.views.requests import AccountRequest
    from tournaments.models import Friendly

ANSWERS: Final[dict[str, Callable[..., Friendly]]] = {
    "agree": services.agree,
    "decline": services.decline,
    "withdraw": services.withdraw,
    "call-off": services.call_off,
}

DONE: Final[dict[str, StrPromise]] = {
    "agree": gettext_lazy("Agreed."),
    "decline": gettext_lazy("Declined."),
    "withdraw": gettext_lazy("Withdrawn."),
    "call-off": gettext_lazy("Called off: the match is not played."),
}


@require_http_methods(["GET", "POST"])
@login_required
@never_cache
def friendlies(request: AccountRequest) -> HttpResponse:
    """Show somebody's friendlies, and take a proposal."""
    player, now = _player(request), timezone.now()
    form = FriendlyForm(
        request.POST or None,
        people=selectors.opponents(player),
        opponent=request.GET.get("opponent", ""),
        club=request.GET.get("club", ""),
    )
    if form.is_valid():
        club, other = form.asked
        said = {name: form.cleaned_data[name] for name in ("length", "where", "clock", "key")}
        try:
            services.propose(club=club, proposer=player, opponent=other, now=now, **said)
        except (TournamentError, PlayersError) as refusal:
            form.add_error(None, for_form(refusal))
        else:
            name = other.public_name
            messages.success(request, _("%(name)s is asked, and can agree within a week.") % {"name": name})
            return redirect("tournaments:friendlies")
    values: dict[str, Any] = {
        "form": form if form.people else None,
        "mine": selectors.of(player, now=now),
        "clubs": [club.pk for club, _people in selectors.opponents(player)],
    }
    return render(request, "tournaments/friendlies.html", values, status=422 if form.errors else 200)


@by_post("tournaments:friendlies")
@login_required
def answer(request: AccountRequest, friendly: str) -> HttpResponse:
    """Agree, decline, withdraw or call off; what is agreed leads to its match."""
    act = ANSWERS.get(request.POST.get("answer", ""))
    if act is None:
        raise Http404
    try:
        row = act(key=friendly, player=_player(request), now=timezone.now())
    except (TournamentError, PlayersError) as refusal:
        messages.error(request, str(refusal), extra_tags=refusal.code)
        return redirect("tournaments:friendlies")
    if act is services.agree and row.event is not None:
        messages.success(request, _("Agreed. Play the match, then one of you reports the score."))
        return redirect(row.event)
    messages.success(request, str(DONE[request.POST["answer"]]))
    return redirect("tournaments:friendlies")


def part_of_player(request: HttpRequest, key: str) -> str | None:
    """Return whom the viewer may ask for a friendly from their page: somebody of a club of theirs."""
    user = request.user
    if not user.is_authenticated:
        return None
    mine: Player | None = getattr(user, "player", None)
    other = people.get_player(key=key)
    return key if mine is not None and selectors.can_be_asked(mine, other) else None


def part_of_lobby(request: HttpRequest) -> str | None:
    """Lead members to their friendlies."""
    return "" if request.user.is_authenticated else None


def _player(request: AccountRequest) -> Player:
    player: Player | None = getattr(event_page.signed_in(request), "player", None)
    if player is None:
        raise Http404
    return player
