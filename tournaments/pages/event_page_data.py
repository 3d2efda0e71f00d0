"""The page of one event with the viewer's permissions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import F
from django.urls import reverse

from draw.event import format_places
from players.access.permissions import find_role
from players.models import Joining, User
from tournaments.base import event_lines, labels, local_times, rules_in_words, settings
from tournaments.base.event_lines import EventLine
from tournaments.base.rules_in_words import RulesInWords
from tournaments.models import Entry, Pairing, PairingState, Ruling, RulingKind, Stage, Tournament
from tournaments.pages import candidates
from tournaments.pages.candidates import Candidates
from tournaments.play.backlog import Work, find_next_pairing, find_waiting_work
from tournaments.status import ADMITTING, BEFORE_START, Status, find_reopened_status

MEDALS = {1: "gold", 2: "silver", 3: "bronze"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    key: str
    name: str
    url: str
    place: int | None
    is_me: bool
    is_guest: bool
    # Number of players who share the place.
    holders: int = 1
    number: int = 0
    waits: bool = False
    is_here: bool = False
    left: str = ""
    seed: int | None = None
    rating: float | None = None

    @property
    def medal(self) -> str:
        return MEDALS.get(self.place or 0, "")

    @property
    def places(self) -> str:
        return format_places(self.place, self.holders) if self.place else ""


@dataclass(frozen=True, slots=True)
class LogLine:
    act: str
    by: str
    when: str
    reason: str
    detail: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Permissions:
    """The viewer's permissions at this moment; the services check them again."""

    enter: bool = False
    join_and_enter: bool = False
    ask_to_join: bool = False
    sign_in: bool = False
    withdraw: bool = False
    direct: bool = False
    publish: bool = False
    start: bool = False
    admit: bool = False
    finish: bool = False
    cancel: bool = False
    reopen: bool = False
    edit: bool = False
    discard: bool = False
    check_in: bool = False
    leave: bool = False
    arrange: bool = False
    draw: bool = False
    desk: bool = False
    # Copy it to next week, or start a series.
    repeat: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EventPage:
    line: EventLine
    about: str
    entrants: tuple[Entrant, ...]
    podium: tuple[Entrant, ...]
    candidates: Candidates
    log: tuple[LogLine, ...]
    cancelled_because: str
    # The date of a copy of the event, "" without that permission.
    again_on: str
    may: Permissions
    # Two members agreed on it: it has no bracket, standings or schedule.
    is_friendly: bool
    # True if it is run here, by stages; otherwise it is only announced, and its places are recorded by hand.
    is_staged: bool = False
    is_paused: bool = False
    # The pending work of a worker; `Work.NONE` if pages do not mention it.
    work: Work = Work.NONE
    # The time at which a worker pairs the free players, None if it has no such job.
    next_pairing: datetime | None = None
    needs_check_in: bool = False
    # False if a result may name the winner alone.
    scores_needed: bool = True
    entries_close: str = ""
    # A description of its series.
    series: str = ""
    # The rules for its players.
    rules: RulesInWords | None = None

    @property
    def admitted(self) -> tuple[Entrant, ...]:
        return tuple(each for each in self.entrants if not each.waits)

    @property
    def waiting(self) -> tuple[Entrant, ...]:
        return tuple(each for each in self.entrants if each.waits)

    @property
    def is_finished(self) -> bool:
        return self.line.status is Status.FINISHED

    @property
    def has_begun(self) -> bool:
        """True if the page shows the players rather than the description."""
        return self.line.status in {Status.RUNNING, Status.FINISHED}

    @property
    def winners(self) -> tuple[Entrant, ...]:
        return tuple(each for each in self.podium if each.place == 1)

    @property
    def runners_up(self) -> tuple[Entrant, ...]:
        return tuple(each for each in self.podium if each.place != 1)

    @property
    def has_calendar(self) -> bool:
        return self.line.status in {Status.PUBLISHED, Status.RUNNING}

    @property
    def places_left(self) -> int | None:
        """Number of free places, None without a limit."""
        return None if self.line.capacity is None else max(0, self.line.capacity - self.line.entered)

    @property
    def again(self) -> int:
        """Number of candidates from the previous event; 0 after the start, or without room for all."""
        count = self.candidates.of_last_time
        has_room = self.places_left is None or count <= self.places_left
        return count if has_room and not self.line.is_running else 0


def load_page(
    event: Tournament,
    user: User | AnonymousUser,
    *,
    now: datetime,
    has_players: bool = True,
    stages: Sequence[Stage] | None = None,
    entered: int | None = None,
) -> EventPage:
    """Load the page of an event that the user may see. Most tabs do not need the players.

    *stages* and *entered*, the number of players, save a query each if the caller knows them.
    """
    is_finished = event.status == Status.FINISHED
    is_whole = has_players or is_finished
    entrants = _load_entrants(event, user, only_me=not is_whole)
    if is_whole:
        entered = sum(not each.waits for each in entrants)
    elif entered is None:
        entered = Entry.objects.filter(tournament=event, withdrawn_at__isnull=True, waits=False).count()
    line = event_lines.build_line(
        event,
        entered=entered,
        winners=tuple(each.name for each in entrants if is_finished and each.place == 1),
        is_mine=any(each.is_me for each in entrants),
        now=now,
    )
    directs = user.is_authenticated and user.has_perm("tournaments.direct", event)
    me = next((each for each in entrants if each.is_me), None)
    if stages is None:
        stages = list(event.stages.order_by("number"))
    is_staged = bool(stages)
    next_pairing = find_next_pairing(event)
    zone = event.club.time_zone
    may = _build_permissions(event, line, user, directs=directs, me=me, is_staged=is_staged, now=now)
    return EventPage(
        line=line,
        about=event.about,
        entrants=entrants if has_players else (),
        podium=tuple(each for each in entrants if is_finished and each.medal),
        candidates=candidates.list_candidates(event)
        if may.admit and has_players and not is_staged
        else candidates.NOBODY,
        log=tuple(_load_log(event)) if directs and has_players and not is_staged else (),
        cancelled_because=_load_cancel_reason(event) if line.status is Status.CANCELLED else "",
        again_on=local_times.format_moment(
            local_times.compute_next_week(event.starts_at, zone, now=now), zone, local_times.format_day
        )
        if may.repeat
        else "",
        may=may,
        is_friendly=event.is_friendly,
        is_staged=is_staged,
        is_paused=event.paused_at is not None,
        work=_get_shown_work(event),
        next_pairing=next_pairing if next_pairing is not None and next_pairing > now else None,
        needs_check_in=event.needs_check_in,
        scores_needed=event.scores_needed,
        entries_close=local_times.format_moment(event.entries_close_at, zone)
        if event.entries_close_at
        else "",
        series=labels.describe_series(event),
        rules=rules_in_words.describe_rules(event, stages) if is_staged else None,
    )


def _build_permissions(
    event: Tournament,
    line: EventLine,
    user: User | AnonymousUser,
    *,
    directs: bool,
    me: Entrant | None,
    is_staged: bool,
    now: datetime,
) -> Permissions:
    status = line.status
    is_announced = status is Status.PUBLISHED
    is_closed = event.entries_close_at is not None and event.entries_close_at <= now
    has_room = is_announced and me is None and not is_closed and (not line.is_full or event.has_waiting_list)
    is_member = has_room and ((directs and not user.is_superuser) or find_role(user, event.club) is not None)
    is_stranger = has_room and user.is_authenticated and not is_member
    is_open = event.club.joining == Joining.OPEN
    is_running = status is Status.RUNNING
    return Permissions(
        enter=has_room and is_member,
        join_and_enter=is_stranger and is_open,
        ask_to_join=is_stranger and not is_open,
        sign_in=has_room and not user.is_authenticated,
        withdraw=me is not None and is_announced,
        check_in=me is not None and is_announced and event.needs_check_in and not me.is_here and not me.waits,
        leave=me is not None and is_running and is_staged and not me.left,
        direct=directs,
        publish=directs and status is Status.DRAFT,
        start=directs and is_announced and line.entered >= 2 and not is_staged,
        draw=directs and is_announced and is_staged,
        desk=directs and is_staged and status in {Status.RUNNING, Status.FINISHED},
        arrange=directs and status in (ADMITTING if settings.list_open_after_draw() else BEFORE_START),
        admit=directs and status in ADMITTING,
        finish=directs and is_running and not is_staged,
        cancel=directs and status in {Status.PUBLISHED, Status.RUNNING},
        reopen=directs and find_reopened_status(status, has_started=event.started_at is not None) is not None,
        edit=directs and status in ADMITTING,
        discard=directs and status is Status.DRAFT,
        repeat=directs and not event.is_friendly,
    )


def _get_shown_work(event: Tournament) -> Work:
    """Return the pending work; work that follows from results is hidden while matches are open."""
    work = find_waiting_work(event)
    open_ = Pairing.objects.filter(tournament=event, state=PairingState.READY, opened_at__isnull=False)
    return Work.NONE if work is Work.RESULTS and open_.exists() else work


def _load_entrants(event: Tournament, user: User | AnonymousUser, *, only_me: bool) -> tuple[Entrant, ...]:
    """Load the players, or only the viewer; the waiting list is last."""
    if only_me and not user.is_authenticated:
        return ()
    rows = Entry.objects.filter(tournament=event, withdrawn_at__isnull=True)
    if only_me:
        rows = rows.filter(player__user=user.pk)
    # The order of a reopened result is not public.
    by_place = [F("place").asc(nulls_last=True)] if event.status == Status.FINISHED else []
    found: list[Any] = list(
        rows.order_by("waits", *by_place, "entered_at", "pk").values_list(
            "number", "place", "waits", "checked_in_at", "left", "seed", "rating", "player__key",
            "player__user_id", "player__name", "player__alias", "player__shown_as", "player__erased_at",
            named=True,
        )
    )  # fmt: skip
    holders = Counter(row.place for row in found)
    called = event_lines.list_styled_names(
        [(row.player__name, row.player__alias, row.player__shown_as, row.player__erased_at) for row in found],
        event.club.name_style,
    )
    base = reverse("players:player", args=["0"]).removesuffix("0/")
    return tuple(
        Entrant(
            key=row.player__key,
            name=name,
            url=f"{base}{row.player__key}/",
            place=row.place,
            holders=holders[row.place],
            is_me=row.player__user_id is not None and row.player__user_id == user.pk,
            is_guest=row.player__user_id is None and row.player__erased_at is None,
            number=row.number,
            waits=row.waits,
            is_here=row.checked_in_at is not None,
            left=row.left,
            seed=row.seed,
            rating=row.rating,
        )
        for row, name in zip(found, called, strict=True)
    )


def _load_log(event: Tournament) -> list[LogLine]:
    rows = Ruling.objects.filter(tournament=event).select_related("by__player", "helper")[:40]
    return [
        LogLine(
            act=row.get_act_display(),
            by=event_lines.format_author(row.helper, row.by),
            when=local_times.format_moment(row.at, event.club.time_zone),
            reason=row.reason_text,
            detail=len(row.data.get("players", ())),
        )
        for row in rows
    ]


def _load_cancel_reason(event: Tournament) -> str:
    ruling = Ruling.objects.filter(tournament=event, act=RulingKind.CANCELLED).first()
    return ruling.reason if ruling else ""
