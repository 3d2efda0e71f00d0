"""Who calls, when the call came in, and which matches they may know of."""

from __future__ import annotations

import time
from datetime import timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Final, cast

from django.core.exceptions import ObjectDoesNotExist
from django.db.models import Q
from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework import exceptions
from rest_framework.settings import api_settings
from rest_framework.throttling import BaseThrottle

from matches.models import Match
from matches.play import watching
from matches.play.visiting import VisitingUser
from matches.play.watching import Role
from matches.state.errors import NotAPlayer
from players.access.permissions import clubs_where
from players.models import Player, User

if TYPE_CHECKING:
    from datetime import datetime

    from django.contrib.auth.models import AnonymousUser
    from django.db.models import QuerySet
    from rest_framework.request import Request
    from rest_framework.views import APIView

    from matches.play.watching import View

# Put into the environment by our server as soon as the whole request is here; no header can say it.
RECEIVED: Final = "barpoint.received"
LONGEST_WAIT: Final = timedelta(minutes=1)

KEY: Final = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    required=True,
    description=(
        "8 to 80 printable ASCII characters, fresh for each new request. The same request under the same key "
        "again changes nothing more and gets the same answer."
    ),
)


def moment(request: Request) -> datetime:
    """Return when the whole request had arrived, however long it waited in line after that."""
    now = timezone.now()
    received = request.META.get(RECEIVED)
    if not isinstance(received, float):
        return now
    waited = timedelta(seconds=time.monotonic() - received)
    return now - min(max(waited, timedelta()), LONGEST_WAIT)


def account(request: Request) -> User:
    """Return the account that calls.

    :raises NotAuthenticated: nobody is signed in.
    """
    if not isinstance(request.user, User):
        raise exceptions.NotAuthenticated
    return request.user


def player(request: Request) -> Player:
    """Return the player who calls.

    :raises NotAuthenticated: nobody is signed in.
    :raises NotAPlayer: the account belongs to nobody who plays.
    """
    if isinstance(request.user, VisitingUser):
        return request.user.player
    try:
        return account(request).player
    except ObjectDoesNotExist as error:
        raise NotAPlayer from error


def number(request: Request) -> int:
    """Return a number that stands for the one who calls: an account's, or below zero a visitor's.

    :raises NotAuthenticated: nobody is there.
    """
    return -request.user.player.pk if isinstance(request.user, VisitingUser) else account(request).pk


def actor(request: Request) -> str:
    """Return under what name the requests of the one who calls are kept."""
    one = number(request)
    return f"user.{one}" if one > 0 else f"visitor.{-one}"


def idempotency_key(request: Request) -> str:
    """Return the key under which the request may be repeated.

    :raises ValidationError: there is none, or none that we keep.
    """
    key = request.headers.get("Idempotency-Key", "")
    if not 8 <= len(key) <= 80 or not key.isascii() or not key.isprintable():
        sentence = _("Send an Idempotency-Key header of 8 to 80 characters, a new one for each request.")
        raise exceptions.ValidationError({"Idempotency-Key": sentence}, code="idempotency_key")
    return key


def visible(user: User | AnonymousUser) -> QuerySet[Match]:
    """Return the matches that this person may know of: private ones belong to their players and directors."""
    rows = Match.objects.select_related("white", "black", "club")
    if not isinstance(user, User):
        return rows.filter(is_private=False)
    if user.is_superuser:
        return rows
    return rows.filter(
        Q(is_private=False)
        | Q(white__user=user)
        | Q(black__user=user)
        | Q(club__in=clubs_where(user, "matches.adjudicate"))
    )


def look(request: Request, key: str) -> View:
    """Return the match of this key as the caller sees it.

    :raises Http404: there is none that this person may know of.
    """
    return watching.get_or_404(key, request.user)


def find(request: Request, key: str) -> Match:
    """Return the match of this key.

    :raises Http404: there is none that this person may know of.
    """
    return look(request, key).row


@lru_cache(maxsize=20_000)
def match_id(key: str) -> int:
    """Return what the database calls the match of this key: always the same, so it is asked once.

    :raises Http404: there is none.
    """
    found = Match.objects.filter(key=key).values_list("pk", flat=True)[:1]
    for pk in found:
        return pk
    raise Http404


def is_insider(request: Request, row: Match) -> bool:
    """Is it one of the two, or a director of the match's club?"""
    seen = watching.view(row, request.user)
    return seen is not None and seen.role is not Role.SPECTATOR


class MatchRate(BaseThrottle):
    """Bots play fast: so many requests a minute and account, counted by each web process for itself.

    No cache is asked: the limit is there for programs that have lost their way.
    """

    most = 1_200
    _minute = -1
    _counts: dict[int, int] = {}

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Count the request, and say whether it is one too many."""
        user_id, minute = number(request), int(time.monotonic() // 60)
        if minute != MatchRate._minute:
            MatchRate._minute, MatchRate._counts = minute, {}
        count = MatchRate._counts[user_id] = MatchRate._counts.get(user_id, 0) + 1
        return count <= self.most

    def wait(self) -> float:
        """Return the seconds until the next minute begins."""
        return 60 - time.monotonic() % 60


def throttles(request: Request) -> list[BaseThrottle]:
    """Return the limits of match play: our own for accounts, the usual ones for visitors."""
    # The strings have become classes by now.
    kinds = cast("list[type[BaseThrottle]]", api_settings.DEFAULT_THROTTLE_CLASSES)
    usual = [kind() for kind in kinds]
    return [MatchRate()] if usual and request.user.is_authenticated else usual
