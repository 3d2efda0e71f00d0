"""The JSON API of chat: lines, reports, mutes. And its shapes."""

from __future__ import annotations

from typing import Final

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import permissions, serializers, status, viewsets
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle

from matches.models import ChatLine, Room
from matches.models.talk import LONGEST_LINE
from matches.play import callers, chat, match_access, problems
from matches.play.bodies import Reader
from matches.play.chat import LINES_A_PAGE
from matches.play.shapes import LineAnswer, PersonAnswer
from players.access.callers import KeyLookup
from players.models import Player, User
from runtime.http.answers import Answer, about, paginate
from runtime.http.strict_fields import StrictFields, refuse_body

TAG: Final = "talk"

SAY_PROBLEMS: Final = problems.build_responses(
    {
        400: problems.USUAL[400]
        | {
            "empty_line": "nothing was said",
            "hidden_characters": "it holds characters that do not show, or towers of accents",
            "too_long": f"it has more than {LONGEST_LINE} characters",
        },
        401: problems.USUAL[401],
        403: {
            "chat-off": "at this match nobody talks",
            "not-your-room": "it is not for you to talk in this room",
            "read_only_token": "the token is for reading",
        },
        404: problems.USUAL[404],
        429: {"too-much-talk": "a lot was said at once; wait for as many seconds as `Retry-After` says"},
    }
)
LINE_PROBLEMS: Final = problems.build_responses(
    {
        401: problems.USUAL[401],
        403: {"not-allowed": "only a director of the match's club may do that"},
        404: {"not_found": "there is no such line, or you may not read it"},
        409: {"own-line": "nobody reports their own line"},
        429: {"too-much-talk": "a lot was reported in an hour"},
    }
)
MUTE_PROBLEMS: Final = problems.build_responses(
    {
        400: problems.USUAL[400],
        401: problems.USUAL[401],
        404: {"not_found": "there is no such player"},
        409: {"mute-yourself": "nobody mutes themselves"},
    }
)


class TalkAnswer(Answer):
    """The chat of a match, as far as you may read it: the latest 100 lines, oldest first.

    The two players write in the room `players`, spectators in `gallery`. The first is read by the two players
    and by directors only, the second also by the players once the match is over. Leave out the lines of the
    players in `muted`; the stream already does.

    New lines come over the match's `live` stream, on the topics `chat.KEY.players` and `chat.KEY.gallery`:
    `said` has a line, `hidden` the key of a removed one.
    """

    reads: list[Room]
    writes: list[Room]
    lines: list[LineAnswer]
    more: bool = about("Whether there may be earlier lines: ask with `before`.")
    muted: list[str] = about("Keys of players.")


class SayShape(StrictFields):
    """A line to say."""

    text = serializers.CharField(max_length=4 * LONGEST_LINE, trim_whitespace=False)
    key = serializers.RegexField(
        r"\A[!-~]{8,80}\Z",
        help_text="8 to 80 printable ASCII characters, fresh for each new line: sent twice, it is said once.",
    )
    room = serializers.ChoiceField(
        choices=Room.choices,
        required=False,
        default="",
        help_text="Where you may talk in both rooms; else your own.",
    )


class ReportShape(StrictFields):
    """The reason for reporting a line."""

    reason = serializers.CharField(max_length=LONGEST_LINE, required=False, default="", allow_blank=True)


class MuteShape(StrictFields):
    """The player to mute."""

    player = serializers.CharField(max_length=10, help_text="The player's key.")


SAY: Final = Reader(SayShape)
REPORT: Final = Reader(ReportShape)
MUTE: Final = Reader(MuteShape)
LINE: Final = r"chat/(?P<line>[0-9a-z]{10})"
BEFORE: Final = OpenApiParameter("before", str, description="The key of the oldest line you have.")
LINE_KEY: Final = OpenApiParameter("line", str, OpenApiParameter.PATH, description="A line's key.")


@extend_schema(tags=[TAG])
class TalkViewSet(KeyLookup, viewsets.ViewSet):
    def get_permissions(self) -> list[permissions.BasePermission]:
        """Let everybody read, and accounts write."""
        return [permissions.AllowAny() if self.action == "chat" else permissions.IsAuthenticated()]

    def get_throttles(self) -> list[BaseThrottle]:
        return callers.list_throttles(self.request)

    @extend_schema(parameters=[BEFORE], responses=TalkAnswer)
    @action(detail=True)
    def chat(self, request: Request, key: str) -> Response:
        """The latest lines; nothing for those without an account."""
        seen = match_access.get_or_404(key, request.user)
        found = chat.list_lines(seen, before=request.query_params.get("before", ""))
        me = callers.get_player(request) if isinstance(request.user, User) else None
        return Response(
            TalkAnswer.read(
                seen,
                lines=[chat.serialize_line(line, to=seen.role) for line in found],
                more=len(found) == LINES_A_PAGE,
                muted=[other.key for other in chat.list_muted(me)],
            )
        )

    @extend_schema(request=SayShape, responses={200: LineAnswer, 201: LineAnswer, **SAY_PROBLEMS})
    @chat.mapping.post
    def say(self, request: Request, key: str) -> Response:
        """Say a line: 201, or 200 with the line that was said under this key before."""
        seen, given = match_access.get_or_404(key, request.user), SAY.read(request.data)
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

    @extend_schema(parameters=[LINE_KEY], request=ReportShape, responses={204: None, **LINE_PROBLEMS})
    @action(detail=True, methods=["post"], url_path=f"{LINE}/report")
    def report(self, request: Request, key: str, line: str) -> Response:
        """Report an improper line to the directors. Idempotent."""
        seen, me = match_access.get_or_404(key, request.user), callers.get_player(request)
        given = REPORT.read(request.data)
        try:
            chat.report(
                seen=seen, key=line, by=me, reason=given["reason"], now=callers.get_arrival_time(request)
            )
        except ChatLine.DoesNotExist as error:
            raise Http404 from error
        return Response(status=status.HTTP_204_NO_CONTENT)

    @extend_schema(parameters=[LINE_KEY], request=None, responses={200: LineAnswer, **LINE_PROBLEMS})
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


@extend_schema(responses={204: None, **MUTE_PROBLEMS}, tags=[TAG])
class MuteViewSet(KeyLookup, viewsets.GenericViewSet[Player]):
    queryset = Player.objects.none()
    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(responses=PersonAnswer)
    def list(self, request: Request) -> Response:
        """List the players whom you have muted."""
        return paginate(self, chat.list_muted(callers.get_player(request)), PersonAnswer.read)

    @extend_schema(request=MuteShape)
    def create(self, request: Request) -> Response:
        """Mute a player. Idempotent."""
        given = MUTE.read(request.data)
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
