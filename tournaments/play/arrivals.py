"""Late entries and substitutions in an event that has begun."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from draw.openings import Opening
from players.models import Player, User
from players.names import fold
from players.notices.kinds import NoticeKind, Reader
from tournaments.base.errors import AlreadyDone, HasLeft, NoPlaceFree, NotAMember, PlaceTaken
from tournaments.models import DoorAnswer, DoorRequest, Entry, RulingKind, Tournament
from tournaments.play import (
    boards,
    capacity,
    changes,
    entering,
    openings,
    player_names,
    running_event,
    snapshots,
)
from tournaments.status import Status


def enter_latecomer(
    *,
    tournament_id: int,
    by: User,
    now: datetime,
    player_key: str = "",
    name: str = "",
    place: str = "",
    head_start: str = "0",
    reason: str = "",
) -> Entry:
    """Enter a latecomer at a free *place*, or put them on the waiting list; no other entry moves (P14, P16).

    Without *place* a free bye of the main draw is used, or the next round.

    :raises NotDirector, WrongStatus, NotAMember, PlayerGone, HasLeft: no entry is made.
    :raises NoPlaceFree: there is neither; the error lists the free places.
    :raises PlaceTaken: *place* is not free.
    :raises AlreadyDone: the player is already in the event.
    """
    seen = None if place == openings.WAIT else _compute_openings(tournament_id, by, player_key)
    with transaction.atomic():
        event = running_event.lock_running_event(tournament_id, by)
        player = _find_or_add_player(event, player_key, name, by=by, now=now)
        row = Entry.objects.filter(tournament=event, player=player).first()
        if row is not None and row.left:
            raise HasLeft(name=player.public_name)
        if row is not None and row.withdrawn_at is None:
            _require_no_place(event, row, place)
        entry = row or Entry(tournament=event, player=player, number=capacity.compute_next_number(event))
        way = None if place == openings.WAIT else _choose_opening(event, entry, place, seen)
        data = {"entry": entry.number, "player": player.key, "place": way.place if way else openings.WAIT}
        with running_event.perform_act(
            event, RulingKind.LATE_ENTRY, by=by, now=now, reason=reason, data=data
        ):
            entry.withdrawn_at, entry.waits = None, way is None
            entry.entered_at = entry.checked_in_at = now
            entry.arrived, entry.head_start = openings.find_first_round(event), head_start
            entry.joins = way.place if way is not None and way.is_side else ""
            entry.save()
        answer_open_request(event, player, name=name, now=now)
        return entry


def _require_no_place(event: Tournament, row: Entry, place: str) -> None:
    """Accept only entries without a place: on the waiting list, or in the event without a seat."""
    is_free = row.waits or row.number in openings.list_without_place(event)
    if not is_free or (row.waits and place == openings.WAIT):
        raise AlreadyDone


@dataclass(frozen=True, slots=True)
class _SeenOpenings:
    """The openings for the entry of a number, and the event's state when they were computed."""

    version: int
    stamp: str
    number: int
    ways: tuple[Opening, ...]


def _compute_openings(tournament_id: int, by: User, player_key: str) -> _SeenOpenings | None:
    """Compute the openings before the event is locked: the whole event is proposed several times for it.

    None if the event is not running, or the user does not direct it.
    """
    event = Tournament.objects.select_related("club").filter(pk=tournament_id).first()
    if event is None or event.status != Status.RUNNING or not by.has_perm("tournaments.direct", event.club):
        return None
    known = Entry.objects.filter(tournament=event, player__key=player_key).first() if player_key else None
    number = known.number if known is not None else capacity.compute_next_number(event)
    return _SeenOpenings(event.version, event.stamp, number, openings.list_openings(event, number=number))


def _choose_opening(event: Tournament, entry: Entry, place: str, seen: _SeenOpenings | None) -> Opening:
    """Find the chosen opening, or the first that is not a side bracket. *seen* is used if still current."""
    now = (event.version, event.stamp, entry.number)
    if seen is not None and now == (seen.version, seen.stamp, seen.number):
        found = seen.ways
    else:
        found = openings.list_openings(event, number=entry.number)
    for way in found:
        if way.place == place or (not place and not way.is_side):
            return way
    if place:
        raise PlaceTaken
    raise NoPlaceFree(name=entry.player.public_name, places=[*(way.place for way in found), openings.WAIT])


def substitute_player(
    *,
    tournament_id: int,
    entry: int,
    reason: str,
    by: User,
    now: datetime,
    player_key: str = "",
    name: str = "",
) -> Entry:
    """Replace an entry's player; results so far are kept.

    :raises NotDirector, WrongStatus, UnknownEntrant, NotAMember, PlayerGone, ReasonNeeded: nothing changes.
    :raises HasLeft: the player has left, so the substitute would not be paired; the withdrawal is taken back first.
    :raises AlreadyDone: the substitute already plays in this event.
    :raises EntryInUse: the substitute is in the event with a payment or a lot.
    """
    with transaction.atomic():
        event = running_event.lock_running_event(tournament_id, by)
        why = changes.require_reason(reason)
        row = running_event.get_entry(event, entry)
        if row.left:
            raise HasLeft(name=row.player.public_name)
        player = _find_or_add_player(event, player_key, name, by=by, now=now)
        spare = Entry.objects.filter(tournament=event, player=player).first()
        if spare is not None and spare.withdrawn_at is None:
            _require_no_place(event, spare, "")
        if spare is not None:
            capacity.require_unused(spare)
        data = {"entry": entry, "out": row.player.key, "in": player.key}
        with running_event.perform_act(event, RulingKind.SUBSTITUTED, by=by, now=now, reason=why, data=data):
            if spare is not None:
                spare.delete()  # a player has at most one entry per event
            boards.detach_boards(row)
            snapshots.replace_players({row.pk: player.pk})
        answer_open_request(event, player, name=name, now=now)
        row.refresh_from_db()
        return row


def _find_or_add_player(event: Tournament, key: str, name: str, *, by: User, now: datetime) -> Player:
    player: Player | None
    if key:
        player = Player.objects.filter(key=key, memberships__club=event.club).first()
    else:
        player = player_names.find_or_add_guest(event.club, name, by=by, now=now)
    if player is None:
        raise NotAMember
    # A guest of that name may have been there, so that a merge may be under way.
    entering.lock_players([player])
    return player


DOOR_ANSWERED: Final = NoticeKind(
    name="door_answered",
    reader=Reader.ENTRANT,
    when=_("The desk answers your request to play in an event that has begun."),
    text={
        "in": _("You are in: %(event)s."),
        "waits": _("You are on the waiting list: %(event)s."),
        "refused": _("%(event)s: the desk could not let you in. %(said)s"),
    },
)


def answer_request(
    event: Tournament,
    row: DoorRequest,
    answer: DoorAnswer,
    *,
    now: datetime,
    said: str = "",
    entered: Player | None = None,
) -> None:
    """Answer a request at the door of a locked event, and notify its player; *entered* is who was let in."""
    player = Player.objects.select_related("user").filter(key=row.player_key).exclude(key="").first()
    row.answer, row.answered_at, row.said = answer, now, said
    if entered is not None:
        row.player_key = entered.key
    row.save(update_fields=["answer", "answered_at", "said", "player_key"])
    changes.announce_change(event, now=now)
    if player is None:
        return
    variant = "in" if answer == DoorAnswer.IN else "refused"
    if variant == "in" and Entry.objects.filter(tournament=event, player=player, waits=True).exists():
        variant = "waits"
    once = f"event.{event.key}.door.{row.key}"
    changes.notify_player(DOOR_ANSWERED, player, event, variant=variant, said=said, once=once, now=now)


def answer_open_request(event: Tournament, player: Player, *, name: str, now: datetime) -> None:
    """Answer the open door request of a latecomer: by player, or the first guest of that *name*."""
    waiting = DoorRequest.objects.filter(tournament=event, answer=DoorAnswer.OPEN)
    row = waiting.filter(player_key=player.key).first()
    if row is None and name:
        guests = waiting.filter(player_key="").order_by("asked_at", "pk")
        row = next((each for each in guests if fold(each.name) == fold(name)), None)
    if row is not None:
        answer_request(event, row, DoorAnswer.IN, now=now, entered=player)
