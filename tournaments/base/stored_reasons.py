"""Reasons as stored with the rows that they explain: a code and its values, as JSON."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from draw.event import Reason
from draw.seeding import LASTING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from draw.event import Figure

Kept = list[dict[str, Any]]

# Codes that the library does not know: decisions of directors.
BY_DIRECTOR: Final = "by director"
FROM_A_HAT: Final = "from a hat"
EXCHANGED: Final = "exchanged"


def serialize_reasons(reasons: Iterable[Reason]) -> Kept:
    """Serialize reasons without their subject, the row that stores them."""
    return [{"code": one.code, "figures": serialize_figures(one.figures)} for one in reasons]


def parse_reasons(kept: Kept, about: str, form: str) -> tuple[Reason, ...]:
    """Parse the reasons stored with a place or a draw of this format."""
    return tuple(Reason(one["code"], about, tuple(one["figures"].items()), form) for one in kept)


def build_reasons(code: str) -> Kept:
    """Return a reason that has no values as the only one."""
    return [{"code": code, "figures": {}}]


def build_exchange_reasons(kept: Kept, line: int, other: int) -> Kept:
    """Return the reasons of a draw after an exchange of two lines.

    Reasons about byes and clubs are left out, because they may be wrong now.
    """
    lasting = [one for one in kept if one["code"] in {*LASTING, EXCHANGED, FROM_A_HAT}]
    return [*lasting, {"code": EXCHANGED, "figures": {"a": line, "b": other}}]


def serialize_figures(figures: Iterable[tuple[str, Figure]]) -> dict[str, Any]:
    """Return JSON values; fractions as text, so that they stay exact."""
    return {name: str(value) if isinstance(value, Fraction) else value for name, value in figures}
