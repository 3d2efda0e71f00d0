"""A Swiss or all-play-all event as a TRF report, the fixed columns that pairing programs exchange.

Columns count from 1: rank of entry 5-8, name 15-47, rating 49-52, points 81-84, place 86-89, then ten for each round:
opponent, a letter for the side, and the result.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from draw.event import HALF, WIN, Kind
from draw.files.tables import escape_formula

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from draw.event import Bye, EntrantId, Event, Pairing, Proposal, Round

UNPLAYED: Final = frozenset({Kind.FORFEIT, Kind.NO_SHOW, Kind.WALKOVER, Kind.WITHDRAWAL})
ABSENT: Final = "0000 - Z"
LONGEST_NAME: Final = 33
NOTE: Final = "Made of rounds of one stage; nothing else fits into these columns."


def can_hold(event: Event, formats: frozenset[str]) -> bool:
    """True if the columns can hold the event: one stage, in one of *formats*."""
    return len(event.stages) == 1 and event.stages[0].format in formats


def write_report(title: str, event: Event, proposal: Proposal, names: Mapping[EntrantId, str]) -> str:
    numbers = {one.id: at for at, one in enumerate(event.entrants, start=1)}
    ranks = {one.entrant: one.rank for one in proposal.ranking}
    points = {who: _sum_points(event, who) for who in numbers}
    rows = [f"012 {_clean_name(title)}", f"062 {len(numbers)}", f"XXR {len(event.rounds)}"]
    for one in event.entrants:
        rating = "" if one.rating is None else str(round(one.rating))
        row = f"001 {numbers[one.id]:>4} {'':4} {_clean_name(names[one.id])[:LONGEST_NAME]:<33} {rating:>4} {'':3} {'':11} {'':10} "
        row += f"{float(points[one.id]):>4.1f} {ranks.get(one.id, 0):>4}"
        rows.append(row + "".join(f"  {cell}" for cell in _list_cells(event, one.id, numbers)))
    return "\n".join(row.rstrip() for row in rows) + "\n"


def _clean_name(name: str) -> str:
    # People also open these files in spreadsheets.
    return escape_formula(" ".join(name.split()))


def _list_cells(event: Event, who: EntrantId, numbers: Mapping[EntrantId, int]) -> Iterator[str]:
    for batch in event.rounds:
        yield _write_cell(batch, who, numbers)


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


def _sum_points(event: Event, who: EntrantId) -> Fraction:
    given = dict(event.scores).get(who)
    if given is not None:
        return given
    start = next(one.head_start for one in event.entrants if one.id == who)
    won = sum(
        (_score_pairing(pairing, who) for batch in event.rounds for pairing in batch.pairings),
        start=Fraction(0),
    )
    sat = sum(
        (bye.points for batch in event.rounds for bye in batch.byes if bye.entrant == who), start=Fraction(0)
    )
    return start + won + sat


def _score_pairing(pairing: Pairing, who: EntrantId) -> Fraction:
    if who not in (pairing.a, pairing.b) or pairing.result is None:
        return Fraction(0)
    if pairing.result.kind is Kind.DRAWN:
        return HALF
    return WIN if pairing.result.winner == who else Fraction(0)
