"""API responses, each declared once: JSON and OpenAPI schema are both derived from the class.

    class Seat(Answer):
        name: str
        is_here: bool = about("Whether they have checked in.", source="checked_in")

`Seat.read(entry)` reads `entry.name` and `entry.checked_in`; REST framework serializes the answer as JSON.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, KeysView
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

from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.utils.encoders import JSONEncoder

if TYPE_CHECKING:
    from rest_framework.generics import GenericAPIView

    type_of_field = serializers.Field[Any, Any, Any, Any]

T = TypeVar("T")
# The value of an optional member that is left out.
ABSENT: Final[Any] = object()
ENCODER: Final[Any] = JSONEncoder()


def cache_by_class(function: Callable[[type[Answer]], T]) -> Callable[[type[Answer]], T]:
    """Cache by class.

    mypy does not accept a class as a key of `functools.cache`.
    """
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
    merged: Callable[[], dict[str, type_of_field]] | None = None,
) -> Any:
    """Declare a member of an answer, with its description in the OpenAPI document.

    *name* is its name in JSON, *source* the dotted attribute that `read` reads, or a function; both default
    to the member's name. A nullable member is null where an object on the way to that attribute is None.
    *words* are the allowed values, as Django choices. An *optional* member may be `ABSENT`. *described* is a
    REST framework field with the same schema, for types that cannot be derived from the annotation. *merged* is
    for members that are only known at run time: the value is a dict, whose items become members of the answer,
    and *merged* returns their REST framework fields by name.
    """
    metadata = {"text": text, "name": name, "source": source, "words": words}
    metadata |= {"described": described, "merged": merged}
    return field(metadata=metadata, **({"default": ABSENT} if optional else {}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A member of an answer, as parsed from its annotation and `about`."""

    attribute: str
    name: str
    # The type without None; of a list, the type of its items.
    item: Any
    is_list: bool
    is_nullable: bool
    is_optional: bool
    text: str
    words: Any
    described: type_of_field | None
    merged: Callable[[], dict[str, type_of_field]] | None
    get: Callable[[Any], Any]

    def read(self, value: Any) -> Any:
        """Convert a value for the answer; nested answers are read, too."""
        if value is None or value is ABSENT:
            return value
        return [self._read_item(each) for each in value] if self.is_list else self._read_item(value)

    def _read_item(self, value: Any) -> Any:
        if isinstance(value, Enum):
            return value.value
        return value if isinstance(value, Answer) or not is_answer(self.item) else self.item.read(value)


@dataclass_transform(kw_only_default=True, field_specifiers=(about,))
class Answer:
    """The base of all answers: a mapping by JSON names, for REST framework's encoder, `dict` and `**`."""

    def __init_subclass__(cls) -> None:
        dataclass(kw_only=True)(cls)

    @classmethod
    def read(cls, source: object, **computed: Any) -> Self:
        """Build an answer from attributes of *source*; *computed* values take precedence."""
        members = list_members(cls)
        values = {name: each.get(source) for name, each in members.items() if name not in computed}
        return cls(**{name: members[name].read(value) for name, value in {**values, **computed}.items()})

    def keys(self) -> KeysView[str]:
        """Return the names of the members that are not absent."""
        names: dict[str, Any] = {}
        for each in list_members(type(self)).values():
            value = getattr(self, each.attribute)
            if value is not ABSENT:
                names |= value if each.merged else {each.name: value}
        return names.keys()

    def __getitem__(self, name: str) -> Any:
        attributes = _map_attributes(type(self))
        if name in attributes:
            return getattr(self, attributes[name])
        merged = [each.attribute for each in list_members(type(self)).values() if each.merged]
        return ChainMap(*(getattr(self, each) for each in merged))[name]

    def plain(self) -> dict[str, Any]:
        """Return the answer as plain JSON values, for streams and for the scripts of pages."""
        return {name: _make_plain(self[name]) for name in self.keys()}


def paginate(view: GenericAPIView[Any], rows: Any, serialize: Callable[[Any], object]) -> Response:
    """Respond with the requested page of rows, a queryset or a sequence."""
    page = view.paginate_queryset(rows)
    return view.get_paginated_response([serialize(row) for row in page or ()])


def _make_plain(value: Any) -> Any:
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Answer):
        return value.plain()
    if isinstance(value, dict):
        return {name: _make_plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_make_plain(each) for each in value]
    return ENCODER.default(value)


def _make_getter(source: str | Callable[[Any], Any], *, is_nullable: bool) -> Callable[[Any], Any]:
    if callable(source):
        return source
    if not is_nullable or "." not in source:
        return attrgetter(source)
    names = source.split(".")

    def get(value: Any) -> Any:
        for name in names:
            value = None if value is None else getattr(value, name)
        return value

    return get


def is_answer(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, Answer)


@cache_by_class
def list_members(kind: type[Answer]) -> dict[str, Member]:
    hints = get_type_hints(kind)
    return {each.name: _make_member(each, hints[each.name]) for each in fields(kind)}  # type: ignore[arg-type]


@cache_by_class
def _map_attributes(kind: type[Answer]) -> dict[str, str]:
    return {each.name: each.attribute for each in list_members(kind).values()}


def _make_member(declared: Any, hint: Any) -> Member:
    metadata = {**(declared.metadata or about().metadata)}
    source = metadata.pop("source") or declared.name
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
        get=_make_getter(source, is_nullable=is_nullable),
        **{**metadata, "name": metadata["name"] or declared.name},
    )
