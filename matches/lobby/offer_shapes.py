"""Challenges, bots and habits as JSON."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from engine.clock import PRESETS, SECOND, DelayMethod
from engine.rules import LONGEST, VARIANTS, DeadCube
from matches.bots import minds
from matches.lobby.offers import HABITS
from matches.models import Bot, Challenge, Habits
from matches.models.challenges import Offer, WantedSide
from matches.play import problems, shapes, terms_validation
from matches.state.terms import Claim, Terms
from runtime.http.answers import Answer, about
from runtime.http.strict_fields import StrictFields

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


def build_terms(told: dict[str, Any]) -> Terms:
    """Return the terms of a valid `OfferShape`.

    :raises BadTerms: the values are not compatible, or it is to be rated.
    """
    if told["rated"]:
        sentence = _("A match by challenge is never rated. A friendly with a member of your club may be.")
        raise terms_validation.build_refusal({"rated": sentence})
    own = told["own_clock"]
    clock = told["clock"]
    if own is not None and clock is not None:
        raise terms_validation.build_refusal({"clock": _("Choose a clock or set your own, not both.")})
    if own is not None:
        clock = terms_validation.OwnClock(own["timing"], own["reserve"] * SECOND, own["delay"] * SECOND)
    rules = {name: told[name] for name in RULES}
    return terms_validation.read_terms(**rules, clock=clock, has_chat=told["chat"], claim=told["claim"])


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


class BotSerializer(serializers.ModelSerializer[Bot]):
    """A bot of this server."""

    key = serializers.CharField(source="player.key", help_text="Challenge this key.")
    name = serializers.CharField(source="player.public_name")
    level = serializers.SerializerMethodField(help_text="From 1, a beginner, to 6, world class.")
    title = serializers.SerializerMethodField(help_text="The level in words.")
    pr = serializers.SerializerMethodField(
        help_text="About which PR it plays, measured on plays by an engine; lower is better."
    )

    class Meta:
        model = Bot
        fields = ("key", "name", "level", "title", "pr")

    def get_level(self, bot: Bot) -> int:
        return minds.get_mind(bot.mind).rank

    def get_title(self, bot: Bot) -> str:
        return str(minds.get_mind(bot.mind).title)

    def get_pr(self, bot: Bot) -> float:
        return minds.get_mind(bot.mind).pr


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
