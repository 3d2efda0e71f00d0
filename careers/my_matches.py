"""A player's own page: their next matches, their way through each event, and what they have entered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from math import inf
from typing import Final

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from careers import head_to_head, hooks
from careers.head_to_head import HeadToHeadLink
from careers.hooks import NextStep, StepPriority
from draw.event import From
from fixtures import friendly_lines
from fixtures.friendly_lines import FriendlyLine
from players.models import Player, User
from tournaments.base import event_lines
from tournaments.base.event_lines import EventLine
from tournaments.base.event_view import EntryView, EventView, MatchView
from tournaments.models import Entry, PairingState
from tournaments.pages import event_parts, finish, viewer_part
from tournaments.pages.finish import PathStep
from tournaments.pages.viewer_part import ViewerMatch, ViewerPart
from tournaments.play.appointments import AppointmentView
from tournaments.status import Status

# Finished events stay on the page for this long.
SHOWN_AFTER: Final = timedelta(hours=12)
# The number of matches listed: in a league all can be open at once.
MOST_SHOWN: Final = 3


@dataclass(frozen=True, slots=True)
class StepAhead:
    title: str
    # The opponent, or the possible ones: "Okafor or Tanabe"; "" if unknown.
    opponent: str
    # Both players are known, and it has been opened.
    is_open: bool
    # It can be played now: it has been called to a table, or needs no call.
    is_now: bool
    # An opponent is not known yet.
    waits: bool
    begins_at: datetime | None
    # The next matches of its winner and its loser; "" if there are none.
    if_won: str
    if_lost: str


@dataclass(frozen=True, slots=True)
class EventPath:
    played: tuple[PathStep, ...]
    ahead: tuple[StepAhead, ...]


@dataclass(frozen=True, slots=True)
class MyMatch:
    event: EventLine
    meeting: ViewerMatch
    step: NextStep | None
    # Their record so far.
    met: HeadToHeadLink | None = None


@dataclass(frozen=True, slots=True)
class MyEvent:
    """A running event of the player, or one that has just ended."""

    line: EventLine
    mine: ViewerPart
    way: EventPath
    # Its estimated end.
    ends_at: datetime | None

    @property
    def next_at(self) -> datetime | None:
        return next((step.begins_at for step in self.way.ahead if step.waits), None)


@dataclass(frozen=True, slots=True)
class MyMatches:
    # Open matches, the most urgent first, and the number of those not listed.
    matches: tuple[MyMatch, ...]
    more: int
    events: tuple[MyEvent, ...]
    # Entered events that have not begun, the nearest first; True with a place, False on the waiting list.
    coming: tuple[tuple[EventLine, bool], ...]
    # Friendlies that others propose.
    asked: tuple[FriendlyLine, ...] = ()

    @property
    def appointments(self) -> tuple[tuple[EventLine, ViewerMatch], ...]:
        """The matches with an agreed time, the nearest first."""
        found = [
            (at, one.line, meeting)
            for one in self.running
            for meeting in one.mine.meetings
            if meeting.arranged is not None and (at := meeting.arranged.agreed_at) is not None
        ]
        return tuple((line, meeting) for _at, line, meeting in sorted(found, key=lambda each: each[0]))

    @property
    def running(self) -> tuple[MyEvent, ...]:
        return tuple(each for each in self.events if each.line.is_running)


def list_event_keys(player: Player, *, now: datetime) -> list[str]:
    return list(_list_entries(player, now=now).values_list("tournament__key", flat=True))


def load_my_matches(player: Player, user: User, *, now: datetime) -> MyMatches:
    entries = {entry.tournament_id: entry for entry in _list_entries(player, now=now)}
    events = event_lines.query_visible(user).filter(pk__in=entries).order_by("starts_at", "pk")
    own = {entry.tournament.key: entry for entry in entries.values()}
    shown = event_lines.load_lines(events, user, now=now)
    played = tuple(
        _build_event(line, own[line.key], now=now)
        for line in shown
        if line.is_staged and not line.is_announced
    )
    found = sorted((one for event in played for one in _list_open(event, player)), key=_get_urgency)
    coming = tuple((line, not own[line.key].waits) for line in shown if line.is_announced)
    friendlies = friendly_lines.list_to_answer(player, now=now)
    matches = tuple(_add_records(found[:MOST_SHOWN], player, user))
    return MyMatches(matches, len(found[MOST_SHOWN:]), played, coming, friendlies)


def _list_entries(player: Player, *, now: datetime) -> QuerySet[Entry]:
    """Return the player's entries in running, upcoming and just finished events."""
    is_now = Q(tournament__status=Status.RUNNING)
    is_ahead = Q(tournament__status=Status.PUBLISHED, tournament__starts_at__gte=now - event_lines.LINGERS)
    is_just_over = Q(tournament__status=Status.FINISHED, tournament__finished_at__gte=now - SHOWN_AFTER)
    rows = Entry.objects.filter(is_now | is_ahead | is_just_over, player=player, withdrawn_at__isnull=True)
    return rows.select_related("tournament").order_by("tournament__starts_at", "tournament_id")


def _build_event(line: EventLine, entry: Entry, *, now: datetime) -> MyEvent:
    parts = event_parts.load_parts(line.key, now=now)
    times = parts.times
    return MyEvent(
        line,
        viewer_part.load_viewer_part(parts.view, entry, now=now),
        build_event_path(parts.view, entry.number, times.begins),
        times.ends_at if line.is_running else None,
    )


def _list_open(event: MyEvent, player: Player) -> Iterator[MyMatch]:
    """Yield the open matches of a player in an event, each with the most urgent step."""
    if not event.line.is_running:
        return
    for meeting in event.mine.meetings:
        steps = _list_steps(event.line, meeting, player)
        yield MyMatch(event.line, meeting, min(steps, key=lambda step: step.turn, default=None))


def _add_records(found: Sequence[MyMatch], player: Player, user: User) -> Iterator[MyMatch]:
    others = Player.objects.in_bulk([one.meeting.opponent.key for one in found], field_name="key")
    for one in found:
        other = others.get(one.meeting.opponent.key)
        yield replace(one, met=head_to_head.load_link(player, other, user)) if other else one


def _list_steps(line: EventLine, meeting: ViewerMatch, player: Player) -> Iterator[NextStep]:
    if meeting.board:
        yield NextStep(StepPriority.PLAY, _("Go to the board"), meeting.board)
    # A player who has reported waits for the opponent.
    if line.is_paused or meeting.own is not None:
        return
    if meeting.other is not None:
        # The director decides disputes.
        if not meeting.other.is_disputed:
            yield NextStep(StepPriority.ANSWER, _("Answer the report"), line.url)
    elif meeting.is_called and not meeting.board:
        is_expected = meeting.arranged is None or meeting.arranged.agreed != ""
        if meeting.says_here and not meeting.is_here and is_expected:
            posts = {"match": meeting.key, "expects": meeting.line.expects}
            here = reverse("tournaments:here", args=[line.key])
            yield NextStep(StepPriority.COME, _("I am at the table"), here, posts)
        for find in hooks.NEXT_STEPS:
            if (step := find(player, line.key, meeting)) is not None:
                yield step
    if meeting.arranged is not None and meeting.other is None and not meeting.board:
        yield from _list_time_steps(line, meeting.arranged)


def _list_time_steps(line: EventLine, arranged: AppointmentView) -> Iterator[NextStep]:
    if arranged.theirs:
        yield NextStep(StepPriority.AGREE, _("Answer the proposed times"), line.url)
    elif arranged.is_open:
        yield NextStep(StepPriority.PROPOSE, _("Propose times"), line.url)


def _get_urgency(one: MyMatch) -> tuple[bool, bool, int, float]:
    """Return the sort key: called to a table first, then other steps, then matches without a step."""
    turn = one.step.turn if one.step is not None else 0
    is_called = turn == StepPriority.COME and one.meeting.table != ""
    deadline = one.meeting.play.deadline_at
    return not is_called, one.step is None, turn, inf if deadline is None else deadline.timestamp()


def build_event_path(view: EventView, number: int, begins: Mapping[str, datetime]) -> EventPath:
    """Build the path of the entry with this number; *begins* has the estimated starts of matches."""
    who = view.by_number.get(number)
    if who is None:
        return EventPath((), ())
    ahead = [
        play
        for play in view.plays
        if play.state in {PairingState.READY, PairingState.WAITING} and who.pk in {play.a_id, play.b_id}
    ]
    ahead.sort(key=lambda play: not play.is_open)
    return EventPath(
        finish.list_player_path(view, number), tuple(_build_step(view, play, who, begins) for play in ahead)
    )


def _build_step(
    view: EventView, play: MatchView, who: EntryView, begins: Mapping[str, datetime]
) -> StepAhead:
    is_a = play.a_id == who.pk
    opponent = view.who(play.b_id if is_a else play.a_id)
    return StepAhead(
        title=view.label(play),
        opponent=opponent.name if opponent else view.hint(play, "b" if is_a else "a"),
        is_open=play.is_open,
        is_now=play.is_open and not view.waits_for_call(play),
        waits=play.state == PairingState.WAITING,
        begins_at=begins.get(play.key),
        if_won=_find_next_label(view, play, From.WINNER),
        if_lost=_find_next_label(view, play, From.LOSER),
    )


def _find_next_label(view: EventView, play: MatchView, origin: From) -> str:
    """Return the label of the next match of the winner or the loser, skipping byes."""
    following = view.onward.get((origin.value, play.key))
    if following is None or following.is_cancelled or following.state == PairingState.DECIDED:
        return ""
    if following.state == PairingState.BYE:
        return _find_next_label(view, following, From.WINNER)
    return view.label(following)
