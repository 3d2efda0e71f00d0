"""The bracket of an event with a single knock-out stage: cached, or built from its rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draw import stages as pure_stages
from draw.brackets import knockout
from draw.event import Key, Result
from draw.event import Pairing as Fact
from draw.event import Round as Batch
from tournaments.base import bracket_cache, event_rows
from tournaments.base.bracket_cache import Bracket
from tournaments.models import Entry, Pairing, Round, Stage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tournaments.models import Tournament


def take_bracket(event: Tournament) -> Bracket | None:
    """Take the bracket of a locked event from the cache, or build it; the caller caches it when done.

    None if the event is not a single bracket that is drawn, or if a player is away.
    """
    return bracket_cache.pop_bracket(event) or _build_bracket(event)


def _build_bracket(event: Tournament) -> Bracket | None:
    stages = list(Stage.objects.filter(tournament=event).select_related("draw"))
    if len(stages) != 1 or not event_rows.is_sheet(stages[0]):
        return None
    stage, draw = stages[0], getattr(stages[0], "draw", None)
    entries = list(Entry.objects.filter(tournament=event, withdrawn_at__isnull=True).order_by("number"))
    if draw is None or draw.published_at is None or any(entry.is_absent for entry in entries):
        return None
    rows = event_rows.Rows(event, stages, {stage.pk: draw}, entries, [], [], [])
    values = event_rows.build_event(rows)
    field = pure_stages.build_field(values, values.stages[0], {})
    if field is None:
        return None
    field = event_rows.replace_rounds(field, (Batch(1, tuple(_list_facts(rows))),))
    sheet = knockout.open_sheet(field)
    return Bracket(
        stage,
        draw,
        sheet,
        knockout.map_rules(sheet.structure, field.stage),
        rows.entry_by_id,
        {(stage.name, one.number): one for one in Round.objects.filter(stage=stage)},
    )


def _list_facts(rows: event_rows.Rows) -> Iterator[Fact]:
    opened = Pairing.objects.filter(tournament=rows.event, opened_at__isnull=False)
    columns = ("key", "a_id", "b_id", "kind", "winner_id", "score_a", "score_b", "is_derived", "stands")
    for key, a, b, kind, winner, score_a, score_b, is_derived, stands in opened.values_list(*columns):
        result = None
        if kind and not is_derived:
            score = None if score_a is None or score_b is None else (score_a, score_b)
            result = Result(event_rows.KINDS[kind], rows.who(winner), score)
        yield Fact(
            Key(key), rows.id_by_pk[a], rows.id_by_pk[b], result, event_rows.parse_standing_result(stands)
        )
