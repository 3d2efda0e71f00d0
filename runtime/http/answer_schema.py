"""The part of the OpenAPI document that follows from an answer: a serializer that only describes, made of its class."""

from __future__ import annotations

from copy import deepcopy
from datetime import date, datetime
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Any, Final, get_args, get_origin
from uuid import UUID

from django.db.models import Choices
from drf_spectacular.extensions import OpenApiSerializerExtension
from rest_framework import serializers

from runtime.http.answers import Answer, Member, is_answer, list_members

if TYPE_CHECKING:
    from drf_spectacular.openapi import AutoSchema
    from drf_spectacular.utils import Direction

    type_of_field = serializers.Field[Any, Any, Any, Any]

FIELDS: Final[dict[Any, type[type_of_field]]] = {
    str: serializers.CharField,
    int: serializers.IntegerField,
    float: serializers.FloatField,
    bool: serializers.BooleanField,
    datetime: serializers.DateTimeField,
    date: serializers.DateField,
    UUID: serializers.UUIDField,
    Any: serializers.JSONField,
}


class AnswerExtension(OpenApiSerializerExtension):  # type: ignore[misc]
    """Lets views name answers where drf-spectacular takes serializers."""

    target_class = Answer
    match_subclasses = True

    def get_name(self, auto_schema: AutoSchema, direction: Direction) -> str:
        """Return the name of the component."""
        return str(self.target.__name__)

    def map_serializer(self, auto_schema: AutoSchema, direction: Direction) -> Any:
        """Return its schema."""
        return auto_schema._map_serializer(make_serializer(self.target), direction)  # noqa: SLF001 - as its own extensions do


def describe(answer: Any) -> Any:
    """Return a serializer for a type that is a list of answers; whatever else stays as it is."""
    listed = get_args(answer)[:1] if get_origin(answer) is list else ()
    return make_serializer(listed[0])(many=True) if listed and is_answer(listed[0]) else answer


@cache
def make_serializer(kind: type[Answer]) -> type[serializers.Serializer[Any]]:
    """Return a serializer class with the name, the text and the members of an answer."""
    made = {each.name: _make_field(each) for each in list_members(kind).values()}
    return type(kind.__name__, (serializers.Serializer,), {"__doc__": kind.__doc__, **made})


def _make_field(member: Member) -> type_of_field:
    if member.described is not None:
        # REST framework sorts fields by when they were made.
        return deepcopy(member.described)
    options: dict[str, Any] = {
        "help_text": member.text,
        "allow_null": member.is_nullable,
        "required": not member.is_optional,
    }
    if not member.is_list:
        return _make_item(member.item, member.words, options)
    if is_answer(member.item):
        return _make_item(member.item, None, {**options, "many": True})
    return serializers.ListField(child=_make_item(member.item, member.words, {}), **options)


def _make_item(kind: Any, words: Any, options: dict[str, Any]) -> type_of_field:
    if is_answer(kind):
        return make_serializer(kind)(**options)
    if isinstance(kind, type) and issubclass(kind, Enum):
        words = words or (kind.choices if issubclass(kind, Choices) else [each.value for each in kind])
    if words:
        return serializers.ChoiceField(words, **options)
    if get_origin(kind) is dict:
        return serializers.DictField(child=_make_item(get_args(kind)[1], None, {}), **options)
    return FIELDS[kind](**options)
