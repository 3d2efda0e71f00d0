"""Previews of acts: the act is executed, its outcome is read, and everything is rolled back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from django.db import transaction

from draw import comparison
from draw.comparison import PlaceChange
from draw.event import EntrantId, Key, Kind, Proposal
from players.models import Player
from tournaments.base import event_rows
from tournaments.base.event_lines import format_player_name
from tournaments.base.event_rows import Rows
from tournaments.models import OPEN_REPORTS, PairingState, Report, ReportStatus
from tournaments.play import changes


@dataclass(frozen=True, slots=True)
class ActPreview:
    ripples: tuple[PlaceChange, ...]
    before: Proposal
    after: Proposal
    lost: tuple[Key, ...]
    dropped: int
    # Names of new players, by the entry they take over.
    seated: Mapping[EntrantId, str]


def preview_act(tournament_id: int, act: Callable[[], object]) -> ActPreview:
    """Preview an act on this event.

    :raises TournamentError: the act is not possible.
    """
    with transaction.atomic():
        event = changes.lock_event(tournament_id)
        before = event_rows.load_rows(event)
        open_reports = Report.objects.filter(pairing__tournament=event, status__in=OPEN_REPORTS)
        reported = list(open_reports.values_list("pk", flat=True))
        with transaction.atomic():
            act()
            after = event_rows.load_rows(event)
            # A played result replaces a report.
            gone = Report.objects.filter(pk__in=reported, status=ReportStatus.DROPPED).exclude(
                pairing__state=PairingState.DECIDED, pairing__kind=Kind.PLAYED.value
            )
            dropped, seated = gone.count(), _map_new_names(before, after)
            transaction.set_rollback(True)
    old, new = event_rows.compute_proposal(before), event_rows.compute_proposal(after)
    # The places of a draw arise with its publication; what is only drawn is proposed already.
    new_draws = {one.name for one in after.stages if after.is_drawn(one) and not before.is_drawn(one)}
    old = replace(old, places=tuple(place for place in old.places if place.stage not in new_draws))
    played_after = {*event_rows.list_played(event_rows.build_event(after))}
    played = event_rows.list_played(event_rows.build_event(before))
    lost = tuple(key for key, two in played if (key, two) not in played_after)
    ripples = tuple(replace(one, lost_result=one.key in lost) for one in comparison.list_changes(old, new))
    return ActPreview(ripples, old, new, lost, dropped, seated)


def _map_new_names(before: Rows, after: Rows) -> dict[EntrantId, str]:
    """Return the names of new players by entry, read before the rollback, which may delete their rows."""
    players = {one: entry.player_id for one, entry in before.entry_by_id.items()}
    found = {
        one: entry.player_id
        for one, entry in after.entry_by_id.items()
        if players.get(one, entry.player_id) != entry.player_id
    }
    named = Player.objects.in_bulk(set(found.values())) if found else {}
    return {one: format_player_name(named[pk]) for one, pk in found.items()}
