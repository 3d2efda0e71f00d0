"""The remaining matches of an event, computed from its `EventView` without a query."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from draw.event import Entrant, EntrantId, Event, Key, MatchRules, Place, Seat
from draw.forecast import remaining_matches
from tournaments.base import event_rows
from tournaments.models import PairingState
from tournaments.models.entries import LEAVES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draw.forecast.remaining_matches import RemainingMatches
    from tournaments.base.event_view import EntryView, EventView

OPEN: Final = frozenset({PairingState.READY, PairingState.WAITING})
# The rules of a decided match are not used.
PLAYED: Final = MatchRules()


def plan_remaining(view: EventView) -> tuple[RemainingMatches, bool]:
    """Return the known remaining matches, and True if these are all."""
    event = Event(
        stages=tuple(event_rows.build_stage(view.event, stage) for stage in view.stages),
        entrants=tuple(
            Entrant(_get_entrant_id(who), left=LEAVES.get(who.left)) for who in view.people.values()
        ),
        absent=frozenset(_get_entrant_id(who) for who in view.people.values() if who.is_absent),
    )
    return remaining_matches.plan_known_matches(event, tuple(_list_places(view)))


def _list_places(view: EventView) -> Iterator[Place]:
    ids = {who.pk: _get_entrant_id(who) for who in view.people.values()}
    # Most matches of an event have the same rules.
    rules: dict[tuple[int, str], MatchRules] = {}
    for part in view.parts:
        for play in part.plays:
            played = PLAYED
            if play.state in OPEN:
                at = play.length, str(play.rules)
                if at not in rules:
                    rules[at] = event_rows.parse_match_rules({"length": play.length} | play.rules)
                played = rules[at]
            loser = None
            if play.winner_id is not None:
                loser = ids.get((play.b_id if play.winner_id == play.a_id else play.a_id) or 0)
            yield Place(
                key=Key(play.key),
                a=_build_seat(play.a_from, play.a_key, ids.get(play.a_id or 0)),
                b=_build_seat(play.b_from, play.b_key, ids.get(play.b_id or 0)),
                state=event_rows.STATES[play.state],
                round=play.round,
                number=play.number,
                bracket=play.bracket,
                stage=part.stage.name,
                loser=loser,
                rules=played,
            )


def _build_seat(origin: str, key: str, entrant: EntrantId | None) -> Seat:
    return Seat(event_rows.SOURCES[origin], Key(key) if key else None, entrant=entrant)


def _get_entrant_id(who: EntryView) -> EntrantId:
    return EntrantId(str(who.number))
