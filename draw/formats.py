"""The table of formats, and their reasons as sentences."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from draw import groups, lives, round_robin, swiss
from draw.brackets import knockout
from draw.event import Figure, Reason
from draw.format import Format
from draw.standings import separations

# In display order.
FORMATS: dict[str, Format] = {
    **knockout.FORMATS,
    "swiss": swiss.FORMAT,
    "lives": lives.FORMAT,
    "round-robin": round_robin.FORMAT,
    "league": round_robin.LEAGUE,
    "groups": groups.FORMAT,
}


def list_sentences(name: str) -> Mapping[str, str]:
    """Map the reason codes of a format to their sentences, including those about the order."""
    known = FORMATS.get(name)
    return {**(known.sentences if known else {}), **separations.SENTENCES}


def format_reason(reason: Reason, names: Mapping[str, str] | None = None) -> str:
    """Format a reason as a sentence; *names* replaces entrant ids among the figures."""
    called = names or {}

    def format_figure(figure: Figure) -> str:
        if isinstance(figure, Fraction) and figure.denominator > 1:
            return f"{float(figure):g}"
        return called.get(figure, figure) if isinstance(figure, str) else str(figure)

    figures = {name: format_figure(figure) for name, figure in reason.figures}
    template = list_sentences(reason.format).get(reason.code)
    if template is None:
        listed = ", ".join(f"{name} {figure}" for name, figure in figures.items())
        return f"{reason.code}: {listed}" if listed else reason.code
    return template.format_map(figures | {"about": format_figure(reason.about)})
