"""Players over HTTP and JSON."""

from __future__ import annotations

from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import mixins, permissions, status, viewsets
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from players.access.callers import SEARCH, get_account
from players.access.permissions import list_clubs_where
from players.access.requests import get_query
from players.models import Player
from players.people import people
from players.people.player_shapes import PlayerSerializer
from runtime.http.strict_fields import refuse_body


@extend_schema_view(list=extend_schema(parameters=[SEARCH]))
class PlayerViewSet(mixins.ListModelMixin, mixins.RetrieveModelMixin, viewsets.GenericViewSet[Player]):
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
