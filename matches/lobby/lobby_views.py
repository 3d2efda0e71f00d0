"""Pages of the lobby: turns, open seats, challenges, practice; the offer form and the search for opponents."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import etag, require_safe

from matches.journal import live
from matches.lobby import challenges, requests, visitors
from matches.lobby import lobby as lobbies
from matches.lobby.forms import USUAL_CLOCK, USUAL_LENGTH, OfferForm
from matches.lobby.opponents import Opponent, list_challengeable, search_opponents
from matches.models import Challenge
from matches.models.challenges import WantedSide
from matches.play import terms_validation
from matches.state import clock_words, rule_words
from matches.state.errors import BadTerms, Refused
from matches.state.terms import Terms
from players.access import public_pages
from players.access.requests import find_player
from players.models import Player
from runtime import stream
from runtime.refusals import build_form_error

LONGEST_QUERY: Final = 80


@dataclass(frozen=True, slots=True)
class QuickMatch:
    """Length and clock of a match with the first opponent available."""

    length: str = USUAL_LENGTH
    clock: str = USUAL_CLOCK

    @property
    def terms(self) -> Terms:
        return terms_validation.read_terms(length=int(self.length), clock=self.clock)

    @property
    def words(self) -> str:
        return f"{rule_words.describe_rules(self.terms.rules)}, {clock_words.describe_preset(self.clock)}"


@require_safe
@never_cache
def lobby(request: HttpRequest) -> HttpResponse:
    me = find_player(request)
    # Players' pages link here with an opponent selected.
    chosen_opponent = {"opponent": key} if (key := request.GET.get("opponent", "")[:10]) else None
    return render_lobby(request, me, OfferForm(player=me, initial=chosen_opponent) if me else None)


def render_lobby(
    request: HttpRequest, me: Player | None, form: OfferForm | None, *, query: str = "", status: int = 200
) -> HttpResponse:
    now = timezone.now()
    topics = [stream.record_positions(live.LOBBY, *([f"user.{request.user.pk}"] if me else []))]
    shown, practice = lobbies.load_lobby(me, now=now), visitors.load_practice_options()
    values = {
        "lobby": shown,
        "form": form,
        "people": build_opponent_choices(form, practice, query, now=now) if form else None,
        "live_topics": [*topics, *shown.watches],
        "practice": practice,
        "usual": QuickMatch(),
    }
    return render(request, "matches/lobby.html", values, status=status)


def _compute_etag(request: HttpRequest) -> str:
    state = repr(
        (
            lobbies.compute_version_key(find_player(request)),
            request.LANGUAGE_CODE,
            static("img/mini.svg"),
        )
    )
    return f'W/"{blake2b(state.encode(), digest_size=12).hexdigest()}"'


@require_safe
@etag(_compute_etag)
@public_pages.cache_page(lambda *_, **__: public_pages.PageVersion(lobbies.compute_version_key(None)))
def boards(request: HttpRequest) -> HttpResponse:
    """Render the boards in play only; the page reloads them while matches are played."""
    tiles = lobbies.draw_boards(find_player(request))
    response = render(request, "matches/_tiles.html", {"tiles": tiles, "large": len(tiles) == 1})
    patch_cache_control(response, private=True, no_cache=True)
    return response


def build_opponent_choices(
    form: OfferForm, practice: visitors.PracticeOptions, query: str, *, now: datetime
) -> dict[str, object]:
    shown = search_opponents(form.player, query=query, now=now)
    listed = {each.key for each in practice.levels} | {each.key for each in shown}
    chosen = list_challengeable(form.player).filter(key=form.opponent_key).exclude(key__in=listed)
    always_shown = [Opponent(each.key, each.public_name, False) for each in chosen]
    return {
        "chosen": form.opponent_key,
        "query": query,
        "own_bots": practice.levels,
        "found": (*always_shown, *shown),
    }


def build_player_part(request: HttpRequest, key: str) -> str | None:
    """Return the key of the player if the viewer can challenge them."""
    me = find_player(request)
    return key if me is not None and list_challengeable(me).filter(key=key).exists() else None


@requests.require_post
def practice(request: HttpRequest) -> HttpResponse:
    """Start or resume a practice match, with or without an account."""
    now = timezone.now()
    player = requests.load_practice_player(request, now=now)
    length, level = requests.read_practice(request)
    found = visitors.begin_practice(player=player, now=now, length=length, level=level)
    address = reverse("matches:match", args=[found.key])
    return redirect(f"{address}?guide=yes" if "guide" in request.POST else address)


@requests.require_post
@login_required
def anybody(request: HttpRequest) -> HttpResponse:
    row = challenges.join_or_open_seat(
        player=requests.get_player(request), terms=QuickMatch().terms, now=timezone.now()
    )
    if row.match is not None:
        return redirect("matches:match", key=row.match.key)
    messages.success(request, _("Your seat is open. You will see here when a player takes it."))
    return redirect("matches:lobby")


@requests.require_post
@login_required
def answer(request: HttpRequest, key: str, act: Callable[..., Challenge]) -> HttpResponse:
    """Accept, decline or withdraw an offer, as the address says."""
    found = Challenge.objects.filter(key=key).values_list("pk", flat=True).first()
    if found is None:
        raise Http404
    row = act(challenge_id=found, player=requests.get_player(request), now=timezone.now())
    return redirect("matches:match", key=row.match.key) if row.match else redirect("matches:lobby")


@require_safe
@never_cache
@login_required
def opponents(request: HttpRequest) -> HttpResponse:
    form = OfferForm(player=requests.get_player(request), initial=_read_typed_values(request.GET))
    found = build_opponent_choices(
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
        return render_lobby(
            request, me, OfferForm(player=me, initial=_read_typed_values(request.POST)), query=query
        )
    form = OfferForm(request.POST, player=me)
    if not form.is_valid() or form.made is None:
        return render_lobby(request, me, form, query=query, status=422)
    try:
        row = _submit_offer(form, form.made, me)
    except BadTerms as error:
        form.refuse(error)
        return render_lobby(request, me, form, query=query, status=422)
    except Refused as error:
        form.add_error(None, build_form_error(error))
        return render_lobby(request, me, form, query=query, status=422)
    if row.match is not None:
        return redirect("matches:match", key=row.match.key)
    if row.opponent is not None:
        messages.success(request, _("Your challenge has been sent to %s.") % row.opponent.public_name)
    else:
        messages.success(request, _("Your seat is open. You will see here when a player takes it."))
    return redirect("matches:lobby")


def _submit_offer(form: OfferForm, terms: Terms, me: Player) -> Challenge:
    cleaned = form.cleaned_data
    return challenges.offer(
        challenger=me,
        opponent=cleaned["opponent"],
        club=cleaned["club"],
        terms=terms,
        is_private=cleaned["is_private"],
        side=cleaned["side"] or WantedSide.RANDOM,
        now=timezone.now(),
    )


def _read_typed_values(given: QueryDict) -> dict[str, Any]:
    return {name: given[name] for name in OfferForm.base_fields if name in given}


def _read_query(given: QueryDict) -> str:
    return given.get("q", "").replace("\0", "")[:LONGEST_QUERY]
