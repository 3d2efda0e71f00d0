"""Reasons as sentences."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from draw.formats import FORMATS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from draw.event import Figure, Reason


def sentence(reason: Reason, names: Mapping[str, str] | None = None) -> str:
    """Return a reason in words; figures that are entrants are called by their names."""
    called = names or {}

    def said(figure: Figure) -> str:
        if isinstance(figure, Fraction) and figure.denominator > 1:
            return f"{float(figure):g}"
        return called.get(figure, figure) if isinstance(figure, str) else str(figure)

    figures = {name: said(figure) for name, figure in reason.figures}
    known = FORMATS.get(reason.format)
    template = known.sentences.get(reason.code) if known else None
    if template is None:
        listed = ", ".join(f"{name} {figure}" for name, figure in figures.items())
        return f"{reason.code}: {listed}" if listed else reason.code
    return template.format_map(figures | {"about": said(reason.about)})
