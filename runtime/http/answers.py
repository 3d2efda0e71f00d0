"""Answers of the API, each declared once: its JSON and its part of the OpenAPI document both follow from the class.

    class Seat(Answer):
        name: str
        is_here: bool = about("Whether they have checked in.", source="checked_in")

`Seat.read(entry)` takes `entry.name` and `entry.checked_in`; REST framework writes the answer as JSON.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from enum import Enum
from functools import cache
from operator import attrgetter
from typing import (
    TYPE_CHECKING,
    Any,
    Final,
    Self,
    TypeVar,
    cast,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

if TYPE_CHECKING:
    from collections.abc import Callable, KeysView

    from rest_framework import serializers

    type_of_field = serializers.Field[Any, Any, Any, Any]

T = TypeVar("T")
# The value of an optional member that is left out.
ABSENT: Final[Any] = object()


def cache_by_class(function: Callable[[type[Answer]], T]) -> Callable[[type[Answer]], T]:
    """Cache what follows from a class. (mypy does not let a class be a key of `functools.cache`.)"""
    cached: Any = cache(function)
    return cast("Callable[[type[Answer]], T]", cached)


def about(
    text: str = "",
    *,
    name: str = "",
    source: str | Callable[[Any], Any] = "",
    words: Any = None,
    optional: bool = False,
    described: type_of_field | None = None,
) -> Any:
    """Declare a member of an answer, with what the OpenAPI document says of it.

    *name* is its name in JSON, *source* the attribute that `read` takes, with dots, or a function; both are by default the
    member's own name. *words* are the values it may have, as choices of Django. An *optional* member may be `ABSENT`.
    *described* is a field of REST framework with the same schema, where the type does not say enough.
    """
    said = {"text": text, "name": name, "source": source, "words": words, "described": described}
    return field(metadata=said, **({"default": ABSENT} if optional else {}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A member of an answer: how it is named, described and read."""

    attribute: str
    name: str
    # Its type without None, and, in a list, the type of an item.
    item: Any
    is_list: bool
    is_nullable: bool
    is_optional: bool
    text: str
    words: Any
    described: type_of_field | None
    get: Callable[[Any], Any]

    def read(self, value: Any) -> Any:
        """Return a value as it stands in the answer: parts that are answers are read, too."""
        if value is None or value is ABSENT:
            return value
        return [self._read_item(each) for each in value] if self.is_list else self._read_item(value)

    def _read_item(self, value: Any) -> Any:
        if isinstance(value, Enum):
            return value.value
        return value if isinstance(value, Answer) or not is_answer(self.item) else self.item.read(value)


@dataclass_transform(kw_only_default=True, field_specifiers=(about,))
class Answer:
    """The base of all answers: a mapping of JSON names, as far as REST framework's encoder, `dict` and `**` ask."""

    def __init_subclass__(cls) -> None:
        dataclass(kw_only=True)(cls)

    @classmethod
    def read(cls, source: object, **computed: Any) -> Self:
        """Return an answer made of attributes of *source*; *computed* values stand in their place."""
        members = list_members(cls)
        values = {name: each.get(source) for name, each in members.items() if name not in computed}
        return cls(**{name: members[name].read(value) for name, value in {**values, **computed}.items()})

    def keys(self) -> KeysView[str]:
        """Return the names of the members that are not absent."""
        members = list_members(type(self)).values()
        return {each.name: 0 for each in members if getattr(self, each.attribute) is not ABSENT}.keys()

    def __getitem__(self, name: str) -> Any:
        return getattr(self, _attributes(type(self))[name])


def is_answer(hint: Any) -> bool:
    """True if a type is that of an answer."""
    return isinstance(hint, type) and issubclass(hint, Answer)


@cache_by_class
def list_members(kind: type[Answer]) -> dict[str, Member]:
    """Return the members of an answer by attribute, in the order of its JSON."""
    hints = get_type_hints(kind)
    return {each.name: _make_member(each, hints[each.name]) for each in fields(kind)}  # type: ignore[arg-type]


@cache_by_class
def _attributes(kind: type[Answer]) -> dict[str, str]:
    return {each.name: each.attribute for each in list_members(kind).values()}


def _make_member(declared: Any, hint: Any) -> Member:
    said = {"source": "", "name": "", "text": "", "words": None, "described": None, **declared.metadata}
    source = said.pop("source") or declared.name
    parts = [each for each in get_args(hint) if each is not type(None)]
    is_nullable = type(None) in get_args(hint)
    plain = parts[0] if is_nullable else hint
    is_list = get_origin(plain) in {list, tuple}
    return Member(
        attribute=declared.name,
        item=get_args(plain)[0] if is_list else plain,
        is_list=is_list,
        is_nullable=is_nullable,
        is_optional=declared.default is ABSENT,
        get=source if callable(source) else attrgetter(source),
        **{**said, "name": said["name"] or declared.name},
    )
