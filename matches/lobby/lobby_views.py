"""Pages of the lobby: turns, open seats, challenges, practice."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import etag, require_safe

from matches.journal import live
from matches.lobby import challenges, opponents, requests, visitors
from matches.lobby import lobby as lobbies
from matches.lobby.forms import USUAL_CLOCK, USUAL_LENGTH, OfferForm
from matches.models import Challenge
from matches.play import terms_validation
from matches.state import clock_words, rule_words
from players.access import public_pages
from runtime import stream

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse

    from matches.state.terms import Terms
    from players.models import Player


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
    me = requests.find_player(request)
    # Players' pages link here with an opponent selected.
    asked = {"opponent": key} if (key := request.GET.get("opponent", "")[:10]) else None
    return render_lobby(request, me, OfferForm(player=me, initial=asked) if me else None)


def render_lobby(
    request: HttpRequest, me: Player | None, form: OfferForm | None, *, query: str = "", status: int = 200
) -> HttpResponse:
    """Render the lobby with a form, and the opponents found by *query*."""
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
    said = repr(
        (
            lobbies.compute_version_key(requests.find_player(request)),
            request.LANGUAGE_CODE,
            static("img/mini.svg"),
        )
    )
    return f'W/"{blake2b(said.encode(), digest_size=12).hexdigest()}"'


@require_safe
@etag(_compute_etag)
@public_pages.cache_page(lambda *_, **__: public_pages.PageVersion(lobbies.compute_version_key(None)))
def boards(request: HttpRequest) -> HttpResponse:
    """Render the boards in play only; the page reloads them while matches are played."""
    tiles = lobbies.draw_boards(requests.find_player(request))
    response = render(request, "matches/_tiles.html", {"tiles": tiles, "large": len(tiles) == 1})
    patch_cache_control(response, private=True, no_cache=True)
    return response


def build_opponent_choices(
    form: OfferForm, practice: visitors.PracticeOptions, query: str, *, now: datetime
) -> dict[str, object]:
    shown = opponents.search_opponents(form.player, query=query, now=now)
    listed = {each.key for each in practice.levels} | {each.key for each in shown}
    chosen = opponents.list_challengeable(form.player).filter(key=form.opponent_key).exclude(key__in=listed)
    kept = [opponents.Opponent(each.key, each.public_name, False) for each in chosen]
    return {
        "chosen": form.opponent_key,
        "query": query,
        "own_bots": practice.levels,
        "found": (*kept, *shown),
    }


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
def accept(request: HttpRequest, key: str) -> HttpResponse:
    return _answer_offer(request, key, challenges.accept)


@requests.require_post
@login_required
def decline(request: HttpRequest, key: str) -> HttpResponse:
    return _answer_offer(request, key, challenges.decline)


@requests.require_post
@login_required
def withdraw(request: HttpRequest, key: str) -> HttpResponse:
    return _answer_offer(request, key, challenges.withdraw)


def _answer_offer(request: HttpRequest, key: str, act: Callable[..., Challenge]) -> HttpResponse:
    found = Challenge.objects.filter(key=key).values_list("pk", flat=True).first()
    if found is None:
        raise Http404
    row = act(challenge_id=found, player=requests.get_player(request), now=timezone.now())
    return redirect("matches:match", key=row.match.key) if row.match else redirect("matches:lobby")
