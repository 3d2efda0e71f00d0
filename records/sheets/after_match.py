"""A player's page after a match at a table: result, ruling with its reason, and next match."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Q, QuerySet

from players.models import User
from records.models import Holder
from records.sheets import coded_matches
from runtime import stream
from runtime.stream import TopicPositions
from tournaments.base import codes, event_lines
from tournaments.base.codes import TableCode
from tournaments.models import (
    Decision,
    Entry,
    Pairing,
    PairingState,
    ReportStatus,
    Ruling,
    RulingKind,
    Tournament,
)
from tournaments.pages import event_parts, viewer_part
from tournaments.pages.viewer_part import ViewerPart
from tournaments.play import ruling_notices
from tournaments.status import Status

# Rulings that end a match and have a reason.
ENDING: Final = (
    RulingKind.RULED,
    RulingKind.CORRECTED,
    RulingKind.WALKOVER,
    RulingKind.FORFEIT,
    RulingKind.NO_SHOW,
    RulingKind.DOUBLE_FORFEIT,
    RulingKind.VOIDED,
)


@dataclass(frozen=True, slots=True)
class RulingNotice:
    """A director's ruling, worded for one of the two players."""

    what: str
    reason: str


@dataclass(frozen=True, slots=True)
class AfterMatchPage:
    """The result, the ruling and the next match of one player."""

    event: Tournament
    # Of the event's stream, before the rest was read.
    position: TopicPositions
    name: str
    # Label and result of the last match; "" before the first.
    label: str
    result: str
    ruling: RulingNotice | None
    mine: ViewerPart
    # The code of the next match; "" while there is none.
    next_address: str
    is_event_over: bool


def find_page(code: str, user: object, device: str, *, now: datetime) -> AfterMatchPage | None:
    """Load the page of a player, known by account or by the last choice on this device.

    None for the code of a match, and for a browser that is unknown at this club's running and just finished
    events.
    """
    code_read = codes.parse_code(code)
    if not isinstance(code_read, TableCode):
        return None
    events = _list_events(code_read, now)
    own = _list_entries(user, events).first()
    if own is None:
        rows = Holder.objects.filter(device=device, pairing__tournament__in=events)
        held = rows.select_related("entry__player", "entry__tournament__club").order_by("-at", "-pk").first()
        own = None if held is None else held.entry
    return None if own is None else load_page(own, now=now)


def load_page(own: Entry, row: Pairing | None = None, *, now: datetime) -> AfterMatchPage:
    """Load the page of a player after this match, or after their last one."""
    event = own.tournament
    position = stream.record_positions(f"event.{event.key}")
    view = event_parts.load_parts(event.key, now=now).view
    row = row or _find_last_match(own)
    play = None if row is None else view.by_key.get(row.key)
    part = viewer_part.load_viewer_part(view, own, now=now)
    following = next((meeting for meeting in part.meetings if row is None or meeting.key != row.key), None)
    upcoming = None if following is None else Pairing.objects.get(tournament=event, key=following.key)
    return AfterMatchPage(
        event=event,
        position=position,
        name=event_lines.format_player_name(own.player),
        label="" if play is None else view.label(play),
        result="" if row is None else coded_matches.describe_result(row, own),
        ruling=None if row is None else find_ruling(row, own),
        mine=part,
        next_address="" if upcoming is None else codes.build_match_address(upcoming, now=now),
        is_event_over=event.status != Status.RUNNING,
    )


def find_ruling(row: Pairing, own: Entry) -> RulingNotice | None:
    """Find the ruling that decided a match; None if a later act or report has replaced it."""
    rows = Ruling.objects.filter(tournament=row.tournament_id, data__key=row.key, restored_by__isnull=True)
    found = rows.filter(act__in=[*ENDING, RulingKind.ENTERED_RESULT]).order_by("-pk").first()
    if found is None or found.act == RulingKind.ENTERED_RESULT:
        return None
    is_played_on = found.data.get("decision") == Decision.PLAY_ON
    if is_played_on and row.state == PairingState.DECIDED:
        return None
    # A ruling to play on drops the earlier reports; any other report replaces it.
    if is_played_on and row.reports.exclude(status=ReportStatus.DROPPED).exists():
        return None
    return RulingNotice(ruling_notices.describe_ruling(row, found, own), found.reason)


def _list_events(code: TableCode, now: datetime) -> QuerySet[Tournament]:
    """Select the running and just finished events of the club of a table."""
    fresh = Q(status=Status.FINISHED, finished_at__gt=now - coded_matches.AFTER_THE_END)
    club = Tournament.objects.filter(pk=code.event_id).values("club")
    return Tournament.objects.filter(Q(status=Status.RUNNING) | fresh, club__in=club)


def _list_entries(user: object, events: QuerySet[Tournament]) -> QuerySet[Entry]:
    if not isinstance(user, User):
        return Entry.objects.none()
    rows = Entry.objects.filter(player__user=user, tournament__in=events)
    return rows.select_related("player", "tournament__club").order_by("-tournament__started_at", "-pk")


def _find_last_match(own: Entry) -> Pairing | None:
    rows = Pairing.objects.filter(Q(a=own) | Q(b=own), tournament=own.tournament, state=PairingState.DECIDED)
    rows = rows.filter(a__isnull=False, b__isnull=False, decided_at__isnull=False)
    return (
        rows.select_related("a__player", "b__player", "winner__player").order_by("-decided_at", "-pk").first()
    )
