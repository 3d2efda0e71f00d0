"""The API's view of events: who reads a page may read this."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import Count, F, Q
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import mixins, permissions, serializers, viewsets
from rest_framework.decorators import action
from rest_framework.exceptions import ValidationError
from rest_framework.response import Response

from tournaments.models import Entry, Tournament
from tournaments.selectors import lines
from tournaments.status import Status

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from rest_framework.request import Request


class EventSerializer(serializers.ModelSerializer[Tournament]):
    """An event."""

    club = serializers.SlugRelatedField[Any](slug_field="slug", read_only=True)
    entered = serializers.IntegerField(read_only=True)

    class Meta:
        model = Tournament
        fields = (
            "key",
            "club",
            "name",
            "status",
            "starts_at",
            "started_at",
            "finished_at",
            "place",
            "about",
            "format_label",
            "match_length",
            "capacity",
            "entered",
        )


class EntrySerializer(serializers.ModelSerializer[Entry]):
    """A player in an event."""

    player = serializers.CharField(source="player.key", read_only=True)
    name = serializers.SerializerMethodField()
    place = serializers.SerializerMethodField()

    class Meta:
        model = Entry
        fields = ("player", "name", "entered_at", "place")

    def get_name(self, entry: Entry) -> str:
        """Return the public name."""
        return lines.shown_name(entry.player)

    def get_place(self, entry: Entry) -> int | None:
        """Return the place, once it counts."""
        return entry.place if entry.tournament.status == Status.FINISHED else None


class EventViewSet(mixins.ListModelMixin, mixins.RetrieveModelMixin, viewsets.GenericViewSet[Tournament]):
    """Events, the latest first."""

    serializer_class = EventSerializer
    permission_classes = (permissions.AllowAny,)
    lookup_field = "key"
    lookup_value_regex = "[0-9a-z]{10}"
    queryset = Tournament.objects.none()

    def get_queryset(self) -> QuerySet[Tournament]:
        """Return the events this person may know of, of one club or status if asked."""
        events = (
            lines.visible(self.request.user)
            .annotate(entered=Count("entries", filter=Q(entries__withdrawn_at__isnull=True)))
            .order_by("-starts_at", "-pk")
        )
        if club := self.request.query_params.get("club"):
            events = events.filter(club__slug=club)
        if status := self.request.query_params.get("status"):
            if status not in Status.__members__:
                raise ValidationError({"status": [f"One of {', '.join(Status)}."]})
            events = events.filter(status=status)
        return events

    @extend_schema(
        parameters=[
            OpenApiParameter("club", OpenApiTypes.STR, description="The club's address."),
            OpenApiParameter("status", OpenApiTypes.STR, enum=[status.value for status in Status]),
        ]
    )
    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List events."""
        return super().list(request, *args, **kwargs)

    @extend_schema(responses=EntrySerializer(many=True))
    @action(detail=True, pagination_class=None)
    def entries(self, request: Request, key: str) -> Response:
        """List who is in, by place where there is one."""
        event = self.get_object()
        places = [F("place").asc(nulls_last=True)] if event.status == Status.FINISHED else []
        rows = (
            Entry.objects.filter(tournament=event, withdrawn_at__isnull=True)
            .select_related("player", "tournament")
            .order_by(*places, "entered_at", "pk")
        )
        return Response(EntrySerializer(rows, many=True).data)


routes = (("events", EventViewSet, "event"),)
