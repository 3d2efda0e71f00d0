"""Ties that the director decides before a later stage begins.

Otherwise the lot would decide who advances or has a bye.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from django.utils.text import get_text_list
from django.utils.translation import gettext as _

from draw import lots
from draw.event import EntrantId, Event
from draw.lots import TiedEntrants
from tournaments.base import event_rows, labels
from tournaments.base.event_rows import Rows
from tournaments.base.event_view import EntryView, EventView
from tournaments.models import PairingState, Stage
from tournaments.status import Status


@dataclass(frozen=True, slots=True)
class TieLine:
    stage: int
    # The tied players, in the order of the lot or the list.
    people: tuple[EntryView, ...]
    title: str
    why: str
    can_play: bool
    # The names of the stages that wait for it.
    later: frozenset[str]


def list_undecided(event: Event, waiting: Iterable[Stage]) -> tuple[TiedEntrants, ...]:
    """List the ties that these stages, none of them drawn yet, wait for; a tie can be there for several of them."""
    return tuple(tie for stage in waiting if stage.takes for tie in lots.list_undecided(event, stage.name))


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
    """List the ties for the desk, each once.

    While each undrawn stage waits for open matches there are none, and no query is made.
    """
    if not any(stage.takes for stage in list_next_stages(view)):
        return ()
    numbers = {stage.name: stage.number for stage in view.stages}
    found: dict[tuple[str, frozenset[EntrantId]], list[TiedEntrants]] = {}
    for tie in list_ties(event_rows.load_rows(view.event)):
        found.setdefault((tie.stage, frozenset(tie.entrants)), []).append(tie)
    return tuple(_build_line(view, same, numbers) for same in found.values())


def list_next_stages(view: EventView) -> list[Stage]:
    """List the undrawn stages of a running event that wait for no open match."""
    if view.event.status != Status.RUNNING:
        return []
    over: set[str] = set()
    undrawn: list[Stage] = []
    for part in view.parts:
        if not part.is_drawn:
            undrawn.append(part.stage)
        elif not any(play.state in {PairingState.READY, PairingState.WAITING} for play in part.plays):
            over.add(part.stage.name)
    return [stage for stage in undrawn if over.issuperset(take["stage"] for take in stage.takes)]


def _build_line(view: EventView, same: Sequence[TiedEntrants], numbers: dict[str, int]) -> TieLine:
    """Build the line of a tie; it says what the tie means for the first of the stages that wait for it."""
    tie, later = same[0], frozenset(one.later for one in same)
    people = tuple(view.by_number[int(one)] for one in tie.entrants)
    names = get_text_list([who.name for who in people], _("and"))
    title = _("%(names)s are level") % {"names": names}
    if tie.group:
        title = f"{labels.format_bracket(tie.group)}: {title}"
    parts = {"stage": tie.later}
    why = (
        _("Nothing separates them, and not all of them have a bye in “%(stage)s”.") % parts
        if tie.is_for_bye
        else _("Nothing separates them, and not all of them go on to “%(stage)s”.") % parts
    )
    return TieLine(numbers[tie.stage], people, title, why, tie.can_play, later)
