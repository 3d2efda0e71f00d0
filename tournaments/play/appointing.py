"""Appointments for matches that are played over days: up to three times are proposed, one is accepted.

Everything happens under the event's lock. From the agreed time on both are expected, as by a call: whoever is not there is
late. What is proposed stands until it is answered, or the match has ended or is somebody else's.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q

from players import names
from players.errors import EmptyName
from tournaments.base import formats
from tournaments.base.errors import (
    AlreadyDone,
    AppointmentBegun,
    BadTimes,
    NotByAppointment,
    NothingProposed,
    PastDeadline,
)
from tournaments.models import (
    STANDING,
    Appointment,
    AppointmentStatus,
    Pairing,
    Report,
    ReportStatus,
    Stand,
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
# So long before the agreed time both are reminded, once each.
REMINDERS: Final = (timedelta(days=1), timedelta(hours=2))
HELPING: Final = 200
OPEN_REPORTS: Final = (ReportStatus.OPEN, ReportStatus.DISPUTED)


def propose(
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
    """Propose times to the opponent, in place of what was proposed before; a time that is agreed stands until they accept.

    :raises WrongStatus, Paused, UnknownPairing, NotOpen, ResultStands, NotYourMatch, NotByAppointment: nothing changes.
    :raises BadTimes: there are none or too many, or one is over or far away.
    :raises PastDeadline: one is after the deadline, and it was not said that this is meant.
    """
    with transaction.atomic():
        event, row, mine, other = _open(tournament_id, key, user, now=now)
        wanted = _wanted(row, times, late=late, now=now)
        said = {"place": _line(place, LONGEST_PLACE), "words": _line(words, LONGEST_WORDS)}
        before = _standing(row, AppointmentStatus.PROPOSED)
        if before is not None:
            if before.by_id == mine.pk and (before.times, before.place, before.words) == (
                wanted,
                *said.values(),
            ):
                return before
            _close(before, AppointmentStatus.REPLACED, by=mine, now=now)
        made = Appointment.objects.create(
            pairing=row, by=mine, to=other, times=wanted, proposed_at=now, **said
        )
        offered = [datetime.fromisoformat(each) for each in wanted]
        appointment_notices.send(appointment_notices.PROPOSED, made, other, mine, offered, now=now)
        changes.hint(event, now=now)
        return made


def accept(*, tournament_id: int, key: str, user: User, now: datetime, time: datetime) -> Appointment:
    """Accept one of the times that the opponent proposes: from then on both are expected.

    :raises WrongStatus, Paused, UnknownPairing, NotOpen, ResultStands, NotYourMatch, NotByAppointment: nothing changes.
    :raises NothingProposed: the opponent does not propose this time, or not any more.
    :raises BadTimes: it is over.
    :raises AlreadyDone: this time is agreed.
    """
    with transaction.atomic():
        event, row, mine, other = _open(tournament_id, key, user, now=now)
        agreed = _standing(row, AppointmentStatus.AGREED)
        found = _of_other(row, mine)
        at = _plain(time)
        if found is None and agreed is not None and agreed.starts_at == time:
            raise AlreadyDone
        if found is None or at not in found.times:
            raise NothingProposed
        if time <= now:
            raise BadTimes(most=MOST_TIMES)
        if agreed is not None:
            _close(agreed, AppointmentStatus.REPLACED, by=mine, now=now)
        _settle(
            found,
            AppointmentStatus.AGREED,
            by=mine,
            now=now,
            starts_at=time,
            remind_at=_next_reminder(time, now),
        )
        _expect(event, row, time)
        appointment_notices.send(appointment_notices.ACCEPTED, found, other, mine, [time], now=now)
        changes.hint(event, now=now)
        return found


def decline(*, tournament_id: int, key: str, user: User, now: datetime, words: str = "") -> Appointment:
    """Decline what the opponent proposes.

    :raises WrongStatus, Paused, UnknownPairing, NotOpen, ResultStands, NotYourMatch, NotByAppointment: nothing changes.
    :raises NothingProposed: they propose nothing, or not any more.
    """
    with transaction.atomic():
        event, row, mine, other = _open(tournament_id, key, user, now=now)
        found = _of_other(row, mine)
        if found is None:
            raise NothingProposed
        said = _line(words, LONGEST_WORDS)
        _settle(found, AppointmentStatus.DECLINED, by=mine, now=now, answer=said)
        appointment_notices.send(appointment_notices.DECLINED, found, other, mine, said, now=now)
        changes.hint(event, now=now)
        return found


def take_back(*, tournament_id: int, key: str, user: User, now: datetime) -> Appointment:
    """Take back what one has proposed, as long as it is not answered.

    :raises WrongStatus, Paused, UnknownPairing, NotOpen, ResultStands, NotYourMatch, NotByAppointment: nothing changes.
    :raises NothingProposed: one proposes nothing, or it is answered.
    """
    with transaction.atomic():
        event, row, mine, _other = _open(tournament_id, key, user, now=now)
        found = _standing(row, AppointmentStatus.PROPOSED)
        if found is None or found.by_id != mine.pk:
            raise NothingProposed
        _settle(found, AppointmentStatus.TAKEN_BACK, by=mine, now=now)
        changes.hint(event, now=now)
        return found


def cancel(*, tournament_id: int, key: str, user: User, now: datetime, words: str = "") -> Appointment:
    """Call an agreed time off before it has come; after that only another time can be agreed.

    :raises WrongStatus, Paused, UnknownPairing, NotOpen, ResultStands, NotYourMatch, NotByAppointment: nothing changes.
    :raises NothingProposed: no time is agreed.
    :raises AppointmentBegun: it is too late for that.
    """
    with transaction.atomic():
        event, row, mine, other = _open(tournament_id, key, user, now=now)
        found = _standing(row, AppointmentStatus.AGREED)
        if found is None or found.starts_at is None:
            raise NothingProposed
        if found.starts_at <= now:
            raise AppointmentBegun
        said = _line(words, LONGEST_WORDS)
        _settle(found, AppointmentStatus.CANCELLED, by=mine, now=now, answer=said)
        _expect(event, row, None)
        appointment_notices.send(appointment_notices.CANCELLED, found, other, mine, said, now=now)
        changes.hint(event, now=now)
        return found


def follow(event: Tournament, *, now: datetime) -> None:
    """Close what is open of matches that have ended or are played by others, in the transaction of the change.

    A result that is reported closes what is proposed; the agreed time stands until the result does.
    """
    if _unfit(event.pk).exists():
        _unfit(event.pk).update(status=AppointmentStatus.OVER, answered_at=now, remind_at=None)


def forget(player: Player) -> None:
    """Leave nothing that somebody wrote who has left for good."""
    Appointment.objects.filter(by__player=player).update(words="", place="")
    Appointment.objects.filter(answered_by__player=player).update(answer="")


def after_pause(event: Tournament, *, since: datetime, now: datetime) -> None:
    """Expect the two at the agreed time again, which a pause does not move; what fell into it begins now."""
    rows = Appointment.objects.filter(
        pairing__tournament=event, status=AppointmentStatus.AGREED, starts_at__gte=since
    )
    for one in rows.select_related("pairing__stage", "pairing__tournament"):
        if one.starts_at is not None:
            one.pairing.called_at = max(one.starts_at, now)
            one.pairing.due_at = timing.next_due(event, one.pairing)
            one.pairing.save(update_fields=["called_at", "due_at"])


# -- reminders


def waiting(at: Any) -> Iterator[QuerySet[Any]]:
    """Ask, by a column with an index, for agreed times of which both are to be reminded since then."""
    yield Appointment.objects.filter(
        remind_at__lte=at,
        pairing__tournament__status=Status.RUNNING,
        pairing__tournament__paused_at__isnull=True,
    )


def sweep(now: datetime) -> int:
    """Remind both of agreed times that are near; return of how many."""
    (due,) = waiting(now)
    found = sorted(due.values_list("pairing__tournament", "pk").order_by("remind_at")[:HELPING])
    return sum(_remind(event_id, pk, now=now) for event_id, pk in found)


def _remind(event_id: int, pk: int, *, now: datetime) -> bool:
    with transaction.atomic():
        changes.lock(event_id)
        one = _whole().filter(pk=pk, remind_at__lte=now).first()
        if one is None or one.starts_at is None:
            return False
        one.remind_at, mark = _next_reminder(one.starts_at, now), one.remind_at
        one.save(update_fields=["remind_at"])
        if one.starts_at > now:
            for reader, other in ((one.by, one.to), (one.to, one.by)):
                once = f"remind.{mark:%Y%m%d%H%M}"
                appointment_notices.send(
                    appointment_notices.NEAR, one, reader, other, [one.starts_at], now=now, once=once
                )
        return True


def _next_reminder(starts_at: datetime, now: datetime) -> datetime | None:
    return next((at for before in REMINDERS if (at := starts_at - before) > now), None)


# -- what they have in common


def _open(
    tournament_id: int, key: str, user: User, *, now: datetime
) -> tuple[Tournament, Pairing, Entry, Entry]:
    """Return a match that is to be played by appointment, held, with one's own entry and the opponent's."""
    event = changes.running(changes.lock(tournament_id))
    row = results.find(event, key)
    mine = results.side_of(row, user, now=now)
    claims.require_open(row)
    if not formats.is_over_days(row.stage):
        raise NotByAppointment
    other = row.b if mine == row.a else row.a
    if other is None:
        raise NotByAppointment
    return event, row, mine, other


def _wanted(row: Pairing, times: Sequence[datetime], *, late: bool, now: datetime) -> list[str]:
    moments = sorted({each.astimezone(UTC).replace(second=0, microsecond=0) for each in times})
    if not 1 <= len(moments) <= MOST_TIMES or moments[0] <= now or moments[-1] > now + FARTHEST:
        raise BadTimes(most=MOST_TIMES)
    if row.deadline_at is not None and moments[-1] > row.deadline_at and not late:
        raise PastDeadline(deadline=appointment_notices.format_time(row.tournament, row.deadline_at))
    return [each.isoformat() for each in moments]


def _plain(moment: datetime) -> str:
    return moment.astimezone(UTC).replace(second=0, microsecond=0).isoformat()


def _line(text: str, limit: int) -> str:
    with suppress(EmptyName):
        return names.clean_line(text, limit=limit)
    return ""


def _whole() -> QuerySet[Appointment]:
    return Appointment.objects.select_related(
        "by__player__user", "to__player__user", "pairing__tournament__club"
    )


def _standing(row: Pairing, status: AppointmentStatus) -> Appointment | None:
    return _whole().filter(pairing=row, status=status).first()


def _of_other(row: Pairing, mine: Entry) -> Appointment | None:
    found = _standing(row, AppointmentStatus.PROPOSED)
    return None if found is None or found.by_id == mine.pk else found


def _close(one: Appointment, status: AppointmentStatus, *, by: Entry, now: datetime) -> None:
    _settle(one, status, by=by, now=now, starts_at=one.starts_at)


def _settle(one: Appointment, status: AppointmentStatus, *, by: Entry, now: datetime, **more: Any) -> None:
    """Answer what stands, once."""
    values = {"status": status.value, "answered_by": by, "answered_at": now, "remind_at": None, **more}
    # Compare and set: one answer, even where somebody forgot the lock.
    if not Appointment.objects.filter(pk=one.pk, status=one.status).update(**values):
        raise NothingProposed
    for name, value in values.items():
        setattr(one, name, value)


def _expect(event: Tournament, row: Pairing, at: datetime | None) -> None:
    """Have both expected from then on; who came to an earlier time, came to that."""
    row.called_at, row.a_here_at, row.b_here_at = at, None, None
    row.due_at = timing.next_due(event, row)
    row.save(update_fields=["called_at", "a_here_at", "b_here_at", "due_at"])


def _unfit(event: Any) -> QuerySet[Appointment]:
    """Return what is open of an event's matches and should not be any more."""
    is_theirs = Q(pairing__a=F("by"), pairing__b=F("to")) | Q(pairing__a=F("to"), pairing__b=F("by"))
    is_reported = Exists(Report.objects.filter(pairing=OuterRef("pairing"), status__in=OPEN_REPORTS))
    return Appointment.objects.filter(
        ~Q(pairing__state=Stand.READY) | ~is_theirs | Q(is_reported, status=AppointmentStatus.PROPOSED),
        pairing__tournament=event,
        status__in=STANDING,
    )
