"""JSON parser with limits, and pagination, for the API."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Mapping
from itertools import accumulate
from typing import IO, Any, Final

from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.pagination import PageNumberPagination
from rest_framework.parsers import JSONParser
from rest_framework.settings import api_settings

from runtime.http.strict_fields import build_repeated_error

DEEPEST: Final = 32
# Per body. REST framework validates every item of a list before it checks the length.
MOST_VALUES: Final = 20_000
# The largest integer of both databases.
LARGEST_INTEGER: Final = 2**63 - 1
# Also one that does not end.
STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
NESTS: Final = {"[": 1, "{": 1, "]": -1, "}": -1}
MANY_DIGITS: Final = re.compile(r"\d{19}")


class ApiPagination(PageNumberPagination):
    """Pages of 50 items by default, 200 at most."""

    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 200


class ShallowJSONParser(JSONParser):
    """JSON parser that limits nesting and the number of values before it builds any objects.

    Integers must fit into 64 bits, numbers must be finite, texts must not contain NUL, and an object must not
    have a name twice.
    """

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        try:
            # JSON is UTF-8 (RFC 8259). The charset of the header is ignored, since some of Python's codecs
            # decompress.
            text = stream.read().decode()
        except UnicodeDecodeError as error:
            raise exceptions.ParseError(_("This is not JSON: %s") % error.reason, code="not_json") from None
        depth, values = _measure_nesting(text)
        if depth > DEEPEST:
            raise exceptions.ParseError(_("The JSON is nested too deeply."), code="too_deep")
        if values > MOST_VALUES:
            raise exceptions.ParseError(
                _("The JSON has too many values; at most %(most)s are allowed.") % {"most": MOST_VALUES},
                code="too_many_values",
            )
        try:
            found = json.loads(
                text,
                parse_float=_read_number,
                parse_constant=_refuse_constant,
                object_pairs_hook=_build_object,
            )
            if "\\u" in text:
                # Reject unpaired surrogates, which JSON escapes can contain.
                json.dumps(found, ensure_ascii=False).encode()
        except (ValueError, RecursionError) as error:
            raise exceptions.ParseError(_("This is not JSON: %s") % error, code="not_json") from None
        if "\\u" in text or MANY_DIGITS.search(text):
            _require_storable(found)
        return found


def _require_storable(found: Any) -> None:
    """Reject fields with a number or a text that the databases cannot store."""
    fields = found.items() if isinstance(found, dict) else [(api_settings.NON_FIELD_ERRORS_KEY, found)]
    refused = {
        name: [exceptions.ErrorDetail(sentence, code="invalid")]
        for name, value in fields
        if (sentence := _explain_unstorable(name) or _explain_unstorable(value))
    }
    if refused:
        raise exceptions.ValidationError(refused)


def _explain_unstorable(value: Any) -> str:
    """Explain why a value, or one inside it, cannot be stored; "" if it can."""
    left = [value]
    while left:
        one = left.pop()
        if isinstance(one, dict):
            left += [*one.keys(), *one.values()]
        elif isinstance(one, list):
            left += one
        elif isinstance(one, int) and abs(one) > LARGEST_INTEGER:
            return _("A whole number has at most 64 bits.")
        elif isinstance(one, str) and "\0" in one:
            return _("A text has a NUL character.")
    return ""


def _build_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build an object from its names and values; each name is sent once."""
    found = dict(pairs)
    if len(found) < len(pairs):
        repeated = [name for name, times in Counter(name for name, _value in pairs).items() if times > 1]
        # A name with an unpaired surrogate could not be answered: this is not JSON either.
        "".join(repeated).encode()
        raise exceptions.ValidationError({name: [build_repeated_error()] for name in repeated})
    return found


def _read_number(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError("a number is too large")
    return number


def _refuse_constant(word: str) -> None:
    raise ValueError(f"{word} is not a JSON value")


def _measure_nesting(text: str) -> tuple[int, int]:
    """Return the maximum nesting and the approximate number of values."""
    bare = STRING.sub("", text)
    depths = accumulate((NESTS.get(letter, 0) for letter in bare), initial=0)
    return max(depths), sum(map(bare.count, "[{,"))
