"""The fields that acts are made of: numbers of entries, keys of matches, scores, reasons."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from matches.serializers.shapes import plain_text

LONGEST_KEY: Final = 80
LONGEST_REASON: Final = 300
LONGEST_NAME: Final = 80
MOST_AT_ONCE: Final = 1_024
MOST_GAMES: Final = 99
TWO: Final = 2
# Of a result one of these has to be said.
OUTCOME: Final = ("score", "winner")
GAME_ENDS: Final = ("single", "gammon", "backgammon", "drop")


class PlainText(serializers.CharField):
    """A text in which everything shows."""

    def to_internal_value(self, data: Any) -> str:
        """Return the text."""
        return plain_text(super().to_internal_value(data))


def text(most: int, **more: Any) -> Any:
    """Return a text of at most so many letters."""
    return PlainText(max_length=most, **more)


def number(least: int, most: int, **more: Any) -> Any:
    """Return a whole number between these."""
    return serializers.IntegerField(min_value=least, max_value=most, **more)


def key() -> Any:
    """Return the key of a match."""
    return text(LONGEST_KEY, help_text="The pairing's key, as in `main/2.1`.")


def entry(help_text: str = "The number of an entry.") -> Any:
    """Return the number of somebody who is in."""
    return number(1, 32_767, help_text=help_text)


def entries() -> Any:
    """Return the numbers of some who are in."""
    return serializers.ListField(child=entry(), min_length=1, max_length=MOST_AT_ONCE)


def stage() -> Any:
    """Return the number of a stage, the first if nothing is said."""
    return number(1, 100, default=1, help_text="The number of the stage.")


def reason(**more: Any) -> Any:
    """Return why it is done."""
    return text(LONGEST_REASON, **more)


def perhaps() -> Any:
    """Return why it is done, if that is said."""
    return reason(default="", allow_blank=True)


@extend_schema_field(
    {
        "type": "array",
        "minItems": 2,
        "maxItems": 2,
        "items": {"type": "integer", "minimum": 0},
        "example": [7, 5],
    }
)
class ScoreField(serializers.ListField):
    """The points of a and of b."""

    child = serializers.IntegerField(min_value=0, max_value=10_000)

    def to_internal_value(self, data: Any) -> Any:
        """Return the pair."""
        found = super().to_internal_value(data)
        if len(found) != TWO:
            raise serializers.ValidationError(_("Send two numbers: the points of a and of b."), code="score")
        return tuple(found)


class GameShape(serializers.Serializer[Any]):
    """One game of a match."""

    winner = serializers.ChoiceField(choices=("a", "b"))
    points = serializers.IntegerField(min_value=1, max_value=10_000)
    cube = serializers.IntegerField(min_value=1, required=False)
    end = serializers.ChoiceField(choices=GAME_ENDS, required=False)


class Expects(serializers.Serializer[Any]):
    """What an act answers, as far as it is said."""

    version = serializers.IntegerField(
        required=False, help_text="The event's version: it grows with every change, so this is strict."
    )
    people = serializers.DictField(
        child=serializers.CharField(max_length=10),
        required=False,
        help_text="Entries by number, with the key of the player each of them is.",
    )

    def to_internal_value(self, data: Any) -> Any:
        """Return what was said; a word that is not understood must not be passed over."""
        unknown = sorted({*data} - {*self.fields}) if isinstance(data, dict) else []
        if unknown:
            said = _("There is no such field here.")
            raise serializers.ValidationError({str(name): [said] for name in unknown}, code="unknown_field")
        return super().to_internal_value(data)


class MatchExpects(Expects):
    """The same of an act on one match; names and values are those of the pairing."""

    a = number(1, 32_767, required=False, allow_null=True, help_text="The number of the entry on side a.")
    b = number(1, 32_767, required=False, allow_null=True, help_text="The number of the entry on side b.")
    kind = serializers.CharField(
        max_length=14, required=False, allow_blank=True, help_text="How it ended; blank while it is open."
    )
    score = ScoreField(required=False, allow_null=True)
    winner = number(1, 32_767, required=False, allow_null=True)

    def to_internal_value(self, data: Any) -> Any:
        """Return what was said, in JSON's own values."""
        found = super().to_internal_value(data)
        if found.get("score") is not None:
            found["score"] = list(found["score"])
        return found


def outcome(about: str = "") -> dict[str, Any]:
    """Return how a match ended: the score, or where the event needs none, who won."""
    return {
        "score": ScoreField(allow_null=True, default=None, help_text=about or None),
        "winner": number(
            1,
            32_767,
            allow_null=True,
            default=None,
            help_text="The number of the entry that won: enough where the event needs no scores.",
        ),
    }


def games() -> Any:
    """Return a match game by game, if that is said."""
    return serializers.ListField(child=GameShape(), max_length=MOST_GAMES, default=list)


def newcomer() -> dict[str, Any]:
    """Return somebody who was not in: a member, or a guest's name."""
    return {
        "player_key": serializers.CharField(max_length=10, default="", help_text="A member of the club; or"),
        "name": text(LONGEST_NAME, default="", help_text="the name of a guest."),
    }
