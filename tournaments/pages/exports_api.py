"""Downloads of an event: CSV tables, JSON and TRF."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from django.db.models import prefetch_related_objects
from django.http import HttpResponse
from django.urls import URLPattern, path
from drf_spectacular.utils import extend_schema
from rest_framework import permissions
from rest_framework.request import Request
from rest_framework.views import APIView

from draw.event import EntrantId
from draw.files import event_file, tables, trf
from draw.stages import close_ranks, list_tie_breaks
from matches.play import problems
from matches.watch.downloads_api import FixedContentNegotiation
from tournaments.base import event_lines, event_rows, formats
from tournaments.base.errors import NoReport, NotDrawn, NotPlayedHere
from tournaments.base.event_rows import Rows
from tournaments.models import RoundStatus
from tournaments.pages import access, shapes

CSV: Final = "text/csv; charset=utf-8"
PROBLEMS: Final = problems.build_responses(
    {
        404: problems.USUAL[404],
        409: {
            "not_drawn": "the draw has not been published",
            "not_played_here": "the event has no plan: `entries/` has the places",
            "no_trf": "the event is not made of rounds of one stage",
        },
    }
)


def _map_names(rows: Rows) -> dict[EntrantId, str]:
    return {
        event_rows.build_entrant_id(one): event_lines.format_player_name(one.player) for one in rows.entries
    }


def _write_results(rows: Rows) -> str:
    # What is proposed also has the rounds that only directors see, and stages that are not drawn.
    drafts = {batch.pk for batch in rows.rounds if batch.status == RoundStatus.DRAFT}
    public = replace(rows, pairings=[row for row in rows.pairings if row.round_id not in drafts])
    return tables.write_results(event_rows.list_places(public), _map_names(rows))


def _write_standings(rows: Rows) -> str:
    ties = [name for stage in event_rows.build_event(rows).stages for name in list_tie_breaks(stage)]
    return tables.write_standings(event_rows.compute_proposal(rows).ranking, _map_names(rows), ties)


def _write_finishing_order(rows: Rows) -> str:
    members = {
        event_rows.build_entrant_id(one): (
            event_lines.format_player_name(one.player),
            one.player.key,
            one.club,
        )
        for one in rows.entries
    }
    return tables.write_finishing_order(close_ranks(event_rows.compute_proposal(rows).ranking), members)


def _write_event(rows: Rows) -> str:
    data: dict[str, Any] = event_file.write_event(event_rows.build_event(rows))
    named = {str(who): name for who, name in _map_names(rows).items()}
    # The same in every installation.
    uids = {
        "event": str(rows.event.uid),
        "club": str(rows.event.club.uid),
        "entries": {event_rows.build_entrant_id(one): str(one.uid) for one in rows.entries},
        "players": {event_rows.build_entrant_id(one): str(one.player.uid) for one in rows.entries},
        # Matches that were never open are not exported.
        "matches": {one.key: str(one.uid) for one in rows.pairings if one.opened_at is not None},
    }
    head = {"title": rows.event.name, "names": named, "uids": uids}
    return json.dumps({**head, **data}, ensure_ascii=False, indent=1) + "\n"


def _write_trf(rows: Rows) -> str:
    event = event_rows.build_event(rows)
    if not trf.can_hold(event, formats.list_round_formats()):
        raise NoReport
    return trf.write_report(rows.event.name, event, event_rows.compute_proposal(rows), _map_names(rows))


def _build_file_view(name: str, content_type: str, about: str, write: Callable[[Rows], str]) -> type[APIView]:
    schema = dict if content_type == "application/json" else str
    media = content_type.partition(";")[0]

    class File(APIView):
        permission_classes = (permissions.AllowAny,)
        content_negotiation_class = FixedContentNegotiation

        @extend_schema(description=about, responses={(200, media): schema, **PROBLEMS}, tags=[shapes.TAG])
        def get(self, request: Request, key: str) -> HttpResponse:
            event = access.load_event(key, request.user)
            rows = event_rows.load_rows(event)
            if not rows.stages:
                raise NotPlayedHere
            if not any(draw.published_at for draw in rows.draws.values()):
                raise NotDrawn
            prefetch_related_objects(rows.entries, "player")
            response = HttpResponse(write(rows), content_type=content_type)
            response["Content-Disposition"] = f'attachment; filename="{event.key}-{name}"'
            return response

    return File


FILES: Final = (
    ("results.csv", CSV, "Every match, one in a row.", _write_results),
    ("standings.csv", CSV, "The order, with the figures that decide it.", _write_standings),
    ("finish.csv", CSV, "The finishing order as federations take it.", _write_finishing_order),
    (
        "event.json",
        "application/json",
        "Everything that pairing knows: `docs/pairing.md`, P40.",
        _write_event,
    ),
    ("report.trf", "text/plain; charset=utf-8", "The rounds in the columns of a TRF report.", _write_trf),
)
paths: list[URLPattern] = [
    path(
        f"events/<slug:key>/{name}",
        _build_file_view(name, kind, about, write).as_view(),
        name=f"event-{name}",
    )
    for name, kind, about, write in FILES
]
