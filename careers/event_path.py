"""A player's path through all brackets of an event: matches played, open and possible."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from draw.event import From
from tournaments.models import PairingState
from tournaments.pages import finish

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from tournaments.base.event_view import EntryView, EventView, MatchView
    from tournaments.pages.finish import PathStep


@dataclass(frozen=True, slots=True)
class StepAhead:
    """A match that is still to be played."""

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
    """All matches of a player in an event, in order."""

    played: tuple[PathStep, ...]
    ahead: tuple[StepAhead, ...]


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
        is_now=play.is_open and (play.called_at is not None or not view.event.waits_for_call),
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
