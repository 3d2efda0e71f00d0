"""Players' records over the API, of one and of two: whoever may see the page may read this."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404
from django.urls import path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import permissions
from rest_framework.response import Response
from rest_framework.views import APIView

from careers import head_to_head, record, rival_shapes
from careers import record_shapes as shapes
from players.selectors import people

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
        responses=rival_shapes.HeadToHeadShape,
        tags=["players"],
    )
    def get(self, request: Request, key: str, other: str) -> Response:
        """How often each has won: in all, by length, year and event, with their matches page by page."""
        one, two = people.get_player(key=key), people.get_player(key=other)
        number = int(request.query_params.get("page") or 1)
        found = head_to_head.of(one, two, request.user, number=number)
        if found is None:
            raise Http404
        told: dict[str, Any] = rival_shapes.told(found)
        return Response(told)


class RecordView(APIView):
    """A player's record over all matches they have played to the end in events."""

    permission_classes = (permissions.AllowAny,)

    @extend_schema(operation_id="player_record", responses=shapes.RecordShape, tags=["players"])
    def get(self, request: Request, key: str) -> Response:
        """Won and lost by opponent, length, event and year, runs, titles, achievements and what is to come."""
        found = record.of(people.get_player(key=key), request.user, opponents=MOST_OPPONENTS)
        if found is None:
            raise Http404
        return Response(shapes.told(found))


paths: list[URLPattern] = [
    path("players/<slug:key>/against/<slug:other>/", HeadToHeadView.as_view(), name="player-against"),
    path("players/<slug:key>/record/", RecordView.as_view(), name="player-record"),
]
