"""How the API reads JSON, within limits, and how it pages lists."""

from __future__ import annotations

import json
from typing import IO, TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.pagination import PageNumberPagination
from rest_framework.parsers import JSONParser

if TYPE_CHECKING:
    from collections.abc import Mapping

DEEPEST = 32


class Pages(PageNumberPagination):
    """Fifty at a time, two hundred at most."""

    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 200


class ShallowJSONParser(JSONParser):
    """JSON that cannot exhaust the stack: nesting is counted before anything is built."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return the body, or refuse it with a sentence."""
        try:
            # JSON is UTF-8 (RFC 8259). A charset from the head is not asked: some of Python's codecs unpack.
            text = stream.read().decode()
        except UnicodeDecodeError as error:
            raise exceptions.ParseError(_("This is not JSON: %s") % error.reason, code="not_json") from None
        if _depth(text) > DEEPEST:
            raise exceptions.ParseError(_("The JSON is nested too deeply."), code="too_deep")
        try:
            found = json.loads(text, parse_constant=_refuse_constant)
            if "\\u" in text:
                _require_text(found)
        except (ValueError, RecursionError) as error:
            raise exceptions.ParseError(_("This is not JSON: %s") % error, code="not_json") from None
        return found


def _require_text(found: Any) -> None:
    """Refuse half of a pair of surrogates, which JSON can write though it is no letter and cannot be kept."""
    try:
        json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise ValueError(error.reason) from None


def _refuse_constant(word: str) -> None:
    raise ValueError(f"{word} is not a JSON value")


def _depth(text: str) -> int:
    depth = deepest = 0
    is_string = is_escaped = False
    for letter in text:
        if is_string:
            if is_escaped:
                is_escaped = False
            elif letter == "\\":
                is_escaped = True
            elif letter == '"':
                is_string = False
        elif letter == '"':
            is_string = True
        elif letter in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif letter in "]}":
            depth -= 1
    return deepest
