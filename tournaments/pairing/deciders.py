"""Play-offs in a round robin or a group: those who are tied for places that count meet each other once (P89)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, Final

from tournaments.pairing import rounds, schedule
from tournaments.pairing.event import NOTHING, Key, Round
from tournaments.pairing.history import PLAYOFF, History

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tournaments.pairing.chance import Chance
    from tournaments.pairing.event import Entrant, EntrantId, Field, Pairing, Ranked, Stale
    from tournaments.pairing.schedule import Match

SENTENCE: Final = "{a} and {b} share a place that is to be played out."
WITHIN: Final = ("points", "head-to-head")


@dataclass(frozen=True, slots=True)
class Deciders:
    """The play-off matches of one circle, and its order with what they have decided."""

    matches: tuple[Match, ...]
    stale: tuple[Stale, ...]
    ranking: tuple[Ranked, ...]

    @classmethod
    def of(
        cls,
        field: Field,
        entrants: Sequence[Entrant],
        order: Sequence[Ranked],
        tied: frozenset[int],
        facts: Sequence[Pairing],
        rng: Chance,
        prefix: str = "",
    ) -> Deciders:
        """Lay out the matches of those whose shared rank is to be played off, and give them their results."""
        by_id = {one.id: one for one in entrants}
        made = tuple(match for rank in sorted(tied) for match in _circle(order, rank, by_id, prefix))
        made, stale = schedule.played(made, facts, field.stage.name)
        made, _ = schedule.without_the_gone(made, entrants, cancel=False)
        return cls(made, stale, tuple(_ordered(field, by_id, order, made, rng)))


def tied(field: Field, order: Sequence[Ranked]) -> frozenset[int]:
    """Return the shared ranks that count: across a cut of a later stage, or else for one of the first places."""
    cuts = cuts_of(field)
    prizes = field.options.integer("playoff_for", 0 if field.takes else 1)
    return frozenset(
        one.rank
        for one in order
        if one.shared > 1 and (one.rank <= prizes or any(one.rank <= cut < one.last for cut in cuts))
    )


def cuts_of(field: Field) -> set[int]:
    """Return after which places some go on to a later stage and others do not."""
    return {cut for take in field.takes for cut in (take.first - 1, take.last) if cut}


def told(field: Field, order: Sequence[Ranked]) -> Iterator[Ranked]:
    """Yield the final order; where a cut falls among those who are tied, with the number that decides (P83)."""
    is_lot = field.stage.format in {"round-robin", "league"} and field.options.get("order") == "random"
    cuts = () if any(one.group for one in order) else cuts_of(field)
    for rank, same in groupby(order, key=lambda one: one.rank):
        tied = list(same)
        is_cut = any(rank <= cut < tied[0].last for cut in cuts)
        for number, one in enumerate(tied, 1):
            figure = ("lot" if is_lot else "number", number)
            yield replace(one, figures=(*one.figures, figure)) if is_cut else one


def _circle(
    order: Sequence[Ranked], rank: int, by_id: Mapping[EntrantId, Entrant], prefix: str
) -> tuple[Match, ...]:
    players = [by_id[one.entrant] for one in order if one.rank == rank]
    return schedule.fixed(players, (), times=1, prefix=f"{prefix}{PLAYOFF}{rank}.")


def _ordered(
    field: Field,
    by_id: Mapping[EntrantId, Entrant],
    order: Sequence[Ranked],
    matches: Sequence[Match],
    rng: Chance,
) -> Iterator[Ranked]:
    """Yield the order; those whose play-off is not over still share."""
    for rank, same in groupby(order, key=lambda one: one.rank):
        sharing = {one.entrant: one for one in same}
        own = [match for match in matches if not sharing.keys().isdisjoint(match.players)]
        if not own or any(match.pairing.result is None for match in own):
            yield from sharing.values()
            continue
        # Among themselves these are matches like all others.
        batches = tuple(
            Round(number, (replace(match.pairing, key=Key(f"r{number}.1")),))
            for number, match in enumerate(own, 1)
        )
        players = tuple(replace(by_id[one], head_start=NOTHING) for one in sharing)
        history = History(replace(field, entrants=players, rounds=batches, scores={}))
        for one in rounds.ranking(history, WITHIN, rng, is_round_robin=True):
            was = sharing[one.entrant]
            won = ("play-off", dict(one.figures)["points"])
            figures = (*(figure for figure in was.figures if figure[0] != "play-off"), won)
            yield replace(was, rank=rank + one.rank - 1, shared=one.shared, figures=figures)
