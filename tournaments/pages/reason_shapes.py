"""JSON of the rows of an event with their explanations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.base import lines
from tournaments.models import Entry
from tournaments.pages import answers
from tournaments.pages.reasons import DIRECTORS, Explainer

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from draw.event import EntrantId, Ranked
    from tournaments.models import Pairing, Stage, Tournament
    from tournaments.pages.answers import Json
    from tournaments.pages.reasons import Names, ReasonTold


def pairings(rows: Iterable[Pairing], *, directs: bool) -> list[Json]:
    """Serialize pairings that were fetched with their players, stage and draw; explanations name no other
    players.
    """
    found = list(rows)
    names = {
        entry.number: lines.shown_name(entry.player)
        for row in found
        for entry in (row.a, row.b)
        if entry is not None
    }
    explainer = Explainer(lambda number: names.get(number, ""))
    unsaid = frozenset() if directs else DIRECTORS
    return [
        {
            **answers.pairing(row),
            "why": _told(one for one in explainer.of_row(row) if one.code not in unsaid),
        }
        for row in found
    ]


def standings(event: Tournament, ranking: Sequence[Ranked], *, shown: Collection[EntrantId]) -> list[Json]:
    """Serialize the places of the entrants in `shown`, with what separates each from the one above."""
    why: dict[str, list[ReasonTold]] = {}
    for told in Explainer(_names_of(event)).of_order(ranking):
        why.setdefault(told.about, []).append(told)
    return [
        {**answers.ranked(row), "why": _told(why.get(row.entrant, ()))}
        for row in ranking
        if row.entrant in shown
    ]


def stages(event: Tournament, rows: Sequence[Stage]) -> list[Json]:
    """Serialize stages; a published draw includes how it was made."""
    explainer = Explainer(_names_of(event))
    found = []
    for row in rows:
        told = answers.stage(row)
        if told["draw"] is not None:
            told["draw"]["why"] = _told(explainer.of_draw(row, row.draw))
        found.append(told)
    return found


def _names_of(event: Tournament) -> Names:
    rows = Entry.objects.filter(tournament=event).select_related("player")
    names = {row.number: lines.shown_name(row.player) for row in rows}
    return lambda number: names.get(number, "")


def _told(found: Iterable[ReasonTold]) -> list[Json]:
    return [
        {
            "code": one.code,
            "sentence": one.sentence,
            "entries": dict(one.entries),
            "places": dict(one.places),
            "figures": {name: answers.figure(value) for name, value in one.figures.items()},
        }
        for one in found
    ]
