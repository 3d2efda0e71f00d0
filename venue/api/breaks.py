"""The breaks of an event over HTTP: for everyone to read, for its directors to set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import permissions, viewsets
from rest_framework.response import Response

from matches.play import callers
from tournaments.pages import access
from venue import serializers as shapes
from venue.models import Break
from venue.selectors.breaks import PlannedBreak
from venue.services import breaks

if TYPE_CHECKING:
    from django.urls import URLPattern
    from rest_framework.request import Request


class BreakViewSet(viewsets.GenericViewSet[Break]):
    """The breaks of an event."""

    queryset = Break.objects.none()
    serializer_class = shapes.BreaksShape
    permission_classes = (permissions.IsAuthenticatedOrReadOnly,)

    @extend_schema(responses=shapes.BreaksShape, tags=[shapes.TAG])
    def retrieve(self, request: Request, key: str) -> Response:
        """When an event has breaks. No match is called automatically in one."""
        return Response(shapes.breaks(access.find(key, request.user)))

    @extend_schema(
        request=shapes.BreakOrderShape,
        responses={200: shapes.BreaksShape, **shapes.PROBLEMS},
        tags=[shapes.TAG],
    )
    def update(self, request: Request, key: str) -> Response:
        """Say when an event has breaks, all of them; refused where they are not those that were seen."""
        user, now = callers.account(request), callers.moment(request)
        event = access.find(key, user)
        form = shapes.BreakOrderShape(data=request.data)
        form.is_valid(raise_exception=True)
        said = form.validated_data
        wanted = [PlannedBreak(one["begins_at"], one["ends_at"], one["name"]) for one in said["breaks"]]
        breaks.arrange(event=event, change=lambda _before: wanted, by=user, now=now, saw=said["saw"])
        return Response(shapes.breaks(event))


paths: list[URLPattern] = [
    path(
        "events/<slug:key>/breaks/",
        BreakViewSet.as_view({"get": "retrieve", "put": "update"}),
        name="event-breaks",
    ),
]
