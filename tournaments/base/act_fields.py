"""Fields of acts, independent of the API and of pages.

`act_fields_api` builds the fields of requests from them, `desk.act_form` those of forms.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
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
MOST_RATING: Final = 10_000
# A result needs at least one of these.
OUTCOME: Final = ("score", "winner")
NEEDED: Final = object()
# A field that may be left out, and then is not given to the service: what is stored stays.
UNCHANGED: Final = object()


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """An input of an act, named like the parameter of the service."""

    name: str
    # The label on pages; a field without one is not on pages.
    label: StrOrPromise = ""
    hint: StrOrPromise = ""
    # The options on pages: value and label.
    offers: tuple[tuple[str, StrOrPromise], ...] = ()
    # The description in the API.
    help: str = ""
    default: Any = NEEDED
    may_be_none: bool = False
    # The name of another field, and its values with which the API takes this one.
    only_with: tuple[str, tuple[str, ...]] = ("", ())

    @property
    def is_needed(self) -> bool:
        return self.default is NEEDED


@dataclass(frozen=True, slots=True, kw_only=True)
class Text(Field):
    most: int
    may_be_blank: bool = False


class PointInTime(Field):
    """A date and time with its time zone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Number(Field):
    least: int = 1
    most: int | None = None


class Rating(Field):
    """A number with a fraction."""


class Flag(Field):
    """Yes or no; pages offer both as options."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice(Field):
    values: tuple[str, ...]


class Key(Text):
    """The key of the act's match."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryNumber(Number):
    """The number of an entry: one of the two in the match if `is_of_match`, otherwise any in the event."""

    is_of_match: bool = False
    # Its choices include players who have left.
    may_have_left: bool = True


class StageNumber(Number):
    """The number of a stage."""


class Score(Field):
    """The points of a and of b."""


class Games(Field):
    """The games of a match, in order."""


class Member(Field):
    """A member of the club, by the key of the player."""


class Place(Text):
    """The place for a latecomer."""


class Places(Field):
    """The finishing order: the place of each player by key; None for a player without one."""


class PlanField(Field):
    """A plan: a template, or stages with their settings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListField(Field):
    of: Field
    least: int = 0
    most: int = MOST_AT_ONCE


KEY: Final = Key(name="key", most=LONGEST_KEY, help="The pairing's key, as in `main/2.1`.")
GAMES: Final = Games(name="games", default=list)
# The fields of a new player: a member, or the name of a guest.
NEWCOMER: Final = (
    Member(name="player_key", label=_("Member"), default="", help="A member of the club; or"),
    Text(
        name="name",
        label=_("Or a guest's name"),
        most=LONGEST_NAME,
        default="",
        help="the name of a guest.",
        only_with=("player_key", ("",)),
    ),
)
NEEDED_REASON: Final = Text(name="reason", label=_("Why?"), most=LONGEST_REASON)
REASON: Final = replace(NEEDED_REASON, default="", may_be_blank=True)


def build_entry_field(name: str = "entry", label: StrOrPromise = "", **more: Any) -> EntryNumber:
    return EntryNumber(
        name=name, label=label, most=MOST_ENTRIES, **{"help": "The number of an entry.", **more}
    )


def build_entries_field(name: str = "entries", label: StrOrPromise = "", **more: Any) -> ListField:
    """Return the field for several entries; pages offer the choice of a single one."""
    return ListField(name=name, label=label, of=build_entry_field(**more), least=1)


def build_stage_field(label: StrOrPromise = "") -> StageNumber:
    """Return the field of a stage; the default is the first."""
    return StageNumber(
        name="stage", label=label, most=MOST_ROUNDS, default=1, help="The number of the stage."
    )


def build_score_field(about: str = "") -> Score:
    label = pgettext_lazy("result", "Score")
    return Score(name="score", label=label, may_be_none=True, default=None, help=about)


def build_outcome_fields(about: str = "") -> tuple[Field, ...]:
    """Return the fields of a result: the score, or the winner alone if the event needs no score."""
    winner = build_entry_field(
        "winner",
        _("Who won"),
        is_of_match=True,
        hint=_("Choose this if there is no score."),
        may_be_none=True,
        default=None,
        help="The number of the entry that won: enough where the event needs no scores.",
    )
    return (build_score_field(about), winner)


def build_names_field(name: str, **more: Any) -> ListField:
    return ListField(name=name, of=Text(name="name", most=LONGEST_NAME), **more)
