"""Tables of an event for a spreadsheet (CSV)."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from draw.event import EntrantId, Figure, Place, Ranked

# A spreadsheet would evaluate a cell that begins with one of these.
FORMULA: Final = ("=", "+", "-", "@", "|", "\t", "\r", "\n")
RESULTS: Final = ("stage", "bracket", "round", "key", "a", "b", "points a", "points b", "ended", "winner")


def write_results(places: Iterable[Place], names: Mapping[EntrantId, str]) -> str:
    """Write every place with two players."""
    return write_csv([RESULTS, *(_list_cells(place, names) for place in places if len(place.entrants) == 2)])


def write_standings(
    ranking: Sequence[Ranked], names: Mapping[EntrantId, str], ties: Sequence[str] = ()
) -> str:
    """Write the ranking, with a column for each figure that decides it, in the order of the tie-breaks."""
    found = list(dict.fromkeys(name for row in ranking for name, _ in row.figures))
    heads = sorted(found, key=lambda name: ties.index(name) if name in ties else len(ties))
    rows = [
        [
            row.places,
            row.group,
            names[row.entrant],
            *(_format_figure(dict(row.figures).get(name)) for name in heads),
        ]
        for row in ranking
    ]
    return write_csv([["place", "group", "name", *heads], *rows])


def write_finishing_order(ranking: Sequence[Ranked], members: Mapping[EntrantId, Sequence[str]]) -> str:
    """Write the finishing order as federations take it: place, number sharing it, players."""
    rows = [[str(row.rank), str(row.shared), *members[row.entrant]] for row in ranking]
    return write_csv([["place", "shared by", "name", "player", "club"], *rows])


def _list_cells(place: Place, names: Mapping[EntrantId, str]) -> list[Any]:
    result = place.result
    score = ("", "") if result is None or result.score is None else result.score
    winner = "" if result is None or result.winner is None else names[result.winner]
    return [
        place.stage,
        place.bracket,
        place.round,
        place.key,
        *(names[who] for who in place.entrants),
        *score,
        "" if result is None else result.kind.value,
        winner,
    ]


def _format_figure(value: Figure) -> str:
    if value is None:
        return ""
    return f"{float(value):g}" if isinstance(value, Fraction | float) else str(value)


def write_csv(rows: Iterable[Sequence[Any]]) -> str:
    file = io.StringIO()
    csv.writer(file).writerows([escape_formula(str(cell)) for cell in row] for row in rows)
    return file.getvalue()


def escape_formula(cell: str) -> str:
    """Escape a cell that a spreadsheet would evaluate as a formula."""
    return f"'{cell}" if cell.startswith(FORMULA) else cell
