"""What public pages depend on, for a query or two: while it stays the same, so do they."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db import connection
from django.db.models import Min, Q

from matches.models.matches import State as Board
from players.clubs import club_pages
from tournaments.base import hours
from tournaments.base.lines import LINGERS, NIGHT
from tournaments.models import Tournament
from tournaments.pages import free_boards
from tournaments.status import Status

if TYPE_CHECKING:
    from datetime import datetime

    Mark = tuple[object, ...]

# In SQL, since they are asked for each page: to have them written anew would cost ten times what the answers cost.
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
# Of the boards that are drawn where an evening is shown: all, or those of one club.
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
# Boards that are played at, or soon will be.
PLAYING: Final = (Board.WAITING, Board.LIVE, Board.PAUSED)


def of_event(key: str, *, now: datetime) -> Mark | None:
    """Return what every page of an event is made of, or None where it is not for everybody."""
    at = connection.ops.adapt_datetimefield_value(now)
    with connection.cursor() as cursor:
        cursor.execute(EVENT, [at, at, key])
        row = cursor.fetchone()
        if row is None or row[1] == Status.DRAFT:
            return None
        if row[1] == Status.PUBLISHED:
            return tuple(row)
        # Every move at a live board is another head.
        cursor.execute(BOARDS, [row[0], *PLAYING])
        # What is said of the matches to come goes by the clock.
        slot = hours.slot(now) if row[1] == Status.RUNNING else 0
        return (*row, slot, tuple(cursor.fetchall()))


def of_lists(*, club: str = "") -> Mark:
    """Return what lists of events are made of: those of all clubs, or of one."""
    with connection.cursor() as cursor:
        cursor.execute(OF_CLUB if club else EVENTS, [club] if club else [])
        return (*cursor.fetchone(), *club_pages.state(club=club))


def of_evenings(*, club: str = "") -> Mark:
    """Return what lists are made of that show the boards of a running event, too; those of all clubs show free boards."""
    with connection.cursor() as cursor:
        cursor.execute(
            PLAYED + (" AND club.slug = %s" if club else "") + " ORDER BY board.id",
            [Status.RUNNING, *PLAYING, *([club] if club else [])],
        )
        boards = tuple(cursor.fetchall())
    return (*of_lists(club=club), boards, *(() if club else free_boards.mark()))


def next_turn(*, now: datetime, club: str = "") -> datetime:
    """Return when time alone makes a list of events another: a night begins or is over, an evening falls out of sight.

    What is said of the end of a night counts in five minutes, and wherever a club is its days end with some of them.
    """
    events = Tournament.objects.filter(club__rehearses__isnull=True, is_friendly=False).exclude(
        status=Status.DRAFT
    )
    if club:
        events = events.filter(club__slug=club)
    near = events.aggregate(
        begins=Min("starts_at", filter=Q(starts_at__gte=now + NIGHT)),
        ends=Min("starts_at", filter=Q(starts_at__gt=now - NIGHT)),
        leaves=Min("starts_at", filter=Q(starts_at__gte=now - LINGERS)),
    )
    turns: list[datetime] = [
        near[name] + wait
        for name, wait in (("begins", -NIGHT), ("ends", NIGHT), ("leaves", LINGERS))
        if near[name]
    ]
    return min([hours.slot_end(now), *turns])
