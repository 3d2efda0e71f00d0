"""The calendar of all clubs or of one club, and a club's diary."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Max
from django.urls import reverse
from django.utils.translation import gettext as _

from draw.event import Kind
from players.models import Club, User
from tournaments.base import event_lines, event_view, formats, labels, rules_in_words
from tournaments.base.event_lines import EventLine
from tournaments.base.ical import CalendarEntry
from tournaments.models import Pairing, PairingState, Round, RoundStatus, Tournament
from tournaments.pages import event_parts, page_cache, page_versions
from tournaments.pages.event_parts import LiveEvent
from tournaments.programme import club_champions
from tournaments.programme.club_champions import ClubYear
from tournaments.status import Status

PER_PAGE: Final = 40
# How far back a subscribed calendar goes.
FEED_REACHES: Final = timedelta(days=90)
# The assumed length of an event that has not ended.
EVENING: Final = timedelta(hours=4)
# A deadline is shown in calendars as the hour before it.
NOTICE: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class CalendarPage:
    lines: tuple[EventLine, ...]
    # The clubs to filter by, and the chosen one.
    clubs: tuple[Club, ...]
    club: Club | None
    is_past: bool
    page: int
    has_more: bool

    @property
    def shows_club(self) -> bool:
        """True if the lines come from several clubs."""
        return self.club is None and len(self.clubs) > 1


@dataclass(frozen=True, slots=True)
class ClubEvents:
    tonight: tuple[EventLine, ...]
    ahead: tuple[EventLine, ...]
    drafts: tuple[EventLine, ...]
    past: tuple[EventLine, ...]
    club_year: ClubYear | None
    figures: ClubFigures
    # The first event of tonight that is being played, with its progress and boards.
    night: LiveEvent | None
    adjourned: tuple[AdjournedMatch, ...]

    @property
    def is_empty(self) -> bool:
        return not (self.tonight or self.ahead or self.drafts or self.past)


def load_calendar_page(
    user: User | AnonymousUser, *, club: Club | None, is_past: bool, number: int, now: datetime
) -> CalendarPage:
    events = event_lines.query_visible(user)
    if club is not None:
        events = events.filter(club=club)
    chosen = (event_lines.filter_past if is_past else event_lines.filter_upcoming)(events, now=now)
    first = (number - 1) * PER_PAGE
    found = event_lines.load_lines(chosen[first : first + PER_PAGE + 1], user, now=now)
    clubs = Club.objects.filter(tournaments__isnull=False).distinct().order_by("folded_name", "pk")
    has_more = len(found) > PER_PAGE
    return CalendarPage(found[:PER_PAGE], tuple(clubs[:50]), club, is_past, number, has_more)


def load_club_events(user: User | AnonymousUser, club: Club, *, past: int, now: datetime) -> ClubEvents:
    """List a club's events: tonight, ahead, drafts, and the latest results."""
    events = event_lines.query_visible(user).filter(club=club)
    ahead = event_lines.load_lines(event_lines.filter_upcoming(events, now=now)[:60], user, now=now)
    tonight = event_lines.filter_tonight(ahead)
    over, club_year, figures = _load_past(club, most=past, now=now)
    return ClubEvents(
        tonight=tonight,
        ahead=tuple(each for each in ahead if each not in tonight and each.status is not Status.DRAFT),
        drafts=tuple(each for each in ahead if each.status is Status.DRAFT),
        past=over,
        club_year=club_year,
        figures=figures,
        night=event_parts.find_live_event(tonight, now=now),
        adjourned=list_adjourned(tonight + ahead),
    )


def _load_past(
    club: Club, *, most: int, now: datetime
) -> tuple[tuple[EventLine, ...], ClubYear | None, ClubFigures]:
    """Load a club's past events that are not archived, its champions and its figures.

    They are the same for every viewer, and cached until the club or one of its events changes.
    """

    def read() -> tuple[tuple[EventLine, ...], ClubYear | None, ClubFigures]:
        nobody = AnonymousUser()
        events = event_lines.filter_latest(event_lines.query_visible(nobody).filter(club=club), now=now)
        lines = event_lines.load_lines(events[:most], nobody, now=now)
        return lines, club_champions.load_club_year(club, now=now), count_club_figures(club)

    return page_cache.get_or_compute(
        "past", club.slug, most,
        mark=page_versions.compute_lists_key(club=club.slug),
        make=read,
        now=now,
        until=lambda: page_versions.find_next_change(now=now, club=club.slug),
        size=lambda past: 1 + len(past[0]),
    )  # fmt: skip


def list_club_entries(
    club: Club, *, host: str, absolute: Callable[[str], str], now: datetime
) -> list[CalendarEntry]:
    """List a club's announced events for its calendar feed."""
    events = (
        Tournament.objects.filter(club=club, is_friendly=False, starts_at__gte=now - FEED_REACHES)
        .exclude(status=Status.DRAFT)
        .annotate(changes=Count("rulings"))
        .order_by("starts_at", "pk")
    )
    return [
        _build_entry(event, club, host=host, absolute=absolute, sequence=event.changes) for event in events
    ]


def list_event_entries(
    event: Tournament, *, host: str, absolute: Callable[[str], str]
) -> list[CalendarEntry]:
    """List the calendar entries of an event, and of the deadlines of rounds that are played over days."""
    changes = event.rulings.count()
    whole = _build_entry(event, event.club, host=host, absolute=absolute, sequence=changes)
    rounds = (
        Round.objects.filter(stage__tournament=event)
        .exclude(status=RoundStatus.DRAFT)
        .annotate(latest=Max("pairings__deadline_at"))
        .filter(latest__isnull=False)
        .select_related("stage")
        .order_by("stage__number", "number")
    )
    return [
        whole,
        *(_build_deadline_entry(one, one.latest, whole) for one in rounds if formats.is_over_days(one.stage)),
    ]


def _build_deadline_entry(batch: Round, by: datetime, whole: CalendarEntry) -> CalendarEntry:
    values = {"event": whole.summary, "number": batch.number}
    return replace(
        whole,
        uid=f"round-{batch.pk}.{whole.uid}",
        starts_at=by - NOTICE,
        ends_at=by,
        summary=_("%(event)s: round %(number)s ends") % values,
    )


def _build_entry(
    event: Tournament, club: Club, *, host: str, absolute: Callable[[str], str], sequence: int
) -> CalendarEntry:
    over_at = event.finished_at or event.starts_at
    return CalendarEntry(
        uid=f"{event.key}@{host}",
        starts_at=event.starts_at,
        ends_at=over_at if over_at > event.starts_at else event.starts_at + EVENING,
        changed_at=event.changed_at,
        sequence=sequence,
        summary=event.name,
        place=event.place or club.place,
        about=_describe_event(event),
        url=absolute(reverse("tournaments:event", args=[event.key])),
        is_cancelled=event.status == Status.CANCELLED,
    )


def _describe_event(event: Tournament) -> str:
    facts = [
        labels.describe_format(event.format_label, event.played_as),
        _("Matches: %(length)s") % {"length": rules_in_words.describe_event_length(event)},
    ]
    return "\n".join(part for part in [" · ".join(fact for fact in facts if fact), event.about] if part)


# Walkovers and forfeits do not count as played matches.
PLAYED: Final = (Kind.PLAYED.value, Kind.DRAWN.value)


@dataclass(frozen=True, slots=True)
class ClubFigures:
    events: int
    matches: int


def count_club_figures(club: Club) -> ClubFigures:
    """Count the finished events, and the matches played in finished and running events."""
    events = Tournament.objects.filter(club=club, is_friendly=False)
    matches = Pairing.objects.filter(
        tournament__club=club,
        tournament__status__in=(Status.RUNNING, Status.FINISHED),
        state=PairingState.DECIDED,
        kind__in=PLAYED,
        is_cancelled=False,
    )
    return ClubFigures(events.filter(status=Status.FINISHED).count(), matches.count())


class AdjournedMatch(NamedTuple):
    event: EventLine
    a: str
    b: str
    score: tuple[int, int]
    length: int
    since: datetime
    # The name of the player on roll; "" if it was not recorded.
    on_roll: str = ""


def list_adjourned(events: Sequence[EventLine]) -> tuple[AdjournedMatch, ...]:
    """List the adjourned matches of the running events among *events*, the latest first."""
    running = {event.key: event for event in events if event.status is Status.RUNNING}
    if not running:
        return ()
    rows = Pairing.objects.select_related("tournament__club", "a__player", "b__player").filter(
        tournament__key__in=running, state=PairingState.READY, match=None, running__has_key="adjourned"
    )
    matches = list(rows.exclude(a=None).exclude(b=None))
    called = event_view.load_seat_names(matches)
    found = []
    for row in matches:
        if row.a is None or row.b is None or row.running["seats"] != [row.a_id, row.b_id]:
            continue
        a, b = row.running["score"]
        names = {"a": called[row.a.pk], "b": called[row.b.pk]}
        since = datetime.fromisoformat(row.running["adjourned"])
        on_roll = names.get(row.running.get("turn", ""), "")
        event = running[row.tournament.key]
        found.append(AdjournedMatch(event, names["a"], names["b"], (a, b), row.length, since, on_roll))
    return tuple(sorted(found, key=lambda one: one.since, reverse=True))
