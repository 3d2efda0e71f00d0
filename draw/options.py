"""Options of a stage, and their declarations by formats: name, type and default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from fractions import Fraction
from typing import Any, Generic, TypeVar

Scalar = str | int | float | bool | None
Value = Scalar | tuple["Value", ...]
T = TypeVar("T")


class BadOption(ValueError):
    """An option that the format does not know, or cannot use."""

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"{name}: {problem}")
        self.name = name
        self.problem = problem

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.name, self.problem)


def gettext_noop(text: str) -> str:
    """Mark a sentence for translation; the message extraction looks for this function."""
    return text


@dataclass(frozen=True, slots=True)
class Options:
    """The announced options of a stage: names and values."""

    items: tuple[tuple[str, Value], ...] = ()

    @classmethod
    def from_values(cls, **values: Value) -> Options:
        return cls(tuple(sorted(values.items())))

    def get(self, name: str) -> Value:
        return dict(self.items).get(name)

    def check(self, known: Specs) -> None:
        """Refuse unknown names and invalid values.

        :raises BadOption: there is one.
        """
        for name, value in self.items:
            if name not in known:
                raise BadOption(name, "is not an option of this format")
            if value is not None:
                known[name].read(value)


class OptionHeading(StrEnum):
    """Headings of folded options, in the order of the page."""

    DRAW = gettext_noop("Draw and seeding")
    BRACKETS = gettext_noop("Brackets")
    LENGTH = gettext_noop("Duration")
    PAIRING = gettext_noop("Pairing")
    BYES = gettext_noop("Byes")
    APART = gettext_noop("Clubs and families")
    RANKING = gettext_noop("Ranking and ties")
    OTHER = gettext_noop("More options")


class Prominence(StrEnum):
    FIRST = "first"  # always visible: the most important option of the format
    IF_WANTED = "if wanted"  # folded away under its heading
    NEVER = "never"  # only for files and programs: special notation, or no effect in this format


@dataclass(frozen=True, slots=True)
class Option(Generic[T]):
    name: str
    # None: it depends, and the caller of `get` passes it.
    default: T | None
    label: str
    help: str = ""
    # The initial value on pages that do not allow it to be empty.
    first: T | None = None
    asked: Prominence = Prominence.IF_WANTED
    heading: StrEnum = OptionHeading.OTHER

    def read(self, value: Value) -> T:
        """Validate a value.

        :raises BadOption: the value is invalid.
        """
        raise NotImplementedError

    def get(self, options: Options, default: T | None = None) -> T:
        """Return the value in *options*, or the default; *default* overrides the declared one.

        :raises BadOption: the value is invalid, or there is neither a value nor a default.
        """
        value = options.get(self.name)
        if value is not None:
            return self.read(value)
        usual = self.default if default is None else default
        if usual is None:
            raise BadOption(self.name, "has to be said")
        return usual


Specs = dict[str, Option[Any]]


def index_options(*known: Option[Any]) -> Specs:
    return {one.name: one for one in known}


@dataclass(frozen=True, slots=True)
class WholeNumber(Option[int]):
    least: int = 0
    # The maximum on pages; files may go up to `largest`, which bounds loops and rows.
    most: int = 999
    largest: int = 1_024

    @property
    def least_said(self) -> int:
        """The smallest value a page accepts: at least 1 if an empty field means 0."""
        return self.least if self.default else max(1, self.least)

    def read(self, value: Value) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not self.least <= value <= self.largest:
            raise BadOption(self.name, f"is a whole number from {self.least} to {self.largest}")
        return value


@dataclass(frozen=True, slots=True)
class Flag(Option[bool]):
    def read(self, value: Value) -> bool:
        if not isinstance(value, bool):
            raise BadOption(self.name, "is yes or no")
        return value


@dataclass(frozen=True, slots=True)
class Decimal(Option[Fraction]):
    """A number of points: 1, 0.5 or "1/2"."""

    def read(self, value: Value) -> Fraction:
        try:
            # Without an exponent, which could exhaust the memory.
            points = Fraction(str(value)) if "e" not in str(value).lower() else None
        except (ValueError, ZeroDivisionError):
            points = None
        if points is None or points < 0 or isinstance(value, bool):
            raise BadOption(self.name, "is a number of points, as 1, 0.5 or 1/2")
        return points


@dataclass(frozen=True, slots=True)
class Choice(Option[str]):
    choices: Mapping[str, str] = field(default_factory=dict[str, str])

    def read(self, value: Value) -> str:
        if not isinstance(value, str) or value not in self.choices:
            raise BadOption(self.name, f"is one of {', '.join(self.choices)}")
        return value


@dataclass(frozen=True, slots=True)
class Choices(Option[tuple[str, ...]]):
    choices: Mapping[str, str] = field(default_factory=dict[str, str])

    def read(self, value: Value) -> tuple[str, ...]:
        chosen = require_list(self.name, value)
        for one in chosen:
            if not isinstance(one, str) or one not in self.choices:
                raise BadOption(self.name, f"{one!r} is none of {', '.join(self.choices)}")
        return tuple(map(str, chosen))


@dataclass(frozen=True, slots=True)
class Text(Option[str]):
    """A text with a special notation."""

    def read(self, value: Value) -> str:
        if not isinstance(value, str):
            raise BadOption(self.name, "is a text")
        return value


@dataclass(frozen=True, slots=True)
class Texts(Option[tuple[str, ...]]):
    def read(self, value: Value) -> tuple[str, ...]:
        return tuple(map(str, require_list(self.name, value)))


@dataclass(frozen=True, slots=True)
class Ratings(Option[tuple[float, ...]]):
    def read(self, value: Value) -> tuple[float, ...]:
        found: list[float] = []
        for one in require_list(self.name, value):
            if not isinstance(one, int | float):
                raise BadOption(self.name, "is a list of ratings")
            found.append(one)
        return tuple(found)


class SettingDeadline(StrEnum):
    """The time until which directors may change a setting."""

    DRAW = "until the draw is published"
    END = "until the event is over"


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting of an event, or a rule of play: its option, and its documentation in the API."""

    option: Option[Any]
    # Description in the API schema, in requests.
    request_help: str = ""
    # Description in the public answer about an event; None: not part of it.
    answer_help: str | None = None
    # Shown on the event's page unless it has its default.
    is_shown: bool = False
    until: SettingDeadline = SettingDeadline.DRAW


def declare_setting(
    option: Option[Any], request_help: str = "", answer_help: str | None = None, **more: Any
) -> Any:
    """Declare a dataclass field as a setting, with the option's default."""
    declared = Setting(option, request_help, answer_help, **more)
    return field(default=option.default, metadata={"setting": declared})


def list_settings(declared: Any) -> dict[str, Setting]:
    return {each.name: each.metadata["setting"] for each in fields(declared) if each.metadata}


def require_list(name: str, value: Value) -> tuple[Value, ...]:
    if not isinstance(value, tuple):
        raise BadOption(name, "is a list")
    return value
