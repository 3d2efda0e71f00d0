"""Explanations of the order of players with the same score: the tie-breaks that separated them (P90)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from draw.event import Figure, Ranked, Reason

SENTENCES: Final[Mapping[str, str]] = {
    "separated": "{a} and {b} are level. {by}: {a} first, {ahead} to {behind}.",
    "separated by": "{a} and {b} are level. {by}: {a} first.",
    "separated by lot": "Nothing else separated {a} and {b}; the lot put {a} first.",
    "separated by list": "Nothing else separated {a} and {b}; {a} stood higher on the list.",
    "separated by director": "Nothing else separated {a} and {b}; the director put {a} first.",
    "separated by play-off": "{a} and {b} were level; the play-off put {a} first.",
    "shared": "{a} and {b} are level on every line of the list: they share the place.",
    "shared by many": "{count} players, from {a} to {b}, are level on every line of the list: they share the place.",
    "cut by lot": "{a} and {b} share the place; the lot decided that {a} goes through.",
    "cut by list": "{a} and {b} share the place; {a} stood higher on the list and goes through.",
}
# Players with equal figures of these are called level.
SCORES: Final = ("points", "lives")
TWO: Final = 2
# These have no figure that is meaningful to readers.
BARE: Final = {"lot": "lot", "number": "list", "play-off": "play-off", "director": "director"}


def explain_separations(ranking: Sequence[Ranked]) -> Iterator[Reason]:
    """Yield what separated each player from the one above with the same score.

    The subject of the reason is the lower player.
    """
    for above, one in pairwise(ranking):
        is_level = above.group == one.group and above.figures[:1] == one.figures[:1]
        if is_level and one.decided_by and one.decided_by not in SCORES:
            yield _explain_separation(above, one)


def explain_shared_places(ranking: Sequence[Ranked]) -> Iterator[Reason]:
    """Yield the places that players share because nothing separates them; none if all players are level."""
    for level in _group_shared(ranking):
        # Places of a knock-out go by rounds: there are no scores to be level on.
        if 1 < len(level) < len(ranking) and not dict(level[0].figures).keys().isdisjoint(SCORES):
            names: tuple[tuple[str, Figure], ...] = (("a", level[0].entrant), ("b", level[-1].entrant))
            if len(level) == TWO:
                yield Reason("shared", level[-1].entrant, names)
            else:
                yield Reason("shared by many", level[-1].entrant, (*names, ("count", len(level))))


def _group_shared(ranking: Sequence[Ranked]) -> Iterator[Sequence[Ranked]]:
    """Yield the ranking in runs of players who share a place."""
    starts = [
        at
        for at, one in enumerate(ranking)
        if at == 0 or one.decided_by or not _has_same_place(ranking[at - 1], one)
    ]
    for start, end in pairwise([*starts, len(ranking)]):
        yield ranking[start:end]


def _has_same_place(above: Ranked, one: Ranked) -> bool:
    """True if the two share a place; in unfinished groups, players with the same figures do."""
    return above.figures == one.figures if one.group else above.rank == one.rank


def _explain_separation(above: Ranked, one: Ranked) -> Reason:
    names: tuple[tuple[str, Figure], ...] = (("a", above.entrant), ("b", one.entrant))
    by = one.decided_by
    if by in BARE:
        is_cut = above.rank == one.rank and above.shared > 1
        code = f"{'cut' if is_cut else 'separated'} by {BARE[by]}"
        return Reason(code, one.entrant, names)
    ahead, behind = dict(above.figures).get(by), dict(one.figures).get(by)
    # A tie-break that is applied again may give the first player a lower figure.
    if not _is_more(ahead, behind):
        return Reason("separated by", one.entrant, (*names, ("by", by)))
    return Reason("separated", one.entrant, (*names, ("by", by), ("ahead", ahead), ("behind", behind)))


def _is_more(ahead: Figure, behind: Figure) -> bool:
    if ahead is None or behind is None or isinstance(ahead, str) or isinstance(behind, str):
        return False
    return ahead > behind
