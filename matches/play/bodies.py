"""Parse request bodies by the serializers of the schema."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.fields import SkipField, empty

from engine.fair import LINK_BYTES
from runtime.http.strict_fields import describe_unknown

if TYPE_CHECKING:
    from collections.abc import Mapping

HEX = f"[0-9a-f]{{{2 * LINK_BYTES}}}"


class Reader:
    """Validates by one serializer without instantiating it for each request.

    A serializer copies its fields when instantiated, which takes longer than validating them.
    """

    def __init__(self, shape: type[serializers.Serializer[Any]]) -> None:
        self._fields: Mapping[str, serializers.Field[Any, Any, Any, Any]] = dict(shape().fields)

    def read(self, data: object) -> dict[str, Any]:
        """Return the validated fields.

        :raises ValidationError: with a sentence for each invalid field.
        """
        if not isinstance(data, dict):
            raise serializers.ValidationError(_("This should be an object."), code="no_object")
        errors = describe_unknown(data, self._fields)
        found: dict[str, Any] = {}
        for name, field in self._fields.items():
            try:
                found[name] = field.run_validation(data.get(name, empty))
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
        """Return the bytes; the validators have seen that they are spelled well."""
        text = super().run_validation(data)
        return bytes.fromhex(text) if isinstance(text, str) else text


def require_plain_text(text: str) -> str:
    """Return *text* if all its characters are printable, so that it can be stored, hashed and displayed.

    :raises ValidationError: it has other characters, such as a line break or half a surrogate pair.
    """
    if not text.isprintable():
        raise serializers.ValidationError(_("Leave out invisible characters."), code="hidden")
    return text


class PlainText(serializers.CharField):
    """A text of printable characters, stored unchanged."""

    def to_internal_value(self, data: Any) -> str:
        """Return the text."""
        return require_plain_text(super().to_internal_value(data))
