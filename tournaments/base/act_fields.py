"""The fields of acts: what is asked, but not how a program or a page asks for it.

`serializers.fields` makes fields of requests from them, `forms.asking` fields of forms.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

LONGEST_KEY: Final = 80
LONGEST_REASON: Final = 300
LONGEST_NAME: Final = 80
MOST_ENTRIES: Final = 32_767
MOST_AT_ONCE: Final = 1_024
MOST_GAMES: Final = 99
MOST_NAMES: Final = 200
MOST_ROUNDS: Final = 100
# Of a result one of these has to be said.
OUTCOME: Final = ("score", "winner")
NEEDED: Final = object()


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """Something an act asks for; the service takes it by this name."""

    name: str
    # What a page calls it; pages do not ask for a field without a label.
    label: StrOrPromise = ""
    hint: StrOrPromise = ""
    # What a page offers, with the words for it.
    offers: tuple[tuple[str, StrOrPromise], ...] = ()
    # What the API says about it.
    help: str = ""
    default: Any = NEEDED
    may_be_none: bool = False

    @property
    def is_needed(self) -> bool:
        """Say whether it has to be given."""
        return self.default is NEEDED


@dataclass(frozen=True, slots=True, kw_only=True)
class Text(Field):
    """A text of at most so many letters."""

    most: int
    may_be_blank: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PointInTime(Field):
    """A time, with its time zone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Number(Field):
    """A whole number between these."""

    least: int = 1
    most: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating(Field):
    """A number with a fraction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag(Field):
    """Yes or no; a page offers both in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice(Field):
    """One of these."""

    values: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Key(Text):
    """The match that an act is about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryNumber(Number):
    """Somebody who is in, by number: of the two of a match, or of all."""

    is_of_match: bool = False
    # Its choices include players who have left.
    may_have_left: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class StageNumber(Number):
    """A stage, by number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Score(Field):
    """The points of a and of b."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Games(Field):
    """A match game by game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Member(Field):
    """A member of the club, by the player's key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place(Text):
    """Where a latecomer is let in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HowPlayed(Field):
    """A plan: a template, or stages with their settings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Many(Field):
    """Several of one kind."""

    of: Field
    least: int = 0
    most: int = MOST_AT_ONCE


def key() -> Key:
    """Return the field of a match."""
    return Key(name="key", most=LONGEST_KEY, help="The pairing's key, as in `main/2.1`.")


def entry(name: str = "entry", label: StrOrPromise = "", **more: Any) -> EntryNumber:
    """Return the field of somebody who is in."""
    return EntryNumber(
        name=name, label=label, most=MOST_ENTRIES, **{"help": "The number of an entry.", **more}
    )


def entries(name: str = "entries", label: StrOrPromise = "", **more: Any) -> Many:
    """Return the field for several entries; a page asks for one of them."""
    return Many(name=name, label=label, of=entry(**more), least=1)


def stage(label: StrOrPromise = "") -> StageNumber:
    """Return the field of a stage, the first if nothing is said."""
    return StageNumber(
        name="stage", label=label, most=MOST_ROUNDS, default=1, help="The number of the stage."
    )


def reason(*, must: bool) -> Text:
    """Return the field that asks why."""
    more: dict[str, Any] = {} if must else {"default": "", "may_be_blank": True}
    return Text(name="reason", label=_("Why?"), most=LONGEST_REASON, **more)


def score(about: str = "") -> Score:
    """Return the field of a score."""
    label = pgettext_lazy("result", "Score")
    return Score(name="score", label=label, may_be_none=True, default=None, help=about)


def outcome(about: str = "") -> tuple[Field, ...]:
    """Return how a match ended: the score, or where the event needs none, who won."""
    winner = entry(
        "winner",
        _("Who won"),
        is_of_match=True,
        hint=_("Enough without a score."),
        may_be_none=True,
        default=None,
        help="The number of the entry that won: enough where the event needs no scores.",
    )
    return (score(about), winner)


def games() -> Games:
    """Return the field of a match game by game, if that is said."""
    return Games(name="games", default=list)


def newcomer() -> tuple[Field, ...]:
    """Return the fields of somebody who was not in: a member, or a guest's name."""
    return (
        Member(name="player_key", label=_("Member"), default="", help="A member of the club; or"),
        Text(
            name="name",
            label=_("Or a guest's name"),
            most=LONGEST_NAME,
            default="",
            help="the name of a guest.",
        ),
    )


def names(name: str, **more: Any) -> Many:
    """Return the field of a list of names."""
    return Many(name=name, of=Text(name="name", most=LONGEST_NAME), **more)
