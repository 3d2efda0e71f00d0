"""The offer form, and the search for opponents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from matches.lobby import challenges, lobby_views, requests, visitors
from matches.lobby.forms import OfferForm
from matches.models.challenges import WantedSide
from matches.state.errors import BadTerms, Refused
from runtime.refusals import build_form_error

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse, QueryDict

    from matches.models import Challenge
    from matches.state.terms import Terms
    from players.models import Player

LONGEST_QUERY: Final = 80


@require_safe
@never_cache
@login_required
def opponents(request: HttpRequest) -> HttpResponse:
    form = OfferForm(player=requests.get_player(request), initial=_read_typed_values(request.GET))
    found = lobby_views.build_opponent_choices(
        form, visitors.load_practice_options(), _read_query(request.GET), now=timezone.now()
    )
    return render(request, "matches/_opponents.html", {"people": found})


@requests.require_post
@login_required
def offer(request: HttpRequest) -> HttpResponse:
    """Challenge a player or open a seat; without JavaScript also search."""
    me, query = requests.get_player(request), _read_query(request.POST)
    # Find was pressed, or the typed name has not been searched yet.
    if "find" in request.POST or query != request.POST.get("shown", query):
        return lobby_views.render_lobby(
            request, me, OfferForm(player=me, initial=_read_typed_values(request.POST)), query=query
        )
    form = OfferForm(request.POST, player=me)
    if not form.is_valid() or form.made is None:
        return lobby_views.render_lobby(request, me, form, query=query, status=422)
    try:
        row = _submit_offer(form, form.made, me)
    except BadTerms as error:
        form.refuse(error)
        return lobby_views.render_lobby(request, me, form, query=query, status=422)
    except Refused as error:
        form.add_error(None, build_form_error(error))
        return lobby_views.render_lobby(request, me, form, query=query, status=422)
    if row.match is not None:
        return redirect("matches:match", key=row.match.key)
    if row.opponent is not None:
        messages.success(request, _("Your challenge has been sent to %s.") % row.opponent.public_name)
    else:
        messages.success(request, _("Your seat is open. You will see here when a player takes it."))
    return redirect("matches:lobby")


def _submit_offer(form: OfferForm, terms: Terms, me: Player) -> Challenge:
    told = form.cleaned_data
    return challenges.offer(
        challenger=me,
        opponent=told["opponent"],
        club=told["club"],
        terms=terms,
        is_private=told["is_private"],
        side=told["side"] or WantedSide.RANDOM,
        now=timezone.now(),
    )


def _read_typed_values(given: QueryDict) -> dict[str, Any]:
    return {name: given[name] for name in OfferForm.base_fields if name in given}


def _read_query(given: QueryDict) -> str:
    return given.get("q", "").replace("\0", "")[:LONGEST_QUERY]
