"""Matches of an event by state, for the schedule, the overview and the desk."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tournaments.models import PairingState
from tournaments.pages import bracket_display

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from tournaments.base.event_view import EventView, MatchView
    from tournaments.pages.bracket_display import MatchLine
    from tournaments.pages.timetable import Timetable


@dataclass(frozen=True, slots=True)
class AgendaRound:
    """A round with the number of its decided matches."""

    title: str
    done: int
    count: int
    # The latest deadline of its matches.
    deadline_at: datetime | None
    is_draft: bool

    @property
    def is_over(self) -> bool:
        return self.done == self.count


@dataclass(frozen=True, slots=True)
class ComingMatch:
    """A match that waits for its players, and its expected start."""

    line: MatchLine
    begins_at: datetime | None


@dataclass(frozen=True, slots=True)
class Agenda:
    playing: tuple[MatchLine, ...]  # on a board of this site, or on a score sheet
    ready: tuple[MatchLine, ...]
    waiting: tuple[MatchLine, ...]
    done: tuple[MatchLine, ...]  # the latest first
    rounds: tuple[AgendaRound, ...]
    # Known matches, without byes.
    total: int

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
        total=sum(play.state not in {PairingState.BYE, PairingState.VACANT} for play in view.plays),
    )


def list_coming_matches(plan: Agenda, times: Timetable) -> tuple[ComingMatch, ...]:
    """Sort the waiting matches by their expected start; those without one come last."""
    found = [ComingMatch(line, times.begins.get(line.play.key)) for line in plan.waiting]
    found.sort(
        key=lambda each: (each.begins_at is None, each.begins_at.timestamp() if each.begins_at else 0.0)
    )
    return tuple(found)


def _build_lines(view: EventView, made: Iterable[MatchView]) -> tuple[MatchLine, ...]:
    return tuple(bracket_display.build_match_line(view, play) for play in made)


def _build_rounds(view: EventView) -> tuple[AgendaRound, ...]:
    found: dict[str, list[MatchView]] = {}
    for play in view.plays:
        if play.state not in {PairingState.BYE, PairingState.VACANT}:
            found.setdefault(view.label(play), []).append(play)
    return tuple(
        AgendaRound(
            title=title,
            done=sum(play.state == PairingState.DECIDED for play in made),
            count=len(made),
            deadline_at=max((play.deadline_at for play in made if play.deadline_at), default=None),
            is_draft=all(play.is_drafted for play in made),
        )
        for title, made in found.items()
    )
