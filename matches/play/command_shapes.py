"""The request bodies of commands and pulses."""

from __future__ import annotations

import re
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from matches.play.bodies import BytesField, KindField, PlainText, Reader, refuse_field
from matches.state import commands
from matches.state.commands import COMMANDS, Command
from matches.state.dicing import FURTHEST_AHEAD
from matches.state.rulings import FROM_ZERO
from runtime.http.strict_fields import StrictFields

LONGEST_PULSE: Final = 400
DAYS: Final = 60 * 24 * 3_600_000
ROLL_NUMBER: Final = re.compile("[1-9][0-9]{0,5}")


class CommandField(KindField):
    """Any of the commands."""

    kinds = COMMANDS
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
