"""Play-offs after all other matches: players tied for places that count meet each other once (P89)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby
from typing import Final

from draw import rounds, schedule
from draw.event import (
    NOTHING,
    Entrant,
    EntrantId,
    Field,
    Key,
    Pairing,
    Proposal,
    Ranked,
    Reason,
    Round,
    StalePairing,
    Take,
    get_match_rules,
)
from draw.history import PLAYOFF, PLAYOFF_BRACKET, History, is_playoff
from draw.options import Options
from draw.random_stream import RandomStream
from draw.schedule import Match
from draw.standings.ranking import rank_players

SENTENCE: Final = "{a} and {b} share a place; a play-off decides it."
WITHIN: Final = ("points", "head-to-head")


@dataclass(frozen=True, slots=True)
class Playoffs:
    """The play-off matches of one circle, and its order including their results."""

    matches: tuple[Match, ...]
    stale: tuple[StalePairing, ...]
    ranking: tuple[Ranked, ...]

    @classmethod
    def build(
        cls,
        field: Field,
        entrants: Sequence[Entrant],
        order: Sequence[Ranked],
        tied: frozenset[int],
        facts: Sequence[Pairing],
        rng: RandomStream,
        prefix: str = "",
    ) -> Playoffs:
        """Lay out the matches for the shared ranks to be played off, and apply the recorded results."""
        by_id = {one.id: one for one in entrants}
        laid_out = (
            schedule.lay_out_matches(
                [by_id[one.entrant] for one in order if one.rank == rank],
                (),
                times=1,
                prefix=f"{prefix}{PLAYOFF}{rank}.",
            )
            for rank in sorted(tied)
        )
        made, stale = schedule.apply_results(tuple(chain.from_iterable(laid_out)), facts, field.stage.name)
        made, _ = schedule.decide_withdrawn(made, entrants, cancel=False)
        return cls(made, stale, tuple(_rank_with_playoffs(field, by_id, order, made, rng)))


def find_tied_ranks(field: Field, order: Sequence[Ranked]) -> frozenset[int]:
    """Find the shared ranks that count: across a cut of a later stage, or among the first places."""
    cuts = list_cuts(field)
    prizes = rounds.PLAYOFF_FOR.get(field.options, 0 if field.takes else 1)
    return frozenset(
        one.rank
        for one in order
        if one.shared > 1 and (one.rank <= prizes or any(one.rank <= cut < one.last for cut in cuts))
    )


def propose_with_playoffs(
    field: Field, rng: RandomStream, propose: Callable[[Field, RandomStream], Proposal]
) -> Proposal:
    """Propose a format of rounds, with play-offs if the options want them.

    Play-offs follow once the stage is over, for ties that count.
    """
    if not rounds.PLAYOFF.get(field.options):
        return propose(field, rng)
    facts = tuple(one for made in field.rounds for one in made.pairings if is_playoff(one))
    found = propose(_strip_playoffs(field), rng)
    order = found.ranking if found.finished else ()
    own = Playoffs.build(field, field.entrants, order, find_tied_ranks(field, order), facts, rng)
    stale = (*found.stale, *own.stale)
    if not found.finished:
        return replace(found, stale=stale)
    due = schedule.list_due_keys(own.matches, field.absent)
    # Recorded matches are shown even if their numbers have changed, those decided by a withdrawal are not.
    recorded = {frozenset((fact.a, fact.b)) for fact in facts}
    open_ = [one.pairing for one in own.matches if one.pairing.result is None]
    last = max((place.round for place in found.places), default=0)
    shown = [one for one in own.matches if one.pairing.key in due or frozenset(one.players) in recorded]
    places = (
        rounds.build_place(
            one.pairing,
            last + one.round,
            one.table,
            get_match_rules(field.stage, PLAYOFF_BRACKET, last + one.round, last),
            PLAYOFF_BRACKET,
        )
        for one in shown
    )
    return replace(
        found,
        places=(*found.places, *places),
        ranking=own.ranking,
        finished=not open_,
        why=(*found.why, *explain_playoffs(open_)),
        stale=stale,
    )


def explain_playoffs(open_: Iterable[Pairing]) -> tuple[Reason, ...]:
    return tuple(Reason("play-off", one.key, (("a", one.a), ("b", one.b))) for one in open_)


def _strip_playoffs(field: Field) -> Field:
    """Return the field as if it had no play-offs: without their matches and options."""
    made = [
        replace(one, pairings=tuple(each for each in one.pairings if not is_playoff(each)))
        for one in field.rounds
    ]
    options = {name: value for name, value in field.options.items if name != "playoff"}
    if names := rounds.TIES_OPTION.get(field.options, ()):
        options["ties"] = tuple(name for name in names if name != "play-off")
    return replace(
        field,
        rounds=tuple(one for one in made if one.pairings or one.byes),
        stage=replace(field.stage, options=Options.from_values(**options)),
    )


def list_cuts(field: Field) -> set[int]:
    """List the places after which players stop advancing to a later stage."""
    return {cut for take in field.takes for cut in (take.first - 1, take.last) if cut}


def cut_groups(field: Field, groups: int) -> Field:
    """Return the field with the cuts of the order of all groups as cuts of each group (P81, P89).

    A cut between players of the same place in their groups can fall before or after that place.
    """
    return replace(
        field,
        takes=tuple(
            take if take.each_group else _cut_each_group(take, groups, len(field.entrants), spare)
            for take in field.takes
            for spare in (0, groups - 1)
        ),
    )


def _cut_each_group(take: Take, groups: int, entrants: int, spare: int) -> Take:
    first = (take.first - 1 + spare) // groups + 1
    if take.last is None or take.last >= entrants:
        return replace(take, first=first, last=None, each_group=True)
    return replace(take, first=first, last=(take.last + spare) // groups, each_group=True)


def separate_placed_ties(options: Options, order: Sequence[Ranked]) -> Iterator[Ranked]:
    """Yield the final order, with separate places for ties that the director has put in order (P91)."""
    for rank, same in groupby(order, key=lambda one: one.rank):
        tied = list(same)
        found = rounds.apply_placed_order(options, tied)
        if found is None:
            yield from tied
        else:
            yield from (replace(one, rank=rank + at, shared=1) for at, one in enumerate(found))


def number_ties(field: Field, order: Sequence[Ranked], *, is_circle: bool) -> Iterator[Ranked]:
    """Yield the final order. Where a cut falls within a tie, add the number that decides (P91)."""
    is_lot = is_circle and field.options.get("order") == "random"
    cuts = () if any(one.group for one in order) else list_cuts(field)
    for rank, same in groupby(separate_placed_ties(field.options, order), key=lambda one: one.rank):
        tied = list(same)
        is_cut = any(rank <= cut < tied[0].last for cut in cuts)
        for number, one in enumerate(tied, 1):
            if not is_cut:
                yield one
                continue
            name = "lot" if is_lot else "number"
            is_first_out = number > 1 and rank + number - 2 in cuts
            labelled = replace(one, figures=(*one.figures, (name, number)))
            yield replace(labelled, decided_by=name) if is_first_out else labelled


def _rank_with_playoffs(
    field: Field,
    by_id: Mapping[EntrantId, Entrant],
    order: Sequence[Ranked],
    matches: Sequence[Match],
    rng: RandomStream,
) -> Iterator[Ranked]:
    """Yield the order; players whose play-off is unfinished still share their place."""
    for rank, same in groupby(order, key=lambda one: one.rank):
        sharing = {one.entrant: one for one in same}
        own = [match for match in matches if not sharing.keys().isdisjoint(match.players)]
        if not own or any(match.pairing.result is None for match in own):
            yield from sharing.values()
            continue
        # The players are ranked by these matches alone, as in a small round robin.
        batches = tuple(
            Round(number, (replace(match.pairing, key=Key(f"r{number}.1")),))
            for number, match in enumerate(own, 1)
        )
        players = tuple(replace(by_id[one], head_start=NOTHING) for one in sharing)
        history = History(replace(field, entrants=players, rounds=batches, scores={}))
        above = next(iter(sharing.values())).decided_by
        table = rounds.build_table(history, WITHIN, rng, is_round_robin=True)
        for number, one in enumerate(rank_players(table, WITHIN)):
            was = sharing[one.entrant]
            won = ("play-off", dict(one.figures)["points"])
            figures = (*(figure for figure in was.figures if figure[0] != "play-off"), won)
            decided_by = ("play-off" if one.decided_by else "") if number else above
            yield replace(
                was, rank=rank + one.rank - 1, shared=one.shared, figures=figures, decided_by=decided_by
            )
