"""The caller of a request, its arrival time and round trip, and the matches visible to it."""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Final, cast

from django.contrib.auth.models import AnonymousUser
from django.core import signing
from django.core.exceptions import ObjectDoesNotExist
from django.db.models import Q, QuerySet
from django.http import Http404
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.settings import api_settings
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from matches.journal import journal
from matches.models import Match
from matches.play import match_access
from matches.play.visitor_sessions import AT_THE_BOARD, VisitingUser
from matches.state.errors import NotAPlayer
from players.access.callers import get_account, get_idempotency_key
from players.access.permissions import list_clubs_where
from players.models import Player, User
from players.people import people

# Set in the environment by the server when the request is complete; headers cannot set it.
RECEIVED: Final = "barpoint.received"
LONGEST_WAIT: Final = timedelta(minutes=1)
LIVES_MS: Final = 120_000

_signer = signing.Signer(salt="barpoint.pulse")


def get_arrival_time(request: Request) -> datetime:
    """Return the arrival time of the complete request, before any queueing."""
    now = timezone.now()
    received = request.META.get(RECEIVED)
    if not isinstance(received, float):
        return now
    waited = timedelta(seconds=time.monotonic() - received)
    return now - min(max(waited, timedelta()), LONGEST_WAIT)


def get_player(request: Request) -> Player:
    """Return the caller's player.

    :raises NotAuthenticated: no one is signed in.
    :raises NotAPlayer: the account has no player.
    """
    if isinstance(request.user, VisitingUser):
        return request.user.player
    try:
        return get_account(request).player
    except ObjectDoesNotExist as error:
        raise NotAPlayer from error


def get_actor_name(request: Request) -> str:
    """Return the name in journals of an account or a visitor; raise NotAuthenticated for others."""
    if isinstance(request.user, VisitingUser):
        return f"visitor.{request.user.player.pk}"
    return f"user.{get_account(request).pk}"


def identify_request(request: Request, actor: str) -> journal.RequestIdentity:
    """Return the actor, the idempotency key and the digest of a request.

    Call it before `request.data` is read: once the body is parsed, its bytes are gone.

    :raises ValidationError: the key is missing or malformed.
    """
    digest = hashlib.sha256(request.body).hexdigest()[:16]
    return journal.RequestIdentity(actor, get_idempotency_key(request), digest)


@dataclass(frozen=True, slots=True)
class Pulse:
    """The content of a token that measures a player's round trip: time of issue, and the smoothed round trip."""

    at: int
    trip: int | None


def create_pulse_token(*, actor: str, key: str, at: int, trip: int | None) -> str:
    """Return a token; *at* is the server time in milliseconds.

    Round trips are stored nowhere else. Sent back at once, a token has made one. It is valid for one account and
    one match, for two minutes; `matches.state.lag` limits what manipulation can gain.
    """
    return _signer.sign(f"{actor}.{key}.{at}.{'' if trip is None else trip}")


def read_pulse(token: str, *, actor: str, key: str, now: int) -> Pulse | None:
    """Return the content of a token; None if it is invalid, expired, or of another account or match."""
    try:
        whose, match, issued, measured = _signer.unsign(token).rsplit(".", 3)
    except signing.BadSignature:
        return None
    if (whose, match) != (actor, key):
        return None
    at, trip = int(issued), int(measured) if measured else None
    return Pulse(at, trip) if now - at <= LIVES_MS else None


def list_visible_matches(user: User | AnonymousUser) -> QuerySet[Match]:
    """Return the matches visible to a user: private ones only to their players, directors and superusers."""
    rows = Match.objects.select_related("white", "black", "club")
    if not isinstance(user, User):
        return rows.filter(is_private=False)
    if user.is_superuser:
        return rows
    return rows.filter(
        Q(is_private=False)
        | Q(white__user=user)
        | Q(black__user=user)
        | Q(club__in=list_clubs_where(user, "matches.adjudicate"))
    )


def find_visible_player(request: Request, key: str) -> Player | None:
    """Return the player with this key; None if there is none whose matches the caller may look up."""
    insider_of = list_clubs_where(request.user, "players.find_hidden")
    try:
        return people.find_visible_player(key=key, user=request.user, insider_of=insider_of)
    except Http404:
        return None


def find_match(request: Request, key: str) -> Match:
    """Return the match; raise Http404 also if the caller may not know of it."""
    return match_access.get_or_404(key, request.user).row


@lru_cache(maxsize=20_000)
def find_match_id(key: str) -> int:
    """Return the primary key of a match. It never changes, so it is cached.

    :raises Http404: there is none.
    """
    found = Match.objects.filter(key=key).values_list("pk", flat=True)[:1]
    for pk in found:
        return pk
    raise Http404


class MatchRate(BaseThrottle):
    """Requests per minute and account, counted in each web process separately.

    No shared cache: the limit is only for programs that run out of control.
    """

    most = 1_200
    _minute = -1
    _counts: dict[str, int] = {}

    def allow_request(self, request: Request, view: APIView) -> bool:
        actor, minute = get_actor_name(request), int(time.monotonic() // 60)
        if minute != MatchRate._minute:
            MatchRate._minute, MatchRate._counts = minute, {}
        count = MatchRate._counts[actor] = MatchRate._counts.get(actor, 0) + 1
        return count <= self.most

    def wait(self) -> float:
        return 60 - time.monotonic() % 60


class BoardView(APIView):
    """Base of the views of a match that visitors may call, too."""

    authentication_classes = AT_THE_BOARD

    def get_throttles(self) -> list[BaseThrottle]:
        return list_throttles(self.request)


def list_throttles(request: Request) -> list[BaseThrottle]:
    """Return the throttles of match play: `MatchRate` for accounts, the defaults for others."""
    # REST framework has replaced the strings of this setting by classes.
    kinds = cast("list[type[BaseThrottle]]", api_settings.DEFAULT_THROTTLE_CLASSES)
    usual = [kind() for kind in kinds]
    return [MatchRate()] if usual and request.user.is_authenticated else usual
