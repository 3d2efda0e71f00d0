"""The draw: entrants on lines, by lot, rating, pots or hand, with a verifiable commitment (P01 to P09)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from hmac import compare_digest
from itertools import groupby
from typing import Final

from draw.event import Entrant, EntrantId, Field, Ranked, Reason
from draw.options import (
    BadOption,
    Choice,
    Flag,
    OptionHeading,
    Prominence,
    WholeNumber,
    gettext_noop,
    index_options,
)
from draw.random_stream import RandomStream

DRAW: Final = Choice(
    "draw",
    None,
    gettext_noop("How it is drawn"),
    choices={
        "random": gettext_noop("All by lot"),
        "rating": gettext_noop("By rating"),
        "listed": gettext_noop("As entered"),
        "pots": gettext_noop("Pots: the best are kept apart"),
        "hand": gettext_noop("Seeds by hand, the others by lot"),
        "cross": gettext_noop("Crosswise from the groups"),
    },
    asked=Prominence.FIRST,
)
# Default: all rated players.
SEEDS: Final = WholeNumber(
    "seeds",
    None,
    gettext_noop("Seeds"),
    gettext_noop(
        "Applies when drawn by rating: this many of the best are seeded, the others drawn. Leave empty to seed everybody."
    ),
    heading=OptionHeading.DRAW,
)
KEEP_APART: Final = Flag(
    "keep_apart",
    False,
    gettext_noop("Keep players of one club or family apart in the first round"),
    heading=OptionHeading.DRAW,
)
OPTIONS: Final = index_options(DRAW, SEEDS, KEEP_APART)
Lines = tuple["EntrantId | None", ...]
# Reasons about a draw. They can only be collected when it is made.
SENTENCES: Final[Mapping[str, str]] = {
    "lots": "The lot decided every line.",
    "pots": "The lot decided within each pot.",
    "seeded": "Of {entrants} entrants the top seeds ({seeds}) were placed ({method}); the lot placed the others.",
    "ordered": "All {entrants} entrants were placed ({method}), nothing by lot.",
    "rated": "All {entrants} entrants were placed by rating; the lot decided only between equal ratings.",
    "group again": "Players of one group were placed so that they meet again late: in the {side} from round {round} on.",
    "clashes": "First-round pairs of one club or family that could not be kept apart: {pairs}.",
    "one bye": "{entrants} players on {size} lines: seed 1 has a bye.",
    "byes": "{entrants} players on {size} lines: seeds 1 to {byes} have a bye.",
    "byes by lot": "{entrants} players on {size} lines: the lot decided who has a bye ({byes}).",
    "more byes": "{entrants} players on {size} lines: the seeds have a bye, and by lot {more} more.",
}

# Methods by which the lot decides every seed.
BY_LOT: Final = frozenset({"random", "pots"})
# Reasons that stay true after lines are exchanged.
LASTING: Final = frozenset({"lots", "pots", "seeded", "ordered", "rated"})


@dataclass(frozen=True, slots=True)
class DrawnLines:
    lines: Lines
    method: str
    clashes: int = 0  # first-round pairs of one club or family that could not be kept apart
    fixed: int | None = None  # seeds from the top that were set rather than drawn; None: unknown
    # The first side round in which two of one group can meet: its bracket and number.
    again: tuple[str, int] = ("", 0)


@dataclass(frozen=True, slots=True)
class Clashes:
    """The circles each entrant belongs to: clubs, families, exclusions (P08). Two of one circle clash."""

    circles: dict[EntrantId, frozenset[str]]

    @classmethod
    def collect(cls, field: Field, entrants: Iterable[Entrant]) -> Clashes:
        circles = {
            one.id: {f"{kind} {name}" for kind, name in (("club", one.club), ("family", one.family)) if name}
            for one in entrants
        }
        for at, apart in enumerate(field.apart):
            for member in apart.members & circles.keys():
                circles[member].add(f"apart {at}")
        return cls({name: frozenset(ones) for name, ones in circles.items()})

    def clash(self, one: EntrantId | None, other: EntrantId | None) -> bool:
        if one is None or other is None:
            return False
        return not self.circles[one].isdisjoint(self.circles[other])


def list_first_pairs(lines: Lines) -> tuple[tuple[EntrantId | None, EntrantId | None], ...]:
    return tuple(zip(lines[::2], lines[1::2], strict=False))


def separate_clashes(lines: Lines, fixed: frozenset[EntrantId], apart: Clashes, rng: RandomStream) -> Lines:
    """Resolve clashes where possible by exchanging drawn entrants; seeds and byes do not move."""
    placed = list(lines)
    movable = [at for at, one in enumerate(placed) if one is not None and one not in fixed]
    for at in movable:
        if not apart.clash(placed[at], placed[at ^ 1]):
            continue
        for other in rng.child(str(at)).shuffled(movable):
            if _may_swap(placed, at, other, apart):
                placed[at], placed[other] = placed[other], placed[at]
                break
    return tuple(placed)


def _may_swap(placed: Sequence[EntrantId | None], at: int, other: int, apart: Clashes) -> bool:
    if other in (at, at ^ 1):
        return False
    # Entrants keep the byes they have drawn.
    if placed[at ^ 1] is None or placed[other ^ 1] is None:
        return False
    return not apart.clash(placed[other], placed[at ^ 1]) and not apart.clash(placed[at], placed[other ^ 1])


@lru_cache(maxsize=16)
def list_seed_order(size: int) -> tuple[int, ...]:
    """List the seeds from top to bottom: 1 meets 2 in the final, 1 to 4 in the semi-finals (P06)."""
    seeds = [1]
    while len(seeds) < size:
        opposite = 2 * len(seeds) + 1
        seeds = [line for seed in seeds for line in (seed, opposite - seed)]
    return tuple(seeds)


def compute_size(entrants: int) -> int:
    """Return the number of lines of the smallest sheet for so many entrants."""
    return 1 << (entrants - 1).bit_length() if entrants else 0


def place_seeds(order: Sequence[EntrantId]) -> Lines:
    """Place seeds 1, 2, ... on their lines. Lines without a seed are byes (P07)."""
    size = compute_size(len(order))
    return tuple(order[seed - 1] if seed <= len(order) else None for seed in list_seed_order(size)[:size])


def require_valid_lines(field: Field, lines: Lines) -> Lines:
    """Return published lines, if they are a power of two, with each entrant at most once.

    :raises BadOption: the lines are not valid.
    """
    there = [one for one in lines if one is not None]
    entered = {entrant.id for entrant in field.entrants}
    if len(lines) & (len(lines) - 1) or len(set(there)) < len(there) or not entered.issuperset(there):
        raise BadOption(
            "draw", "has 2, 4, 8, ... lines, and on each an entrant of this stage, nobody twice, or null"
        )
    return lines


def get_method(field: Field) -> str:
    """Return the drawing method: the option `draw`, or its default.

    The default is crosswise after groups, as listed after other stages, and random otherwise.
    """
    usual = "listed" if field.intake else "random"
    usual = "cross" if any(ranked.group for ranked in field.intake) else usual
    return DRAW.get(field.options, usual)


def sort_qualifiers(intake: Sequence[Ranked]) -> tuple[Ranked, ...]:
    """Sort qualifiers: group winners first, players of equal place in their groups by their rank (P82).

    Players who do not come from a group keep their order.
    """
    of_group: Counter[str] = Counter()
    keys: list[tuple[int, int]] = []
    for one in intake:
        of_group[one.group] += 1
        keys.append((of_group[one.group], one.rank) if one.group else (0, 0))
    order = sorted(range(len(intake)), key=keys.__getitem__)
    return tuple(intake[at] for at in order)


def draw_lines(field: Field, entrants: Sequence[Entrant], rng: RandomStream) -> DrawnLines:
    method = get_method(field)
    order, fixed = order_seeds(field, entrants, method, rng)
    lines = place_seeds(order)
    if KEEP_APART.get(field.options):
        apart = Clashes.collect(field, entrants)
        lines = separate_clashes(lines, frozenset(order[:fixed]), apart, rng.child("apart"))
        return DrawnLines(lines, method, sum(apart.clash(*pair) for pair in list_first_pairs(lines)), fixed)
    return DrawnLines(lines, method, fixed=fixed)


def explain_draw(made: DrawnLines, about: str) -> Iterator[Reason]:
    """Yield the reasons for a new draw: what was set and what was drawn, its byes, and its clashes."""
    entrants = sum(one is not None for one in made.lines)
    if made.fixed is not None:
        yield _explain_seeds(made.method, made.fixed, entrants, about)
        if byes := len(made.lines) - entrants:
            yield _explain_byes(made.fixed, byes, (("entrants", entrants), ("size", len(made.lines))), about)
    if made.again[0]:
        bracket, number = made.again
        yield Reason("group again", about, (("side", bracket), ("round", number)))
    if made.clashes:
        yield Reason("clashes", about, (("pairs", made.clashes),))


def _explain_seeds(method: str, fixed: int, entrants: int, about: str) -> Reason:
    if method == "pots":
        return Reason("pots", about)
    if not fixed:
        return Reason("lots", about)
    how = (("method", method), ("entrants", entrants))
    if fixed < entrants:
        return Reason("seeded", about, (*how, ("seeds", fixed)))
    return Reason("rated", about, how[1:]) if method == "rating" else Reason("ordered", about, how)


def _explain_byes(fixed: int, byes: int, figures: tuple[tuple[str, int], ...], about: str) -> Reason:
    if not fixed:
        return Reason("byes by lot", about, (*figures, ("byes", byes)))
    if fixed < byes:
        return Reason("more byes", about, (*figures, ("more", byes - fixed)))
    return (
        Reason("byes", about, (*figures, ("byes", byes))) if byes > 1 else Reason("one bye", about, figures)
    )


def order_seeds(
    field: Field, entrants: Sequence[Entrant], method: str, rng: RandomStream
) -> tuple[tuple[EntrantId, ...], int]:
    """Order the entrants as seeds, and count those from the top that were set rather than drawn."""
    names = tuple(entrant.id for entrant in entrants)
    lot = {name: at for at, name in enumerate(rng.child("lot").shuffled(names))}
    match method:
        case "random":
            return tuple(sorted(names, key=lot.__getitem__)), 0
        case "listed":
            there = set(names)
            listed = [one.entrant for one in sort_qualifiers(field.intake) if one.entrant in there]
            return tuple(listed) or names, len(names)
        case "rating":
            return _seed_by_rating(field, entrants, lot)
        case "pots":
            # P04: pot 1 over the best lines, pot 2 over the next; entrants without a pot come last.
            potted = sorted(entrants, key=lambda one: (one.pot is None, one.pot or 0, lot[one.id]))
            return tuple(one.id for one in potted), 0
        case _:
            return _seed_by_hand(entrants, lot)


def _seed_by_rating(
    field: Field, entrants: Sequence[Entrant], lot: dict[EntrantId, int]
) -> tuple[tuple[EntrantId, ...], int]:
    """Seed the best by rating, equal ratings by lot; beyond the last seed the lot decides (P03)."""
    rated = sorted(
        entrants,
        key=lambda one: (one.rating is None, -(one.rating or 0), lot[one.id]),
    )
    seeds = min(SEEDS.get(field.options, len(rated)), len(rated))
    rest = sorted(rated[seeds:], key=lambda one: lot[one.id])
    return tuple(one.id for one in (*rated[:seeds], *rest)), seeds


def _seed_by_hand(
    entrants: Sequence[Entrant], lot: dict[EntrantId, int]
) -> tuple[tuple[EntrantId, ...], int]:
    """Use the seeds the director set; the other entrants are drawn (P04)."""
    seeded = sorted(entrants, key=lambda one: (one.seed is None, one.seed or 0, lot[one.id]))
    for seed, same in groupby(seeded, key=lambda one: one.seed):
        if seed is not None and len(tuple(same)) > 1:
            raise BadOption("seed", f"{seed} was given twice")
    return tuple(one.id for one in seeded), sum(one.seed is not None for one in entrants)


def compute_commitment(seed: str) -> str:
    """Compute the hash published before the draw: it fixes the seed without revealing it (P05)."""
    return sha256(f"barpoint draw\n{seed}".encode()).hexdigest()


def is_committed(seed: str, published: str) -> bool:
    return compare_digest(compute_commitment(seed).encode(), published.strip().lower().encode())
