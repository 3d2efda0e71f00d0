"""The finishing orders of an event's brackets, for prizes and side pools that depend on one bracket."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from typing import Final

from draw.brackets.structure import FINAL
from money.settling.values import MAIN
from tournaments.base import event_view
from tournaments.base.event_view import EventView, StageView
from tournaments.models import PairingState, Tournament

# Entry numbers, tied entrants grouped, the best first.
Order = tuple[tuple[int, ...], ...]

CONSOLATION: Final = "consolation"
THIRD_PLACE: Final = "third-place"


@dataclass(frozen=True, slots=True)
class Finishes:
    """The orders of the main draw alone and of the brackets beside it."""

    # Empty if it equals the event's final order, as there is no consolation beside the main draw.
    main: Order = ()
    beside: Mapping[str, Order] = field(default_factory=dict)


def compute_finishes(event: Tournament, wanted: Set[str]) -> Finishes:
    """Return the order of the main draw, and of each wanted bracket beside it that is finished.

    The main draw is that of the stage in which the event was won; its brackets go before those of other stages.
    """
    view = event_view.load_view(event)
    if not view.parts:
        return Finishes()
    main: Order = ()
    beside: dict[str, Order] = {}
    won_in = _find_winner_stage(view)
    if CONSOLATION in won_in.last and FINAL not in won_in.last:
        main = _rank_bracket(view, won_in, MAIN)
    for part in (won_in, *reversed(view.parts)):
        for bracket in sorted((wanted & {*part.last}) - {*beside}):
            if _is_won(part, bracket):
                beside[bracket] = _rank_bracket(view, part, bracket)
    return Finishes(main, beside)


def _find_winner_stage(view: EventView) -> StageView:
    winners = {pk for pk, who in view.people.items() if who.place == 1}
    played = [part for part in view.parts if any({play.a_id, play.b_id} & winners for play in part.plays)]
    return played[-1] if played else view.parts[-1]


def _is_won(part: StageView, bracket: str) -> bool:
    last = part.rounds[bracket, part.last[bracket]]
    finals = [play for play in last if play.state not in {PairingState.BYE, PairingState.VACANT}]
    return len(finals) == 1 and finals[0].state == PairingState.DECIDED and finals[0].winner_id is not None


def _rank_bracket(view: EventView, part: StageView, bracket: str) -> Order:
    """Rank the players of a bracket by the round they reached, ignoring other brackets."""
    came_to: dict[int, tuple[int, bool, bool]] = {}
    for play in part.plays:
        for pk in (play.a_id, play.b_id):
            who = view.who(pk)
            if who is None or play.bracket not in {bracket, THIRD_PLACE}:
                continue
            number, won, is_third = came_to.get(who.number, (0, False, False))
            has_won = play.state == PairingState.DECIDED and play.winner_id == pk
            if play.bracket == bracket:
                number, won = max((number, won), (play.round, has_won))
            elif bracket == MAIN:
                is_third = has_won
            came_to[who.number] = number, won, is_third
    tied: defaultdict[tuple[int, bool, bool], list[int]] = defaultdict(list)
    for who_number, far in came_to.items():
        if far[0]:
            tied[far].append(who_number)
    return tuple(tuple(sorted(tied[far])) for far in sorted(tied, reverse=True))
