"""Why a knock-out proposes what it does: reason codes with their figures, and the sentences (P37)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from draw.event import From, Kind, Reason, State
from draw.seeding import commitment, seed_order

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from draw.event import EntrantId, Field, Place, Seat, Stale
    from draw.seeding import Drawn

SENTENCES: Final[Mapping[str, str]] = {
    "draw": "The draw was made by {method} for {entrants} entrants on {size} lines; commitment {commitment}.",
    "clashes": "{pairs} first-round pairs of one club or family could not be kept apart.",
    "drawn": "Drawn together: seeds {a} and {b}.",
    "bye": "Bye: seed {seed} of {entrants} in a draw of {size}, whose byes go to seeds 1 to {byes}.",
    "passes": "Passes: nobody comes from {source}.",
    "winners": "The winners of {a} and {b} meet.",
    "dropper": "The loser of {loser} drops to the winner of {winner}.",
    "droppers": "The losers of {a} and {b} meet.",
    "again": "The challenger has won the first final, so each has lost once: one more match decides.",
    "left": "Decided without play, since an entrant has left.",
    "away": "Waits for {entrant}, who is away.",
    "late": "Came late and took the bye on line {line}, without a new draw.",
    "joins": "Came late and was let in here, where nobody comes from {source}.",
    "no line": "Came late and found no free bye: the draw has {size} lines.",
    "redrawn": "Drawn afresh for this round from {alive} still in.",
    "fell": "{a} and {b} are on record here, but do not meet here any more: their pairing does not count.",
    "lot bye": "Bye by lot among {eligible} who have had the fewest.",
}


def reasons(
    field: Field,
    made: Drawn,
    places: Sequence[Place],
    byes: Sequence[EntrantId],
    placed: Sequence[tuple[EntrantId, int]],
    turned_away: Sequence[EntrantId],
) -> tuple[Reason, ...]:
    """Collect the reasons of a sheet."""
    size = len(made.lines)
    seeds = dict(zip(made.lines, seed_order(size), strict=True))
    why = [of_draw(field, made)]
    if made.clashes:
        why.append(Reason("clashes", field.stage.name, (("pairs", made.clashes),)))
    why.extend(Reason("late", entrant, (("line", line),)) for entrant, line in placed)
    why.extend(Reason("no line", entrant, (("size", size),)) for entrant in turned_away)
    for place in places:
        if place.state is State.READY:
            why.append(_of_pair(place, seeds))
        elif place.state is State.BYE and place.winner is not None and place.winner in byes:
            why.append(_of_bye(place, place.winner, made, seeds))
        elif (
            place.state is State.DECIDED and place.result is not None and place.result.kind is Kind.WITHDRAWAL
        ):
            why.append(Reason("left", place.key))
        why.extend(
            Reason("away", place.key, (("entrant", entrant),))
            for entrant in place.entrants
            if place.state is State.WAITING and entrant in field.absent
        )
    return tuple(why)


def fallen(stale: Sequence[Stale]) -> tuple[Reason, ...]:
    """Return which pairings of record have no place any more (P36)."""
    return tuple(
        Reason("fell", one.pairing.key, (("a", one.pairing.a), ("b", one.pairing.b))) for one in stale
    )


def of_draw(field: Field, made: Drawn) -> Reason:
    """Return how the draw was made."""
    entrants = sum(entrant is not None for entrant in made.lines)
    return Reason(
        "draw",
        field.stage.name,
        (
            ("method", made.method),
            ("entrants", entrants),
            ("size", len(made.lines)),
            ("commitment", commitment(field.seed)),
        ),
    )


def _of_pair(place: Place, seeds: Mapping[EntrantId | None, int]) -> Reason:
    a, b = place.a, place.b
    if late := [seat for seat in (a, b) if seat.origin is From.LATE]:
        return Reason("joins", place.key, (("entrant", late[0].entrant), ("source", late[0].key)))
    if a.key is not None and a.key == b.key:
        return Reason("again", place.key, (("first", a.key),))
    if a.origin is From.DRAW:
        figures = tuple((name, _seed(seat, seeds)) for name, seat in (("a", a), ("b", b)))
        return Reason("drawn", place.key, figures)
    if a.origin is b.origin:
        return Reason(
            "winners" if a.origin is From.WINNER else "droppers", place.key, (("a", a.key), ("b", b.key))
        )
    winner, loser = (a, b) if a.origin is From.WINNER else (b, a)
    return Reason("dropper", place.key, (("winner", winner.key), ("loser", loser.key)))


def _seed(seat: Seat, seeds: Mapping[EntrantId | None, int]) -> int | str:
    return seeds.get(seat.entrant, "late")


def _of_bye(place: Place, passer: EntrantId, made: Drawn, seeds: Mapping[EntrantId | None, int]) -> Reason:
    empty, seat = (place.a, place.b) if place.a.origin is From.NOBODY else (place.b, place.a)
    if seat.origin is not From.DRAW or passer not in seeds:
        return Reason("passes", place.key, (("entrant", passer), ("source", empty.key)))
    byes = sum(entrant is None for entrant in made.lines)
    figures = (("seed", seeds[passer]), ("entrants", len(made.lines) - byes), ("size", len(made.lines)))
    return Reason("bye", place.key, (("entrant", passer), *figures, ("byes", byes)))
