"""Appointments for matches played over days: a player proposes up to three times, the opponent accepts one.

Every act takes the event's lock, and notifies the opponent. From the agreed time on both players are expected, as
after a call. A proposal is open until it is answered, the match ends, or its players change.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils.functional import lazy
from django.utils.translation import gettext_lazy as _

from players import names
from players.errors import EmptyName
from players.models import Player, User
from players.notices.kinds import NoticeKind, Reader
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
    Entry,
    Pairing,
    PairingState,
    Report,
    Tournament,
)
from tournaments.play import changes, claims, results, timing
from tournaments.status import Status

MOST_TIMES: Final = 3
LONGEST_WORDS: Final = 200
LONGEST_PLACE: Final = 80
FARTHEST: Final = timedelta(days=366)
# Both players are reminded this long before the agreed time.
REMINDERS: Final = (timedelta(days=1), timedelta(hours=2))
HELPING: Final = 200

PROPOSED: Final = NoticeKind(
    name="appointment_proposed",
    reader=Reader.ENTRANT,
    when=_("Your opponent proposes times for your match."),
    text=_("%(opponent)s proposes times for your match in %(event)s: %(what)s"),
)
ACCEPTED: Final = NoticeKind(
    name="appointment_accepted",
    reader=Reader.ENTRANT,
    when=_("Your opponent accepts one of the times you proposed."),
    text=_("%(opponent)s accepts: you play your match in %(event)s on %(what)s."),
)
DECLINED: Final = NoticeKind(
    name="appointment_declined",
    reader=Reader.ENTRANT,
    when=_("Your opponent declines the times you proposed."),
    text=_("%(opponent)s cannot play your match in %(event)s at the times you proposed. %(what)s"),
)
CANCELLED: Final = NoticeKind(
    name="appointment_cancelled",
    reader=Reader.ENTRANT,
    when=_("Your opponent calls off the agreed time."),
    text=_("%(opponent)s has called off the time for your match in %(event)s. %(what)s"),
)
NEAR: Final = NoticeKind(
    name="appointment_near",
    reader=Reader.ENTRANT,
    when=_("Your appointment for a match is a day or two hours away."),
    text=_("You play against %(opponent)s in %(event)s on %(what)s."),
)


def _send_notice(
    kind: NoticeKind,
    one: Appointment,
    reader: Entry,
    other: Entry,
    what: str | list[datetime],
    *,
    now: datetime,
    once: str = "",
) -> None:
    """Notify one player about an appointment; *what* is the opponent's text, or times.

    Sent once for each status of the appointment, or once for each value of *once*.
    """
    event, opponent = one.pairing.tournament, other.player.public_name
    text = what if isinstance(what, str) else lazy(_format_times, str)(event, what)
    once = f"appointment.{one.pk}.{once or one.status}"
    changes.notify_player(kind, reader.player, event, opponent=opponent, what=text, once=once, now=now)


def _format_times(event: Tournament, moments: Sequence[datetime]) -> str:
    return "; ".join(local_times.format_zoned_moment(each, event.club.time_zone) for each in moments)


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
        texts = {"place": _clean_line(place, LONGEST_PLACE), "words": _clean_line(words, LONGEST_WORDS)}
        before = _find_appointment(row, AppointmentStatus.PROPOSED)
        if before is not None:
            same = (before.by_id, before.times, before.place, before.words)
            if same == (mine.pk, wanted, *texts.values()):
                return before
            _set_status(before, AppointmentStatus.REPLACED, by=mine, now=now)
        made = Appointment.objects.create(
            pairing=row, by=mine, to=other, times=wanted, proposed_at=now, **texts
        )
        offered = [datetime.fromisoformat(each) for each in wanted]
        _send_notice(PROPOSED, made, other, mine, offered, now=now)
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
        when = {"starts_at": time, "remind_at": _find_next_reminder(time, now)}
        _set_status(found, AppointmentStatus.AGREED, by=mine, now=now, **when)
        _expect_players(event, row, time)
        _send_notice(ACCEPTED, found, other, mine, [time], now=now)
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
        found = NothingProposed.raise_if_none(_find_their_proposal(row, mine))
        text = _clean_line(words, LONGEST_WORDS)
        _set_status(found, AppointmentStatus.DECLINED, by=mine, now=now, answer=text)
        _send_notice(DECLINED, found, other, mine, text, now=now)
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
        text = _clean_line(words, LONGEST_WORDS)
        _set_status(found, AppointmentStatus.CANCELLED, by=mine, now=now, answer=text)
        _expect_players(event, row, None)
        _send_notice(CANCELLED, found, other, mine, text, now=now)
        changes.announce_change(event, now=now)
        return found


def close_outdated(event: Tournament, *, now: datetime) -> None:
    """Close the open appointments of matches that have ended or changed players, in the caller's transaction.

    A reported result closes the proposal; the agreed time is kept until the result is confirmed.
    """
    standing = Appointment.objects.filter(pairing__tournament=event, status__in=STANDING)
    # Most events have none, and this query is the simpler one.
    if standing.exists():
        is_theirs = Q(pairing__a=F("by"), pairing__b=F("to")) | Q(pairing__a=F("to"), pairing__b=F("by"))
        reports = Report.objects.filter(pairing=OuterRef("pairing"), status__in=OPEN_REPORTS)
        is_reported = Q(Exists(reports), status=AppointmentStatus.PROPOSED)
        outdated = standing.filter(~Q(pairing__state=PairingState.READY) | ~is_theirs | is_reported)
        outdated.update(status=AppointmentStatus.OVER, answered_at=now, remind_at=None)


def reopen_agreed(event: Tournament, *, now: datetime) -> None:
    """Let the agreed times to come count again of matches that are open again, since their end was taken back."""
    over = Appointment.objects.filter(
        pairing__tournament=event,
        pairing__opened_at__isnull=False,
        status=AppointmentStatus.OVER,
        starts_at=F("pairing__called_at"),
        starts_at__gt=now,
    )
    for one in over.exclude(pairing__state=PairingState.DECIDED):
        assert one.starts_at is not None  # noqa: S101 - it is later than now
        one.status, one.remind_at = AppointmentStatus.AGREED, _find_next_reminder(one.starts_at, now)
        one.save(update_fields=["status", "remind_at"])


def erase_texts(player: Player) -> None:
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
            once = f"remind.{mark:%Y%m%d%H%M}"
            for reader, other in ((one.by, one.to), (one.to, one.by)):
                _send_notice(NEAR, one, reader, other, [one.starts_at], now=now, once=once)
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
    other = NotByAppointment.raise_if_none(row.b if mine == row.a else row.a)
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
