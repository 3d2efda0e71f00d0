"""Serializer classes built from `Answer` classes, which are only used to generate the OpenAPI document."""

from __future__ import annotations

from copy import deepcopy
from datetime import date, datetime
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, get_args, get_origin
from uuid import UUID

from django.db.models import Choices
from rest_framework import serializers

from runtime.http.answers import Answer, Member, cache_by_class, is_answer, list_members

if TYPE_CHECKING:
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


# drf-spectacular recognises a list by the response that sorts first; those with a media type, as refusals have,
# sort before a bare 200.
JSON_200: Final = (200, "application/json")


def make_list_serializer(kind: type[Answer]) -> Any:
    """Return a list serializer, for views whose method name does not imply a list."""
    return make_serializer(kind)(many=True)


@cache_by_class
def make_serializer(kind: type[Answer]) -> type[serializers.Serializer[Any]]:
    """Return a serializer class with the name, docstring and members of an answer."""

    def get_fields(_self: serializers.Serializer[Any]) -> dict[str, type_of_field]:
        made: dict[str, type_of_field] = {}
        for each in list_members(kind).values():
            made |= each.merged() if each.merged else {each.name: _make_field(each)}
        return made

    made = {"__doc__": kind.__doc__, "get_fields": get_fields}
    return type(kind.__name__.removesuffix("Answer"), (serializers.Serializer,), made)


def _make_field(member: Member) -> type_of_field:
    if member.described is not None:
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
    if get_origin(kind) is list:
        return serializers.ListField(child=_make_item(get_args(kind)[0], None, {}), **options)
    if get_origin(kind) is dict:
        return serializers.DictField(child=_make_item(get_args(kind)[1], None, {}), **options)
    return FIELDS[kind](**options)
