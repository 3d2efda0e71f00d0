"""Answers of the API with explanations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.base import event_lines
from tournaments.models import Entry
from tournaments.pages.reasons import DIRECTORS, Explainer
from tournaments.pages.shapes import DrawAnswer, PairingAnswer, RankAnswer, StageAnswer

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from draw.event import EntrantId, Ranked
    from tournaments.models import Pairing, Stage, Tournament
    from tournaments.pages.reasons import Explanation, Names


def serialize_pairings(rows: Iterable[Pairing], *, directs: bool) -> list[PairingAnswer]:
    """Serialize pairings that were fetched with their players, stage and draw.

    Explanations can name only the players of these pairings.
    """
    found = list(rows)
    names = {
        entry.number: event_lines.format_player_name(entry.player)
        for row in found
        for entry in (row.a, row.b)
        if entry is not None
    }
    explainer = Explainer(lambda number: names.get(number, ""))
    unsaid = frozenset() if directs else DIRECTORS
    return [
        PairingAnswer.read(row, why=[one for one in explainer.of_row(row) if one.code not in unsaid])
        for row in found
    ]


def serialize_standings(
    event: Tournament, ranking: Sequence[Ranked], *, shown: Collection[EntrantId]
) -> list[RankAnswer]:
    """Serialize the places of the entrants in *shown*, with what separates each from the one above."""
    why: dict[str, list[Explanation]] = {}
    for told in Explainer(_load_names(event)).of_order(ranking):
        why.setdefault(told.about, []).append(told)
    return [RankAnswer.read(row, why=why.get(row.entrant, ())) for row in ranking if row.entrant in shown]


def serialize_stages(event: Tournament, rows: Sequence[Stage]) -> list[StageAnswer]:
    """Serialize stages; a published draw includes how it was made."""
    explainer = Explainer(_load_names(event))
    return [StageAnswer.read(row, draw=_serialize_draw(explainer, row)) for row in rows]


def _serialize_draw(explainer: Explainer, stage: Stage) -> DrawAnswer | None:
    drawn = getattr(stage, "draw", None)
    if drawn is None or not drawn.published_at:
        return None
    return DrawAnswer.read(drawn, why=explainer.of_draw(stage, drawn))


def _load_names(event: Tournament) -> Names:
    rows = Entry.objects.filter(tournament=event).select_related("player")
    names = {row.number: event_lines.format_player_name(row.player) for row in rows}
    return lambda number: names.get(number, "")
