"""The answers of the match API, and OpenAPI shapes of their parts.

A test validates all responses of whole matches against them.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final
from uuid import UUID

from drf_spectacular.utils import OpenApiExample, extend_schema_field
from rest_framework import serializers

from engine.clock import DelayMethod
from engine.rules import DeadCube
from matches.journal.live import SIDES, FrameAnswer, SnapshotAnswer, make_pair_field, make_side_field
from matches.models import Room
from matches.models.matches import State
from matches.play import problems
from matches.state import clock_words as words_of_clock
from matches.state.commands import Command
from matches.state.rule_words import cap_score
from matches.state.terms import Claim
from runtime.http.answer_schema import make_list_serializer, make_serializer
from runtime.http.answers import Answer, about
from runtime.http.strict_fields import StrictFields, make_choice_field
from runtime.rows import ABOUT_UID

TAG: Final = "matches"
PROBLEMS: Final = problems.build_responses(problems.USUAL)
COMMAND_PROBLEMS: Final = problems.build_responses(problems.COMMANDS)


class PersonAnswer(Answer):
    """A player."""

    key: str
    name: str = about(source="public_name")


class SeatsAnswer(Answer):
    """The players by side. White is the left column of a score sheet, and need not move first."""

    white: PersonAnswer
    black: PersonAnswer


class LineAnswer(Answer):
    """A line of talk, as text: show it as such."""

    key: str
    room: Room
    author: PersonAnswer
    text: str = about("Empty where a director took it away.")
    at: str = about(
        source=lambda line: line.at.isoformat().replace("+00:00", "Z"),
        described=serializers.DateTimeField(),
    )
    hidden: bool = about(source=lambda line: line.hidden_at is not None)


class ControlShape(StrictFields):
    """The time control, in milliseconds: what each side begins with, and what each turn gives."""

    timing = make_choice_field(*DelayMethod)
    reserve = serializers.IntegerField()
    delay = serializers.IntegerField()


class FlagShape(StrictFields):
    """The cost of running out of time: `points`, and then `credit` more time; null: the match."""

    points = serializers.IntegerField(allow_null=True)
    credit = serializers.IntegerField()


class RulesShape(StrictFields):
    """The rules of the game; a rule that is left out has its default."""

    length = serializers.IntegerField(help_text="Points to reach; 0 is money play.")
    cube = serializers.BooleanField(required=False)
    crawford = serializers.BooleanField(required=False)
    gammons = serializers.BooleanField(required=False)
    backgammons = serializers.BooleanField(required=False)
    dead_cube = make_choice_field(*DeadCube, required=False)
    jacoby = serializers.BooleanField(required=False)
    beavers = serializers.BooleanField(required=False)
    automatic_doubles = serializers.IntegerField(required=False)
    start = serializers.CharField(required=False, help_text="The board at the start of a game.")


class TermsShape(StrictFields):
    """What was agreed before the first roll; times are milliseconds."""

    rules = RulesShape()
    control = ControlShape(allow_null=True)
    clock = serializers.CharField(allow_blank=True, help_text="The name of the time control, for people.")
    flag = FlagShape()
    pause = serializers.IntegerField(help_text="Between games nobody's clock runs for so long.")
    patience = serializers.IntegerField(help_text="Both may be missing for so long.")
    absence = serializers.IntegerField(
        help_text="So long in all, a side, the clock stands for one on turn whose connection is gone."
    )
    leave = serializers.IntegerField(
        required=False,
        help_text="Without a clock: after so long away from the board the opponent may claim; 0: never.",
    )
    claim = make_choice_field(*Claim, required=False, help_text="What may be claimed then.")
    limit = serializers.IntegerField(
        required=False, help_text="Without a clock: so long may anything take; 0: for ever."
    )
    delay = serializers.IntegerField(help_text="Always 0: spectators see what the players see.")
    has_chat = serializers.BooleanField()
    shows_pips = serializers.BooleanField()
    free_answers = serializers.BooleanField(
        required=False, help_text="Whether an offer to resign costs the side that has to answer no time."
    )


RATED: Final = (
    "Nothing sets this any more, and it does not say whether a match counts for a rating: lists of ratings take matches "
    "of events and friendlies (`rating-lists/`)."
)


class MatchLineAnswer(Answer):
    """A match in a list."""

    uid: UUID = about(ABOUT_UID)
    key: str
    players: SeatsAnswer = about(source=lambda row: row)
    club: str | None = about("The club whose directors may rule.", source="club.slug")
    length: int = about("Points to reach; 0 is money play.")
    clock: str = about(
        "The preset's name; empty without a clock or with an own one.",
        source=lambda row: row.terms.get("clock", ""),
    )
    clock_words: str = about(
        "The clock in the language that was asked for.",
        source=lambda row: words_of_clock.describe_terms(row.terms),
    )
    rated: bool = about(RATED, source="is_rated")
    private: bool = about(source="is_private")
    status: str = about(described=make_choice_field(*State.values))
    score: list[int] = about(
        source=lambda row: cap_score((row.white_score, row.black_score), row.length),
        described=make_pair_field(),
    )
    winner: str | None = about(source=lambda row: row.winner or None, described=make_side_field(null=True))
    due: str | None = about(
        source=lambda row: row.due or None,
        described=make_choice_field(*SIDES, "both", allow_null=True, help_text="Whom the match waits for."),
    )
    head: int
    created_at: datetime
    moved_at: datetime
    deadline_at: datetime | None
    finished_at: datetime | None


class WhyNotAnswer(Answer):
    """The reason why a command is not open to you."""

    code: str
    title: str
    rule: str


class YouAnswer(Answer):
    """The commands that are open to you now."""

    side: str = about(described=make_side_field())
    may: list[str] = about(
        described=serializers.ListField(
            child=make_choice_field(*Command.kinds), help_text="The types of command that are open to you."
        )
    )
    may_not: dict[str, WhyNotAnswer] = about("What you might expect to be open and is not, with the reason.")
    warnings: dict[str, WhyNotAnswer] = about(
        "What is open to you and cannot help you, with the reason: a dead double."
    )
    resign_levels: list[Any] = about("1, 2, 3 and `match`, as far as open.")
    share_for: int | None = about("The roll whose share comes next; null if you have no chain.")


class YouInSnapshotAnswer(YouAnswer):
    """The commands that are open to you now, and the shares you have deposited."""

    shares: list[int] = about("Rolls for which your share is here already.")


@extend_schema_field(
    {
        "type": "array",
        "items": {
            "type": "array",
            "minItems": 2,
            "maxItems": 2,
            "items": {"type": "integer", "minimum": 0, "maximum": 25},
        },
        "example": [[8, 5], [6, 5]],
    }
)
class StepsAnswerField(serializers.ListField):
    """Steps as pairs of numbers."""


class PlayAnswer(Answer):
    """A legal play."""

    play: str = about("As players write it.", source="notation")
    steps: Any = about(
        described=StepsAnswerField(
            help_text="One step a die, in an order that can be played; 25 is the bar, 0 is off."
        )
    )
    hits: list[int] = about("The points on which it hits.")
    position: str = about("GNU Backgammon's Position ID of the board after it, for the opponent on roll.")


@extend_schema_field(
    {
        "type": "array",
        "items": {
            "type": "array",
            "items": {
                "type": "array",
                "minItems": 4,
                "maxItems": 4,
                "items": {"type": "integer", "minimum": 0},
            },
        },
        "example": [[[8, 5, 3, 1], [6, 5, 1, 2]], [[6, 5, 1, 3]], [[8, 5, 3, 3]], []],
    }
)
class TurnGraphField(serializers.ListField):
    """A graph of partial turns: each node lists the possible steps as source, target, die and next node."""


WAYS: Final = (
    "The same plays checker by checker, for a board that holds no rules: a graph of partial turns. Node 0 is "
    "the board as it lies; each way on is `[source, target, die, next node]`; a node without ways is a whole play."
)


GONE: Final = (
    "Since when this side has been gone, in milliseconds since 1970; only where that may be claimed."
)


class PresenceAnswer(Answer):
    """The players who read the match's stream, and the number of spectators.

    The event `presence` on the topic `presence.KEY` carries the fields that have changed.
    """

    white: bool
    black: bool
    white_since: int | None = about(GONE, optional=True)
    black_since: int | None = about(GONE, optional=True)
    watching: int


class StreamAnswer(Answer):
    """Server-sent events after the snapshot: GET `url`; each `data:` line has an object of `name` and `data`.

    An event called `line` carries a frame; `presence` says who came or went; `said` and `hidden` are talk.
    After `resync` fetch the match again. The token opens a stream for five minutes, only for the caller who asked:
    with the same `Authorization` header or session cookie, if there was one.
    """

    token: str
    url: str


class WholeMatchAnswer(Answer):
    """Everything about a match."""

    uid: UUID = about(ABOUT_UID)
    key: str
    players: SeatsAnswer = about(source=lambda row: row)
    club: str | None = about(source="club.slug")
    rated: bool = about(RATED, source="is_rated")
    private: bool = about(source="is_private")
    created_at: datetime
    waits_until: datetime | None = about("Until then both must have promised their dice.")
    terms: dict[str, Any] = about(described=TermsShape())
    snapshot: dict[str, Any] = about(described=make_serializer(SnapshotAnswer)())
    you: YouInSnapshotAnswer | None = about("Null for those who only look.")
    plays: list[PlayAnswer] | None = about("Your legal plays, when it is yours to play.")
    turn: Any = about(described=TurnGraphField(allow_null=True, help_text=WAYS))
    live: StreamAnswer
    presence: PresenceAnswer


class LegalPlaysAnswer(Answer):
    """The legal plays of the current roll; null without a roll."""

    head: int
    side: str | None = about(described=make_side_field(null=True))
    dice: str | None
    plays: list[PlayAnswer] | None
    turn: Any = about(described=TurnGraphField(allow_null=True, help_text=WAYS))


class JudgedPlayAnswer(Answer):
    """A legal play of the current roll."""

    head: int
    play: str = about("As it is spelt here; nothing where nothing can be played.", source="notation")
    steps: Any = about(
        described=StepsAnswerField(help_text="One step a die, in an order that can be played.")
    )


class FramesAnswer(Answer):
    """Part of the journal."""

    head: int = about("The last line there is.")
    frames: Any = about(described=make_list_serializer(FrameAnswer))
    more: bool = about("Whether there are lines after these.")


class CommandResultAnswer(Answer):
    """The result of your command. A bot may have answered since: see `/live/` or the snapshot."""

    head: int
    frames: Any = about(described=make_list_serializer(FrameAnswer))
    you: YouAnswer
    plays: list[PlayAnswer] | None
    turn: Any = about(
        optional=True,
        described=TurnGraphField(
            required=False, allow_null=True, help_text="Only where the command's body says `turn`."
        ),
    )


class PulseAnswer(Answer):
    """A token, and what has been measured so far."""

    token: str
    round_trip_ms: int | None
    server_time_ms: int


def _build_example(name: str, command: dict[str, Any], **more: Any) -> OpenApiExample:
    return OpenApiExample(name, {"after": 42, "command": command, **more}, request_only=True)


LINK: Final = "4f9b25964ac4d85d" * 4
EXAMPLES: Final = [
    _build_example("Promise a chain", {"type": "promise", "commitment": LINK}),
    _build_example("Promise typed words", {"type": "promise", "words": "a fine day"}),
    _build_example("Promise nothing", {"type": "promise"}),
    _build_example("Open", {"type": "open", "head": LINK}),
    _build_example("Roll", {"type": "roll"}, shares={"17": LINK}),
    _build_example("Give the share the other's roll waits for", {"type": "share"}, shares={"17": LINK}),
    _build_example(
        "Move, and deposit the share of the opponent's roll",
        {"type": "move", "play": "8/5 6/5"},
        shares={"18": LINK},
        thought_ms=5200,
    ),
    _build_example("Move step by step", {"type": "move", "steps": [[8, 5], [6, 5]]}),
    _build_example("No play is possible", {"type": "move", "steps": []}),
    *(
        _build_example(word.capitalize(), {"type": word})
        for word in (
            "double",
            "beaver",
            "take",
            "drop",
            "accept",
            "decline",
            "forgo",
            "claim-flag",
            "claim-absence",
            "play-out",
        )
    ),
    _build_example("Resign a gammon", {"type": "resign", "level": 2}),
    _build_example("Give up the match", {"type": "resign", "level": "match"}),
]
