"""Matches of an event by state, for the schedule, the overview and the desk; its progress in total and by round."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import inf
from typing import Final

from draw.brackets.structure import FINAL, MAIN
from tournaments.base import event_rows, labels
from tournaments.base.event_view import EventView, MatchView, StageView
from tournaments.models import PairingState
from tournaments.pages import bracket_display, timetable
from tournaments.pages.bracket_display import MatchLine
from tournaments.pages.timetable import Timetable

# The brackets that lead to the title.
TO_THE_TITLE: Final = frozenset({MAIN, FINAL})
# At most this number of rounds is shown.
MOST_ROUNDS: Final = 5
DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class AgendaRound:
    title: str
    done: int = 0
    live: int = 0
    count: int = 0
    began_at: datetime | None = None
    # The expected start of a round that has not begun.
    begins_at: datetime | None = None
    # The latest deadline of its matches.
    deadline_at: datetime | None = None

    @property
    def is_over(self) -> bool:
        return 0 < self.count == self.done

    @property
    def takes_days(self) -> bool:
        return bool(self.began_at and self.deadline_at and self.deadline_at - self.began_at >= DAY)


@dataclass(frozen=True, slots=True)
class ComingMatch:
    line: MatchLine
    begins_at: datetime | None


@dataclass(frozen=True, slots=True)
class Agenda:
    playing: tuple[MatchLine, ...]  # on a board of this site, or on a score sheet
    ready: tuple[MatchLine, ...]
    waiting: tuple[MatchLine, ...]
    done: tuple[MatchLine, ...]  # the latest first
    rounds: tuple[AgendaRound, ...]

    @property
    def open(self) -> tuple[MatchLine, ...]:
        return self.playing + self.ready


def build_agenda(view: EventView) -> Agenda:
    open_ = [play for play in view.plays if play.is_open]
    done = sorted(
        (play for play in view.plays if play.state == PairingState.DECIDED),
        key=lambda play: play.decided_at.timestamp() if play.decided_at else 0.0,
        reverse=True,
    )
    return Agenda(
        playing=_build_lines(view, (play for play in open_ if play.is_playing)),
        ready=_build_lines(view, (play for play in open_ if not play.is_playing)),
        waiting=_build_lines(
            view,
            (play for play in view.plays if play.state == PairingState.WAITING and (play.a_id or play.b_id)),
        ),
        done=_build_lines(view, done),
        rounds=_build_rounds(view),
    )


def _counts(play: MatchView) -> bool:
    return not (play.has_empty_seat or play.is_void)


def list_coming_matches(plan: Agenda, times: Timetable) -> tuple[ComingMatch, ...]:
    """Sort the waiting matches by their expected start; those without one come last."""
    found = [ComingMatch(line, times.begins.get(line.play.key)) for line in plan.waiting]
    return tuple(sorted(found, key=lambda each: each.begins_at.timestamp() if each.begins_at else inf))


def _build_lines(view: EventView, made: Iterable[MatchView]) -> tuple[MatchLine, ...]:
    return tuple(bracket_display.build_match_line(view, play) for play in made)


def _build_rounds(view: EventView) -> tuple[AgendaRound, ...]:
    found: dict[str, list[MatchView]] = {}
    for play in view.plays:
        if _counts(play):
            found.setdefault(view.label(play), []).append(play)
    return tuple(_build_round(title, made, timetable.UNKNOWN) for title, made in found.items())


def _build_round(title: str, made: Sequence[MatchView], times: Timetable) -> AgendaRound:
    return AgendaRound(
        title,
        done=sum(play.state == PairingState.DECIDED for play in made),
        live=sum(play.is_open for play in made),
        count=len(made),
        began_at=min((play.opened_at for play in made if play.opened_at), default=None),
        begins_at=min((times.begins[play.key] for play in made if play.key in times.begins), default=None),
        deadline_at=max((play.deadline_at for play in made if play.deadline_at), default=None),
    )


@dataclass(frozen=True, slots=True)
class Progress:
    # Known matches, without byes and void ones.
    done: int
    live: int
    left: int
    # All matches are known; otherwise further rounds will be paired.
    is_whole: bool
    # Rounds of the main bracket, or of all matches if there is no bracket.
    legs: tuple[AgendaRound, ...]
    # The expected end of the last match.
    ends_at: datetime | None = None

    @property
    def total(self) -> int:
        return self.done + self.live + self.left


def count_progress(view: EventView, times: Timetable = timetable.UNKNOWN) -> Progress:
    made = [play for play in view.plays if _counts(play)]
    done = sum(play.state == PairingState.DECIDED for play in made)
    live = sum(play.is_open for play in made)
    return Progress(
        done=done,
        live=live,
        left=len(made) - done - live,
        is_whole=all(event_rows.is_fixed(part.stage) and part.plays for part in view.parts),
        legs=_build_legs(view, times),
        ends_at=times.ends_at,
    )


def _build_legs(view: EventView, times: Timetable) -> tuple[AgendaRound, ...]:
    drawn = [part for part in view.parts if part.plays]
    if not drawn:
        return ()
    legs = list(_list_stage_rounds(drawn[-1], times))
    legs += (
        AgendaRound(labels.format_round(each.number), begins_at=each.begins_at) for each in times.to_come
    )
    current = next((at for at, leg in enumerate(legs) if not leg.is_over), len(legs))
    first = max(0, min(current - 2, len(legs) - MOST_ROUNDS))
    return tuple(legs[first : first + MOST_ROUNDS])


def _list_stage_rounds(part: StageView, times: Timetable) -> Iterator[AgendaRound]:
    """Yield the rounds of a stage in order, those of all groups together."""
    found: dict[str, list[MatchView]] = {}
    is_sheet = part.is_sheet
    rounds = [one for one in part.rounds.items() if not is_sheet or one[0][0] in TO_THE_TITLE]
    for (name, number), plays in sorted(rounds, key=lambda one: (one[0][0] == FINAL, one[0][1])):
        if made := [play for play in plays if _counts(play)]:
            found.setdefault(part.round_title(name, number), []).extend(made)
    yield from (_build_round(title, made, times) for title, made in found.items())
