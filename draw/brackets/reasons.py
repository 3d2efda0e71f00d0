"""Reasons for what a knock-out proposes: codes with figures, and their sentences (P37)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from draw import seeding
from draw.event import EntrantId, Field, From, Kind, Place, Reason, StalePairing, State
from draw.seeding import DrawnLines, compute_commitment, list_seed_order

SENTENCES: Final[Mapping[str, str]] = {
    "draw": "Drawn ({method}): {entrants} entrants on {size} lines; commitment {commitment}.",
    **seeding.SENTENCES,
    "drawn": "Drawn together: seeds {a} and {b}.",
    "bye": "Bye: seed {seed} of {entrants} in a draw of {size}; its byes ({byes}) go to the top seeds.",
    "opposite": "{entrant} has a bye: the line opposite is empty.",
    "passes": "{entrant} goes on without playing: nobody comes from {source}.",
    "winners": "The winners of {a} and {b} meet.",
    "dropper": "The loser of {loser} meets the winner of {winner}.",
    "droppers": "The losers of {a} and {b} meet.",
    "bye taken": "{entrant} came late and took the bye on line {line}.",
    "again": "The challenger has won the first final, so each has lost once: one more match decides.",
    "left": "Decided without play, since an entrant has left.",
    "away": "Waits for {entrant}, who is away.",
    "late": "{about} came late and took the bye on line {line}, without a new draw.",
    "joins": "{entrant} came late and was let in here, where nobody comes from {source}.",
    "no line": "{about} came late and found no free bye: the draw has {size} lines.",
    "redrawn": "Drawn afresh for this round from {alive} still in.",
    "fell": "{a} and {b} were paired here but no longer meet, so this pairing does not count.",
    "lot bye": "Bye by lot among {eligible} who have had the fewest.",
}


def collect_reasons(
    field: Field,
    made: DrawnLines,
    places: Sequence[Place],
    byes: Sequence[EntrantId],
    placed: Sequence[tuple[EntrantId, int]],
    turned_away: Sequence[EntrantId],
) -> tuple[Reason, ...]:
    size = len(made.lines)
    seeds = map_seeds(made)
    why = [explain_draw(field, made)]
    why.extend(seeding.explain_draw(made, field.stage.name))
    why.extend(Reason("late", entrant, (("line", line),)) for entrant, line in placed)
    why.extend(Reason("no line", entrant, (("size", size),)) for entrant in turned_away)
    for place in places:
        is_passing = place.state is State.BYE and place.winner in byes
        if is_passing or place.state is not State.BYE:
            why.extend(_explain_state(place, made, seeds))
        why.extend(
            Reason("away", place.key, (("entrant", entrant),))
            for entrant in place.entrants
            if place.state is State.WAITING and entrant in field.absent
        )
    return tuple(why)


def map_seeds(made: DrawnLines) -> dict[EntrantId | None, int]:
    return dict(zip(made.lines, list_seed_order(len(made.lines)), strict=True))


def explain_place(
    place: Place, made: DrawnLines, seeds: Mapping[EntrantId | None, int]
) -> tuple[Reason, ...]:
    """Explain the pairing or the bye at a place, independent of its current state."""
    state = State.READY if place.state is State.DECIDED and len(place.entrants) > 1 else place.state
    left = _explain_state(place, made, seeds) if state is not place.state else ()
    return (*_explain_state(replace(place, state=state), made, seeds), *left)


def _explain_state(
    place: Place, made: DrawnLines, seeds: Mapping[EntrantId | None, int]
) -> tuple[Reason, ...]:
    if place.state is State.READY:
        return (_explain_pair(place, seeds),)
    if place.state is State.BYE and place.winner is not None:
        return (_explain_bye(place, place.winner, made, seeds),)
    if place.state is State.DECIDED and place.result is not None and place.result.kind is Kind.WITHDRAWAL:
        return (Reason("left", place.key),)
    return ()


def explain_stale(stale: Sequence[StalePairing]) -> tuple[Reason, ...]:
    """Explain recorded pairings that no longer have a place (P36)."""
    return tuple(
        Reason("fell", one.pairing.key, (("a", one.pairing.a), ("b", one.pairing.b))) for one in stale
    )


def explain_draw(field: Field, made: DrawnLines) -> Reason:
    entrants = sum(entrant is not None for entrant in made.lines)
    return Reason(
        "draw",
        field.stage.name,
        (
            ("method", made.method),
            ("entrants", entrants),
            ("size", len(made.lines)),
            ("commitment", compute_commitment(field.seed)),
        ),
    )


def _explain_pair(place: Place, seeds: Mapping[EntrantId | None, int]) -> Reason:
    a, b = place.a, place.b
    if late := [seat for seat in (a, b) if seat.origin is From.LATE]:
        return Reason("joins", place.key, (("entrant", late[0].entrant), ("source", late[0].key)))
    if a.key is not None and a.key == b.key:
        return Reason("again", place.key, (("first", a.key),))
    if a.origin is From.DRAW:
        if came := [seat for seat in (a, b) if seat.entrant not in seeds]:
            return Reason("bye taken", place.key, (("entrant", came[0].entrant), ("line", came[0].number)))
        return Reason("drawn", place.key, (("a", seeds[a.entrant]), ("b", seeds[b.entrant])))
    if a.origin is b.origin:
        return Reason(
            "winners" if a.origin is From.WINNER else "droppers", place.key, (("a", a.key), ("b", b.key))
        )
    winner, loser = (a, b) if a.origin is From.WINNER else (b, a)
    return Reason("dropper", place.key, (("winner", winner.key), ("loser", loser.key)))


def _explain_bye(
    place: Place, passer: EntrantId, made: DrawnLines, seeds: Mapping[EntrantId | None, int]
) -> Reason:
    empty, seat = (place.a, place.b) if place.a.origin is From.NOBODY else (place.b, place.a)
    if seat.origin is not From.DRAW or passer not in seeds:
        return Reason("passes", place.key, (("entrant", passer), ("source", empty.key)))
    byes = sum(entrant is None for entrant in made.lines)
    if seeds[passer] > byes or made.method in seeding.BY_LOT:
        # Byes can go to any seed after lines were exchanged, or drawn from a hat or by lot.
        return Reason("opposite", place.key, (("entrant", passer),))
    figures = (("seed", seeds[passer]), ("entrants", len(made.lines) - byes), ("size", len(made.lines)))
    return Reason("bye", place.key, (("entrant", passer), *figures, ("byes", byes)))
