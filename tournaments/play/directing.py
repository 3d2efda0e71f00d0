"""Directors' acts on an event; each records a ruling."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from players.models import Player, User
from tournaments.base.errors import (
    AlreadyDone,
    HasBegun,
    HasStages,
    NotAMember,
    NoWinner,
    PlacesMissing,
    PlacesSkip,
    TooFewEntries,
    UnknownEntrant,
)
from tournaments.models import Entry, Ruling, RulingKind, Tournament
from tournaments.play import capacity, changes, entering, news, player_names, progress, timing
from tournaments.play.entering import SeatedEntries
from tournaments.status import ADMITTING, Status, find_reopened_status


def admit_members(*, tournament_id: int, player_keys: Collection[str], by: User, now: datetime) -> int:
    """Enter members of the club, all or none; return the number of new entries.

    :raises NotDirector, WrongStatus, HasBegun, NotAMember, PlayerGone: no entries are made.
    :raises EventFull, TooManyPlayers: there are not enough places.
    """
    with transaction.atomic():
        event = lock_admitting_event(tournament_id, by)
        wanted = set(player_keys)
        players = (
            Player.objects.filter(key__in=wanted, memberships__club=event.club).order_by("pk").distinct()
        )
        if len(players) < len(wanted):
            raise NotAMember
        return len(seat_players(event, list(players), by=by, now=now).new)


def admit_guest(*, tournament_id: int, name: str, by: User, now: datetime) -> Player:
    """Enter a guest by name: the club's guest of that name, or a new one.

    :raises NotDirector, WrongStatus, HasBegun, EventFull, TooManyPlayers: no entries are made.
    """
    with transaction.atomic():
        event = lock_admitting_event(tournament_id, by)
        guest = player_names.find_or_add_guest(event.club, name, by=by, now=now)
        seat_players(event, [guest], by=by, now=now)
        return guest


def admit_named(*, tournament_id: int, names: Sequence[str], by: User, now: datetime) -> list[Entry]:
    """Enter players from a pasted list of names: members and guests of that name, or new guests.

    :raises NotDirector, WrongStatus, HasBegun, EventFull, TooManyPlayers, PlayerGone: no entries are made.
    """
    with transaction.atomic():
        event = lock_admitting_event(tournament_id, by)
        wanted = list(dict.fromkeys(trimmed for name in names if (trimmed := " ".join(name.split()))))
        players = player_names.find_or_add_players(event.club, wanted, by=by, now=now)
        unique = list({player.pk: player for player in players}.values())
        seated = seat_players(event, unique, by=by, now=now)
        return sorted(seated.entries, key=lambda entry: entry.number)


def withdraw_player(
    *, tournament_id: int, player_key: str, by: User, now: datetime, reason: str = ""
) -> None:
    """Withdraw a player.

    :raises NotDirector, WrongStatus, HasBegun, UnknownEntrant, NotEntered: nothing changes.
    """
    with transaction.atomic():
        event = lock_admitting_event(tournament_id, by)
        player = UnknownEntrant.raise_if_none(Player.objects.filter(key=player_key).first())
        before = Entry.objects.filter(tournament=event, player=player, withdrawn_at__isnull=True).exists()
        entering.unseat_player(event, player, now=now)
        if before:
            data = {"player": player.key}
            changes.record_ruling(event, RulingKind.REMOVED, by=by, now=now, reason=reason, data=data)


def start_event(*, tournament_id: int, by: User, now: datetime) -> Tournament:
    """Start an event without stages and notify its players; entering and withdrawing ends.

    :raises NotDirector, HasStages, AlreadyDone, WrongStatus: nothing changes.
    :raises TooFewEntries: fewer than two have entered.
    """
    with transaction.atomic():
        event = changes.lock_for_director(tournament_id, by)
        changes.require_stages(event, there=False)
        if event.status == Status.PUBLISHED and capacity.count_entered(event) < 2:
            raise TooFewEntries
        changes.change_status(event, Status.PUBLISHED, Status.RUNNING, now=now, started_at=now)
        ruling = changes.record_ruling(event, RulingKind.STARTED, by=by, now=now)
        news.queue_notice(event, news.News.STARTED, ruling_id=ruling.pk, by=by, now=now)
        changes.announce_change(event, now=now)
        return event


def record_finish(
    *, tournament_id: int, places: Mapping[str, int | None], by: User, now: datetime
) -> Tournament:
    """Finish the event with a finishing order: player key -> place, None if not placed.

    :raises NotDirector, HasStages, WrongStatus: nothing changes.
    :raises AlreadyDone: this result is already recorded.
    :raises UnknownEntrant, PlacesMissing, NoWinner, PlacesSkip: the order is incomplete or inconsistent.
    """
    with transaction.atomic():
        event = changes.lock_for_director(tournament_id, by)
        changes.require_stages(event, there=False)
        rows = Entry.objects.filter(tournament=event, withdrawn_at__isnull=True).select_related("player")
        entries = {entry.player.key: entry for entry in rows}
        if event.status == Status.FINISHED and _map_places(entries.values()) == dict(places):
            raise AlreadyDone
        changes.require_status(event, {Status.RUNNING})
        _require_order(entries, places)
        for key, entry in entries.items():
            entry.place = places[key]
        Entry.objects.bulk_update(entries.values(), ["place"])
        changes.change_status(event, Status.RUNNING, Status.FINISHED, now=now, finished_at=now)
        data = {"places": dict(places)}
        ruling = changes.record_ruling(event, RulingKind.FINISHED, by=by, now=now, data=data)
        news.queue_notice(event, news.News.RESULT, ruling_id=ruling.pk, by=by, now=now)
        changes.announce_change(event, now=now)
        return event


def reopen_event(*, tournament_id: int, reason: str, by: User, now: datetime) -> Tournament:
    """Reopen a finished or cancelled event. The places stay in the form, to be edited.

    :raises NotDirector, WrongStatus, ReasonNeeded: nothing changes.
    :raises HasStages: the event ended with its matches; a correction of a result reopens it.
    """
    with transaction.atomic():
        event = changes.lock_for_director(tournament_id, by)
        why = changes.require_reason(reason)
        here = Status(event.status)
        there = find_reopened_status(here, has_started=event.started_at is not None)
        if there is None:
            raise changes.build_status_error(event)
        data: dict[str, Any] = {"was": here.value}
        if here is Status.FINISHED and event.ended_early_at is None and event.stages.exists():
            raise HasStages
        if here is Status.FINISHED:
            data["places"] = _map_places(Entry.objects.filter(tournament=event).select_related("player"))
        changes.change_status(event, here, there, now=now, finished_at=None, ended_early_at=None)
        ended_at = timing.find_end(event) if entering.is_drawn(event) else None
        if ended_at is not None:
            data["seconds"] = round((now - ended_at).total_seconds())
        # The ruling comes first, since the deadlines of the matches that are opened now depend on it.
        changes.record_ruling(event, RulingKind.REOPENED, by=by, now=now, reason=why, data=data)
        if ended_at is not None:
            timing.give_back(event, since=ended_at, now=now)
            progress.advance(event, now=now)
        # A recorded final order keeps them.
        if here is Status.CANCELLED or entering.is_drawn(event):
            entering.withdraw_deleted_accounts(event, now=now)
        changes.announce_change(event, now=now)
        return event


def cancel_event(*, tournament_id: int, reason: str, by: User, now: datetime) -> Tournament:
    """Cancel the event and notify those who entered.

    :raises NotDirector, AlreadyDone, WrongStatus, ReasonNeeded: nothing changes.
    """
    with transaction.atomic():
        event = changes.lock_for_director(tournament_id, by)
        why = changes.require_reason(reason)
        ruling = cancel_locked_event(event, by=by, reason=why, now=now)
        news.queue_notice(event, news.News.CANCELLED, ruling_id=ruling.pk, by=by, now=now)
        return event


def cancel_locked_event(event: Tournament, *, by: User | None, reason: str, now: datetime) -> Ruling:
    """Cancel a locked event without notices to its players.

    :raises AlreadyDone, WrongStatus: nothing changes.
    """
    was = Status(event.status)
    data = {"was": was.value} | timing.describe_pause(event)
    changes.change_status(event, was, Status.CANCELLED, now=now, paused_at=None)
    ruling = changes.record_ruling(event, RulingKind.CANCELLED, by=by, now=now, reason=reason, data=data)
    changes.announce_change(event, now=now)
    return ruling


def lock_admitting_event(tournament_id: int, by: User) -> Tournament:
    """Lock an event in which directors can still enter and withdraw players.

    :raises NotDirector, WrongStatus, HasBegun: it is not one.
    """
    event = changes.lock_for_director(tournament_id, by)
    changes.require_status(event, ADMITTING)
    if entering.is_drawn(event):
        raise HasBegun
    return event


def seat_players(event: Tournament, players: list[Player], *, by: User, now: datetime) -> SeatedEntries:
    """Enter players into a locked event, in this order, and record a ruling.

    :raises PlayerGone, EventFull, TooManyPlayers: no entries are made.
    """
    seated = entering.seat_players(event, players, now=now)
    if seated.new:
        data = {"players": [player.key for player in seated.new]}
        changes.record_ruling(event, RulingKind.ADMITTED, by=by, now=now, data=data)
    return seated


def _map_places(entries: Iterable[Entry]) -> dict[str, int | None]:
    return {entry.player.key: entry.place for entry in entries}


def _require_order(entries: Mapping[str, Entry], places: Mapping[str, int | None]) -> None:
    if places.keys() - entries.keys():
        raise UnknownEntrant
    if missing := entries.keys() - places.keys():
        names = sorted(entries[key].player.public_name for key in missing)
        raise PlacesMissing(names=", ".join(names))
    given = Counter(place for place in places.values() if place is not None)
    if 1 not in given:
        raise NoWinner
    # After two players who share place 3 comes place 5.
    after, due = 0, 1
    for place, holders in sorted(given.items()):
        if place != due:
            raise PlacesSkip(after=after, due=due, found=place)
        after, due = place, due + holders
