"""The JSON API of challenges, the lobby, rematches, bots, turns and habits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import permissions, status, viewsets
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from matches.bots import bots
from matches.journal import journal
from matches.lobby import challenges, offers
from matches.lobby.offer_shapes import (
    ANSWERED,
    OFFERED,
    STATUSES,
    BotSerializer,
    ChallengeSerializer,
    HabitsSerializer,
    OfferShape,
    RematchAnswer,
    TurnsAnswer,
    build_terms,
)
from matches.models import Challenge, Habits
from matches.models.challenges import Offer
from matches.play import callers, match_lists
from matches.play.terms_validation import build_refusal
from matches.state.errors import NotAPlayer
from players.access.callers import KEY, IdempotentRequest, KeyLookup, read_body
from players.models import Club, Player
from runtime.http.strict_fields import refuse_body

SHOW = OpenApiParameter(
    "show",
    OpenApiTypes.STR,
    enum=["mine", "lobby"],
    description="Those you made or were sent, or the open seats you may take; both unless said.",
)
STATUS = OpenApiParameter("status", OpenApiTypes.STR, enum=STATUSES, description="`open` unless said.")
TAG = "challenges"
MOST_BEGUN = 20


@extend_schema(request=None, responses={200: ChallengeSerializer, **ANSWERED}, tags=[TAG])
class ChallengeViewSet(KeyLookup, viewsets.ReadOnlyModelViewSet[Challenge]):
    """Offers to play: your own, those you were sent, and the open seats of the lobby."""

    serializer_class = ChallengeSerializer
    permission_classes = (permissions.IsAuthenticated,)
    queryset = Challenge.objects.none()

    def get_queryset(self) -> QuerySet[Challenge]:
        me = callers.get_player(self.request)
        if self.action != "list":
            return offers.list_visible(me)
        return self._list_challenges(me)

    def _list_challenges(self, me: Player) -> QuerySet[Challenge]:
        asked = self.request.query_params
        wanted, show = asked.get("status") or Offer.OPEN, asked.get("show")
        now = callers.get_arrival_time(self.request)
        if show == "lobby":
            return offers.list_open_seats(me, now=now)
        rows = (offers.list_own(me) if show else offers.list_visible(me)).filter(status=wanted)
        return rows.filter(expires_at__gt=now) if wanted == Offer.OPEN else rows

    @extend_schema(parameters=[SHOW, STATUS], responses=ChallengeSerializer)
    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List challenges, the latest first."""
        return super().list(request, *args, **kwargs)

    @extend_schema(responses=ChallengeSerializer)
    def retrieve(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """One challenge; once it is accepted, `match` is the key of the match."""
        return super().retrieve(request, *args, **kwargs)

    @extend_schema(parameters=[KEY], request=OfferShape, responses={201: ChallengeSerializer, **OFFERED})
    def create(self, request: Request) -> Response:
        """Challenge a player, or open a seat. A bot accepts at once: the response then has `match`."""
        me, once = callers.get_player(request), IdempotentRequest.read(request)
        told, now = read_body(OfferShape, request), callers.get_arrival_time(request)

        def act() -> tuple[int, Any]:
            row = challenges.offer(
                challenger=me,
                terms=build_terms(told),
                now=now,
                opponent=_find_opponent(told["opponent"]),
                club=_find_club(told["club"], me),
                is_private=told["private"],
                side=told["side"],
            )
            return status.HTTP_201_CREATED, _serialize_challenge(row)

        return once.run_once(now, act)

    @extend_schema(responses=ChallengeSerializer(many=True), parameters=[], filters=False)
    @action(detail=False, pagination_class=None)
    def begun(self, request: Request) -> Response:
        """Your accepted offers whose `match` you have not joined yet."""
        rows = offers.list_unjoined(callers.get_player(request))[:MOST_BEGUN]
        return Response(ChallengeSerializer(rows, many=True).data)

    @action(detail=True, methods=["post"])
    @refuse_body
    def accept(self, request: Request, key: str) -> Response:
        """Accept a challenge or take a seat: the match begins. Idempotent."""
        return self._run_service(challenges.accept)

    @action(detail=True, methods=["post"])
    @refuse_body
    def decline(self, request: Request, key: str) -> Response:
        """Refuse a challenge that you were sent."""
        return self._run_service(challenges.decline)

    @action(detail=True, methods=["post"])
    @refuse_body
    def withdraw(self, request: Request, key: str) -> Response:
        """Withdraw your own offer."""
        return self._run_service(challenges.withdraw)

    def _run_service(self, act: Callable[..., Challenge]) -> Response:
        # A seat taken by another player is not visible to the caller; the service reports that it is gone.
        row = Challenge.objects.filter(key=self.kwargs["key"]).first()
        if row is None or not (self._is_visible(row) or row.opponent_id):
            raise Http404
        me, now = callers.get_player(self.request), callers.get_arrival_time(self.request)
        return Response(_serialize_challenge(act(challenge_id=row.pk, player=me, now=now)))

    def _is_visible(self, row: Challenge) -> bool:
        return offers.list_visible(callers.get_player(self.request)).filter(pk=row.pk).exists()


@extend_schema(request=None, responses={200: ChallengeSerializer, **ANSWERED}, tags=[TAG])
class RematchViewSet(KeyLookup, viewsets.ViewSet):
    permission_classes = (permissions.IsAuthenticated,)

    @action(detail=True, methods=["post"])
    @refuse_body
    def rematch(self, request: Request, key: str) -> Response:
        """Offer a rematch of a match that is over, sides swapped, or accept the one that was offered."""
        match = callers.find_match(request, key)
        row = challenges.request_rematch(
            match=match, player=callers.get_player(request), now=callers.get_arrival_time(request)
        )
        return Response(_serialize_challenge(row))

    @extend_schema(responses={200: RematchAnswer, **ANSWERED})
    @rematch.mapping.get
    def offered(self, request: Request, key: str) -> Response:
        """The state of a rematch: the latest offer, if there is any."""
        match = callers.find_match(request, key)
        if journal.find_side(match, callers.get_player(request).pk) is None:
            raise NotAPlayer
        found = offers.find_rematch(match)
        return Response(RematchAnswer(offer=None if found is None else _serialize_challenge(found)))


@extend_schema(tags=[TAG])
class OwnViewSet(viewsets.ViewSet):
    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(responses=TurnsAnswer)
    @action(detail=False)
    def turns(self, request: Request) -> Response:
        """Your unfinished matches: those that wait for you first, the most urgent of them at the top."""
        return Response(TurnsAnswer.read(match_lists.list_turns(callers.get_player(request))))

    @extend_schema(responses=BotSerializer(many=True))
    @action(detail=False, permission_classes=[permissions.AllowAny])
    def bots(self, request: Request) -> Response:
        """List the bots of this server: challenge one by its key, and it accepts at once."""
        return Response(BotSerializer(bots.list_available(), many=True).data)

    @extend_schema(responses=HabitsSerializer)
    @action(detail=False)
    def habits(self, request: Request) -> Response:
        """Your habits at the board, and which e-mails you get."""
        row = Habits.objects.filter(player=callers.get_player(request)).first() or Habits()
        return Response(HabitsSerializer(row).data)

    @extend_schema(request=HabitsSerializer(partial=True), responses=HabitsSerializer)
    @habits.mapping.patch
    def change_habits(self, request: Request) -> Response:
        """Change some of your habits and e-mails."""
        said = read_body(HabitsSerializer, request, partial=True)
        row, _is_new = Habits.objects.update_or_create(player=callers.get_player(request), defaults=said)
        return Response(HabitsSerializer(row).data)


def _serialize_challenge(row: Challenge) -> dict[str, Any]:
    return dict(ChallengeSerializer(row).data)


def _find_opponent(key: str | None) -> Player | None:
    if key is None:
        return None
    found = Player.objects.select_related("user").filter(key=key).first()
    if found is None:
        raise build_refusal({"opponent": _("There is no such player.")})
    return found


def _find_club(slug: str | None, me: Player) -> Club | None:
    if slug is None:
        return None
    found = Club.objects.filter(slug=slug, memberships__player=me).first()
    if found is None:
        raise build_refusal({"club": _("You are not a member of this club.")})
    return found


routes: list[tuple[str, type[viewsets.ViewSetMixin], str]] = [
    ("challenges", ChallengeViewSet, "challenge"),
    ("matches", RematchViewSet, "rematch"),
    ("", OwnViewSet, "own"),
]
