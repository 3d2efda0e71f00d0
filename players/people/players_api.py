"""Players over HTTP, with their shape, and fields of names for other shapes."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import permissions, serializers, status, viewsets
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from players import names
from players.access.callers import SEARCH, get_account
from players.access.permissions import list_clubs_where
from players.access.requests import get_query
from players.errors import PlayersError
from players.models import Player
from players.people import people
from runtime.http.answers import about
from runtime.http.strict_fields import refuse_body
from runtime.rows import ABOUT_UID


class ApiNameField(serializers.CharField):
    """A normalised name; see `players.names`."""

    def clean(self, text: str) -> str:
        return names.clean_optional(text, limit=self.max_length or 80)

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        try:
            return self.clean(text)
        except PlayersError as error:
            raise serializers.ValidationError(str(error), code=error.code) from None


class ApiProseField(ApiNameField):
    """A normalised text of several lines; see `players.names`."""

    def clean(self, text: str) -> str:
        return names.clean_prose(text, limit=self.max_length or 2000)


class ApiTimeZoneField(ApiNameField):
    """The name of a time zone; "" for the club's."""

    def clean(self, text: str) -> str:
        return names.clean_time_zone(text) if text else ""


class PlayerSerializer(serializers.ModelSerializer[Player]):
    """A player as everybody may see them: the public name alone."""

    uid = serializers.UUIDField(read_only=True, help_text=ABOUT_UID)
    name = serializers.CharField(source="public_name")
    is_guest = serializers.SerializerMethodField()
    is_former = serializers.SerializerMethodField()

    class Meta:
        model = Player
        fields = ("uid", "key", "name", "is_guest", "is_former")
        read_only_fields = fields

    def get_is_guest(self, player: Player) -> bool:
        """True for a player without an account."""
        return player.user_id is None and player.erased_at is None

    def get_is_former(self, player: Player) -> bool:
        """True if the player was erased."""
        return player.erased_at is not None


def build_player_field() -> Any:
    """Declare the field of an answer for its player."""
    return about(source=lambda row: PlayerSerializer(row.player).data, described=PlayerSerializer())


@extend_schema_view(list=extend_schema(parameters=[SEARCH]))
class PlayerViewSet(viewsets.ReadOnlyModelViewSet[Player]):
    """Players, searched by their public names."""

    serializer_class = PlayerSerializer
    permission_classes = (permissions.AllowAny,)
    lookup_field = "key"

    def get_queryset(self) -> QuerySet[Player]:
        """Return the players that match `q` and that the caller may find."""
        insider_of = list_clubs_where(self.request.user, "players.find_hidden")
        return people.list_visible_players(query=get_query(self.request), insider_of=insider_of)

    def get_object(self) -> Player:
        """Return the player of this key, or the one they were merged into."""
        return people.get_player(key=self.kwargs["key"])

    @extend_schema(request=None, responses={204: None})
    @action(detail=True, methods=["put"], permission_classes=[permissions.IsAuthenticated])
    @refuse_body
    def follow(self, request: Request, key: str) -> Response:
        """Add a player to your friends; they are not notified.

        A player hidden from searches cannot be followed.
        """
        people.follow(user=get_account(request), player=self.get_object(), now=timezone.now())
        return Response(status=status.HTTP_204_NO_CONTENT)

    @extend_schema(responses={204: None})
    @follow.mapping.delete
    @refuse_body
    def unfollow(self, request: Request, key: str) -> Response:
        """Stop following a player."""
        people.unfollow(user=get_account(request), player=self.get_object())
        return Response(status=status.HTTP_204_NO_CONTENT)


routes: list[tuple[str, type[viewsets.ViewSetMixin], str]] = [("players", PlayerViewSet, "player")]
