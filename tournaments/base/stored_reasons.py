"""Reasons as they are kept with what they explain: a code, and the figures that decided, in values that JSON knows."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from draw.event import Reason
from draw.seeding import LASTING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from draw.event import Figure

Kept = list[dict[str, Any]]

# What the library cannot know: somebody has decided it.
BY_DIRECTOR: Final = "by director"
FROM_A_HAT: Final = "from a hat"
EXCHANGED: Final = "exchanged"


def written(reasons: Iterable[Reason]) -> Kept:
    """Return reasons as they are kept; what they are about is where they are kept."""
    return [
        {"code": one.code, "figures": {name: _plain(figure) for name, figure in one.figures}}
        for one in reasons
    ]


def read(kept: Kept, about: str, form: str) -> tuple[Reason, ...]:
    """Return the reasons that were kept with a place or a draw of this format."""
    return tuple(Reason(one["code"], about, tuple(one["figures"].items()), form) for one in kept)


def by_director() -> Kept:
    """Return why somebody sits here whom a director has put there."""
    return [_bare(BY_DIRECTOR)]


def from_a_hat() -> Kept:
    """Return how lines came about that were drawn with slips of paper."""
    return [_bare(FROM_A_HAT)]


def exchanged(kept: Kept, line: int, other: int) -> Kept:
    """Return how lines came about of which two were exchanged; what was said of byes and clubs may not hold now."""
    lasting = [one for one in kept if one["code"] in {*LASTING, EXCHANGED, FROM_A_HAT}]
    return [*lasting, {"code": EXCHANGED, "figures": {"a": line, "b": other}}]


def _bare(code: str) -> dict[str, Any]:
    return {"code": code, "figures": {}}


def _plain(figure: Figure) -> int | float | str | None:
    return str(figure) if isinstance(figure, Fraction) else figure
