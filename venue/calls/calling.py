"""A match at a table: called there by a director, and removed when it is over.

The event's row is locked before the table's (ADR 6). Database constraints decide who sits where: if two
events call one player at once, one is refused.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, Max, OuterRef, Q, QuerySet

from players.models import Merge, Player, User
from tournaments.models import Pairing, PairingState, Ruling, RulingKind, Tournament
from tournaments.play import changes, claims, results, running_event, table_play
from tournaments.play.changes import HelperActor
from tournaments.status import Status
from venue.calls import conflict_checks, seats, table_filling
from venue.errors import NotAtTable, OtherClub, VenueError
from venue.models import Assignment, Chair, EventRoom, Table, TableState


def call(
    *,
    table: Table,
    event: Tournament,
    key: str,
    by: User,
    now: datetime,
    saw: str | None = None,
    table_saw: str | None = None,
) -> Assignment:
    """Call a match of the club to a table; one that is at another table moves. Lateness runs from now.

    A held table is only used when a director calls to it. `saw` is the table at which the caller saw the
    match, "" for none; `table_saw` is the state the caller saw of the target table
    (`conflict_checks.require_table`).

    :raises NotDirector, WrongStatus, UnknownPairing, NotOpen, ResultStands: as `incidents.call_match`.
    :raises ChangedMeanwhile: the match is at another table by now, or the table has changed; nothing changes.
    :raises OtherClub, TableBroken, TableTaken, PlayerBusy: nothing changes.
    """
    changes.require_director(table.room.club, by)
    with transaction.atomic():
        held = running_event.lock_running_event(event.pk, by)
        pairing = results.get_match(held, key)
        claims.require_open(pairing)
        return _seat_match(held, pairing, table, by=by, now=now, saw=saw, table_saw=table_saw)


def move(
    *,
    table: Table,
    event: Tournament,
    key: str,
    by: User | HelperActor,
    now: datetime,
    saw: str | None = None,
) -> Assignment:
    """Move a match from its table to another, for a director or one of the event's helpers.

    `saw` is the table at which the caller saw the match.

    :raises NotDirector, NotHelper, WrongStatus, Paused, UnknownPairing, NotOpen, ResultStands: nothing
        changes.
    :raises NotAtTable, ChangedMeanwhile: the match is at no table, or at another one by now.
    :raises OtherClub, TableBroken, TableTaken: nothing changes.
    """
    with transaction.atomic():
        held = changes.require_running(changes.lock_for_helper(event.pk, by, now=now))
        pairing = results.get_match(held, key)
        claims.require_open(pairing)
        if not Assignment.objects.filter(pairing=pairing, ended_at__isnull=True).exists():
            raise NotAtTable
        return _seat_match(held, pairing, table, by=by, now=now, saw=saw)


def withdraw_call(*, assignment: Assignment, by: User, now: datetime) -> None:
    """Put a called match back into the queue and free its table.

    :raises NotDirector, WrongStatus: nothing changes.
    :raises NotAtTable: the match has left the table.
    """
    with transaction.atomic():
        event = running_event.lock_running_event(assignment.pairing.tournament_id, by)
        found = Assignment.objects.select_related("pairing").get(pk=assignment.pk)
        if found.ended_at is not None:
            raise NotAtTable
        seats.end_assignments([found], now=now)
        table_play.cancel_call(event, found.pairing)
        changes.announce_change(event, now=now)


def break_table(*, table: Table, by: User, now: datetime) -> None:
    """Take a table out of play. A match that is called there returns to the queue with its former priority.

    :raises NotDirector: `by` does not direct at the room's club.
    """
    changes.require_director(table.room.club, by)
    with transaction.atomic():
        clear_table(table=table, by=by, now=now)
        Table.objects.filter(pk=table.pk).update(state=TableState.BROKEN)
        seats.notify_rooms([table.room_id], now=now)
        seats.send_webhooks(table.pk, now=now)


def clear_table(*, table: Table, by: User, now: datetime) -> None:
    """Put the match that is called to a table back into the queue; before the table is locked."""
    if (there := _lock_match_at(table)) is not None:
        withdraw_call(assignment=there, by=by, now=now)


def rename_place(*, table: Table, label: str, now: datetime) -> None:
    """Show the new label of a table at the match that is there; before the table is locked."""
    if (there := _lock_match_at(table)) is not None:
        Pairing.objects.filter(pk=there.pairing_id).update(table=label)
        changes.announce_change(there.pairing.tournament, now=now)


def _lock_match_at(table: Table) -> Assignment | None:
    """Return the assignment of the match at a table, whose event it locks; None if there is none."""
    rows = Assignment.objects.filter(table=table, ended_at__isnull=True).select_related("pairing")
    there = rows.first()
    if there is None:
        return None
    # Lock the event before the table. A match called there in between stays and is moved by hand.
    there.pairing.tournament = changes.lock_event(there.pairing.tournament_id)
    return there if rows.filter(pk=there.pk).exists() else None


def update_assignments(event: Tournament, *, now: datetime) -> None:
    """Free the tables of matches that are over, adjourned or have other players now; record arrivals."""
    rooms = set(_query_rooms(event.pk))
    # Matches of an event without a room may still be at tables. Usually none are, which this simple query
    # finds out.
    is_at_tables = bool(rooms) or _query_open(event.pk).exists()
    ended, differing = _find_outdated(event) if is_at_tables else (set(), set())
    over = list(Assignment.objects.filter(pk__in=ended).select_related("table").order_by("pk"))
    changed = Assignment.objects.filter(pk__in=differing).order_by("pk").prefetch_related("chairs__player")
    for each in changed.select_related("table", "pairing__a__player", "pairing__b__player"):
        # A merge moves entries to the other player before it moves chairs.
        sit = {chair.player.merged_into_id or chair.player_id for chair in each.chairs.all()}
        due = {player.pk for player in seats.list_players(each.pairing)}
        is_free = _is_adjourned_since(each)
        if is_free or (sit != due and not _return_unmerged_chair(each, sit, due, now=now)):
            over.append(each)
        else:
            _record_arrivals(each)
    # Read before tables are freed: a match whose players were exchanged is called again.
    called = list(_query_called_by_label(event.pk)) if rooms else []
    for each in over:
        # The players of this match were exchanged, but not the entries.
        if rooms and each.pk in differing and each.pairing.table and each.pairing_id not in called:
            table_play.cancel_call(event, each.pairing)
    left = seats.end_assignments(over, now=now)
    _seat_by_label(event, called, rooms, now=now)
    rooms |= {each.table.room_id for each in over if each.table is not None}
    if left:
        # A player who was busy here may be needed in an event of another room.
        theirs = EventRoom.objects.filter(event__entries__player__in=left)
        rooms |= set(theirs.values_list("room_id", flat=True))
    if rooms:
        table_filling.queue_fill(rooms, once=event.stamp, now=now)
        seats.notify_rooms(rooms, now=now, but=event)


def notify_shared_rooms(event: Tournament, *, now: datetime) -> None:
    """Notify the pages of the other running events in the event's rooms."""
    seats.notify_rooms(_query_rooms(event.pk), now=now, but=event)


def _find_outdated(event: Tournament) -> tuple[set[int], set[int]]:
    """Return the open assignments of matches that are not to be played, and those that differ from their match.

    A match can be adjourned, or have other players or arrivals.
    """
    if event.status != Status.RUNNING:
        return set(_query_open(event.pk)), set()
    chairs = Chair.objects.filter(assignment__pairing__tournament=event, assignment__ended_at__isnull=True)
    match = "assignment__pairing__"
    rows = chairs.values_list(
        "assignment_id", "player_id", "player__merged_into_id", "here_at",
        f"{match}state", f"{match}opened_at", f"{match}running",
        f"{match}a__player_id", f"{match}a_here_at", f"{match}b__player_id", f"{match}b_here_at",
    )  # fmt: skip
    over, differing = set(), set()
    for assignment, player, merged_into, here_at, state, opened, running, a, a_here_at, b, b_here_at in rows:
        is_noted = (merged_into or player, here_at) in ((a, a_here_at), (b, b_here_at))
        if state != PairingState.READY or opened is None:
            over.add(assignment)
        elif "adjourned" in running or not is_noted:
            differing.add(assignment)
    return over, differing


def _seat_match(
    held: Tournament,
    pairing: Pairing,
    table: Table,
    *,
    by: User | HelperActor,
    now: datetime,
    saw: str | None,
    table_saw: str | None = None,
) -> Assignment:
    """Seat an open match of a locked event, notify both players, and start the lateness clock.

    :raises OtherClub: the table is in a room of another club.
    """
    if table.room.club_id != held.club_id:
        raise OtherClub
    if saw is not None:
        conflict_checks.require_at_table(pairing, saw)
    made = seats.seat_match(
        pairing, table, by=None if isinstance(by, HelperActor) else by, now=now, saw=table_saw
    )
    table_play.record_call(held, pairing, table=table.label, by=by, now=now)
    seats.notify_players([made], now=now)
    changes.announce_change(held, now=now)
    made.refresh_from_db()
    return made


def _is_adjourned_since(assignment: Assignment) -> bool:
    """True if the match was adjourned after this call; a later call resumes it."""
    since = assignment.pairing.running.get("adjourned")
    return since is not None and assignment.called_at <= datetime.fromisoformat(since)


def _query_open(event: int) -> QuerySet[Assignment, int]:
    rows = Assignment.objects.filter(pairing__tournament=event, ended_at__isnull=True)
    return rows.order_by().values_list("pk", flat=True)


def _query_rooms(event: int) -> QuerySet[EventRoom, int]:
    return EventRoom.objects.filter(event_id=event).values_list("room_id", flat=True)


def _query_called_by_label(event: int) -> QuerySet[Pairing, int]:
    """Select open matches that were called to a table label since they came to their table, if they have one."""
    called = Pairing.objects.filter(tournament=event, state=PairingState.READY, called_at__isnull=False)
    known = Assignment.objects.filter(pairing=OuterRef("pk"))
    is_there = Q(ended_at__isnull=True, table__label=OuterRef("table"))
    here = known.filter(is_there | Q(called_at__gte=OuterRef("called_at")))
    return called.exclude(table="").exclude(Exists(here)).order_by("pk").values_list("pk", flat=True)


def _seat_by_label(
    event: Tournament, called: Collection[int], rooms: Iterable[int], *, now: datetime
) -> None:
    """Seat matches that the event called to a table of the room by its label.

    One that is open again by an undone act returns to the queue if its table is taken: no player is late for it.
    """
    rows = Pairing.objects.filter(pk__in=called).select_related("a__player", "b__player")
    for row in rows.order_by("stage_id", "position"):
        table = Table.objects.filter(room__in=rooms, label=row.table).first()
        try:
            if table is not None:
                with transaction.atomic():
                    seats.seat_match(row, table, by=None, now=now)
        except VenueError:
            # The table is taken: after a director's call the match's page shows the label, the room has no
            # assignment.
            if not _is_called_since(row):
                table_play.cancel_call(event, row)


def _is_called_since(row: Pairing) -> bool:
    """True if the match was called after it left its last table, or was at none."""
    left_at = row.assignments.aggregate(Max("ended_at"))["ended_at__max"]
    calls = Ruling.objects.filter(tournament=row.tournament_id, act=RulingKind.CALLED, data__key=row.key)
    return left_at is None or calls.filter(at__gte=left_at).exists()


def merge_chairs(*, kept: Player, dropped: Player, now: datetime) -> list[int]:
    """Move the chairs of a merged player to the kept one; return the keys of the moved chairs.

    The kept player's own current chair takes precedence.
    """
    theirs = Chair.objects.filter(player=dropped)
    if Chair.objects.filter(player=kept, ended_at__isnull=True).exists():
        theirs.filter(ended_at__isnull=True).update(ended_at=now)
    moved = list(theirs.order_by("pk").values_list("pk", flat=True))
    theirs.update(player=kept)
    return moved


def _return_unmerged_chair(assignment: Assignment, sit: set[int], due: set[int], *, now: datetime) -> bool:
    """Move the chair back to a player whose merge was just undone; False if none was.

    Entries are moved back before chairs, as in a merge.
    """
    gone, come = sit - due, due - sit
    undone = Merge.objects.filter(kept__in=gone, dropped__in=come, undone_at=now).first()
    if len(gone) != 1 or len(come) != 1 or undone is None:
        return False
    Chair.objects.filter(assignment=assignment, player=undone.kept_id).update(player=undone.dropped_id)
    return True


def _record_arrivals(assignment: Assignment) -> None:
    """Copy arrival times from the match; it starts when both players are there."""
    match = assignment.pairing
    entries = ((match.a, match.a_here_at), (match.b, match.b_here_at))
    here = {entry.player_id: at for entry, at in entries if entry is not None}
    for chair in assignment.chairs.all():
        at = here.get(chair.player.merged_into_id or chair.player_id)
        if chair.here_at != at:
            Chair.objects.filter(pk=chair.pk).update(here_at=at)
    times = [at for at in here.values() if at is not None]
    started = max(assignment.called_at, *times) if len(times) == len(here) else None
    if started != assignment.started_at:
        Assignment.objects.filter(pk=assignment.pk).update(started_at=started)
