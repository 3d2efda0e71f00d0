"""Ties that the director decides before a later stage begins.

Otherwise the lot would decide who advances or has a bye.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from django.utils.text import get_text_list
from django.utils.translation import gettext as _

from draw import lots
from tournaments.base import event_rows, labels
from tournaments.models import PairingState
from tournaments.status import Status

if TYPE_CHECKING:
    from collections.abc import Iterable

    from draw.event import Event
    from draw.lots import TiedEntrants
    from tournaments.base.event_rows import Rows
    from tournaments.base.event_view import EntryView, EventView
    from tournaments.models import Stage


@dataclass(frozen=True, slots=True)
class TieLine:
    """A tie on the desk."""

    stage: int
    # The tied players, in the order of the lot or the list.
    people: tuple[EntryView, ...]
    title: str
    why: str
    can_play: bool


def list_undecided(event: Event, waiting: Iterable[Stage]) -> tuple[TiedEntrants, ...]:
    """List the ties that these stages, none of them drawn yet, wait for; each tie once."""
    found = {
        (tie.stage, frozenset(tie.entrants)): tie
        for stage in reversed([stage for stage in waiting if stage.takes])
        for tie in reversed(lots.list_undecided(event, stage.name))
    }
    return tuple(reversed(found.values()))


def list_ties(rows: Rows) -> tuple[TiedEntrants, ...]:
    """List the ties that an event waits for.

    Once a stage has begun that takes players from the tied one, no tie is played off: that could change who is in it.
    """
    waiting = [stage for stage in rows.stages if not rows.is_drawn(stage)]
    if not waiting:
        return ()
    followed = {take["stage"] for stage in rows.stages if rows.is_drawn(stage) for take in stage.takes}
    return tuple(
        replace(tie, can_play=False) if tie.stage in followed else tie
        for tie in list_undecided(event_rows.build_event(rows), waiting)
    )


def list_tie_lines(view: EventView) -> tuple[TieLine, ...]:
    """List the ties for the desk.

    While each undrawn stage waits for open matches there are none, and no query is made.
    """
    if view.event.status != Status.RUNNING:
        return ()
    over: set[str] = set()
    undrawn: list[Stage] = []
    for part in view.parts:
        if part.draw is None or part.draw.published_at is None:
            undrawn.append(part.stage)
        elif not any(play.state in {PairingState.READY, PairingState.WAITING} for play in part.plays):
            over.add(part.stage.name)
    if not any(over.issuperset(take["stage"] for take in stage.takes) for stage in undrawn if stage.takes):
        return ()
    numbers = {part.stage.name: part.stage.number for part in view.parts}
    return tuple(_build_line(view, tie, numbers) for tie in list_ties(event_rows.load_rows(view.event)))


def _build_line(view: EventView, tie: TiedEntrants, numbers: dict[str, int]) -> TieLine:
    people = tuple(view.by_number[int(one)] for one in tie.entrants)
    names = get_text_list([who.name for who in people], _("and"))
    title = _("%(names)s are level") % {"names": names}
    if tie.group:
        title = f"{labels.format_bracket(tie.group)}: {title}"
    said = {"stage": tie.later}
    why = (
        _("Nothing separates them, and not all of them have a bye in “%(stage)s”.") % said
        if tie.is_for_bye
        else _("Nothing separates them, and not all of them go on to “%(stage)s”.") % said
    )
    return TieLine(numbers[tie.stage], people, title, why, tie.can_play)
