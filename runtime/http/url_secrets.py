"""Secrets in URLs, which are left out of logs.

Reading a log must not be enough to take a seat at a table, join a club or set a password. A test compares all
routes that contain a code, a token or a key with this list.
"""

from __future__ import annotations

import re
from typing import Final

# Path segments that precede a secret.
BEFORE: Final = (
    "m",
    "d",
    "join",
    "welcome",
    "helping",
    "emails/stop",
    "api/v1/codes",
    "accounts/confirm-email",
    "accounts/password/reset/key",
)
# Query parameters whose value is a secret.
PARAMETERS: Final = ("t", "secret", "token", "code")
HIDDEN: Final = "..."

# A URL may be quoted in another URL's query, such as `next`.
_SLASH: Final = r"(?:/|%2F)"
# `/events/KEY/m/...` is followed by a public name, not by a secret.
_NOT_OF_EVENT: Final = r"(?<!/events/\w{10})"
_SEGMENT: Final = r"(?:(?!%2F)[^/?#&\s\"'<>\\])+"
_SECRET: Final = re.compile(
    rf"{_NOT_OF_EVENT}(?P<path>{_SLASH}(?:{'|'.join(each.replace('/', _SLASH) for each in BEFORE)}){_SLASH}){_SEGMENT}"
    rf"|(?P<parameter>(?:[?&]|%3F|%26)(?:{'|'.join(PARAMETERS)})(?:=|%3D))[^&#\s\"'<>\\]+",
    re.IGNORECASE,
)


def hide(text: str) -> str:
    """Replace the secrets in the URLs of *text*.

    >>> hide("GET /m/m12-34-35-20412~sign/sheet/?match=1")
    'GET /m/.../sheet/?match=1'
    >>> hide("/overlay/abc?secret=word&x=1")
    '/overlay/abc?secret=...&x=1'
    """
    return _SECRET.sub(lambda found: (found["path"] or found["parameter"]) + HIDDEN, text)
