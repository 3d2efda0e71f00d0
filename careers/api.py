"""Matches that players have played, and those that they play now, over the API.

A record of one player or of two may be read by everyone who may see its page; a player's own matches only by that
player.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404
from django.urls import path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics, permissions
from rest_framework.response import Response
from rest_framework.views import APIView

from careers import friends, head_to_head, my_matches, my_matches_shapes, record
from careers import record_shapes as shapes
from matches.play import callers
from players.access.callers import get_account
from players.models import Follow
from players.people import people
from runtime.http.answer_schema import make_list_serializer

if TYPE_CHECKING:
    from django.urls import URLPattern
    from rest_framework.request import Request

MOST_OPPONENTS = 200
PAGE = OpenApiParameter("page", OpenApiTypes.INT, description="The page of their matches, from 1.")


class HeadToHeadView(APIView):
    """Two players and every match they have played against each other in events."""

    permission_classes = (permissions.AllowAny,)

    @extend_schema(
        operation_id="head_to_head",
        parameters=[PAGE],
        responses=shapes.HeadToHeadAnswer,
        tags=["players"],
    )
    def get(self, request: Request, key: str, other: str) -> Response:
        """The wins of each of two players: in total, by length, year and event, with their matches page by page."""
        one, two = people.get_player(key=key), people.get_player(key=other)
        number = int(request.query_params.get("page") or 1)
        found = head_to_head.load_head_to_head(one, two, request.user, number=number)
        if found is None:
            raise Http404
        return Response(shapes.HeadToHeadAnswer.read(found))


class RecordView(APIView):
    """A player's record over all matches they have played to the end in events."""

    permission_classes = (permissions.AllowAny,)

    @extend_schema(operation_id="player_record", responses=shapes.RecordAnswer, tags=["players"])
    def get(self, request: Request, key: str) -> Response:
        """A player's wins and losses by opponent, length, event and year, with runs, titles and achievements.

        Also the matches and events to come.
        """
        player, now = people.get_player(key=key), callers.get_arrival_time(request)
        found = record.load_record(player, request.user, now=now, opponents=MOST_OPPONENTS)
        if found is None:
            raise Http404
        return Response(shapes.RecordAnswer.read(found))


class MyMatchesView(APIView):
    """The matches and events of the caller."""

    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(
        operation_id="my_matches", responses=my_matches_shapes.MyMatchesAnswer, tags=[my_matches_shapes.TAG]
    )
    def get(self, request: Request) -> Response:
        """Your next matches, your way through each event, and what you have entered.

        A match has its table, its place in the queue, and what to do next.
        """
        user, now = get_account(request), callers.get_arrival_time(request)
        found = my_matches.load_my_matches(callers.get_player(request), user, now=now)
        return Response(my_matches_shapes.serialize_my_matches(found, now=now))


class FriendsView(generics.GenericAPIView[Follow]):
    """The players whom the caller follows."""

    queryset = Follow.objects.none()
    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(
        operation_id="my_friends",
        responses=make_list_serializer(my_matches_shapes.FriendAnswer),
        tags=[my_matches_shapes.TAG],
    )
    def get(self, request: Request) -> Response:
        """The players you follow, and what they play as everybody may see it; those who play come first."""
        found: Any = friends.list_friends(get_account(request), now=callers.get_arrival_time(request))
        page = self.paginate_queryset(found)
        return self.get_paginated_response([my_matches_shapes.FriendAnswer.read(one) for one in page or ()])


paths: list[URLPattern] = [
    path("players/<slug:key>/against/<slug:other>/", HeadToHeadView.as_view(), name="player-against"),
    path("players/<slug:key>/record/", RecordView.as_view(), name="player-record"),
    path("me/matches/", MyMatchesView.as_view(), name="my-matches"),
    path("me/friends/", FriendsView.as_view(), name="my-friends"),
]
