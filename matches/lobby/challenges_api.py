"""The JSON API of challenges, the lobby, rematches, bots, turns and habits, and its shapes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.db.models import QuerySet
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_serializer
from rest_framework import permissions, serializers, status, viewsets
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from engine.clock import PRESETS, SECOND, DelayMethod
from engine.rules import LONGEST, VARIANTS, DeadCube
from matches.bots import bots, minds
from matches.journal import journal
from matches.lobby import challenges, offers
from matches.lobby.offers import HABITS
from matches.models import Challenge, Habits
from matches.models.challenges import Offer, WantedSide
from matches.play import callers, match_lists, problems, shapes, terms_validation
from matches.play.terms_validation import build_refusal
from matches.state.errors import NotAPlayer
from matches.state.terms import Claim, Terms
from players.access.callers import KEY, IdempotentRequest, KeyLookup, read_body
from players.models import Club, Player
from runtime.http.answer_schema import make_list_serializer
from runtime.http.answers import Answer, about
from runtime.http.strict_fields import StrictFields, refuse_body

LONGEST_KEY: Final = 80
RULES: Final = (
    "length",
    "variant",
    "cube",
    "crawford",
    "dead_cube",
    "jacoby",
    "beavers",
    "automatic_doubles",
)


@extend_schema_serializer(component_name="ChallengePlayer")
class PersonShape(StrictFields):
    """A player by key and public name."""

    key = serializers.CharField()
    name = serializers.CharField(source="public_name")


class OwnClockShape(StrictFields):
    """A clock that is no preset. Times in seconds."""

    timing = serializers.ChoiceField([each.value for each in DelayMethod])
    reserve = serializers.IntegerField(
        min_value=0, max_value=terms_validation.LONGEST_RESERVE // SECOND, help_text="For the whole match."
    )
    delay = serializers.IntegerField(
        min_value=0,
        max_value=terms_validation.LONGEST_DELAY // SECOND,
        default=0,
        help_text="For every turn.",
    )


class OfferShape(StrictFields):
    """The opponent and the terms of an offer."""

    opponent = serializers.CharField(
        max_length=LONGEST_KEY,
        allow_null=True,
        default=None,
        help_text="A player's or a bot's key; leave it out to open a seat for whoever comes first.",
    )
    club = serializers.CharField(
        max_length=LONGEST_KEY,
        allow_null=True,
        default=None,
        help_text="A club's address: only its members may take the seat, and its directors may rule.",
    )
    length = serializers.IntegerField(
        min_value=0, max_value=LONGEST, default=5, help_text="In points; 0 for play without an end."
    )
    variant = serializers.ChoiceField([*VARIANTS], default="backgammon")
    cube = serializers.BooleanField(default=True)
    crawford = serializers.BooleanField(default=True)
    dead_cube = serializers.ChoiceField(
        [each.value for each in DeadCube],
        default=DeadCube.ALLOWED.value,
        help_text="What becomes of a double that cannot matter any more.",
    )
    jacoby = serializers.BooleanField(default=False, help_text="Only without a length.")
    beavers = serializers.BooleanField(default=False, help_text="Only without a length.")
    automatic_doubles = serializers.IntegerField(
        min_value=0, max_value=terms_validation.MOST_AUTOMATIC, default=0, help_text="Only without a length."
    )
    clock = serializers.ChoiceField(
        [*PRESETS], allow_null=True, default=None, help_text="A preset; null plays without a clock."
    )
    claim = serializers.ChoiceField(
        [each.value for each in Claim],
        default=Claim.WIN.value,
        help_text=(
            "Without a clock: what may be claimed from an opponent who stays away: the win, that the match does not "
            "count, or nothing, so that it waits for them."
        ),
    )
    own_clock = OwnClockShape(
        required=False, allow_null=True, default=None, help_text="In place of a preset."
    )
    rated = serializers.BooleanField(
        default=False,
        help_text="Only false: lists of ratings take matches of events and friendlies, and no match by challenge.",
    )
    private = serializers.BooleanField(default=False, help_text="Without spectators.")
    chat = serializers.BooleanField(default=True, help_text="Never with a bot.")
    side = serializers.ChoiceField(WantedSide.values, default=WantedSide.RANDOM.value)


def build_terms(data: dict[str, Any]) -> Terms:
    """Return the terms of a valid `OfferShape`.

    :raises BadTerms: the values are not compatible, or it is to be rated.
    """
    if data["rated"]:
        sentence = _("A match by challenge is never rated. A friendly with a member of your club may be.")
        raise terms_validation.build_refusal({"rated": sentence})
    own = data["own_clock"]
    clock = data["clock"]
    if own is not None and clock is not None:
        raise terms_validation.build_refusal({"clock": _("Choose a clock or set your own, not both.")})
    if own is not None:
        clock = terms_validation.OwnClock(own["timing"], own["reserve"] * SECOND, own["delay"] * SECOND)
    rules = {name: data[name] for name in RULES}
    return terms_validation.read_terms(**rules, clock=clock, has_chat=data["chat"], claim=data["claim"])


class ChallengeSerializer(serializers.ModelSerializer[Challenge]):
    """An offer to play."""

    challenger = PersonShape()
    opponent = PersonShape(allow_null=True)
    club = serializers.SlugRelatedField[Any](slug_field="slug", read_only=True, allow_null=True)
    terms = shapes.TermsShape()
    rated = serializers.BooleanField(source="is_rated", help_text=shapes.RATED)
    private = serializers.BooleanField(source="is_private")
    match = serializers.SlugRelatedField[Any](
        slug_field="key", read_only=True, allow_null=True, help_text="The match that came of it."
    )
    rematch_of = serializers.SlugRelatedField[Any](slug_field="key", read_only=True, allow_null=True)

    class Meta:
        model = Challenge
        fields = (
            "key",
            "challenger",
            "opponent",
            "club",
            "terms",
            "rated",
            "private",
            "side",
            "status",
            "created_at",
            "expires_at",
            "match",
            "rematch_of",
        )


class RematchAnswer(Answer):
    """The state of a rematch."""

    offer: dict[str, Any] | None = about(
        described=ChallengeSerializer(allow_null=True, help_text="The latest offer, whatever became of it.")
    )


class BotAnswer(Answer):
    """A bot of this server."""

    key: str = about("Challenge this key.", source="player.key")
    name: str = about(source="player.public_name")
    level: int = about(
        "From 1, a beginner, to 6, world class.", source=lambda bot: minds.get_mind(bot.mind).rank
    )
    title: str = about("The level in words.", source=lambda bot: str(minds.get_mind(bot.mind).title))
    pr: float = about(
        "About which PR it plays, measured on plays by an engine; lower is better.",
        source=lambda bot: minds.get_mind(bot.mind).pr,
    )


class HabitsSerializer(StrictFields, serializers.ModelSerializer[Habits]):
    """The acts that the server does for you at the board, and the e-mails that it sends you."""

    class Meta:
        model = Habits
        fields = HABITS


class TurnsAnswer(Answer):
    """Your unfinished matches."""

    count: int = about("In how many of them you owe something.", source=lambda turns: len(turns.mine))
    mine: list[shapes.MatchLineAnswer] = about("Those wait for you, the most urgent first.")
    theirs: list[shapes.MatchLineAnswer] = about("Those wait for somebody else.")
    saved: list[str] = about(
        "The keys of those without a clock. One against a bot waits as long as you like; in others your opponent may "
        "claim the match when you stay away.",
        source=lambda turns: [match.key for match in turns.saved],
    )


STATUSES: Final = tuple(Offer.values)

CODES: Final = {
    400: {
        "invalid": "a field needs another look; `context.fields` says which and why",
        "bad-terms": "the fields do not go together; `context.fields` says which and why",
    },
    403: {"not-a-player": "you did not play this match", "read_only_token": "the token is for reading"},
    404: {"not_found": "there is nothing of this key that you may know of"},
    409: {
        "not-open": "the offer was accepted, declined, withdrawn, or its time is over",
        "own-offer": "it is your own offer",
        "not-for-you": "it is for somebody else",
        "not-yours": "it is somebody else's offer",
        "not-a-member": "only members of the club may play this",
        "too-many-offers": "you have as many open offers as you may",
        "too-many-matches": "one of you has as many unfinished matches of this kind as they may: `context.most`",
        "no-rematch": "the match is not over, or was not agreed on by the two of you",
    },
    422: {"idempotency_key_reused": "this Idempotency-Key was used before, for another request"},
}

# Documented refusals of offers, and of the actions on them.
OFFERED: Final = problems.build_responses({number: CODES[number] for number in (400, 403, 409, 422)})
ANSWERED: Final = problems.build_responses({number: CODES[number] for number in (403, 404, 409)})


SHOW = OpenApiParameter(
    "show",
    str,
    enum=["mine", "lobby"],
    description="Those you made or were sent, or the open seats you may take; both unless said.",
)
STATUS = OpenApiParameter("status", str, enum=STATUSES, description="`open` unless said.")
TAG = "challenges"
MOST_BEGUN = 20


@extend_schema(request=None, responses={200: ChallengeSerializer, **ANSWERED}, tags=[TAG])
class ChallengeViewSet(KeyLookup, viewsets.ReadOnlyModelViewSet[Challenge]):
    """Offers to play: your own, those you were sent, and the open seats of the lobby."""

    serializer_class = ChallengeSerializer
    permission_classes = (permissions.IsAuthenticated,)
    queryset = Challenge.objects.none()

    def get_queryset(self) -> QuerySet[Challenge]:
        me = callers.get_player(self.request)
        if self.action != "list":
            return offers.list_visible(me)
        return self._list_challenges(me)

    def _list_challenges(self, me: Player) -> QuerySet[Challenge]:
        parameters = self.request.query_params
        wanted, show = parameters.get("status") or Offer.OPEN, parameters.get("show")
        now = callers.get_arrival_time(self.request)
        if show == "lobby":
            return offers.list_open_seats(me, now=now)
        rows = (offers.list_own(me) if show else offers.list_visible(me)).filter(status=wanted)
        return rows.filter(expires_at__gt=now) if wanted == Offer.OPEN else rows

    @extend_schema(parameters=[SHOW, STATUS], responses=ChallengeSerializer)
    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List challenges, the latest first."""
        return super().list(request, *args, **kwargs)

    @extend_schema(responses=ChallengeSerializer)
    def retrieve(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """One challenge; once it is accepted, `match` is the key of the match."""
        return super().retrieve(request, *args, **kwargs)

    @extend_schema(parameters=[KEY], request=OfferShape, responses={201: ChallengeSerializer, **OFFERED})
    def create(self, request: Request) -> Response:
        """Challenge a player, or open a seat. A bot accepts at once: the response then has `match`."""
        me, once = callers.get_player(request), IdempotentRequest.read(request)
        data, now = read_body(OfferShape, request), callers.get_arrival_time(request)

        def act() -> tuple[int, Any]:
            row = challenges.offer(
                challenger=me,
                terms=build_terms(data),
                now=now,
                opponent=_find_opponent(data["opponent"]),
                club=_find_club(data["club"], me),
                is_private=data["private"],
                side=data["side"],
            )
            return status.HTTP_201_CREATED, _serialize_challenge(row)

        return once.run_once(now, act)

    @extend_schema(responses=ChallengeSerializer(many=True), parameters=[], filters=False)
    @action(detail=False, pagination_class=None)
    def begun(self, request: Request) -> Response:
        """Your accepted offers whose `match` you have not joined yet."""
        rows = offers.list_unjoined(callers.get_player(request))[:MOST_BEGUN]
        return Response(ChallengeSerializer(rows, many=True).data)

    @action(detail=True, methods=["post"])
    @refuse_body
    def accept(self, request: Request, key: str) -> Response:
        """Accept a challenge or take a seat: the match begins. Idempotent."""
        return self._run_service(challenges.accept)

    @action(detail=True, methods=["post"])
    @refuse_body
    def decline(self, request: Request, key: str) -> Response:
        """Refuse a challenge that you were sent."""
        return self._run_service(challenges.decline)

    @action(detail=True, methods=["post"])
    @refuse_body
    def withdraw(self, request: Request, key: str) -> Response:
        """Withdraw your own offer."""
        return self._run_service(challenges.withdraw)

    def _run_service(self, act: Callable[..., Challenge]) -> Response:
        # A seat taken by another player is not visible to the caller; the service reports that it is gone.
        row = Challenge.objects.filter(key=self.kwargs["key"]).first()
        if row is None or not (self._is_visible(row) or row.opponent_id):
            raise Http404
        me, now = callers.get_player(self.request), callers.get_arrival_time(self.request)
        return Response(_serialize_challenge(act(challenge_id=row.pk, player=me, now=now)))

    def _is_visible(self, row: Challenge) -> bool:
        return offers.list_visible(callers.get_player(self.request)).filter(pk=row.pk).exists()


@extend_schema(request=None, responses={200: ChallengeSerializer, **ANSWERED}, tags=[TAG])
class RematchViewSet(KeyLookup, viewsets.ViewSet):
    permission_classes = (permissions.IsAuthenticated,)

    @action(detail=True, methods=["post"])
    @refuse_body
    def rematch(self, request: Request, key: str) -> Response:
        """Offer a rematch of a match that is over, sides swapped, or accept the one that was offered."""
        match = callers.find_match(request, key)
        row = challenges.request_rematch(
            match=match, player=callers.get_player(request), now=callers.get_arrival_time(request)
        )
        return Response(_serialize_challenge(row))

    @extend_schema(responses={200: RematchAnswer, **ANSWERED})
    @rematch.mapping.get
    def offered(self, request: Request, key: str) -> Response:
        """The state of a rematch: the latest offer, if there is any."""
        match = callers.find_match(request, key)
        if journal.find_side(match, callers.get_player(request).pk) is None:
            raise NotAPlayer
        found = offers.find_rematch(match)
        return Response(RematchAnswer(offer=None if found is None else _serialize_challenge(found)))


@extend_schema(tags=[TAG])
class OwnViewSet(viewsets.ViewSet):
    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(responses=TurnsAnswer)
    @action(detail=False)
    def turns(self, request: Request) -> Response:
        """Your unfinished matches: those that wait for you first, the most urgent of them at the top."""
        return Response(TurnsAnswer.read(match_lists.list_turns(callers.get_player(request))))

    @extend_schema(responses=make_list_serializer(BotAnswer))
    @action(detail=False, permission_classes=[permissions.AllowAny])
    def bots(self, request: Request) -> Response:
        """List the bots of this server: challenge one by its key, and it accepts at once."""
        return Response([BotAnswer.read(bot) for bot in bots.list_available()])

    @extend_schema(responses=HabitsSerializer)
    @action(detail=False)
    def habits(self, request: Request) -> Response:
        """Your habits at the board, and which e-mails you get."""
        row = Habits.objects.filter(player=callers.get_player(request)).first() or Habits()
        return Response(HabitsSerializer(row).data)

    @extend_schema(request=HabitsSerializer(partial=True), responses=HabitsSerializer)
    @habits.mapping.patch
    def change_habits(self, request: Request) -> Response:
        """Change some of your habits and e-mails."""
        data = read_body(HabitsSerializer, request, partial=True)
        row, _is_new = Habits.objects.update_or_create(player=callers.get_player(request), defaults=data)
        return Response(HabitsSerializer(row).data)


def _serialize_challenge(row: Challenge) -> dict[str, Any]:
    return dict(ChallengeSerializer(row).data)


def _find_opponent(key: str | None) -> Player | None:
    if key is None:
        return None
    found = Player.objects.select_related("user").filter(key=key).first()
    if found is None:
        raise build_refusal({"opponent": _("There is no such player.")})
    return found


def _find_club(slug: str | None, me: Player) -> Club | None:
    if slug is None:
        return None
    found = Club.objects.filter(slug=slug, memberships__player=me).first()
    if found is None:
        raise build_refusal({"club": _("You are not a member of this club.")})
    return found


routes: list[tuple[str, type[viewsets.ViewSetMixin], str]] = [
    ("challenges", ChallengeViewSet, "challenge"),
    ("matches", RematchViewSet, "rematch"),
    ("", OwnViewSet, "own"),
]
