"""Formats that are detected only to suggest an alternative to the user; they are not read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NoReturn

from engine.errors import Unreadable
from engine.formats.limits import LIMITS, Limits

if TYPE_CHECKING:
    from collections.abc import Callable

HEAD: Final = 2_000


@dataclass(frozen=True, slots=True)
class ForeignFormat:
    """A kind of file that is not read, and advice for the user."""

    name: str
    suffix: str
    sentence: str
    sniff: Callable[[bytes], bool]

    def parse(self, data: bytes, limits: Limits = LIMITS) -> NoReturn:
        """Raise Unreadable with the advice."""
        raise Unreadable("unsupported-format", self.sentence, format=self.name)


def _build_sniffer(pattern: bytes) -> Callable[[bytes], bool]:
    shape = re.compile(pattern)
    return lambda data: shape.match(data[:HEAD]) is not None


FOREIGN: Final = (
    ForeignFormat(
        "bgblitz",
        ".bgf",
        "This is a file of BGBlitz; export the match from BGBlitz as .mat.",
        _build_sniffer(rb'\s*\{\s*"format"\s*:\s*"BGF"'),
    ),
    ForeignFormat(
        "bgroom",
        ".bgf",
        "This is a file of BGRoom; open it in GNU Backgammon and export the match as .mat.",
        _build_sniffer(rb"\s*BGF version"),
    ),
    ForeignFormat(
        "jellyfish-position",
        ".pos",
        "This is one position of Jellyfish and holds no match; send the match as .mat.",
        _build_sniffer(rb"[\x7c-\x7e]\x00"),
    ),
    ForeignFormat(
        "partygammon",
        ".gam",
        "This is a file of PartyGammon; open it in eXtreme Gammon and export the match as .mat.",
        _build_sniffer(rb"\s*BOARDID="),
    ),
)
