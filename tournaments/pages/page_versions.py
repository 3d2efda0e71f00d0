"""Version keys of public pages, read in a few short queries."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import connection
from django.db.models import Min, Q

from matches.models.matches import State as Board
from players.clubs import club_pages
from tournaments.base import local_times
from tournaments.base.event_lines import LINGERS, NIGHT
from tournaments.models import Tournament
from tournaments.pages import live_boards
from tournaments.status import Status

Mark = tuple[object, ...]

# In SQL, because they are read for each page: compiling a queryset takes ten times as long as the query.
EVENT: Final = """
    SELECT event.id, event.status, event.version, event.stamp, event.changed_at, club.name, club.slug, club.time_zone, club.felt, club.name_style,
        event.entries_close_at, event.entries_close_at <= %s, event.pairing_at, event.pairing_at <= %s
    FROM tournaments_tournament event JOIN players_club club ON club.id = event.club_id
    WHERE event.key = %s AND club.rehearses_id IS NULL
"""
BOARDS: Final = """
    SELECT board.id, board.head FROM tournaments_pairing pairing JOIN matches_match board ON board.id = pairing.match_id
    WHERE pairing.tournament_id = %s AND board.status IN (%s, %s, %s) ORDER BY board.id
"""
# Live boards of running events, of all clubs or of one.
PLAYED: Final = """
    SELECT board.id, board.head FROM tournaments_tournament event
    JOIN players_club club ON club.id = event.club_id
    JOIN tournaments_pairing pairing ON pairing.tournament_id = event.id
    JOIN matches_match board ON board.id = pairing.match_id
    WHERE event.status = %s AND board.status IN (%s, %s, %s)
"""
EVENTS: Final = "SELECT COUNT(*), MAX(id), SUM(version) FROM tournaments_tournament"
OF_CLUB: Final = """
    SELECT COUNT(*), MAX(event.id), SUM(event.version) FROM tournaments_tournament event
    JOIN players_club club ON club.id = event.club_id WHERE club.slug = %s
"""
# Boards that are live, or soon will be.
PLAYING: Final = (Board.WAITING, Board.LIVE, Board.PAUSED)


def compute_event_key(key: str, *, now: datetime) -> Mark | None:
    """Return the version key of all pages of an event; None if the event is not public."""
    at = connection.ops.adapt_datetimefield_value(now)
    with connection.cursor() as cursor:
        cursor.execute(EVENT, [at, at, key])
        row = cursor.fetchone()
        if row is None or row[1] == Status.DRAFT:
            return None
        if row[1] == Status.PUBLISHED:
            return tuple(row)
        # The head of a board changes with each move.
        cursor.execute(BOARDS, [row[0], *PLAYING])
        # Forecasts change with the clock.
        slot = local_times.compute_slot(now) if row[1] == Status.RUNNING else 0
        return (*row, slot, tuple(cursor.fetchall()))


def compute_lists_key(*, club: str = "") -> Mark:
    with connection.cursor() as cursor:
        cursor.execute(OF_CLUB if club else EVENTS, [club] if club else [])
        return (*cursor.fetchone(), *club_pages.compute_version_key(club=club))


def compute_evenings_key(*, club: str = "") -> Mark:
    """Return the version key of lists with boards of a running event.

    Lists of all clubs also show free boards.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            PLAYED + (" AND club.slug = %s" if club else "") + " ORDER BY board.id",
            [Status.RUNNING, *PLAYING, *([club] if club else [])],
        )
        boards = tuple(cursor.fetchall())
    return (*compute_lists_key(club=club), boards, *(() if club else live_boards.compute_version_key()))


def find_next_change(*, now: datetime, club: str = "") -> datetime:
    """Return the time at which a list of events changes next although no event is changed.

    An event begins or ceases to count as tonight, or is no longer listed. Forecasts change every five
    minutes, and every time zone changes its date at the end of such a slot.
    """
    events = Tournament.objects.filter(club__rehearses__isnull=True, is_friendly=False)
    if club:
        events = events.filter(club__slug=club)
    near = events.exclude(status=Status.DRAFT).aggregate(
        begins=Min("starts_at", filter=Q(starts_at__gte=now + NIGHT)),
        ends=Min("starts_at", filter=Q(starts_at__gt=now - NIGHT)),
        leaves=Min("starts_at", filter=Q(starts_at__gte=now - LINGERS)),
    )
    turns: list[datetime] = [
        near[name] + wait
        for name, wait in (("begins", -NIGHT), ("ends", NIGHT), ("leaves", LINGERS))
        if near[name]
    ]
    return min([local_times.compute_slot_end(now), *turns])
