"""Request bodies that refuse unknown fields."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from functools import wraps
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

if TYPE_CHECKING:
    from rest_framework.views import APIView

CODE: Final = "unknown_field"
LONGEST_NAME: Final = 40
FORMS: Final = ("multipart/form-data", "application/x-www-form-urlencoded")


class StrictFields(serializers.Serializer[Any]):
    """The base of all our serializers: it refuses unknown and read-only fields."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict):
            known = {name: field for name, field in self.fields.items() if not field.read_only}
            if errors := describe_unknown(data, known):
                raise serializers.ValidationError(errors)
        return super().to_internal_value(data)


class NumberField(serializers.FloatField):
    """A number that may have a fraction. REST framework takes `true` for 1."""

    def to_internal_value(self, data: Any) -> float:
        if isinstance(data, bool):
            self.fail("invalid")
        return super().to_internal_value(data)


def refuse_body(act: Callable[..., Response]) -> Callable[..., Response]:
    """Refuse every field of the body of a request to this method of a view."""

    @wraps(act)
    def act_without_body(view: APIView, request: Request, *args: Any, **kwargs: Any) -> Response:
        form = request._request  # noqa: SLF001 - the only way to Django's own parsers
        # Many clients send an empty form instead of no body.
        is_form = form.content_type in FORMS
        data = {**form.POST.dict(), **form.FILES.dict()} if is_form else request.data
        StrictFields(data=data).is_valid(raise_exception=True)
        return act(view, request, *args, **kwargs)

    return act_without_body


def describe_unknown(
    sent: Iterable[object], known: Mapping[str, serializers.Field[Any, Any, Any, Any]]
) -> dict[str, Any]:
    """Return the errors for unknown field names, each with the nearest known name."""
    found = {}
    for name in sorted(str(name) for name in {*sent} - {*known}):
        sentence = _("There is no such field.")
        if nearest := find_nearest(name, known):
            sentence = _("There is no such field. The nearest is “%(name)s”.") % {"name": nearest}
        found[name] = [serializers.ErrorDetail(sentence, code=CODE)]
    return found


def refuse_unread(form: StrictFields, read: Iterable[str]) -> None:
    """Refuse the fields of a body that its act does not read.

    :raises ValidationError: with an error for each of them.
    """
    if unread := describe_unknown(form.initial_data, {name: form.fields[name] for name in read}):
        raise serializers.ValidationError(unread)


def build_repeated_error() -> serializers.ErrorDetail:
    return serializers.ErrorDetail(_("Send this once."), code="repeated_field")


def find_nearest(name: str, known: Mapping[str, serializers.Field[Any, Any, Any, Any]]) -> str:
    """Return the known name that is most like *name*, also one inside a field, as `plan.template`.

    "" if none is like it.
    """
    names: dict[str, str] = {
        str(inner): f"{outer}.{inner}"
        for outer, field in known.items()
        if isinstance(field, serializers.Serializer)
        for inner in field.fields
    }
    names |= {str(each): str(each) for each in known}
    # The search takes longer the longer the names are.
    found = get_close_matches(name[:LONGEST_NAME], names, n=1)
    return names[found[0]] if found else ""


def make_choice_field(
    *words: str, values: Mapping[str, Any] | None = None, **more: Any
) -> serializers.ChoiceField:
    """Return a choice field that the schema describes inline, not as a component.

    With *values* it is read as the value of the word.
    """
    described: dict[str, Any] = {"type": "string", "enum": [*words]}
    if more.get("allow_null"):
        described = {"type": "string", "enum": [*words, None], "nullable": True}

    @extend_schema_field(described)
    class WordField(serializers.ChoiceField):
        def to_internal_value(self, data: Any) -> Any:
            word = super().to_internal_value(data)
            return values[word] if values else word

    return WordField(choices=words, **more)
