"""JSON schemas of the options of formats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from draw.formats import FORMATS
from draw.json_objects import BadFile, parse_option
from draw.options import Choice, Choices, Decimal, Flag, Option, Ratings, Text, Texts, WholeNumber

if TYPE_CHECKING:
    from collections.abc import Mapping

Schema = dict[str, Any]


def _build_schema(option: Option[Any]) -> Schema:
    match option:
        case WholeNumber():
            return {"type": "integer", "minimum": option.least, "maximum": option.largest}
        case Flag():
            return {"type": "boolean"}
        case Choice():
            return {"type": "string", "enum": [*option.choices]}
        case Choices():
            return {"type": "array", "items": {"type": "string", "enum": [*option.choices]}}
        case Decimal():
            return {"oneOf": [{"type": "number", "minimum": 0}, {"type": "string", "example": "1/2"}]}
        case Text():
            return {"type": "string"}
        case Texts():
            return {"type": "array", "items": {"type": "string"}}
        case Ratings():
            return {"type": "array", "items": {"type": "number"}}
        case _:
            raise NotImplementedError(option)


def build_properties() -> dict[str, Schema]:
    """Return all options with schema, description, formats and defaults."""
    found: dict[str, Schema] = {}
    known: dict[str, dict[str, Option[Any]]] = {}
    for form, each in FORMATS.items():
        for name, option in each.options.items():
            known.setdefault(name, {})[form] = option
    for name, by_format in known.items():
        option = next(iter(by_format.values()))
        said = f"{option.label}. {option.help}".strip()
        found[name] = _build_schema(option) | {
            "description": f"{said} Formats: {_describe_formats(by_format)}"
        }
    return found


def _describe_formats(by_format: Mapping[str, Option[Any]]) -> str:
    """List the formats that have an option, each with the default there unless it is empty."""
    told: dict[str, list[str]] = {}
    for form, option in by_format.items():
        usual = "" if option.default in (None, "", ()) else f" (usually {_format_default(option.default)})"
        told.setdefault(usual, []).append(form)
    return "; ".join(f"{', '.join(forms)}{usual}" for usual, forms in told.items()) + "."


def _format_default(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


@extend_schema_field({"type": "object", "properties": build_properties(), "additionalProperties": False})
class OptionsField(serializers.DictField):
    """Options by name; what the format does not know, or cannot use, is refused when the plan is tried."""

    def to_internal_value(self, data: Any) -> Any:
        """Refuse objects among the values: no option is one."""
        options = super().to_internal_value(data)
        for name, value in options.items():
            try:
                parse_option(value, name)
            except BadFile as problem:
                raise serializers.ValidationError({name: [str(problem)]}) from problem
        return options


class FormatField(serializers.ChoiceField):
    """A format by its name; the choices are read at each request."""

    def __init__(self, **given: Any) -> None:
        super().__init__(choices=sorted(FORMATS), **given)
