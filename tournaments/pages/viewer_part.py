"""The viewer's own part of an event: matches to play, reports and results."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q
from django.urls import reverse

from draw.event import format_places
from draw.rules_of_play import RulesOfPlay
from tournaments.base import labels, rules_in_words
from tournaments.base.event_view import EntryView, EventView, MatchView
from tournaments.base.result_reports import ReportView, describe_reports
from tournaments.models import OPEN_REPORTS, Entry, PairingState, Report, ReportedBy, ReportStatus, Tournament
from tournaments.pages import bracket_display, games
from tournaments.pages.bracket_display import MatchLine
from tournaments.pages.waiting import WaitingText, describe_waiting
from tournaments.play import appointments
from tournaments.play.appointments import AppointmentView
from tournaments.status import Status


@dataclass(frozen=True, slots=True)
class ViewerMatch:
    play: MatchView
    line: MatchLine
    opponent: EntryView
    is_a: bool
    own_number: int
    label: str
    length: str
    table: str
    board: str
    is_here: bool
    # True if the viewer can say that they are at the table.
    says_here: bool
    may_open: bool
    own_late: int
    their_late: int
    own: ReportView | None
    other: ReportView | None
    may_report: bool
    # It can begin: it was called to a table, or needs no call.
    is_called: bool = True
    # Proposed and agreed times of a match that is played over days.
    arranged: AppointmentView | None = None

    @property
    def key(self) -> str:
        return self.play.key

    @property
    def asks_result(self) -> bool:
        """True if the form for the result is open.

        Nothing is reported yet, and the match is not played by appointment.
        """
        return self.own is None and self.other is None and self.arranged is None

    @property
    def reported(self) -> str:
        """The opponent's report in a form field: the points of a and b, or the number of the winner."""
        if self.other is None:
            return ""
        mine, theirs = self.other.mine, self.other.theirs
        if mine is None:
            return str(self.own_number if self.other.has_won else self.opponent.number)
        return f"{mine} {theirs}" if self.is_a else f"{theirs} {mine}"

    @property
    def report_text(self) -> str:
        return describe_reports(self.own, self.other, self.opponent.name)

    @property
    def stands_at(self) -> datetime | None:
        """The time at which the open report is confirmed automatically; None if it is not."""
        report = self.own or self.other
        return None if report is None else report.confirms_at


@dataclass(frozen=True, slots=True)
class ViewerPart:
    entry: Entry
    number: int
    meetings: tuple[ViewerMatch, ...]
    waits_for: str  # "Okafor or Tanabe", "" if not waiting
    next_label: str
    results: tuple[MatchLine, ...]
    # None if there is an open match or a next one.
    waiting: WaitingText | None
    has_left: bool
    place: int | None
    # "9-12" for a shared place.
    places: str = ""


def load_viewer_part(view: EventView, entry: Entry, *, now: datetime) -> ViewerPart:
    own = [play for play in view.plays if entry.pk in {play.a_id, play.b_id}]
    open_ = [play for play in own if play.is_open]
    reports = _load_reports(view.event, entry) if open_ else {}
    arranged = appointments.map_appointments(view, entry, open_, now=now) if open_ else {}
    waiting = (
        None
        if open_ or entry.left
        else next((play for play in own if play.state == PairingState.WAITING), None)
    )
    done = [play for play in own if play.state == PairingState.DECIDED]
    place = entry.place if view.event.status == Status.FINISHED else None
    holders = sum(who.place == place for who in view.people.values())
    return ViewerPart(
        entry=entry,
        number=entry.number,
        meetings=tuple(
            _build_viewer_match(view, play, entry, reports.get(play.key, ()), arranged.get(play.key))
            for play in open_
        ),
        waits_for=view.hint(waiting, "b" if waiting.a_id == entry.pk else "a") if waiting else "",
        next_label=view.label(waiting) if waiting else "",
        results=tuple(bracket_display.build_match_line(view, play) for play in reversed(done)),
        waiting=None if open_ or waiting else describe_waiting(view, entry),
        has_left=bool(entry.left),
        place=place,
        places=format_places(place, holders) if place else "",
    )


def _build_viewer_match(
    view: EventView,
    play: MatchView,
    entry: Entry,
    reports: Iterable[Report],
    arranged: AppointmentView | None,
) -> ViewerMatch:
    is_a = play.a_id == entry.pk
    opponent = view.who(play.b_id if is_a else play.a_id)
    if opponent is None:
        raise AssertionError(f"{play.key} is open for one")
    reported = {
        report.by_id == entry.pk: _build_reported(view, play, report, is_a=is_a) for report in reports
    }
    own_late, their_late = (play.a_late, play.b_late) if is_a else (play.b_late, play.a_late)
    return ViewerMatch(
        play=play,
        line=bracket_display.build_match_line(view, play),
        opponent=opponent,
        is_a=is_a,
        own_number=entry.number,
        label=view.label(play),
        length=rules_in_words.describe_match(play.length, play.rules),
        table=labels.format_table(play.table) if play.table else "",
        board=reverse("matches:match", args=[play.board]) if play.board else "",
        is_here=(play.a_here_at if is_a else play.b_here_at) is not None,
        # In an event that calls matches to tables, the call asks this.
        says_here=bool(view.event.lateness or view.event.no_show_minutes or arranged)
        and (not view.event.waits_for_call or (arranged is not None and not play.table))
        # Players of a match on a score sheet have arrived.
        and not play.is_scored
        and (arranged is None or arranged.may_come),
        may_open=opponent.user_id is not None,
        own_late=own_late,
        their_late=their_late,
        own=reported.get(True),
        other=reported.get(False),
        may_report=view.event.reporting != ReportedBy.DIRECTOR and view.event.paused_at is None,
        is_called=(not view.waits_for_call(play) or (play.is_scored and not play.waits_again) or play.is_live)
        and (arranged is None or arranged.may_come),
        arranged=arranged,
    )


def _build_reported(view: EventView, play: MatchView, report: Report, *, is_a: bool) -> ReportView:
    a, b = report.score_a, report.score_b
    own_pk = play.a_id if is_a else play.b_id
    won_pk = report.winner_id if a is None or b is None else play.a_id if a > b else play.b_id
    a_name, b_name = (who.name if who else "" for who in (view.who(play.a_id), view.who(play.b_id)))
    return ReportView(
        mine=a if is_a else b,
        theirs=b if is_a else a,
        has_won=won_pk == own_pk,
        is_disputed=report.status == ReportStatus.DISPUTED,
        confirms_at=report.confirms_at,
        games=games.build_rows(
            report.games,
            (a_name, b_name),
            play.begun,
            play.length,
            RulesOfPlay.from_match_rules(play.rules),
        ),
    )


def _load_reports(event: Tournament, entry: Entry) -> dict[str, list[Report]]:
    own = Q(pairing__a=entry) | Q(pairing__b=entry)
    rows = Report.objects.filter(own, pairing__tournament=event, status__in=OPEN_REPORTS)
    found: dict[str, list[Report]] = {}
    for row in rows.select_related("pairing"):
        found.setdefault(row.pairing.key, []).append(row)
    return found
