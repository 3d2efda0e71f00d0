"""A Swiss or all-play-all event as a TRF report, the fixed columns that pairing programs exchange.

Columns count from 1: rank of entry 5-8, name 15-47, rating 49-52, points 81-84, place 86-89, then ten for each round:
opponent, a letter for the side, and the result.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from draw import ordering, stages
from draw.event import HALF, WIN, Bye, EntrantId, Event, Kind, Pairing, Proposal, Round
from draw.files.tables import escape_formula
from draw.history import History

UNPLAYED: Final = frozenset({Kind.FORFEIT, Kind.NO_SHOW, Kind.WALKOVER, Kind.WITHDRAWAL})
ABSENT: Final = "0000 - Z"
LONGEST_NAME: Final = 33


def can_hold(event: Event, formats: frozenset[str]) -> bool:
    """True if the columns can hold the event: one stage, in one of *formats*."""
    return len(event.stages) == 1 and event.stages[0].format in formats


def write_report(title: str, event: Event, proposal: Proposal, names: Mapping[EntrantId, str]) -> str:
    field = stages.build_field(event, event.stages[0], {})
    if field is None:
        raise AssertionError("the first stage takes its players from another")
    # Without play-offs, which are no rounds (P89), and with the matches of those who have left (P51).
    history = History(field)
    numbers = {one.id: at for at, one in enumerate(event.entrants, start=1)}
    ranks = {one.entrant: one.rank for one in proposal.ranking}
    points = {card.player: card.points for card in history.cards(ordering.compute_mcmahon(field))}
    rows = [f"012 {_clean_name(title)}", f"062 {len(numbers)}", f"XXR {len(history.rounds)}"]
    for one in event.entrants:
        rating = "" if one.rating is None else str(round(one.rating))
        row = f"001 {numbers[one.id]:>4} {'':4} {_clean_name(names[one.id])[:LONGEST_NAME]:<33} {rating:>4} {'':3} {'':11} {'':10} "
        row += f"{float(points[one.id]):>4.1f} {ranks.get(one.id, 0):>4}"
        cells = (_write_cell(batch, one.id, numbers) for batch in history.rounds)
        rows.append(row + "".join(f"  {cell}" for cell in cells))
    return "\n".join(row.rstrip() for row in rows) + "\n"


def _clean_name(name: str) -> str:
    # People also open these files in spreadsheets.
    return escape_formula(" ".join(name.split()))


def _write_cell(batch: Round, who: EntrantId, numbers: Mapping[EntrantId, int]) -> str:
    for pairing in batch.pairings:
        if who in (pairing.a, pairing.b):
            other, side = (pairing.b, "w") if who == pairing.a else (pairing.a, "b")
            return f"{numbers[other]:>4} {side} {_get_letter(pairing, who)}"
    given = next((bye for bye in batch.byes if bye.entrant == who), None)
    return ABSENT if given is None else f"0000 - {_get_bye_letter(given)}"


def _get_letter(pairing: Pairing, who: EntrantId) -> str:
    result = pairing.result
    if result is None:
        return " "
    if result.winner is None:
        return "=" if result.kind is Kind.DRAWN else "-"
    has_won = result.winner == who
    if result.kind in UNPLAYED:
        return "+" if has_won else "-"
    return "1" if has_won else "0"


def _get_bye_letter(bye: Bye) -> str:
    if bye.points == HALF:
        return "H"
    if bye.points == WIN:
        return "F" if bye.asked else "U"
    return "Z"
