"""The JSON API of chat: lines, reports, mutes."""

from __future__ import annotations

from typing import Final

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import permissions, status, viewsets
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle

from matches.models import ChatLine
from matches.play import callers, chat, match_access, talk_shapes
from matches.play.chat import LINES_A_PAGE
from matches.play.shapes import PersonAnswer
from players.models import Player, User
from runtime.http.answers import paginate
from runtime.http.strict_fields import refuse_body

LINE: Final = r"chat/(?P<line>[0-9a-z]{10})"
BEFORE: Final = OpenApiParameter(
    "before", OpenApiTypes.STR, description="The key of the oldest line you have."
)
LINE_KEY: Final = OpenApiParameter(
    "line", OpenApiTypes.STR, OpenApiParameter.PATH, description="A line's key."
)


@extend_schema(tags=[talk_shapes.TAG])
class TalkViewSet(viewsets.ViewSet):
    permission_classes = (permissions.IsAuthenticatedOrReadOnly,)
    lookup_field = "key"
    lookup_value_regex = "[0-9a-z]{10}"

    def get_throttles(self) -> list[BaseThrottle]:
        return callers.list_throttles(self.request)

    @extend_schema(parameters=[BEFORE], responses=talk_shapes.TalkAnswer)
    @action(detail=True)
    def chat(self, request: Request, key: str) -> Response:
        """The latest lines; nothing for those without an account."""
        seen = match_access.get_or_404(key, request.user)
        found = chat.list_lines(seen, before=request.query_params.get("before", ""))
        me = callers.get_player(request) if isinstance(request.user, User) else None
        return Response(
            talk_shapes.TalkAnswer.read(
                seen,
                lines=[chat.serialize_line(line, to=seen.role) for line in found],
                more=len(found) == LINES_A_PAGE,
                muted=[other.key for other in chat.list_muted(me)],
            )
        )

    @extend_schema(
        request=talk_shapes.SayShape,
        responses={200: talk_shapes.LineAnswer, 201: talk_shapes.LineAnswer, **talk_shapes.SAY_PROBLEMS},
    )
    @chat.mapping.post
    def say(self, request: Request, key: str) -> Response:
        """Say a line: 201, or 200 with the line that was said under this key before."""
        seen, given = match_access.get_or_404(key, request.user), talk_shapes.SAY.read(request.data)
        line, is_new = chat.post_line(
            seen=seen,
            author=callers.get_player(request),
            text=given["text"],
            client_key=given["key"],
            room=given["room"],
            now=callers.get_arrival_time(request),
        )
        return Response(
            chat.serialize_line(line), status=status.HTTP_201_CREATED if is_new else status.HTTP_200_OK
        )

    @extend_schema(
        parameters=[LINE_KEY],
        request=talk_shapes.ReportShape,
        responses={204: None, **talk_shapes.LINE_PROBLEMS},
    )
    @action(detail=True, methods=["post"], url_path=f"{LINE}/report")
    def report(self, request: Request, key: str, line: str) -> Response:
        """Report an improper line to the directors. Idempotent."""
        seen, me = match_access.get_or_404(key, request.user), callers.get_player(request)
        given = talk_shapes.REPORT.read(request.data)
        try:
            chat.report(
                seen=seen, key=line, by=me, reason=given["reason"], now=callers.get_arrival_time(request)
            )
        except ChatLine.DoesNotExist as error:
            raise Http404 from error
        return Response(status=status.HTTP_204_NO_CONTENT)

    @extend_schema(
        parameters=[LINE_KEY],
        request=None,
        responses={200: talk_shapes.LineAnswer, **talk_shapes.LINE_PROBLEMS},
    )
    @action(detail=True, methods=["post"], url_path=f"{LINE}/hide")
    @refuse_body
    def hide(self, request: Request, key: str, line: str) -> Response:
        """Hide a line; for directors of the match's club."""
        seen, me = match_access.get_or_404(key, request.user), callers.get_player(request)
        try:
            found = chat.hide(seen=seen, key=line, by=me, now=callers.get_arrival_time(request))
        except ChatLine.DoesNotExist as error:
            raise Http404 from error
        return Response(chat.serialize_line(found, to=seen.role))


@extend_schema(responses={204: None, **talk_shapes.MUTE_PROBLEMS}, tags=[talk_shapes.TAG])
class MuteViewSet(viewsets.GenericViewSet[Player]):
    queryset = Player.objects.none()
    permission_classes = (permissions.IsAuthenticated,)
    lookup_field = "key"
    lookup_value_regex = "[0-9a-z]{10}"

    @extend_schema(responses=PersonAnswer)
    def list(self, request: Request) -> Response:
        """List the players whom you have muted."""
        return paginate(self, chat.list_muted(callers.get_player(request)), PersonAnswer.read)

    @extend_schema(request=talk_shapes.MuteShape)
    def create(self, request: Request) -> Response:
        """Mute a player. Idempotent."""
        given = talk_shapes.MUTE.read(request.data)
        chat.mute(player=callers.get_player(request), muted=_get_player(given["player"]))
        return Response(status=status.HTTP_204_NO_CONTENT)

    @refuse_body
    def destroy(self, request: Request, key: str) -> Response:
        """Unmute a player."""
        chat.unmute(player=callers.get_player(request), muted=_get_player(key))
        return Response(status=status.HTTP_204_NO_CONTENT)


def _get_player(key: str) -> Player:
    return get_object_or_404(Player, key=key, erased_at__isnull=True)


routes: list[tuple[str, type[viewsets.ViewSetMixin], str]] = [
    ("matches", TalkViewSet, "match-talk"),
    ("mutes", MuteViewSet, "mute"),
]
