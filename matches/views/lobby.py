"""The way to a match: whose turn it is, open seats, challenges, and practice in one click."""

from __future__ import annotations

from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Final

from allauth.account.adapter import get_adapter
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ObjectDoesNotExist, PermissionDenied
from django.http import Http404
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from matches import clock_words, rule_words
from matches.errors import MatchError
from matches.forms import OfferForm
from matches.models import Challenge, Match
from matches.models.challenges import Offer
from matches.models.matches import State
from matches.selectors import offers, opponents, turns
from matches.services import bots, challenges, visitors
from matches.views import words
from players.models import Player, User
from runtime import stream

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse

MOST_RECENT: Final = 8
MOST_WATCHED: Final = 8
MOST_SEATS: Final = 20


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match in a list of the lobby."""

    key: str
    names: str
    meta: str
    score: str
    moved_at: datetime
    deadline_at: datetime | None


@dataclass(frozen=True, slots=True)
class OfferRow:
    """An offer to play, and what the one who looks may do about it."""

    key: str
    name: str
    meta: str
    is_mine: bool
    is_seat: bool


@dataclass(frozen=True, slots=True)
class Lobby:
    """Everything on the page."""

    mine: tuple[MatchRow, ...] = ()
    theirs: tuple[MatchRow, ...] = ()
    recent: tuple[MatchRow, ...] = ()
    received: tuple[OfferRow, ...] = ()
    sent: tuple[OfferRow, ...] = ()
    seats: tuple[OfferRow, ...] = ()
    live: tuple[MatchRow, ...] = ()


@dataclass(frozen=True, slots=True)
class People:
    """Whom one may choose to play."""

    chosen: str
    query: str
    own_bots: tuple[opponents.Opponent, ...]
    found: tuple[opponents.Opponent, ...]


@require_safe
@never_cache
def lobby(request: HttpRequest) -> HttpResponse:
    """Show what waits for the one who looks, and whom they could play."""
    me = _player(request)
    # A player's page leads here with whom to play.
    asked = {"opponent": key} if (key := request.GET.get("opponent", "")[:10]) else None
    return page(request, me, OfferForm(player=me, initial=asked) if me else None)


def page(
    request: HttpRequest, me: Player | None, form: OfferForm | None, *, query: str = "", status: int = 200
) -> HttpResponse:
    """Show the page with a form as far as it is filled in, and whom a search for *query* finds."""
    now = timezone.now()
    values = {
        "lobby": _lobby(me, now=now),
        "form": form,
        "people": people(form, query, now=now) if form else None,
        "live_topics": [stream.watch(f"user.{request.user.pk}")] if me else [],
        "lengths": visitors.LENGTHS,
        "length": visitors.LENGTH,
    }
    return render(request, "matches/lobby.html", values, status=status)


def people(form: OfferForm, query: str, *, now: datetime) -> People:
    """Return whom the form offers: the practice players, whoever is chosen, and whom the search finds."""
    own_bots = [opponents.Opponent(bot.player.key, bot.player.public_name, True) for bot in bots.available()]
    shown = opponents.found(form.player, query=query, now=now)
    listed = {each.key for each in (*own_bots, *shown)}
    chosen = opponents.challengeable(form.player).filter(key=form.opponent_key).exclude(key__in=listed)
    kept = [opponents.Opponent(each.key, each.public_name, False) for each in chosen]
    return People(form.opponent_key, query, tuple(own_bots), (*kept, *shown))


def posted(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Let an act happen by POST alone; a refusal is said where one came from."""

    @wraps(view)
    def guarded(request: HttpRequest, **where: str) -> HttpResponse:
        if request.method != "POST":
            return redirect("matches:lobby")
        try:
            return view(request, **where)
        except MatchError as error:
            messages.error(request, str(error))
            return redirect("matches:lobby")

    return guarded


@posted
def practice(request: HttpRequest) -> HttpResponse:
    """Sit down with the practice player, with an account or without."""
    now = timezone.now()
    player = _player(request)
    if player is None:
        if request.user.is_authenticated:
            raise PermissionDenied
        address = get_adapter().get_client_ip(request)
        player = visitors.welcome(request.session, address=address, now=now)
    asked = request.POST.get("length", "")
    length = int(asked) if asked in {str(each) for each in visitors.LENGTHS} else visitors.LENGTH
    found = visitors.practise(player=player, now=now, length=length)
    return redirect("matches:match", key=found.key)


@posted
@login_required
def accept(request: HttpRequest, key: str) -> HttpResponse:
    """Accept a challenge or take a seat."""
    row = challenges.accept(challenge_id=_challenge(key), player=signed_in(request), now=timezone.now())
    return redirect("matches:match", key=row.match.key) if row.match else redirect("matches:lobby")


@posted
@login_required
def decline(request: HttpRequest, key: str) -> HttpResponse:
    """Refuse a challenge."""
    challenges.decline(challenge_id=_challenge(key), player=signed_in(request), now=timezone.now())
    return redirect("matches:lobby")


@posted
@login_required
def withdraw(request: HttpRequest, key: str) -> HttpResponse:
    """Take one's own offer back."""
    challenges.withdraw(challenge_id=_challenge(key), player=signed_in(request), now=timezone.now())
    return redirect("matches:lobby")


def _challenge(key: str) -> int:
    found = Challenge.objects.filter(key=key).values_list("pk", flat=True).first()
    if found is None:
        raise Http404
    return found


def _player(request: HttpRequest) -> Player | None:
    if not isinstance(request.user, User):
        return None
    try:
        return request.user.player
    except ObjectDoesNotExist:
        return None


def signed_in(request: HttpRequest) -> Player:
    """Return the player of whoever asks.

    :raises PermissionDenied: there is none.
    """
    player = _player(request)
    if player is None:
        raise PermissionDenied
    return player


def _lobby(me: Player | None, *, now: datetime) -> Lobby:
    watched = Match.objects.filter(status=State.LIVE, is_private=False, has_bot=False)
    watched = watched.exclude(terms__delay__gt=0).select_related("white", "black").order_by("-moved_at")
    if me is None:
        return Lobby(live=tuple(_row(each, None) for each in watched[:MOST_WATCHED]))
    found = turns.turns(me)
    mine = offers.mine(me).filter(status=Offer.OPEN, expires_at__gt=now)
    return Lobby(
        mine=tuple(_row(each, me) for each in found.mine),
        theirs=tuple(_row(each, me) for each in found.theirs),
        recent=tuple(_row(each, me) for each in turns.recent(me)[:MOST_RECENT]),
        received=tuple(_offer(each, me) for each in mine.filter(opponent=me)),
        sent=tuple(_offer(each, me) for each in mine.filter(challenger=me)),
        seats=tuple(_offer(each, me) for each in offers.lobby(me, now=now)[:MOST_SEATS]),
        live=tuple(_row(each, None) for each in watched.exclude(white=me).exclude(black=me)[:MOST_WATCHED]),
    )


def _row(row: Match, me: Player | None) -> MatchRow:
    is_black = me is not None and row.black_id == me.pk
    one, other = (row.black, row.white) if is_black else (row.white, row.black)
    score = (row.black_score, row.white_score) if is_black else (row.white_score, row.black_score)
    names = other.public_name if me is not None else f"{one.public_name} {words.DASH} {other.public_name}"
    return MatchRow(
        row.key,
        names,
        _meta(row.terms),
        f"{score[0]}{words.DASH}{score[1]}",
        row.moved_at,
        row.deadline_at,
    )


def _offer(row: Challenge, me: Player) -> OfferRow:
    is_mine = row.challenger_id == me.pk
    other = row.opponent if is_mine else row.challenger
    return OfferRow(
        key=row.key,
        name=other.public_name if other else "",
        meta=_meta(row.terms),
        is_mine=is_mine,
        is_seat=row.opponent_id is None,
    )


def _meta(terms: dict[str, object]) -> str:
    return f"{rule_words.said_terms(terms)} · {clock_words.said_terms(terms)}"
