"""The commands that a player may send, and `parse_command`, which parses a request body.

The same fields validate and describe the shapes, so the schema always matches what is accepted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers

from engine.board import BAR, Step
from matches.play.bodies import BytesField, PlainText, Reader
from matches.state import commands
from matches.state.dicing import FURTHEST_AHEAD, LONGEST_WORDS
from runtime.http.strict_fields import StrictFields, word_field

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from matches.state.commands import Command

LONGEST_PLAY: Final = 100
LONGEST_REASON: Final = 200
LONGEST_PULSE: Final = 400
LAST: Final = 2_000_000_000
DAYS: Final = 60 * 24 * 3_600_000
STEPS: Final = 4
EVERYTHING: Final = "match"

Shape = StrictFields


class PromiseShape(Shape):
    """Seal your dice before the first game, and whenever the server begins new chains.

    Send the commitment to a hash chain, or some words that you typed, or neither (your rolls are then made
    by the others, and are labelled *weaker*). `docs/dice.md` has the recipe.
    """

    type = word_field("promise")
    commitment = BytesField(required=False, allow_null=True, default=None)
    words = PlainText(
        required=False, allow_null=True, default=None, max_length=LONGEST_WORDS, trim_whitespace=False
    )


class OpenShape(Shape):
    """Show the head of the chain you promised, when all three have promised (`snapshot.roll.stage`)."""

    type = word_field("open")
    head = BytesField()


class ForgoShape(Shape):
    """Report that you have lost your chain. The rolls to come are made without it."""

    type = word_field("forgo")
    reason = PlainText(required=False, max_length=LONGEST_REASON, default="")


class RollShape(Shape):
    """Roll the dice; between games: be ready for the opening roll. Your share of the roll must be there."""

    type = word_field("roll")


class ShareShape(Shape):
    """Give shares and nothing else: the opponent has rolled, and yours is missing (`snapshot.roll.asked`)."""

    type = word_field("share")


@extend_schema_field(
    {
        "type": "array",
        "maxItems": STEPS,
        "items": {
            "type": "array",
            "minItems": 2,
            "maxItems": 2,
            "items": {"type": "integer", "minimum": 0, "maximum": BAR},
        },
        "example": [[8, 5], [6, 5]],
    }
)
class StepsField(serializers.ListField):
    """Steps as pairs of numbers, as values of the engine."""

    child = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=BAR), min_length=2, max_length=2
    )

    def to_internal_value(self, data: Any) -> Any:
        """Return the steps."""
        return tuple(Step(source, target) for source, target in super().to_internal_value(data))


class MoveShape(Shape):
    """Make a whole play: as players write it (`play`), or step by step (`steps`), one of the two.

    Points are counted as you see them, from 24 down to 1; 25 is your bar and 0 is off. `play` is read
    leniently: `13/7*/3`, `6/5(2)`, `bar/22`, words in any order, hits marked or not; empty where nothing
    can be played. `steps` are read strictly: one for each die, in the order played; `[]` for none.
    """

    type = word_field("move")
    play = PlainText(required=False, allow_null=True, default=None, max_length=LONGEST_PLAY, allow_blank=True)
    steps = StepsField(required=False, allow_null=True, default=None, max_length=STEPS)


class DoubleShape(Shape):
    """Offer the cube, before your roll."""

    type = word_field("double")


class BeaverShape(Shape):
    """Take and turn the cube again at once; unlimited play only, where agreed."""

    type = word_field("beaver")


class TakeShape(Shape):
    """Take the cube."""

    type = word_field("take")


class DropShape(Shape):
    """Drop the cube and lose the game."""

    type = word_field("drop")


@extend_schema_field({"enum": [1, 2, 3, EVERYTHING], "default": 1})
class LevelField(serializers.Field[Any, Any, Any, Any]):
    """1, 2, 3, or "match"."""

    def to_internal_value(self, data: Any) -> int:
        """Return the level; 0 stands for the whole match."""
        if data == EVERYTHING:
            return 0
        if type(data) is not int or not 1 <= data <= 3:
            raise serializers.ValidationError(_("One of 1, 2, 3 and “match”."), code="invalid_choice")
        return data


class ResignShape(Shape):
    """Offer to lose a single game (1), a gammon (2) or a backgammon (3); or give up the whole match.

    The opponent accepts or declines a game; a match that is given up is lost at once.
    """

    type = word_field("resign")
    level = LevelField(required=False, default=1)


class AcceptShape(Shape):
    """Accept the resignation that the opponent offers."""

    type = word_field("accept")


class DeclineShape(Shape):
    """Decline the resignation that the opponent offers, and play on."""

    type = word_field("decline")


class ClaimFlagShape(Shape):
    """Claim that the opponent's time is over. The server looks at its own clock, and does so anyway soon."""

    type = word_field("claim-flag")


class ClaimAbsenceShape(Shape):
    """Claim that the opponent stays away from a board without a clock, or withholds a share of the dice.

    After `terms.leave` you get what `terms.claim` says; an offer to resign then counts as declined.
    """

    type = word_field("claim-absence")


class PlayOutShape(Shape):
    """Agree that the server rolls and plays for you to the end of this race, once both have agreed.

    Shares of the rolls are still needed. `stop` takes it back, at any moment; the cube is not turned as long
    as it holds.
    """

    type = word_field("play-out")
    stop = serializers.BooleanField(required=False, default=False)


SHAPES: Final[dict[str, type[Shape]]] = {
    "promise": PromiseShape,
    "open": OpenShape,
    "forgo": ForgoShape,
    "roll": RollShape,
    "share": ShareShape,
    "move": MoveShape,
    "double": DoubleShape,
    "beaver": BeaverShape,
    "take": TakeShape,
    "drop": DropShape,
    "resign": ResignShape,
    "accept": AcceptShape,
    "decline": DeclineShape,
    "claim-flag": ClaimFlagShape,
    "claim-absence": ClaimAbsenceShape,
    "play-out": PlayOutShape,
}
AnyCommand = PolymorphicProxySerializer(
    component_name="Command", serializers={**SHAPES}, resource_type_field_name="type"
)


@extend_schema_field(
    {
        "type": "object",
        "maxProperties": FURTHEST_AHEAD,
        "additionalProperties": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
        "example": {"17": "4f9b25964ac4d85d" * 4},
    }
)
class SharesField(serializers.Field[Any, Any, Any, Any]):
    """Links of one's chain by the number of the roll they are for."""

    def to_internal_value(self, data: Any) -> dict[int, bytes]:
        """Return the links."""
        if not isinstance(data, dict) or len(data) > FURTHEST_AHEAD:
            sentence = _("Shares are an object with the numbers of up to three rolls.")
            raise serializers.ValidationError(sentence, code="no_shares")
        return {_number(number): _LINK.run_validation(link) for number, link in data.items()}


_LINK: Final = BytesField()


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 6 and not text.startswith("0")):
        raise serializers.ValidationError(
            _("“%s” is not the number of a roll.") % text[:20], code="no_number"
        )
    return int(text)


@extend_schema_field(AnyCommand)
class CommandField(serializers.Field[Any, Any, Any, Any]):
    """Any of the commands, known by its type."""

    def to_internal_value(self, data: Any) -> Command:
        """Return the command as a value."""
        word = data.get("type") if isinstance(data, dict) else None
        reader = READERS.get(word) if isinstance(word, str) else None
        if reader is None:
            sentence = _("A command is an object with a “type”: one of %s.") % ", ".join(SHAPES)
            raise serializers.ValidationError({"type": [sentence]}, code="unknown_command")
        return BUILDERS[str(word)](reader.read(data))


class CommandRequest(Shape):
    """A command, and what comes with it."""

    after = serializers.IntegerField(
        min_value=0, max_value=LAST, help_text="The `head` of what you saw when you decided."
    )
    command = CommandField()
    shares = SharesField(
        required=False,
        default=dict,
        help_text=(
            "Your shares of the next rolls, by number: of `snapshot.roll.number` at the earliest and two "
            "more. "
            "Needed with a roll; given when you end your turn, the opponent's roll need not wait for you."
        ),
    )
    thought_ms = serializers.IntegerField(
        required=False,
        allow_null=True,
        default=None,
        min_value=0,
        max_value=DAYS,
        help_text=(
            "How long you thought, from the arrival of what you answer to the sending of this. With `pulse` "
            "it "
            "lets the clock forgive what the network took."
        ),
    )
    pulse = PlainText(
        required=False,
        allow_blank=True,
        default="",
        max_length=LONGEST_PULSE,
        help_text="The latest token of `…/pulse/`, while it is younger than two minutes.",
    )
    turn = serializers.BooleanField(
        required=False, default=False, help_text="Have the answer carry `turn`, the ways through your plays."
    )


READERS: Final = {word: Reader(shape) for word, shape in SHAPES.items()}
_REQUEST: Final = Reader(CommandRequest)


@dataclass(frozen=True, slots=True)
class SentCommand:
    """A parsed command request."""

    after: int
    command: Command
    shares: Mapping[int, bytes]
    thought: int | None
    pulse: str
    wants_turn: bool


def parse_command(data: object) -> SentCommand:
    """Parse a command request.

    :raises ValidationError: it is invalid.
    """
    found = _REQUEST.read(data)
    return SentCommand(
        found["after"],
        found["command"],
        found["shares"],
        found["thought_ms"],
        found["pulse"],
        found["turn"],
    )


class PulseRequest(Shape):
    """A token that has just come, or none for the first one."""

    token = PlainText(required=False, allow_blank=True, default="", max_length=LONGEST_PULSE)


_PULSE: Final = Reader(PulseRequest)


def read_pulse(data: object) -> str:
    """Parse a pulse request and return its token.

    :raises ValidationError: it is invalid.
    """
    return str(_PULSE.read(data)["token"])


def _promise(told: dict[str, Any]) -> Command:
    if None not in (told["commitment"], told["words"]):
        _refuse("words", _("Promise either a chain or words, not both."), "both")
    return commands.Promise(told["commitment"], told["words"])


def _move(told: dict[str, Any]) -> Command:
    play, steps = told["play"], told["steps"]
    if (play is None) is (steps is None):
        _refuse("play", _("Send either the play or its steps, not both."), "one_of")
    return commands.Move(steps) if play is None else commands.WrittenMove(play)


def _resign(told: dict[str, Any]) -> Command:
    return commands.OfferResignation(told["level"]) if told["level"] else commands.Concede()


def _refuse(field: str, sentence: str, code: str) -> None:
    raise serializers.ValidationError({field: [sentence]}, code=code)


BUILDERS: Final[dict[str, Callable[[dict[str, Any]], Command]]] = {
    "promise": _promise,
    "open": lambda told: commands.Open(told["head"]),
    "forgo": lambda told: commands.Forgo(told["reason"]),
    "roll": lambda _told: commands.Roll(),
    "share": lambda _told: commands.Share(),
    "move": _move,
    "double": lambda _told: commands.Double(),
    "beaver": lambda _told: commands.Beaver(),
    "take": lambda _told: commands.Take(),
    "drop": lambda _told: commands.Drop(),
    "resign": _resign,
    "accept": lambda _told: commands.AcceptResignation(),
    "decline": lambda _told: commands.DeclineResignation(),
    "claim-flag": lambda _told: commands.ClaimFlag(),
    "claim-absence": lambda _told: commands.ClaimAbsence(),
    "play-out": lambda told: commands.PlayOut(told["stop"]),
}
