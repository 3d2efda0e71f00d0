"""Players to keep apart: clubs, families, and the director's exclusions (P08)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from draw.event import Entrant, EntrantId, Field
    from draw.random_stream import RandomStream

Lines = tuple["EntrantId | None", ...]


@dataclass(frozen=True, slots=True)
class Clashes:
    """The circles each entrant belongs to; two of one circle clash."""

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
