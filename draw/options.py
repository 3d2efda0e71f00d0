"""Options of a stage, and what a format says of each: its name, its type and its default."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping

Scalar = str | int | float | bool | None
Value = Scalar | tuple["Value", ...]
T = TypeVar("T")


class BadOption(ValueError):
    """An option the format does not know, or cannot use."""

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"{name}: {problem}")
        self.name = name
        self.problem = problem

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.name, self.problem)


def gettext_noop(said: str) -> str:
    """Mark a sentence that whoever shows it may translate; collectors of sentences know it by this name."""
    return said


@dataclass(frozen=True, slots=True)
class Options:
    """Names and values, as announced."""

    items: tuple[tuple[str, Value], ...] = ()

    @classmethod
    def from_values(cls, **values: Value) -> Options:
        """Make options from keywords."""
        return cls(tuple(sorted(values.items())))

    def get(self, name: str) -> Value:
        """Return the value, None if it was not given."""
        return dict(self.items).get(name)

    def check(self, known: Specs) -> None:
        """Refuse a name that the format does not know, and a value that it cannot be."""
        for name, value in self.items:
            if name not in known:
                raise BadOption(name, "is not an option of this format")
            if value is not None:
                known[name].read(value)


class OptionHeading(StrEnum):
    """Under what a page asks for an option that is folded away, in the order of the page."""

    DRAW = gettext_noop("Draw and seeding")
    BRACKETS = gettext_noop("Brackets")
    LENGTH = gettext_noop("How long it lasts")
    PAIRING = gettext_noop("Pairing")
    BYES = gettext_noop("Byes")
    APART = gettext_noop("Clubs and families")
    RANKING = gettext_noop("Ranking and ties")
    OTHER = gettext_noop("More options")


class Asked(StrEnum):
    """How readily a page asks for an option."""

    FIRST = "first"  # at once: the one that says most about how the format is played
    IF_WANTED = "if wanted"  # folded away under its heading
    NEVER = "never"  # it has a notation of its own, or says nothing in this format: for files and programs


@dataclass(frozen=True, slots=True)
class Option(Generic[T]):
    """One option of a format, read with the type it must have."""

    name: str
    # What holds if nothing is said; None: it depends, and whoever asks says on what.
    default: T | None
    label: str
    help: str = ""
    # What a stage begins with, where a page does not let it be left out.
    first: T | None = None
    asked: Asked = Asked.IF_WANTED
    heading: StrEnum = OptionHeading.OTHER

    def read(self, value: Value) -> T:
        """Return what was given, or refuse it."""
        raise NotImplementedError

    def get(self, options: Options, default: T | None = None) -> T:
        """Return what holds, *default* where what holds if nothing is said depends on something."""
        value = options.get(self.name)
        if value is not None:
            return self.read(value)
        usual = self.default if default is None else default
        if usual is None:
            raise BadOption(self.name, "has to be said")
        return usual


Specs = dict[str, Option[Any]]


def specs(*known: Option[Any]) -> Specs:
    """Return options by name, in the order in which they are asked for."""
    return {one.name: one for one in known}


@dataclass(frozen=True, slots=True)
class Whole(Option[int]):
    """A whole number."""

    least: int = 0
    # What a page offers at most; files may say more, up to the largest: loops and rows are made of such numbers.
    most: int = 999
    largest: int = 1_024

    @property
    def least_said(self) -> int:
        """The least that can be said, where a nought goes without saying."""
        return self.least if self.default else max(1, self.least)

    def read(self, value: Value) -> int:
        """Return the number, or refuse what is none."""
        if not isinstance(value, int) or isinstance(value, bool) or not self.least <= value <= self.largest:
            raise BadOption(self.name, f"is a whole number from {self.least} to {self.largest}")
        return value


@dataclass(frozen=True, slots=True)
class Flag(Option[bool]):
    """Yes or no."""

    def read(self, value: Value) -> bool:
        """Return yes or no, or refuse what is neither."""
        if not isinstance(value, bool):
            raise BadOption(self.name, "is yes or no")
        return value


@dataclass(frozen=True, slots=True)
class Decimal(Option[Fraction]):
    """A number of points: 1, 0.5 or "1/2"."""

    def read(self, value: Value) -> Fraction:
        """Return the points exactly, or refuse what are none."""
        try:
            points = Fraction(str(value))
        except (ValueError, ZeroDivisionError):
            points = Fraction(-1)
        if points < 0 or isinstance(value, bool):
            raise BadOption(self.name, "is a number of points, as 1, 0.5 or 1/2")
        return points


@dataclass(frozen=True, slots=True)
class Choice(Option[str]):
    """One of some words; each with what it is called."""

    choices: Mapping[str, str] = field(default_factory=dict[str, str])

    def read(self, value: Value) -> str:
        """Return the word, or refuse what is none of them."""
        if not isinstance(value, str) or value not in self.choices:
            raise BadOption(self.name, f"is one of {', '.join(self.choices)}")
        return value


@dataclass(frozen=True, slots=True)
class Choices(Option[tuple[str, ...]]):
    """A list of some words, in the order in which they count."""

    choices: Mapping[str, str] = field(default_factory=dict[str, str])

    def read(self, value: Value) -> tuple[str, ...]:
        """Return the words, or refuse what is none of them."""
        chosen = require_list(self.name, value)
        for one in chosen:
            if not isinstance(one, str) or one not in self.choices:
                raise BadOption(self.name, f"{one!r} is none of {', '.join(self.choices)}")
        return tuple(map(str, chosen))


@dataclass(frozen=True, slots=True)
class Text(Option[str]):
    """A text with a notation of its own."""

    def read(self, value: Value) -> str:
        """Return the text, or refuse what is none."""
        if not isinstance(value, str):
            raise BadOption(self.name, "is a text")
        return value


@dataclass(frozen=True, slots=True)
class Texts(Option[tuple[str, ...]]):
    """A list of texts."""

    def read(self, value: Value) -> tuple[str, ...]:
        """Return the texts, or refuse what is no list."""
        return tuple(map(str, require_list(self.name, value)))


@dataclass(frozen=True, slots=True)
class Ratings(Option[tuple[float, ...]]):
    """A list of ratings."""

    def read(self, value: Value) -> tuple[float, ...]:
        """Return the ratings, or refuse what are none."""
        found: list[float] = []
        for one in require_list(self.name, value):
            if not isinstance(one, int | float):
                raise BadOption(self.name, "is a list of ratings")
            found.append(one)
        return tuple(found)


class Until(StrEnum):
    """How long directors may change a setting."""

    DRAW = "until the draw is published"
    END = "until the event is over"


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting of an event, or a rule of play: its option, and who reads it."""

    option: Option[Any]
    # Its description in the API's document, in a request.
    request_help: str = ""
    # The same in the answer about an event, which everybody may read; None: it is not in that answer.
    answer_help: str | None = None
    # Everybody sees it on the event's page, unless it has its default.
    is_shown: bool = False
    until: Until = Until.DRAW


def setting(option: Option[Any], request_help: str = "", answer_help: str | None = None, **more: Any) -> Any:
    """Declare a field of a dataclass as a setting; its default is that of the option."""
    declared = Setting(option, request_help, answer_help, **more)
    return field(default=option.default, metadata={"setting": declared})


def list_settings(declared: Any) -> dict[str, Setting]:
    """Return the settings that a dataclass declares, by name."""
    return {each.name: each.metadata["setting"] for each in fields(declared) if each.metadata}


def require_list(name: str, value: Value) -> tuple[Value, ...]:
    """Return a list, or refuse what is none."""
    if not isinstance(value, tuple):
        raise BadOption(name, "is a list")
    return value
