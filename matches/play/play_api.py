"""The JSON API of playing: state, commands, journal; and the request bodies of commands and pulses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import exceptions, permissions, serializers, viewsets
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from matches.journal import journal, live
from matches.models import Match
from matches.models.matches import Due, State
from matches.play import answers, callers, match_access, play, play_parsing, presence, shapes, sources
from matches.play.bodies import BytesField, KindField, PlainText, Reader, refuse_field
from matches.play.match_access import View
from matches.state import commands, lag
from matches.state.commands import Command
from matches.state.dicing import FURTHEST_AHEAD
from matches.state.errors import NotAPlayer
from matches.state.match_state import MatchState
from matches.state.rulings import FROM_ZERO
from players.access import listeners
from players.access.callers import KEY, KeyLookup
from runtime.http.answers import paginate
from runtime.http.strict_fields import StrictFields

LONGEST_PULSE: Final = 400
DAYS: Final = 60 * 24 * 3_600_000
ROLL_NUMBER: Final = re.compile("[1-9][0-9]{0,5}")


class CommandField(KindField):
    """Any of the commands."""

    kinds = Command.kinds
    name = "Command"
    code = "unknown_command"
    unknown = gettext_lazy("A command is an object with a “type”: one of %s.")

    def build(self, kind: type[Command], found: dict[str, Any]) -> Command:
        """Return the command, if its fields go together."""
        match found:
            case {"commitment": bytes(), "words": str()}:
                refuse_field("words", _("Promise either a chain or words, not both."), "both")
            case {"play": play, "steps": steps}:
                if (play is None) is (steps is None):
                    refuse_field("play", _("Send either the play or its steps, not both."), "one_of")
                return commands.Move(steps or (), play=play)
            case {"level": 0}:
                return commands.Concede()
        return kind(**found)


@extend_schema_field(
    {
        "type": "object",
        "maxProperties": FURTHEST_AHEAD,
        "additionalProperties": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
        "example": {"17": "4f9b25964ac4d85d" * 4},
    }
)
class SharesField(serializers.Field[Any, Any, Any, Any]):
    """Links of a player's chain, by the number of the roll that each is for."""

    def to_internal_value(self, data: Any) -> dict[int, bytes]:
        if not isinstance(data, dict) or len(data) > FURTHEST_AHEAD:
            sentence = _("Shares are an object with the numbers of up to three rolls.")
            raise serializers.ValidationError(sentence, code="no_shares")
        shares = {}
        for number, link in data.items():
            if not ROLL_NUMBER.fullmatch(number):
                sentence = _("“%s” is not the number of a roll.") % number[:20]
                raise serializers.ValidationError(sentence, code="no_number")
            shares[int(number)] = _LINK.run_validation(link)
        return shares


_LINK: Final = BytesField()


class CommandRequest(StrictFields):
    """A command, with the shares and times that belong to it."""

    after = serializers.IntegerField(**FROM_ZERO, help_text="The `head` of what you saw when you decided.")
    command = CommandField()
    shares = SharesField(
        default=dict,
        help_text=(
            "Your shares of the next rolls, by number: of `snapshot.roll.number` at the earliest and two more. "
            "Needed with a roll; given when you end your turn, the opponent's roll need not wait for you."
        ),
    )
    thought_ms = serializers.IntegerField(
        default=None,
        allow_null=True,
        min_value=0,
        max_value=DAYS,
        help_text=(
            "How long you thought, from the arrival of what you answer to the sending of this. With `pulse` it "
            "lets the clock forgive what the network took."
        ),
    )
    pulse = PlainText(
        default="",
        allow_blank=True,
        max_length=LONGEST_PULSE,
        help_text="The latest token of `…/pulse/`, while it is younger than two minutes.",
    )
    turn = serializers.BooleanField(
        default=False, help_text="Have the answer carry `turn`, the ways through your plays."
    )


class PulseRequest(StrictFields):
    """The token that has just been received, or none to request the first one."""

    token = PlainText(default="", allow_blank=True, max_length=LONGEST_PULSE)


COMMAND: Final = Reader(CommandRequest)
PULSE: Final = Reader(PulseRequest)


FRAMES_A_PAGE: Final = 200
ME: Final = "me"

FILTERS: Final = (
    OpenApiParameter(
        "player",
        str,
        description="A player's key, or `me`. Nothing is listed of a player who hides from searches, except for "
        "the player and directors of their clubs.",
    ),
    OpenApiParameter("status", str, enum=State.values),
    OpenApiParameter("due", str, enum=[ME], description="Only matches that wait for you."),
)
PLAY: Final = OpenApiParameter(
    "play", str, required=True, description="A play in writing, such as `13/7* 6/5(2)`."
)
LONGEST_PLAY: Final = 100
AFTER: Final = OpenApiParameter("after", int, description="The number of the last line you have; 0 for all.")


@extend_schema(tags=[shapes.TAG])
class MatchViewSet(KeyLookup, callers.BoardView, viewsets.GenericViewSet[Match]):
    permission_classes = (permissions.AllowAny,)
    queryset = Match.objects.none()

    # -- reading

    @extend_schema(parameters=[*FILTERS], responses=shapes.MatchLineAnswer)
    def list(self, request: Request) -> Response:
        """List matches, the one with the latest action first; private ones only for players and directors."""
        rows = self._filter_matches(request).order_by("-moved_at", "-pk")
        return paginate(self, rows, shapes.MatchLineAnswer.read)

    def _filter_matches(self, request: Request) -> QuerySet[Match]:
        rows = callers.list_visible_matches(request.user)
        parameters = request.query_params
        if key := parameters.get("player"):
            player = callers.get_player(request) if key == ME else callers.find_visible_player(request, key)
            rows = rows.filter(white=player) | rows.filter(black=player) if player else rows.none()
        if status := parameters.get("status"):
            rows = rows.filter(status=status)
        if parameters.get("due"):
            me = callers.get_player(request)
            rows = rows.filter(white=me, due__in=[Due.WHITE, Due.BOTH]) | rows.filter(
                black=me, due__in=[Due.BLACK, Due.BOTH]
            )
        return rows

    @extend_schema(responses=shapes.WholeMatchAnswer)
    def retrieve(self, request: Request, key: str) -> Response:
        """Everything about one match: its terms, its state, what you may do, how to follow it."""
        seen, state = self._load_view_and_state(request, key)
        # The positions of the streams are read before the content that they update.
        token = match_access.create_token(seen, state, holder=listeners.get_holder(request))
        followed = shapes.StreamAnswer(token=token, url=f"/live/?t={token}")
        here = presence.build_presence(seen.row, now=timezone.now())
        return Response(answers.serialize_match(seen.row, state, seen.side, live=followed, presence=here))

    @extend_schema(responses=shapes.LegalPlaysAnswer)
    @action(detail=True)
    def plays(self, request: Request, key: str) -> Response:
        """The legal plays of the current roll of either side, one for each board they can lead to."""
        _seen, state = self._load_view_and_state(request, key)
        game = state.match.game
        return Response(
            shapes.LegalPlaysAnswer(
                head=state.head,
                side=None if game.turn is None else game.turn.word,
                dice=None if game.dice is None else str(game.dice),
                plays=answers.serialize_plays(state),
                turn=answers.serialize_turn(state),
            )
        )

    @extend_schema(parameters=[PLAY], responses={200: shapes.JudgedPlayAnswer, **shapes.COMMAND_PROBLEMS})
    @action(detail=True)
    def judge(self, request: Request, key: str) -> Response:
        """Whether a play of the current roll of either side is legal. Nothing is played.

        One that is not is refused as the command would be: the code and `context.rule` say why, `help` where
        it is explained, and `context.nearest` names legal plays near it.
        """
        _seen, state = self._load_view_and_state(request, key)
        written = request.query_params.get("play")
        if written is None:
            raise exceptions.ValidationError({"play": _("Write a play, such as 13/7 6/5.")})
        play = play_parsing.read_play(state.match.game, written[:LONGEST_PLAY])
        return Response(shapes.JudgedPlayAnswer.read(play, head=state.head))

    @extend_schema(parameters=[AFTER], responses=shapes.FramesAnswer)
    @action(detail=True, pagination_class=None, url_path="journal", url_name="journal")
    def follow(self, request: Request, key: str) -> Response:
        """The journal after a line, as frames: the same that come over `/live/`, 200 at most at once.

        A snapshot and the frames after it make the next snapshot: take the frame's `state`, append its
        `results` to those you have (or take its `all_results` instead of them), and take its `dice_set` where
        it has one.
        """
        if not (cursor := request.query_params.get("after", "0")):
            raise exceptions.ValidationError({"after": _("Send the number of a line.")})
        seen, state = self._load_view_and_state(request, key)
        after = int(cursor)
        upto = min(after + FRAMES_A_PAGE, state.head)
        frames = _list_frames(seen, after, upto, state.head)
        return Response(shapes.FramesAnswer(head=state.head, frames=frames, more=upto < state.head))

    def _load_view_and_state(self, request: Request, key: str) -> tuple[View, MatchState]:
        seen = match_access.get_or_404(key, request.user)
        return seen, journal.load(seen.row)

    # -- acting

    @extend_schema(
        parameters=[KEY],
        request=CommandRequest,
        responses={200: shapes.CommandResultAnswer, **shapes.COMMAND_PROBLEMS},
        examples=shapes.EXAMPLES,
    )
    @action(
        detail=True,
        methods=["post"],
        permission_classes=[permissions.IsAuthenticated],
        url_path="commands",
        url_name="commands",
    )
    def act(self, request: Request, key: str) -> Response:
        """Submit a command: it is carried out with all that follows from it automatically, or not at all."""
        player, actor = callers.get_player(request), callers.get_actor_name(request)
        identity = callers.identify_request(request, actor)
        now = callers.get_arrival_time(request)
        given = COMMAND.read(request.data)
        pulse = callers.read_pulse(given["pulse"], actor=actor, key=key, now=journal.to_milliseconds(now))
        try:
            answer = play.submit(
                match_id=callers.find_match_id(key),
                player=player,
                command=given["command"],
                after=given["after"],
                now=now,
                shares=given["shares"],
                thought=given["thought_ms"],
                trip=pulse.trip if pulse else None,
                request=identity,
            )
        except NotAPlayer:
            callers.find_match(request, key)  # do not reveal that a private match exists
            raise
        if answer.refusal is not None:
            raise answer.refusal
        return Response(answers.serialize_result(answer, with_turn=given["turn"]))

    @extend_schema(request=PulseRequest, responses={200: shapes.PulseAnswer, **shapes.PROBLEMS})
    @action(detail=True, methods=["post"], permission_classes=[permissions.IsAuthenticated])
    def pulse(self, request: Request, key: str) -> Response:
        """Measure the round trip: request a token, and send it back at once for another that contains it.

        Send the latest token with your commands, and request a new one every minute or so. Tokens are good
        for two minutes, one account and one match.
        """
        actor = callers.get_actor_name(request)
        callers.find_match(request, key)
        token = PULSE.read(request.data)["token"]
        received = journal.to_milliseconds(callers.get_arrival_time(request))
        pulse = callers.read_pulse(token, actor=actor, key=key, now=received)
        trip = lag.smooth_trip(pulse.trip, received - pulse.at) if pulse else None
        at = journal.to_milliseconds(timezone.now())
        return Response(
            shapes.PulseAnswer(
                token=callers.create_pulse_token(actor=actor, key=key, at=at, trip=trip),
                round_trip_ms=trip,
                server_time_ms=at,
            )
        )


def _list_frames(seen: View, after: int, upto: int, head: int) -> Sequence[dict[str, Any]]:
    if after >= upto:
        return ()
    if upto == head:  # the most frequent request is cached
        return sources.FILMS.get(seen.row, upto=head, after=after).after(after) or ()
    steps = journal.iterate_steps(seen.row, upto=upto)
    return [live.build_frame(step) for step in steps if step.line.seq > after]


routes: list[tuple[str, type[viewsets.ViewSetMixin], str]] = [("matches", MatchViewSet, "match")]
