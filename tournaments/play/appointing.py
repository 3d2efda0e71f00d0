"""Appointments for matches played over days: a player proposes up to three times, the opponent accepts one.

Every act takes the event's lock. From the agreed time on both players are expected, as after a call. A
proposal is open until it is answered, the match ends, or its players change.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q

from players import names
from players.errors import EmptyName
from tournaments.base import formats, local_times
from tournaments.base.errors import (
    AlreadyDone,
    AppointmentBegun,
    BadTimes,
    NotByAppointment,
    NothingProposed,
    PastDeadline,
)
from tournaments.models import (
    OPEN_REPORTS,
    STANDING,
    Appointment,
    AppointmentStatus,
    Pairing,
    PairingState,
    Report,
    Tournament,
)
from tournaments.play import appointment_notices, changes, claims, results, timing
from tournaments.status import Status

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from django.db.models import QuerySet

    from players.models import Player, User
    from tournaments.models import Entry

MOST_TIMES: Final = 3
LONGEST_WORDS: Final = 200
LONGEST_PLACE: Final = 80
FARTHEST: Final = timedelta(days=366)
# Both players are reminded this long before the agreed time.
REMINDERS: Final = (timedelta(days=1), timedelta(hours=2))
HELPING: Final = 200


def propose_times(
    *,
    tournament_id: int,
    key: str,
    user: User,
    now: datetime,
    times: Sequence[datetime],
    place: str = "",
    words: str = "",
    late: bool = False,
) -> Appointment:
    """Propose times to the opponent, replacing the open proposal; an agreed time is kept until they accept.

    :raises WrongStatus, Paused, UnknownPairing, NotOpen, ResultStands, NotYourMatch, NotByAppointment: nothing changes.
    :raises BadTimes: there are none or too many, or one is in the past or too far ahead.
    :raises PastDeadline: one is after the deadline, and *late* is not set.
    """
    with transaction.atomic():
        event, row, mine, other = _lock_open_match(tournament_id, key, user, now=now)
        wanted = _validate_times(row, times, late=late, now=now)
        said = {"place": _clean_line(place, LONGEST_PLACE), "words": _clean_line(words, LONGEST_WORDS)}
        before = _find_appointment(row, AppointmentStatus.PROPOSED)
        if before is not None:
            if before.by_id == mine.pk and (before.times, before.place, before.words) == (
                wanted,
                *said.values(),
            ):
                return before
            _set_status(before, AppointmentStatus.REPLACED, by=mine, now=now)
        made = Appointment.objects.create(
            pairing=row, by=mine, to=other, times=wanted, proposed_at=now, **said
        )
        offered = [datetime.fromisoformat(each) for each in wanted]
        appointment_notices.send_notice(appointment_notices.PROPOSED, made, other, mine, offered, now=now)
        changes.announce_change(event, now=now)
        return made


def accept_time(*, tournament_id: int, key: str, user: User, now: datetime, time: datetime) -> Appointment:
    """Accept one of the times proposed by the opponent; both players are expected from that time on.

    :raises WrongStatus, Paused, UnknownPairing, NotOpen, ResultStands, NotYourMatch, NotByAppointment: nothing changes.
    :raises NothingProposed: the opponent has no open proposal with this time.
    :raises BadTimes: the time has passed.
    :raises AlreadyDone: this time is already agreed.
    """
    with transaction.atomic():
        event, row, mine, other = _lock_open_match(tournament_id, key, user, now=now)
        agreed = _find_appointment(row, AppointmentStatus.AGREED)
        found = _find_their_proposal(row, mine)
        time = _round_moment(time)
        if found is None and agreed is not None and agreed.starts_at == time:
            raise AlreadyDone
        if found is None or time.isoformat() not in found.times:
            raise NothingProposed
        if time <= now:
            raise BadTimes(most=MOST_TIMES)
        if agreed is not None:
            _set_status(agreed, AppointmentStatus.REPLACED, by=mine, now=now)
        _set_status(
            found,
            AppointmentStatus.AGREED,
            by=mine,
            now=now,
            starts_at=time,
            remind_at=_find_next_reminder(time, now),
        )
        _expect_players(event, row, time)
        appointment_notices.send_notice(appointment_notices.ACCEPTED, found, other, mine, [time], now=now)
        changes.announce_change(event, now=now)
        return found


def decline_proposal(
    *, tournament_id: int, key: str, user: User, now: datetime, words: str = ""
) -> Appointment:
    """Decline the opponent's proposal.

    :raises WrongStatus, Paused, UnknownPairing, NotOpen, ResultStands, NotYourMatch, NotByAppointment: nothing changes.
    :raises NothingProposed: the opponent has no open proposal.
    """
    with transaction.atomic():
        event, row, mine, other = _lock_open_match(tournament_id, key, user, now=now)
        found = _find_their_proposal(row, mine)
        if found is None:
            raise NothingProposed
        said = _clean_line(words, LONGEST_WORDS)
        _set_status(found, AppointmentStatus.DECLINED, by=mine, now=now, answer=said)
        appointment_notices.send_notice(appointment_notices.DECLINED, found, other, mine, said, now=now)
        changes.announce_change(event, now=now)
        return found


def withdraw_proposal(*, tournament_id: int, key: str, user: User, now: datetime) -> Appointment:
    """Withdraw the player's own open proposal.

    :raises WrongStatus, Paused, UnknownPairing, NotOpen, ResultStands, NotYourMatch, NotByAppointment: nothing changes.
    :raises NothingProposed: the player has no open proposal.
    """
    with transaction.atomic():
        event, row, mine, _other = _lock_open_match(tournament_id, key, user, now=now)
        found = _find_appointment(row, AppointmentStatus.PROPOSED)
        if found is None or found.by_id != mine.pk:
            raise NothingProposed
        _set_status(found, AppointmentStatus.TAKEN_BACK, by=mine, now=now)
        changes.announce_change(event, now=now)
        return found


def cancel_appointment(
    *, tournament_id: int, key: str, user: User, now: datetime, words: str = ""
) -> Appointment:
    """Cancel an agreed time before it has come; a new time can be agreed afterwards.

    :raises WrongStatus, Paused, UnknownPairing, NotOpen, ResultStands, NotYourMatch, NotByAppointment: nothing changes.
    :raises NothingProposed: no time is agreed.
    :raises AppointmentBegun: the agreed time has passed.
    """
    with transaction.atomic():
        event, row, mine, other = _lock_open_match(tournament_id, key, user, now=now)
        found = _find_appointment(row, AppointmentStatus.AGREED)
        if found is None or found.starts_at is None:
            raise NothingProposed
        if found.starts_at <= now:
            raise AppointmentBegun
        said = _clean_line(words, LONGEST_WORDS)
        _set_status(found, AppointmentStatus.CANCELLED, by=mine, now=now, answer=said)
        _expect_players(event, row, None)
        appointment_notices.send_notice(appointment_notices.CANCELLED, found, other, mine, said, now=now)
        changes.announce_change(event, now=now)
        return found


def close_outdated(event: Tournament, *, now: datetime) -> None:
    """Close the open appointments of matches that have ended or changed players, in the caller's transaction.

    A reported result closes the proposal; the agreed time is kept until the result is confirmed.
    """
    # Most events have none, and this query is the simpler one.
    if Appointment.objects.filter(pairing__tournament=event, status__in=STANDING).exists():
        _query_outdated(event).update(status=AppointmentStatus.OVER, answered_at=now, remind_at=None)


def erase_texts(player: Player) -> None:
    """Erase the texts written by a player who is deleted."""
    Appointment.objects.filter(by__player=player).update(words="", place="")
    Appointment.objects.filter(answered_by__player=player).update(answer="")


# -- reminders


def query_due(at: Any) -> Iterator[QuerySet[Any]]:
    """Yield an indexed query for agreed times whose reminder is due at *at*."""
    yield Appointment.objects.filter(
        remind_at__lte=at,
        pairing__tournament__status=Status.RUNNING,
        pairing__tournament__paused_at__isnull=True,
    )


def sweep(now: datetime) -> int:
    """Send the due reminders; return the number of appointments."""
    (due,) = query_due(now)
    found = sorted(due.values_list("pairing__tournament", "pk").order_by("remind_at")[:HELPING])
    return sum(_remind(event_id, pk, now=now) for event_id, pk in found)


def _remind(event_id: int, pk: int, *, now: datetime) -> bool:
    with transaction.atomic():
        changes.lock_event(event_id)
        one = _query_appointments().filter(pk=pk, remind_at__lte=now).first()
        if one is None or one.starts_at is None:
            return False
        one.remind_at, mark = _find_next_reminder(one.starts_at, now), one.remind_at
        one.save(update_fields=["remind_at"])
        if one.starts_at > now:
            for reader, other in ((one.by, one.to), (one.to, one.by)):
                once = f"remind.{mark:%Y%m%d%H%M}"
                appointment_notices.send_notice(
                    appointment_notices.NEAR, one, reader, other, [one.starts_at], now=now, once=once
                )
        return True


def _find_next_reminder(starts_at: datetime, now: datetime) -> datetime | None:
    return next((at for before in REMINDERS if (at := starts_at - before) > now), None)


# -- shared helpers


def _lock_open_match(
    tournament_id: int, key: str, user: User, *, now: datetime
) -> tuple[Tournament, Pairing, Entry, Entry]:
    """Lock the event and load an open match played by appointment, with the user's entry and the opponent's."""
    event = changes.require_running(changes.lock_event(tournament_id))
    row = results.get_match(event, key)
    mine = results.get_own_entry(row, user, now=now)
    claims.require_open(row)
    if not formats.is_over_days(row.stage):
        raise NotByAppointment
    other = row.b if mine == row.a else row.a
    if other is None:
        raise NotByAppointment
    return event, row, mine, other


def _validate_times(row: Pairing, times: Sequence[datetime], *, late: bool, now: datetime) -> list[str]:
    moments = sorted({_round_moment(each) for each in times})
    if not 1 <= len(moments) <= MOST_TIMES or moments[0] <= now or moments[-1] > now + FARTHEST:
        raise BadTimes(most=MOST_TIMES)
    if row.deadline_at is not None and moments[-1] > row.deadline_at and not late:
        zone = row.tournament.club.time_zone
        raise PastDeadline(deadline=local_times.format_zoned_moment(row.deadline_at, zone))
    return [each.isoformat() for each in moments]


def _round_moment(moment: datetime) -> datetime:
    return moment.astimezone(UTC).replace(second=0, microsecond=0)


def _clean_line(text: str, limit: int) -> str:
    with suppress(EmptyName):
        return names.clean_line(text, limit=limit)
    return ""


def _query_appointments() -> QuerySet[Appointment]:
    return Appointment.objects.select_related(
        "by__player__user", "to__player__user", "pairing__tournament__club"
    )


def _find_appointment(row: Pairing, status: AppointmentStatus) -> Appointment | None:
    return _query_appointments().filter(pairing=row, status=status).first()


def _find_their_proposal(row: Pairing, mine: Entry) -> Appointment | None:
    found = _find_appointment(row, AppointmentStatus.PROPOSED)
    return None if found is None or found.by_id == mine.pk else found


def _set_status(
    one: Appointment, status: AppointmentStatus, *, by: Entry, now: datetime, **more: Any
) -> None:
    """Change the status of an open appointment, unless it has changed in the meantime."""
    values = {"status": status.value, "answered_by": by, "answered_at": now, "remind_at": None, **more}
    # Compare and set, so that there is one answer even if a caller forgets the lock.
    if not Appointment.objects.filter(pk=one.pk, status=one.status).update(**values):
        raise NothingProposed
    for name, value in values.items():
        setattr(one, name, value)


def _expect_players(event: Tournament, row: Pairing, at: datetime | None) -> None:
    """Expect both players from *at* on; arrivals noted for an earlier time are cleared."""
    row.called_at, row.a_here_at, row.b_here_at = at, None, None
    row.due_at = timing.find_next_due(event, row)
    row.save(update_fields=["called_at", "a_here_at", "b_here_at", "due_at"])


def _query_outdated(event: Tournament) -> QuerySet[Appointment]:
    """Return the open appointments whose match is over, has other players, or (proposals) has a report."""
    is_theirs = Q(pairing__a=F("by"), pairing__b=F("to")) | Q(pairing__a=F("to"), pairing__b=F("by"))
    is_reported = Exists(Report.objects.filter(pairing=OuterRef("pairing"), status__in=OPEN_REPORTS))
    return Appointment.objects.filter(
        ~Q(pairing__state=PairingState.READY)
        | ~is_theirs
        | Q(is_reported, status=AppointmentStatus.PROPOSED),
        pairing__tournament=event,
        status__in=STANDING,
    )
