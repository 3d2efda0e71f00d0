"""Openings for latecomers, and their descriptions: those of `draw.openings`, and the waiting list."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, NamedTuple

from django.db.models import Exists, Max, OuterRef, Q
from django.utils.translation import gettext as _

from draw import event as pure
from draw import openings
from draw.formats import FORMATS
from draw.openings import Opening
from tournaments.base import event_rows, labels
from tournaments.base.event_lines import format_player_name
from tournaments.base.event_view import EventView
from tournaments.models import Entry, Pairing, PairingState, Round, RoundStatus, Tournament

WAIT: Final = "wait"
INSTEAD: Final = "instead"
# A latecomer has missed the first round at least.
LATE: Final = 2


def list_openings(event: Tournament, *, number: int | None = None) -> tuple[Opening, ...]:
    """List the openings for a new entry, or for the entry of this number that has no place yet."""
    rows = event_rows.load_rows(event)
    if not any(rows.is_drawn(stage) for stage in rows.stages):
        return ()
    if number is None:
        number = max((entry.number for entry in rows.entries), default=0) + 1
    values, who = event_rows.build_event(rows), pure.EntrantId(str(number))
    others = tuple(one for one in values.entrants if one.id != who)
    newcomer = pure.Entrant(who, arrived=find_first_round(event))
    return openings.find_openings(replace(values, entrants=others), newcomer)


def find_first_round(event: Tournament) -> int:
    """Return the first round that a latecomer can play: the one after the published rounds."""
    # A bye is never opened.
    unopened = Pairing.objects.filter(round=OuterRef("pk"), opened_at__isnull=True)
    made = Round.objects.filter(
        ~Exists(unopened.exclude(state=PairingState.BYE)),
        stage__tournament=event,
        stage__takes=[],
        status=RoundStatus.PUBLISHED,
    )
    return max(LATE, (made.aggregate(last=Max("number"))["last"] or 0) + 1)


def list_without_place(event: Tournament) -> frozenset[int]:
    """List the entries without a place in a bracket where every entry needs one."""
    first = [stage for stage in event.stages.all() if not stage.takes]
    if not first or not all(event_rows.is_sheet(stage) and hasattr(stage, "draw") for stage in first):
        return frozenset()
    rows = Entry.objects.filter(tournament=event, withdrawn_at__isnull=True, waits=False, left="")
    alone = rows.filter(pairings_as_a__isnull=True, pairings_as_b__isnull=True)
    return frozenset(alone.values_list("number", flat=True))


def list_waiting(event: Tournament) -> list[tuple[str, str]]:
    """List the players who wait for a place, or have none, in order of entry."""
    stuck = list_without_place(event)
    rows = Entry.objects.filter(
        Q(waits=True) | Q(number__in=stuck), tournament=event, withdrawn_at__isnull=True, left=""
    )
    rows = rows.select_related("player").order_by("entered_at", "number")
    return [(row.player.key, format_player_name(row.player)) for row in rows]


class FreePlace(NamedTuple):
    player_key: str
    name: str
    place: str
    where: str


def find_free_place(view: EventView) -> FreePlace | None:
    """Return the best free place for the player who has waited longest.

    None if no player waits, or no place is free.
    """
    people = list_waiting(view.event)
    found = list_openings(view.event) if people else ()
    return FreePlace(*people[0], found[0].place, describe_opening(view, found[0])) if found else None


def list_choices(view: EventView, found: tuple[Opening, ...]) -> list[tuple[str, str]]:
    """List the choices for a director, the best first."""
    return [
        *((way.place, describe_opening(view, way)) for way in found),
        (INSTEAD, _("In place of a player who leaves")),
        (WAIT, _("On the waiting list: not in, until you let them in")),
    ]


def describe_opening(view: EventView, way: Opening) -> str:
    other = view.by_number.get(int(way.against)) if way.against else None
    name = other.name if other else ""
    if way.is_side:
        words = {"bracket": labels.format_bracket(way.bracket), "name": name}
        if name:
            return _("%(bracket)s, round 1, against %(name)s") % words
        return _("%(bracket)s, from round 1 on") % words
    if way.place != openings.ROUNDS:
        return _("In the main draw, against %(name)s, who has a bye") % {"name": name}
    stage = next((stage for stage in view.stages if stage.name == way.stage), None)
    if stage is None or not FORMATS[stage.format].fixed:
        return _("From round %(round)s on") % {"round": way.round}
    if way.bracket:
        return _("%(group)s: plays everybody there") % {"group": labels.format_bracket(way.bracket)}
    return _("Plays everybody, including the matches missed")
