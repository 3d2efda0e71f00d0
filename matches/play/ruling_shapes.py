"""The rulings that a director may send, and `parse_ruling`, which parses a request body."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _
from drf_spectacular.utils import (
    OpenApiExample,
    PolymorphicProxySerializer,
    extend_schema_field,
)
from rest_framework import serializers

from engine.cube import Cube
from engine.dice import Dice
from engine.errors import EngineError
from engine.formats import ids
from engine.side import BySide, Side
from matches.journal.live_shapes import FrameAnswer
from matches.play import problems
from matches.play.bodies import PlainText, Reader
from matches.state import rulings
from matches.state.rulings import Start, Verdict
from runtime.http.answer_schema import many
from runtime.http.answers import Answer, about
from runtime.http.strict_fields import StrictFields, word_field

if TYPE_CHECKING:
    from collections.abc import Callable

    from matches.state.rulings import Ruling

LONGEST_POSITION: Final = 400
# More than the service accepts, so that its error can name the limit.
LONGEST_REASON: Final = 2_000
LAST: Final = 2_000_000_000
SIDES: Final = {"white": Side.WHITE, "black": Side.BLACK}

Shape = StrictFields


def _side(**more: Any) -> Any:
    return word_field(*SIDES, **more)


def _number(least: int, most: int = LAST, **more: Any) -> serializers.IntegerField:
    return serializers.IntegerField(min_value=least, max_value=most, **more)


class PauseShape(Shape):
    """Stop both clocks; play is refused until it is resumed. Rulings can be made during the stop."""

    type = word_field("pause")


class ResumeShape(Shape):
    """Resume play and the clock."""

    type = word_field("resume")


class CreditTimeShape(Shape):
    """Give a side time."""

    type = word_field("credit-time")
    side = _side()
    milliseconds = _number(1)


class TakeBackShape(Shape):
    """Take back what came after a line of the journal, or what this turn or game has brought.

    The line itself remains. Nothing is erased: the takeback is a further line. Times are not taken back;
    credit what was lost. Repeated rolls take new numbers. A match that is over goes on.
    """

    type = word_field("take-back")
    to_line = _number(
        0, required=False, allow_null=True, default=None, help_text="The last line that stands."
    )
    to_start_of = word_field(
        *Start,
        required=False,
        allow_null=True,
        default=None,
        help_text="The last one in which something was done. A position that was set begins its turn anew.",
    )


@extend_schema_field(
    {
        "type": "object",
        "properties": {
            "value": {"type": "integer", "minimum": 1, "example": 2},
            "owner": {"type": "string", "enum": [*SIDES], "nullable": True},
        },
        "required": ["value"],
    }
)
class CubeField(serializers.Field[Any, Any, Any, Any]):
    """A cube: its value, and who owns it (null: it lies in the middle)."""

    def to_internal_value(self, data: Any) -> Cube:
        """Return the cube."""
        told = data if isinstance(data, dict) else {}
        value, owner = told.get("value"), told.get("owner")
        if type(value) is not int or owner not in (None, *SIDES) or told.keys() - {"value", "owner"}:
            raise serializers.ValidationError(
                _("A cube is an object with “value” and “owner”."), code="no_cube"
            )
        try:
            return Cube(value, None if owner is None else SIDES[owner])
        except EngineError as error:
            raise serializers.ValidationError(str(error), code=error.code) from error


class SetPositionShape(Shape):
    """Set the position of the current game.

    `position` is a line of checkers (`white 24:2 13:5 8:3 6:5 black 24:2 13:5 8:3 6:5`), a Position ID, an
    XGID, an OGID or another identifier of a position. What it says of turn, dice and cube is taken where the
    fields beside it are absent; score and length are not taken from it.
    """

    type = word_field("set-position")
    position = PlainText(max_length=LONGEST_POSITION)
    turn = _side(required=False, allow_null=True, default=None)
    dice = serializers.RegexField(
        r"\A[1-6][1-6]\Z",
        required=False,
        allow_null=True,
        allow_blank=True,
        default=None,
        help_text="`65`; empty: not rolled yet.",
    )
    cube = CubeField(required=False, allow_null=True, default=None)


class SetScoreShape(Shape):
    """Set the score. The current game is dropped and the next one begins; set its position if need be."""

    type = word_field("set-score")
    white = _number(0)
    black = _number(0)
    crawford_played = serializers.BooleanField(
        required=False, allow_null=True, default=None, help_text="Where it is in doubt (R51)."
    )


class PenaliseShape(Shape):
    """Fine a side: its opponent gets the points. Between games this can bring the Crawford game on."""

    type = word_field("penalise")
    side = _side()
    points = _number(1)


class RuleGameShape(Shape):
    """Award the current game to a side, for so many points."""

    type = word_field("rule-game")
    winner = _side()
    points = _number(1)


class RuleMatchShape(Shape):
    """Award the match to a side, also after it has ended otherwise. The score is not changed."""

    type = word_field("rule-match")
    winner = _side()
    verdict = word_field(*Verdict, required=False, default=Verdict.DECISION.value)


class VoidGameShape(Shape):
    """Void the current game: it is played again from the opening roll."""

    type = word_field("void-game")


class VoidMatchShape(Shape):
    """Void the match: it does not count.

    A player may do this too, in a match without a club, until both have sealed and shown their dice.
    """

    type = word_field("void-match")


SHAPES: Final[dict[str, type[Shape]]] = {
    "pause": PauseShape,
    "resume": ResumeShape,
    "credit-time": CreditTimeShape,
    "take-back": TakeBackShape,
    "set-position": SetPositionShape,
    "set-score": SetScoreShape,
    "penalise": PenaliseShape,
    "rule-game": RuleGameShape,
    "rule-match": RuleMatchShape,
    "void-game": VoidGameShape,
    "void-match": VoidMatchShape,
}
READERS: Final = {word: Reader(shape) for word, shape in SHAPES.items()}
AnyRuling = PolymorphicProxySerializer(
    component_name="MatchRuling", serializers={**SHAPES}, resource_type_field_name="type"
)


@extend_schema_field(AnyRuling)
class RulingField(serializers.Field[Any, Any, Any, Any]):
    """Any of the rulings, known by its type."""

    def to_internal_value(self, data: Any) -> Ruling:
        """Return the ruling as a value."""
        word = data.get("type") if isinstance(data, dict) else None
        reader = READERS.get(word) if isinstance(word, str) else None
        if reader is None:
            sentence = _("A ruling is an object with a “type”: one of %s.") % ", ".join(SHAPES)
            raise serializers.ValidationError({"type": [sentence]}, code="unknown_ruling")
        return BUILDERS[str(word)](reader.read(data))


class RulingRequest(Shape):
    """A ruling, and its reason."""

    after = _number(
        0,
        help_text=(
            "The `head` of what you saw when you decided. Pausing, resuming and crediting time mean the same "
            "on any board; everything else is refused where the match has gone on."
        ),
    )
    reason = PlainText(max_length=LONGEST_REASON, help_text="Kept with the ruling; everyone may read it.")
    ruling = RulingField()


# Named `RulingAnswer` in the document.
class RulingAnswerAnswer(Answer):
    """The result of a ruling."""

    head: int
    frames: Any = about(described=many(FrameAnswer))


class RuledAnswer(Answer):
    """A ruling that was made."""

    seq: int = about("Its line in the journal.")
    at: int = about("Milliseconds.")
    who: str = about("The key of the person.")
    name: str
    fact: dict[str, Any] = about(described=serializers.DictField(help_text="As in the journal."))
    reason: str


class RulingsAnswer(Answer):
    """The rulings on a match, in their order."""

    may_rule: bool = about("Whether you may make one.")
    rulings: list[RuledAnswer]


@dataclass(frozen=True, slots=True)
class SentRuling:
    """A parsed ruling request."""

    after: int
    reason: str
    ruling: Ruling


_REQUEST: Final = Reader(RulingRequest)


def parse_ruling(data: object) -> SentRuling:
    """Parse a ruling request.

    :raises ValidationError: it is invalid.
    """
    found = _REQUEST.read(data)
    return SentRuling(found["after"], found["reason"], found["ruling"])


def _take_back(told: dict[str, Any]) -> Ruling:
    line, start = told["to_line"], told["to_start_of"]
    if (line is None) is (start is None):
        sentence = _("Send either a line or the start to go back to, not both.")
        raise serializers.ValidationError({"to_line": [sentence]}, code="one_of")
    return rulings.TakeBack(Start(start) if line is None else line)


def _set_position(told: dict[str, Any]) -> Ruling:
    try:
        found = ids.read(told["position"])
    except EngineError as error:
        raise serializers.ValidationError({"position": [str(error)]}, code=error.code) from error
    dice = found.dice if told["dice"] is None else Dice.parse(told["dice"]) if told["dice"] else None
    return rulings.SetPosition(
        board=found.board,
        turn=found.turn if told["turn"] is None else SIDES[told["turn"]],
        cube=found.cube if told["cube"] is None else told["cube"],
        dice=dice,
    )


BUILDERS: Final[dict[str, Callable[[dict[str, Any]], Ruling]]] = {
    "pause": lambda _told: rulings.Pause(),
    "resume": lambda _told: rulings.Resume(),
    "credit-time": lambda told: rulings.CreditTime(SIDES[told["side"]], told["milliseconds"]),
    "take-back": _take_back,
    "set-position": _set_position,
    "set-score": lambda told: rulings.SetScore(BySide(told["white"], told["black"]), told["crawford_played"]),
    "penalise": lambda told: rulings.Penalise(SIDES[told["side"]], told["points"]),
    "rule-game": lambda told: rulings.RuleGame(SIDES[told["winner"]], told["points"]),
    "rule-match": lambda told: rulings.RuleMatch(SIDES[told["winner"]], Verdict(told["verdict"])),
    "void-game": lambda _told: rulings.VoidGame(),
    "void-match": lambda _told: rulings.VoidMatch(),
}


def _example(name: str, ruling: dict[str, Any], reason: str) -> OpenApiExample:
    return OpenApiExample(name, {"after": 42, "reason": reason, "ruling": ruling}, request_only=True)


EXAMPLES: Final = [
    _example("Pause", {"type": "pause"}, "Fire alarm"),
    _example("Give a minute", {"type": "credit-time", "side": "black", "milliseconds": 60000}, "Clock fault"),
    _example("Take the turn back", {"type": "take-back", "to_start_of": "turn"}, "Moved after a wrong call"),
    _example("Take back to a line", {"type": "take-back", "to_line": 40}, "Moved after a wrong call"),
    _example(
        "Set a position",
        {"type": "set-position", "position": "4HPwATDgc/ABMA", "turn": "white", "dice": "31"},
        "Continued from a paper record",
    ),
    _example(
        "Set the score", {"type": "set-score", "white": 3, "black": 1}, "Two games were played elsewhere"
    ),
    _example(
        "Forfeit", {"type": "rule-match", "winner": "white", "verdict": "forfeit"}, "Black had to leave early"
    ),
]
PROBLEMS: Final = problems.answers(
    {
        **problems.USUAL,
        403: {
            "not-allowed": "you do not direct the club of this match",
            "own-match": "you play in it yourself; another director must rule",
            "read_only_token": "the token is for reading",
        },
        409: {
            "stale": "the match has gone on since, or a flag fell; `context.head` says how far. Look again",
            "reason-needed": "a ruling has a reason; also `reason-too-long`",
            "paused": "it is paused already; also `not-paused`",
            "play-after-end": "the match is over: take back, set the score, or rule the match",
            "no-such-line": "the journal has no such line",
            "nothing-to-take-back": "nothing has happened since that could be taken back; also `bad-takeback`",
            "no-clock": "the match is played without a clock; also `bad-credit`",
            "no-game": "between two games there is none to rule or to void",
            "bad-position": "the game cannot be set up like this; also `no-cube`",
            "bad-score": "this is no score of the match; also `bad-points`, `bad-penalty`",
            "refused": "the match does not allow it; the sentence says why",
        },
    }
)
