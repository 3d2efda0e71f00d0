"""Which parts of an address let somebody in: no log says them.

Whoever reads a log must not be able to take a seat at a table, join a club or set a password. A test walks over all routes and holds each
one with a code, a token or a key against this list.
"""

from __future__ import annotations

import re
from typing import Final

# What stands before a secret in a path.
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
# Parameters whose value is a secret: of a stream, of an overlay.
PARAMETERS: Final = ("t", "secret", "token", "code")
HIDDEN: Final = "..."

# An address may stand in the query of another one, as what comes next, say.
_SLASH: Final = r"(?:/|%2F)"
# A helper's page of an event, named by its key, has a public name behind it.
_NOT_OF_EVENT: Final = r"(?<!/events/\w{10})"
_SEGMENT: Final = r"(?:(?!%2F)[^/?#&\s\"'<>\\])+"
_SECRET: Final = re.compile(
    rf"{_NOT_OF_EVENT}(?P<path>{_SLASH}(?:{'|'.join(each.replace('/', _SLASH) for each in BEFORE)}){_SLASH}){_SEGMENT}"
    rf"|(?P<parameter>(?:[?&]|%3F|%26)(?:{'|'.join(PARAMETERS)})(?:=|%3D))[^&#\s\"'<>\\]+",
    re.IGNORECASE,
)


def hide(text: str) -> str:
    """Return *text* without the secrets of the addresses in it.

    >>> hide("GET /m/m12-34-35-20412~sign/sheet/?match=1")
    'GET /m/.../sheet/?match=1'
    >>> hide("/overlay/abc?secret=word&x=1")
    '/overlay/abc?secret=...&x=1'
    """
    return _SECRET.sub(lambda found: (found["path"] or found["parameter"]) + HIDDEN, text)
