"""Appointments as shown to the two players and their director: proposed, agreed, and who has not answered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from players.models import Player
from tournaments.base import expectations, formats, local_times
from tournaments.base.event_lines import format_player_name
from tournaments.base.event_view import EventView, MatchView
from tournaments.base.ical import CalendarEntry
from tournaments.models import STANDING, Appointment, AppointmentStatus, Entry, Pairing, Tournament

# Players may check in at the table this long before the agreed time.
EARLY: Final = timedelta(hours=1)
# Assumed duration of a match in calendars, per point.
A_POINT: Final = timedelta(minutes=12)


@dataclass(frozen=True, slots=True)
class ProposedTime:
    value: str
    text: str
    is_over: bool
    is_after_deadline: bool


@dataclass(frozen=True, slots=True)
class AppointmentView:
    """The appointment of a match, as shown to one of its players."""

    # The agreed time in the club's time zone, "" if there is none.
    agreed: str
    agreed_at: datetime | None
    place: str
    has_begun: bool
    # The player may check in at the table.
    may_come: bool
    # Times proposed by the opponent, and by the player.
    theirs: tuple[ProposedTime, ...]
    own: tuple[ProposedTime, ...]
    their_place: str
    their_words: str
    # How the last proposal or agreed time ended, if none is open.
    last: str
    zone: str
    expects: str
    calendar: str

    @property
    def is_open(self) -> bool:
        """True if no time is agreed or proposed."""
        return not (self.agreed or self.theirs or self.own)


@dataclass(frozen=True, slots=True)
class AppointmentLine:
    """A match to be played by appointment, as shown to its director."""

    key: str
    names: str
    label: str
    deadline_at: datetime | None
    deadline: str
    # What is agreed or proposed, and who has not answered since when.
    text: str
    state: str
    words: tuple[str, ...]


def may_check_in(
    agreed_at: datetime | None, deadline_at: datetime | None, zone: str, *, now: datetime
) -> bool:
    """True if a player may check in at the table of a match played over days.

    That is from an hour before the agreed time; without one on the last day, or always without a deadline.
    """
    if agreed_at is not None:
        return now >= agreed_at - EARLY
    return deadline_at is None or not local_times.is_later_day(deadline_at, zone, now)


def list_by_appointment(view: EventView) -> list[MatchView]:
    return [
        play for part in view.parts if formats.is_over_days(part.stage) for play in part.plays if play.is_open
    ]


def map_appointments(
    view: EventView, entry: Entry, plays: Iterable[MatchView], *, now: datetime
) -> dict[str, AppointmentView]:
    """Return the appointments of the open matches of one entry, by match key."""
    wanted = {play.key for play in list_by_appointment(view)}
    mine = {play.key: play for play in plays if play.key in wanted}
    if not mine:
        return {}
    rows = _group_by_match(view, mine, Q(by=entry) | Q(to=entry))
    return {key: _build_view(view, play, entry, rows.get(key, []), now=now) for key, play in mine.items()}


def _group_by_match(view: EventView, keys: Iterable[str], *who: Q) -> dict[str, list[Appointment]]:
    rows = Appointment.objects.filter(*who, pairing__tournament=view.event, pairing__key__in=list(keys))
    found: dict[str, list[Appointment]] = {}
    for row in rows.select_related("pairing"):
        found.setdefault(row.pairing.key, []).append(row)
    return found


def _find_standing(rows: list[Appointment]) -> tuple[Appointment | None, Appointment | None]:
    by_status = {one.status: one for one in rows if one.status in STANDING}
    return by_status.get(AppointmentStatus.AGREED), by_status.get(AppointmentStatus.PROPOSED)


def _build_view(
    view: EventView, play: MatchView, entry: Entry, rows: list[Appointment], *, now: datetime
) -> AppointmentView:
    event = view.event
    zone = event.club.time_zone
    agreed, proposed = _find_standing(rows)
    times = () if proposed is None else tuple(_list_times(proposed, play, zone, now))
    is_own = proposed is not None and proposed.by_id == entry.pk
    agreed_at = None if agreed is None else agreed.starts_at
    standing = sorted((one for one in (agreed, proposed) if one), key=lambda one: one.pk)
    seats = expectations.build_view_state(view, play)
    return AppointmentView(
        agreed="" if agreed_at is None else local_times.format_zoned_moment(agreed_at, zone),
        agreed_at=agreed_at,
        place="" if agreed is None else agreed.place,
        has_begun=agreed_at is not None and agreed_at <= now,
        may_come=may_check_in(agreed_at, play.deadline_at, zone, now=now),
        theirs=() if is_own else times,
        own=times if is_own else (),
        their_place="" if proposed is None else proposed.place,
        their_words="" if proposed is None else proposed.words,
        last="" if standing else _describe_last(view, rows, zone),
        zone=zone,
        expects=expectations.serialize_state(
            {**seats, "appointments": [f"{one.status} {one.uid}" for one in standing]}
        ),
        calendar=reverse("tournaments:appointment_calendar", args=[event.key, play.key]),
    )


def _list_times(one: Appointment, play: MatchView, zone: str, now: datetime) -> Iterator[ProposedTime]:
    for text in one.times:
        moment = datetime.fromisoformat(text)
        is_late = play.deadline_at is not None and moment > play.deadline_at
        yield ProposedTime(text, local_times.format_zoned_moment(moment, zone), moment <= now, is_late)


def _describe_last(view: EventView, rows: list[Appointment], zone: str) -> str:
    """Describe the last declined proposal or cancelled appointment; "" if there is none."""
    ended = [one for one in rows if one.status in {AppointmentStatus.DECLINED, AppointmentStatus.CANCELLED}]
    if not ended:
        return ""
    one = max(ended, key=lambda each: (each.answered_at or each.proposed_at, each.pk))
    who = view.who(one.answered_by_id)
    name = who.name if who else ""
    if one.status == AppointmentStatus.CANCELLED and one.starts_at is not None:
        sentence = _("%(name)s has called off the appointment on %(time)s.") % {
            "name": name,
            "time": local_times.format_zoned_moment(one.starts_at, zone),
        }
    else:
        sentence = _("%(name)s has declined the times that were proposed.") % {"name": name}
    return f"{sentence} “{one.answer}”" if one.answer else sentence


# -- for the director


def list_appointments(view: EventView, *, now: datetime) -> list[AppointmentLine]:
    """List the open matches played by appointment, the nearest deadline first."""
    plays = list_by_appointment(view)
    if not plays:
        return []
    found = _group_by_match(view, [play.key for play in plays])
    lines = [_build_line(view, play, found.get(play.key, []), now=now) for play in plays]
    lines.sort(key=lambda line: (line.deadline_at is None, line.deadline_at or now, line.key))
    return lines


def find_appointment(view: EventView, play: MatchView, *, now: datetime) -> AppointmentLine | None:
    """Return the appointment of one match, None if it is not played by appointment."""
    return next((line for line in list_appointments(view, now=now) if line.key == play.key), None)


def _build_line(
    view: EventView, play: MatchView, rows: list[Appointment], *, now: datetime
) -> AppointmentLine:
    zone = view.event.club.time_zone
    names = {
        pk: who.name for pk in (play.a_id, play.b_id) if (who := view.who(pk)) is not None and pk is not None
    }
    stood = _compute_state(rows, play.opened_at)
    return AppointmentLine(
        key=play.key,
        names=" – ".join(names.values()),  # noqa: RUF001
        label=view.label(play),
        deadline_at=play.deadline_at,
        deadline="" if play.deadline_at is None else local_times.format_zoned_moment(play.deadline_at, zone),
        text=_describe_state(stood, names, zone),
        state=stood["state"],
        words=tuple(
            f"{names[who]}: {words}"
            for row in rows
            for who, words in ((row.by_id, row.words), (row.answered_by_id, row.answer))
            if words and who in names
        ),
    )


def _compute_state(rows: list[Appointment], opened_at: datetime | None) -> dict[str, Any]:
    """Return the state of a match's appointments: agreed, proposed, stopped or silent.

    They are stopped if nothing is open since the last answer, and silent if there never was a proposal.
    """
    agreed, proposed = _find_standing(rows)
    found: dict[str, Any] = {"state": "silent", "since": opened_at}
    if rows:
        last = max(rows, key=lambda each: (each.answered_at or each.proposed_at, each.pk))
        found = {"state": "stopped", "last": last, "since": None}
    if proposed is not None:
        found = {"state": "proposed", "by": proposed.by_id, "to": proposed.to_id}
        found["since"] = proposed.proposed_at
    if agreed is not None:
        found |= {"state": "agreed", "agreed_at": agreed.starts_at}
    return found


def _describe_state(stood: Mapping[str, Any], names: Mapping[int, str], zone: str) -> str:
    parts = []
    if stood["state"] == "agreed":
        time = local_times.format_zoned_moment(stood["agreed_at"], zone)
        parts.append(_("Agreed: %(time)s.") % {"time": time})
    since = stood.get("since")
    day = "" if since is None else local_times.format_zoned_moment(since, zone)
    if stood.get("by"):
        values = {"name": names.get(stood["by"], ""), "other": names.get(stood["to"], ""), "since": day}
        parts.append(_("%(name)s has proposed times; %(other)s has not answered since %(since)s.") % values)
    elif stood["state"] == "silent":
        parts.append(_("Neither has proposed a time since %(since)s.") % {"since": day})
    elif stood["state"] == "stopped":
        last: Appointment = stood["last"]
        values = {
            "what": last.get_status_display(),
            "name": names.get(last.answered_by_id or last.by_id, ""),
            "time": local_times.format_zoned_moment(last.answered_at or last.proposed_at, zone),
        }
        parts.append(_("No time agreed: %(what)s by %(name)s, %(time)s.") % values)
    return " ".join(parts)


# -- for rulings


def build_evidence(row: Pairing) -> dict[str, Any]:
    """Return the appointment facts for a ruling on an open match.

    These are the agreed time, or the players who have not answered and since when.
    """
    if not formats.is_over_days(row.stage):
        return {}
    stood = _compute_state(list(Appointment.objects.filter(pairing=row)), row.opened_at)
    numbers = {entry.pk: entry.number for entry in (row.a, row.b) if entry is not None}
    waited_for = [stood.get("to")] if stood["state"] != "silent" else [row.a_id, row.b_id]
    silent = [numbers[pk] for pk in waited_for if pk in numbers]
    found: dict[str, Any] = {}
    if stood.get("agreed_at"):
        found["agreed"] = stood["agreed_at"].isoformat()
    if silent and stood.get("since"):
        found |= {"silent": silent, "since": stood["since"].isoformat()}
    return found


def describe_ruling_facts(data: Mapping[str, Any], view: EventView) -> list[str]:
    zone, found = view.event.club.time_zone, []
    if data.get("agreed"):
        time = local_times.format_zoned_moment(datetime.fromisoformat(data["agreed"]), zone)
        found.append(_("agreed for %(time)s") % {"time": time})
    if data.get("silent"):
        who = [one.name for number in data["silent"] if (one := view.by_number.get(number))]
        since = local_times.format_zoned_moment(datetime.fromisoformat(data["since"]), zone)
        found.append(_("no answer since %(since)s: %(names)s") % {"since": since, "names": ", ".join(who)})
    return found


# -- for calendars and the personal data export


def build_calendar(
    event: Tournament, match: str, player: Player, *, host: str, absolute: Callable[[str], str]
) -> list[CalendarEntry]:
    """Return the calendar entry for the last agreed time of a player's match, even if cancelled since."""
    rows = Appointment.objects.filter(
        Q(by__player=player) | Q(to__player=player), pairing__tournament=event, pairing__key=match
    )
    agreed = rows.filter(starts_at__isnull=False).select_related("by__player", "to__player", "pairing")
    one = agreed.order_by("pk").last()
    if one is None or one.starts_at is None:
        return []
    other = one.to if one.by.player_id == player.pk else one.by
    values = {"event": event.name, "opponent": format_player_name(other.player)}
    return [
        CalendarEntry(
            uid=f"match-{one.pairing.uid}@{host}",
            starts_at=one.starts_at,
            ends_at=one.starts_at + A_POINT * one.pairing.length,
            changed_at=one.answered_at or one.proposed_at,
            sequence=rows.count() * 2 + (one.status == AppointmentStatus.CANCELLED),
            summary=_("%(event)s: match against %(opponent)s") % values,
            place=one.place,
            url=absolute(reverse("tournaments:event", args=[event.key])),
            is_cancelled=one.status == AppointmentStatus.CANCELLED,
        )
    ]


def export_appointments(player: Player) -> list[dict[str, object]]:
    """Return a player's proposals and answers, for their personal data export."""
    rows = Appointment.objects.filter(Q(by__player=player) | Q(answered_by__player=player))
    found = []
    for row in rows.select_related("pairing__tournament", "by", "answered_by").order_by("pk"):
        data: dict[str, object] = {
            "uid": str(row.uid),
            "event": row.pairing.tournament.name,
            "match": row.pairing.key,
            "proposed_at": row.proposed_at.isoformat(),
            "status": row.status,
            "starts_at": row.starts_at.isoformat() if row.starts_at else None,
            "times": row.times,
        }
        if row.by.player_id == player.pk:
            data |= {"place": row.place, "words": row.words}
        if row.answered_by is not None and row.answered_by.player_id == player.pk:
            data["answer"] = row.answer
        found.append(data)
    return found


def has_agreed_time(event_key: str, user_id: int) -> bool:
    """True if the user has an agreed time in this event: their possible actions change with the clock."""
    rows = Appointment.objects.filter(pairing__tournament__key=event_key, status=AppointmentStatus.AGREED)
    return rows.filter(Q(by__player__user=user_id) | Q(to__player__user=user_id)).exists()
