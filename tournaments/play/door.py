"""Requests at the door: a player requests entry, and a director accepts or refuses.

Before the draw an accepted player is entered; after it the director enters the player at a free place or on
the waiting list.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction

from players import names
from players.clubs import clubs
from players.models import Membership, Player, Role, User
from tournaments.base.errors import (
    AlreadyDone,
    DoorFull,
    DoorRequestGone,
    EntriesClosed,
    HasLeft,
    NotEntered,
    PlayerGone,
    TurnedAway,
    UnknownEntrant,
)
from tournaments.models import DoorAnswer, DoorRequest, Entry, RulingKind, Tournament
from tournaments.play import arrivals, changes, directing, entering, player_names
from tournaments.play.changes import HelperActor
from tournaments.status import Status

# Limits the requests a script can create.
MOST_OPEN: Final = 60
KEPT: Final = timedelta(days=2)
MOST_FORGOTTEN: Final = 500


def request_entry(
    *, tournament_id: int, name: str, account: Player | None, before: str, now: datetime
) -> DoorRequest:
    """Create a request at the door; *before* is the key of an earlier request, whose name is replaced.

    :raises EntriesClosed: the event is neither published nor running.
    :raises InvalidText: the name is invalid.
    :raises DoorFull: too many requests are open.
    """
    clean = names.clean_name(account.name if account else name, limit=80)
    with transaction.atomic():
        event = changes.lock_event(tournament_id)
        if event.status not in (Status.PUBLISHED, Status.RUNNING):
            raise EntriesClosed
        return _find_or_create_request(event, clean, account, before=before, now=now)


def check_in(*, tournament_id: int, user: User, now: datetime) -> Entry | DoorRequest:
    """Check the user in; after the draw a player who was withdrawn makes a request to the desk instead. Idempotent.

    :raises EntriesClosed, HasLeft, NotEntered: the player cannot check in to this event.
    :raises TurnedAway, DoorFull: the desk has refused the player, or too many requests are open.
    """
    with transaction.atomic():
        event = changes.lock_event(tournament_id)
        player = Player.objects.get(user=user)
        is_late = event.status == Status.RUNNING and entering.is_drawn(event)
        if event.status != Status.PUBLISHED and not is_late:
            raise EntriesClosed
        entry = Entry.objects.filter(tournament=event, player=player).first()
        if entry is None or (entry.withdrawn_at is not None and not is_late):
            raise NotEntered(name=player.public_name)
        if entry.left:
            raise HasLeft(name=player.public_name)
        if entry.withdrawn_at is None:
            if entry.checked_in_at is None:
                entry.checked_in_at = now
                entry.save(update_fields=["checked_in_at"])
                changes.announce_change(event, now=now)
            return entry
        requests = DoorRequest.objects.filter(tournament=event, player_key=player.key)
        last = requests.order_by("-asked_at", "-pk").first()
        if last is not None and last.answer == DoorAnswer.AWAY:
            raise TurnedAway(said=last.said)
        return _find_or_create_request(event, player.name, player, before="", now=now)


def note_latecomer(
    *, tournament_id: int, by: User | HelperActor, now: datetime, entry: int | None = None, name: str = ""
) -> DoorRequest:
    """Note a latecomer after the start, by entry or by name; it creates a request for the desk.

    :raises NotDirector, NotHelper, WrongStatus: nothing is noted.
    :raises UnknownEntrant, InvalidText, DoorFull: unknown entry, invalid name, or too many requests are open.
    :raises AlreadyDone: the player is already in the event.
    """
    with transaction.atomic():
        event = changes.lock_for_helper(tournament_id, by, now=now)
        changes.require_status(event, {Status.RUNNING})
        changes.require_stages(event, there=True)
        data: dict[str, object] = {}
        player = None
        if entry is not None:
            row = Entry.objects.filter(tournament=event, number=entry).select_related("player").first()
            if row is None:
                raise UnknownEntrant
            if row.withdrawn_at is None:
                raise AlreadyDone
            player, data = row.player, {"player": row.player.key}
        clean = names.clean_name(player.name if player else name, limit=80)
        changes.record_ruling(event, RulingKind.NOTED_LATE, by=by, now=now, data=data)
        return _find_or_create_request(event, clean, player, before="", now=now)


def accept_request(
    *, tournament_id: int, request_key: str, player_key: str, by: User, now: datetime, place: str = ""
) -> Player:
    """Accept a request: as the chosen member, the requesting player, or a guest; the player is checked in.

    After the draw they are entered late at this *place*; if it is not free the request stays open.

    :raises NotDirector, WrongStatus, NotAMember, EventFull, DoorRequestGone, PlayerGone: no entry is made.
    :raises NoPlaceFree, PlaceTaken: after the draw, there is no place, or not this one.
    :raises AlreadyDone: the request has been answered.
    """
    with transaction.atomic():
        event = changes.lock_for_director(tournament_id, by)
        row = _get_open_request(event, request_key)
        player = _find_or_add_player(event, row, player_key, by=by, now=now)
        if entering.is_drawn(event):
            arrivals.enter_latecomer(
                tournament_id=event.pk, player_key=player.key, place=place, by=by, now=now
            )
        else:
            directing.admit_members(tournament_id=event.pk, player_keys=[player.key], by=by, now=now)
            entry = Entry.objects.get(tournament=event, player=player)
            if not entry.waits and event.status == Status.PUBLISHED:
                entering.check_in_entries(tournament_id=event.pk, entries=[entry.number], by=by, now=now)
        arrivals.answer_request(event, row, DoorAnswer.IN, now=now, entered=player)
        return player


def refuse_request(*, tournament_id: int, request_key: str, by: User, now: datetime, said: str = "") -> None:
    """Refuse a request, with a message for the player.

    :raises NotDirector, DoorRequestGone, AlreadyDone: nothing changes.
    """
    with transaction.atomic():
        event = changes.lock_for_director(tournament_id, by)
        row = _get_open_request(event, request_key)
        arrivals.answer_request(event, row, DoorAnswer.AWAY, now=now, said=" ".join(said.split())[:200])


def prune_requests(*, now: datetime) -> int:
    """Delete requests older than two days; return the number of deleted rows."""
    old = DoorRequest.objects.filter(asked_at__lt=now - KEPT).order_by("asked_at")
    oldest = list(old.values_list("pk", flat=True)[:MOST_FORGOTTEN])
    return DoorRequest.objects.filter(pk__in=oldest).delete()[0]


def _find_or_create_request(
    event: Tournament, name: str, player: Player | None, *, before: str, now: datetime
) -> DoorRequest:
    """Return the open request of a player in a locked event; create one if there is none."""
    waiting = DoorRequest.objects.filter(tournament=event, answer=DoorAnswer.OPEN)
    who = {"player_key": player.key} if player else {"key": before, "player_key": ""}
    row = waiting.filter(**who).first()
    if row is None and waiting.count() >= MOST_OPEN:
        raise DoorFull
    if row is not None and row.name == name:
        return row
    if row is not None:
        # The corrected name gets a new key: a director who still sees the old name cannot accept it.
        row.delete()
    row = DoorRequest.objects.create(
        tournament=event,
        player_key=player.key if player else "",
        name=name,
        asked_at=row.asked_at if row else now,
    )
    changes.announce_change(event, now=now)
    return row


def _find_or_add_player(
    event: Tournament, row: DoorRequest, player_key: str, *, by: User, now: datetime
) -> Player:
    """Return the player of a request; a known player who is not a member becomes one."""
    if row.player_key:
        player = Player.objects.filter(key=row.player_key, erased_at__isnull=True).first()
        if player is None:
            raise PlayerGone
        if not Membership.objects.filter(club=event.club, player=player).exists():
            clubs.admit(club=event.club, player=player, role=Role.MEMBER, now=now)
        return player
    if not player_key:
        return player_names.find_or_add_guest(event.club, row.name, by=by, now=now)
    members = Player.objects.filter(memberships__club=event.club, merged_into__isnull=True)
    return PlayerGone.raise_if_none(members.filter(key=player_key).first())


def _get_open_request(event: Tournament, request_key: str) -> DoorRequest:
    row = DoorRequestGone.raise_if_none(DoorRequest.objects.filter(tournament=event, key=request_key).first())
    if row.answer != DoorAnswer.OPEN:
        raise AlreadyDone
    return row
