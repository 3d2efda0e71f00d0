"""Request bodies, parsed with the serializers of the schema.

Those of commands and rulings are built from their dataclasses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from functools import partial
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Final,
    NoReturn,
    get_args,
    get_type_hints,
)

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers
from rest_framework.fields import SkipField, empty

from engine.board import BAR, Board, Step
from engine.cube import Cube
from engine.dice import Dice
from engine.errors import EngineError
from engine.fair import LINK_BYTES
from engine.formats import ids
from engine.side import Side
from engine.situation import Situation
from matches.state.commands import MOST_STEPS, Level
from matches.state.rulings import Start, Verdict
from runtime.http.strict_fields import StrictFields, describe_unknown, make_choice_field

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

    type_of_field = serializers.Field[Any, Any, Any, Any]

EVERYTHING: Final = "match"
SIDES: Final = {side.word: side for side in Side}
HEX: Final = f"[0-9a-f]{{{2 * LINK_BYTES}}}"


class Reader:
    """A validator that uses one serializer without instantiating it for each request.

    A serializer copies its fields when instantiated, which takes longer than validating them.
    """

    def __init__(self, shape: type[serializers.Serializer[Any]]) -> None:
        self._fields: Mapping[str, serializers.Field[Any, Any, Any, Any]] = dict(shape().fields)

    def read(self, data: object) -> dict[str, Any]:
        """Return the validated fields, or raise ValidationError with a sentence for each invalid one."""
        if not isinstance(data, dict):
            raise serializers.ValidationError(_("This should be an object."), code="no_object")
        errors = describe_unknown(data, self._fields)
        found: dict[str, Any] = {}
        for name, each in self._fields.items():
            try:
                found[name] = each.run_validation(data.get(name, empty))
            except SkipField:
                continue
            except serializers.ValidationError as error:
                errors[name] = error.detail
        if errors:
            raise serializers.ValidationError(errors)
        return found


@extend_schema_field({"type": "string", "pattern": f"^{HEX}$", "example": "4f9b25964ac4d85d" * 4})
class BytesField(serializers.RegexField):
    """32 bytes in lower-case hexadecimal digits, as bytes."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(rf"\A{HEX}\Z", trim_whitespace=False, **kwargs)
        self.error_messages["invalid"] = gettext_lazy("Send 64 lower-case hexadecimal digits.")

    def run_validation(self, data: Any = empty) -> Any:
        text = super().run_validation(data)
        return bytes.fromhex(text) if isinstance(text, str) else text


class PlainText(serializers.CharField):
    """A text of printable characters, stored unchanged: no line break, and no half of a surrogate pair."""

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        if not text.isprintable():
            raise serializers.ValidationError(_("Leave out invisible characters."), code="hidden")
        return text


@extend_schema_field(
    {
        "type": "array",
        "maxItems": MOST_STEPS,
        "items": {
            "type": "array",
            "minItems": 2,
            "maxItems": 2,
            "items": {"type": "integer", "minimum": 0, "maximum": BAR},
        },
        "example": [[8, 5], [6, 5]],
    }
)
class StepsField(serializers.ListField):
    """Steps as pairs of numbers, read as steps of the engine."""

    child = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=BAR), min_length=2, max_length=2
    )

    def to_internal_value(self, data: Any) -> Any:
        return tuple(Step(source, target) for source, target in super().to_internal_value(data))


@extend_schema_field({"enum": [1, 2, 3, EVERYTHING], "default": 1})
class LevelField(serializers.Field[Any, Any, Any, Any]):
    def to_internal_value(self, data: Any) -> int:
        """Return the level; 0 stands for the whole match."""
        if data == EVERYTHING:
            return 0
        if type(data) is not int or not 1 <= data <= 3:
            raise serializers.ValidationError(_("One of 1, 2, 3 and “match”."), code="invalid_choice")
        return data


@extend_schema_field(
    {
        "type": "object",
        "properties": {
            "value": {"type": "integer", "minimum": 1, "example": 2},
            "owner": {"type": "string", "enum": [*SIDES], "nullable": True},
        },
        "required": ["value"],
    }
)
class CubeField(serializers.Field[Any, Any, Any, Any]):
    """A cube: its value, and who owns it (null: it lies in the middle)."""

    def to_internal_value(self, data: Any) -> Cube:
        value_given = data if isinstance(data, dict) else {}
        value, owner = value_given.get("value"), value_given.get("owner")
        if type(value) is not int or owner not in (None, *SIDES) or value_given.keys() - {"value", "owner"}:
            raise serializers.ValidationError(
                _("A cube is an object with “value” and “owner”."), code="no_cube"
            )
        try:
            return Cube(value, None if owner is None else SIDES[owner])
        except EngineError as error:
            raise serializers.ValidationError(str(error), code=error.code) from error


class PositionField(PlainText):
    def run_validation(self, data: Any = empty) -> Situation:
        """Return the situation: the board, and turn, dice and cube as far as the identifier has them."""
        try:
            return ids.read(super().run_validation(data))
        except EngineError as error:
            raise serializers.ValidationError(str(error), code=error.code) from error


class DiceField(serializers.RegexField):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(r"\A[1-6][1-6]\Z", **kwargs)

    def run_validation(self, data: Any = empty) -> Any:
        """Return the dice; "" and None are returned unchanged."""
        text = super().run_validation(data)
        return Dice.parse(text) if text else text


FIELDS: Final[Mapping[Any, Callable[..., type_of_field]]] = {
    str: PlainText,
    int: serializers.IntegerField,
    bool: serializers.BooleanField,
    bytes: BytesField,
    tuple[Step, ...]: StepsField,
    Level: LevelField,
    Side: partial(make_choice_field, *SIDES, values=SIDES),
    Start: partial(make_choice_field, *Start),
    Verdict: partial(make_choice_field, *Verdict),
    Board: PositionField,
    Cube: CubeField,
    Dice: DiceField,
}


def make_shape(kind: type[Any]) -> type[StrictFields]:
    """Return the serializer of a dataclass: its fields by their types, with their metadata as options.

    The field `type` is for its word.
    """
    made: dict[str, Any] = {"__doc__": kind.__doc__, "type": make_choice_field(kind.word)}
    hints = get_type_hints(kind, include_extras=True)
    made |= {each.name: _make_field(each, hints[each.name]) for each in fields(kind)}
    return type(kind.word.title().replace("-", ""), (StrictFields,), made)


def _make_field(declared: Any, hint: Any) -> type_of_field:
    options: dict[str, Any] = {}
    if type(None) in get_args(hint):
        hint, options["allow_null"] = get_args(hint)[0], True
    if declared.default is not MISSING:
        options["default"] = declared.default
    return FIELDS[hint](**{**options, **declared.metadata})


class KindField(serializers.Field[Any, Any, Any, Any]):
    """One of several dataclasses, identified by its word in `type`."""

    kinds: ClassVar[Mapping[str, type[Any]]]
    # The component in the schema, and the error for an unknown word: its code, and its sentence.
    name: ClassVar[str]
    code: ClassVar[str]
    unknown: ClassVar[StrOrPromise]
    _readers: ClassVar[Mapping[str, Reader]]

    def __init_subclass__(cls) -> None:
        shapes: dict[str, Any] = {word: make_shape(kind) for word, kind in cls.kinds.items()}
        cls._readers = {word: Reader(shape) for word, shape in shapes.items()}
        extend_schema_field(PolymorphicProxySerializer(cls.name, shapes, "type"))(cls)

    def to_internal_value(self, data: Any) -> Any:
        word = data.get("type") if isinstance(data, dict) else None
        kind = self.kinds.get(word) if isinstance(word, str) else None
        if kind is None:
            sentence = self.unknown % ", ".join(self.kinds)
            raise serializers.ValidationError({"type": [sentence]}, code=self.code)
        found = self._readers[kind.word].read(data)
        del found["type"]
        return self.build(kind, found)

    def build(self, kind: type[Any], found: dict[str, Any]) -> Any:
        return kind(**found)


def refuse_field(name: str, sentence: str, code: str) -> NoReturn:
    """Refuse the value of one field.

    :raises ValidationError: always.
    """
    raise serializers.ValidationError({name: [sentence]}, code=code)
