"""Limits on request heads, checked in the event loop before anything parses them.

`http.cookies` of Python before 3.11.10 and 3.12.6 is quadratic in escaped characters (CVE-2024-7592), and all
later parsers take at least linear time. Each check here is linear, and applies to pages, static files and
streams. docs/operations.md lists the limits.
"""

from __future__ import annotations

from typing import Final

from asgiref.typing import HTTPScope
from django.utils.translation import gettext_lazy as _

from config.front.limits import COOKIE_BYTES, KIB, Limits
from config.front.refusal_pages import FrontRefusal

# Number of cookies; a browser with other sites at the same host name sends some twenty.
COOKIES: Final = 100
# Only quoted values have escapes, and none of our cookies is quoted.
COOKIE_ESCAPES: Final = 16
LINE_BYTES: Final = 8 * KIB
PATH_BYTES: Final = 2 * KIB
PATH_PARTS: Final = 40
QUERY_BYTES: Final = 8 * KIB
QUERY_FIELDS: Final = 200


HEAD_TOO_LARGE: Final = FrontRefusal(
    431, "head_too_large", _("Too large"), _("The head of the request is too long.")
)
COOKIES_TOO_LARGE: Final = FrontRefusal(
    431,
    "cookies_too_large",
    _("Too many cookies"),
    _("Your browser sends too many cookies here. Delete the cookies of this site, then load the page again."),
)
ADDRESS_TOO_LONG: Final = FrontRefusal(
    414, "address_too_long", _("Address too long"), _("The address of the request is too long.")
)


def check_head(scope: HTTPScope) -> FrontRefusal | None:
    """Return the refusal of a request whose head exceeds a limit, or None."""
    # The raw path: decoding percent-escapes only makes it shorter.
    path = scope.get("raw_path") or scope["path"].encode()
    query = scope["query_string"]
    if len(path) > PATH_BYTES or path.count(b"/") > PATH_PARTS or scope["path"].count("/") > PATH_PARTS:
        return ADDRESS_TOO_LONG
    if len(query) > QUERY_BYTES or query.count(b"&") >= QUERY_FIELDS:
        return ADDRESS_TOO_LONG
    limits = Limits()
    lines = total = cookie_bytes = cookies = escapes = 0
    for name, value in scope["headers"]:
        size = len(value)
        lines += 1
        total += len(name) + size + 4
        if name == b"cookie":
            cookie_bytes += size
            cookies += value.count(b";") + 1
            escapes += value.count(b"\\")
        elif size > LINE_BYTES:
            return HEAD_TOO_LARGE
    if cookie_bytes > COOKIE_BYTES or cookies > COOKIES or escapes > COOKIE_ESCAPES:
        return COOKIES_TOO_LARGE
    return HEAD_TOO_LARGE if lines > limits.header_lines or total > limits.head_bytes else None
