"""A player's own page over the API: their matches and their friends, for themselves alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import generics, permissions
from rest_framework.response import Response
from rest_framework.views import APIView

from careers import friends, mine_shapes, my_matches
from matches.play import callers
from players.models import Follow

if TYPE_CHECKING:
    from django.urls import URLPattern
    from rest_framework.request import Request


class MyMatchesView(APIView):
    """What the caller plays."""

    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(operation_id="my_matches", responses=mine_shapes.MyMatchesShape, tags=[mine_shapes.TAG])
    def get(self, request: Request) -> Response:
        """Your next matches with table, place in the queue and what to do next, your way through each event, and what you have entered."""
        user, now = callers.account(request), callers.moment(request)
        found = my_matches.of(callers.player(request), user, now=now)
        return Response(mine_shapes.told(found, now=now))


class FriendsView(generics.GenericAPIView[Follow]):
    """Whom the caller follows."""

    queryset = Follow.objects.none()
    serializer_class = mine_shapes.FriendShape
    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(
        operation_id="my_friends", responses=mine_shapes.FriendShape(many=True), tags=[mine_shapes.TAG]
    )
    def get(self, request: Request) -> Response:
        """The players you follow, and what they play as everybody may see it; those who play come first."""
        found: Any = friends.of(callers.account(request), now=callers.moment(request))
        page = self.paginate_queryset(found)
        return self.get_paginated_response([mine_shapes.friend(one) for one in page or ()])


paths: list[URLPattern] = [
    path("me/matches/", MyMatchesView.as_view(), name="my-matches"),
    path("me/friends/", FriendsView.as_view(), name="my-friends"),
]
