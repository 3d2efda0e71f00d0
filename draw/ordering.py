"""The numbers of players, and the points a Swiss pairs them by besides their scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Final

from draw.event import HALF, NOTHING, WIN, Entrant, EntrantId, Field, Points
from draw.options import BadOption, Choice, OptionHeading, Ratings, gettext_noop, index_options
from draw.random_stream import RandomStream

ORDER: Final = Choice(
    "order",
    None,
    gettext_noop("Numbering"),
    choices={
        "rating": gettext_noop("By rating"),
        "listed": gettext_noop("As entered"),
        "random": gettext_noop("By lot"),
    },
    heading=OptionHeading.DRAW,
)
ACCELERATION: Final = Choice(
    "acceleration",
    "none",
    gettext_noop("Acceleration"),
    gettext_noop(
        "In the first rounds the top half is paired as if it were ahead, so that the best meet sooner."
    ),
    choices={"none": gettext_noop("No acceleration"), "baku": gettext_noop("Baku")},
    heading=OptionHeading.PAIRING,
)
MCMAHON: Final = Ratings(
    "mcmahon",
    (),
    gettext_noop("McMahon ratings"),
    gettext_noop("Ratings separated by commas; a player starts with one point for each they reach."),
    heading=OptionHeading.PAIRING,
)
OPTIONS: Final = index_options(ORDER, ACCELERATION, MCMAHON)


def get_order(field: Field, default: str = "rating") -> str:
    """Return the option `order`, or its default: as listed after other stages."""
    return ORDER.get(field.options, "listed" if field.intake else default)


def number_entrants(field: Field, rng: RandomStream, default: str = "rating") -> tuple[Entrant, ...]:
    """Order the entrants by number: by rating (unrated last, ties by lot), as listed, or by lot (P56)."""
    order = get_order(field, default)
    if order == "listed":
        return field.entrants
    # One lot for each position: late entries do not change the others' lots.
    lots = {one.id: rng.child(f"lot {place}").word() for place, one in enumerate(field.entrants)}
    if order == "random":
        return tuple(sorted(field.entrants, key=lambda one: lots[one.id]))
    return tuple(
        sorted(field.entrants, key=lambda one: (one.rating is None, -(one.rating or 0), lots[one.id]))
    )


def compute_mcmahon(field: Field) -> dict[EntrantId, Points]:
    """Compute initial McMahon points: one for each threshold that an entrant's rating reaches (P58)."""
    bars = MCMAHON.get(field.options)
    return {one.id: Fraction(sum((one.rating or 0) >= bar for bar in bars)) for one in field.entrants}


def compute_baku(field: Field, order: Sequence[Entrant], number: int, rounds: int) -> dict[EntrantId, Points]:
    """Compute the virtual points of the upper half in a round: one, later a half, then none (P57)."""
    if ACCELERATION.get(field.options) == "none":
        return {}
    if not rounds:
        raise BadOption("acceleration", "needs to know the number of rounds")
    fast = -(-rounds // 2)
    ahead = WIN if number <= -(-fast // 2) else HALF if number <= fast else NOTHING
    there = [one for one in order if one.arrived == 1]
    return {one.id: ahead for one in there[: 2 * -(-len(there) // 4)]}


def scale_scores(scores: Mapping[EntrantId, Points]) -> dict[EntrantId, int]:
    """Scale scores to integers, so that half points are exact."""
    unit = lcm(*(score.denominator for score in scores.values()))
    return {one: int(score * unit) for one, score in scores.items()}
