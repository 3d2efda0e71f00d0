"""A player's own page over the API: their matches and their friends, for themselves alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import permissions
from rest_framework.response import Response
from rest_framework.views import APIView

from matches.api import callers
from tournaments.selectors import friends, my_matches
from tournaments.serializers import mine

if TYPE_CHECKING:
    from django.urls import URLPattern
    from rest_framework.request import Request


class MyMatchesView(APIView):
    """What the caller plays."""

    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(operation_id="my_matches", responses=mine.MyMatchesShape, tags=[mine.TAG])
    def get(self, request: Request) -> Response:
        """Your next matches with table, place in the queue and what to do next, your way through each event, and what you have entered."""
        user, now = callers.account(request), callers.moment(request)
        found = my_matches.of(callers.player(request), user, now=now)
        return Response(mine.told(found, now=now))


class FriendsView(APIView):
    """Whom the caller follows."""

    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(operation_id="my_friends", responses=mine.FriendShape(many=True), tags=[mine.TAG])
    def get(self, request: Request) -> Response:
        """The players you follow, and what they play as everybody may see it; those who play come first."""
        found = friends.of(callers.account(request), now=callers.moment(request))
        return Response([mine.friend(one) for one in found])


paths: list[URLPattern] = [
    path("me/matches/", MyMatchesView.as_view(), name="my-matches"),
    path("me/friends/", FriendsView.as_view(), name="my-friends"),
]
