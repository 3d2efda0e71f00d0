"""A whole event: stages in sequence, each taking entrants from earlier ones by rank (P12)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from itertools import groupby
from typing import Final

from draw import playoff_matches, rounds
from draw.event import (
    NOTHING,
    Entrant,
    EntrantId,
    Event,
    Field,
    Key,
    Pairing,
    Place,
    Proposal,
    Ranked,
    Reason,
    Seat,
    Stage,
    StalePairing,
    Take,
)
from draw.format import Format, FormatKind
from draw.formats import FORMATS
from draw.options import BadOption
from draw.random_stream import RandomStream

# Separate players still tied after the list, if one of them has to advance.
LAST: Final = ("rating", "lot", "number")


def propose(event: Event) -> Proposal:
    """Propose everything that should exist in the stages that can have begun."""
    return combine_proposals(event, propose_stages(event))


def combine_proposals(event: Event, done: Mapping[str, Proposal]) -> Proposal:
    return Proposal(
        places=tuple(place for one in done.values() for place in one.places),
        byes=tuple(bye for one in done.values() for bye in one.byes),
        ranking=rank_event(event, done),
        finished=len(done) == len(event.stages) and all(one.finished for one in done.values()),
        why=tuple(reason for one in done.values() for reason in one.why),
        stale=tuple(stale for one in done.values() for stale in one.stale),
    )


def propose_stages(event: Event, *, before: str | None = None) -> dict[str, Proposal]:
    """Propose each stage that can have begun, by name; *before*: only the stages listed before this one."""
    done: dict[str, Proposal] = {}
    for stage in event.stages:
        if stage.name == before:
            break
        field = build_field(event, stage, done)
        if field is not None:
            done[stage.name] = _add_addresses(event, stage, propose_stage(field))
    return done


def propose_stage(field: Field) -> Proposal:
    """Propose one stage by its format; once it is over, mark what decides who advances."""
    form = get_format(field.stage)
    field.options.check(form.options)
    found = form.propose(field, RandomStream(field.seed).child(field.stage.name))
    if not found.finished or not form.ties:
        return found
    is_circle = form.kind is FormatKind.CIRCLES
    return replace(
        found, ranking=tuple(playoff_matches.number_ties(field, found.ranking, is_circle=is_circle))
    )


def get_format(stage: Stage) -> Format:
    if stage.format not in FORMATS:
        raise BadOption("format", f"{stage.format!r} is none of {', '.join(sorted(FORMATS))}")
    return FORMATS[stage.format]


def is_fixed(stage: Stage) -> bool:
    """True if all places of the stage exist from the start."""
    return get_format(stage).is_fixed(stage.options)


def list_tie_breaks(stage: Stage) -> tuple[str, ...]:
    """Return the tie-breaks of a stage in order, then what separates players at a cut."""
    default = get_format(stage).ties
    return (*rounds.list_tie_breaks(stage.options, default), *LAST) if default else ()


def build_field(event: Event, stage: Stage, done: Mapping[str, Proposal]) -> Field | None:
    """Build the field of a stage; None while its entrants are unknown."""
    if any(take.stage not in done or not done[take.stage].finished for take in stage.takes):
        return None
    gone, prefix = _find_leavers(event, [stage]), get_key_prefix(event, stage)
    intake = tuple(
        ranked
        for take in stage.takes
        for ranked in select_entrants(take, done[take.stage], find_passed_over(event, take.stage))
        if ranked.entrant not in gone
    )
    entrants = _list_entrants(event, stage)
    by_id = {entrant.id: entrant for entrant in entrants}
    if stage.takes:
        given = {
            (bye.entrant, batch.number)
            for batch in event.rounds
            if batch.stage in done
            for bye in batch.byes
            if bye.asked
        }
        entrants = tuple(_begin_stage(by_id[ranked.entrant], given) for ranked in intake)
    elif prefix:
        entrants = tuple(replace(one, joins=one.joins.removeprefix(prefix)) for one in entrants)
    return Field(
        stage=stage,
        entrants=entrants,
        seed=event.seed,
        rounds=tuple(
            replace(
                batch,
                pairings=tuple(replace(one, key=Key(one.key.removeprefix(prefix))) for one in batch.pairings),
            )
            for batch in event.rounds
            if batch.stage == stage.name or (len(event.stages) == 1 and not batch.stage)
        ),
        absent=event.absent,
        apart=event.apart,
        draw=next((draw for draw in event.draws if draw.stage == stage.name), None),
        scores=dict(event.scores),
        intake=intake,
        takes=tuple(take for later in event.stages for take in later.takes if take.stage == stage.name),
    )


def _begin_stage(one: Entrant, given: Set[tuple[EntrantId, int]]) -> Entrant:
    """Return a qualified entrant as they begin a later stage: there from the start, without points for missed rounds.

    The byes in *given*, by entrant and round, are those that an earlier stage has given (P52).
    """
    requested = tuple(each for each in one.asked if (one.id, each.round) not in given)
    return replace(one, arrived=1, joins="", head_start=NOTHING, asked=requested)


def find_passed_over(event: Event, name: str) -> frozenset[EntrantId]:
    """Find the players of a stage who left before a later one was drawn: the next in rank go on (P12).

    Only a draw that is kept says who was there: a round robin, for one, does not change its players.
    """
    return _find_leavers(
        event, [stage for stage in event.stages if any(take.stage == name for take in stage.takes)]
    )


def _find_leavers(event: Event, later: Iterable[Stage]) -> frozenset[EntrantId]:
    """Find the players who left before any of these stages was drawn, if one keeps its draw."""
    names = {stage.name for stage in later if get_format(stage).keeps_draw}
    gone = {
        one.id for one in event.entrants if one.left is not None and names.isdisjoint(one.left_after_draws)
    }
    return frozenset(gone.difference(_list_seated(event, names))) if names and gone else frozenset()


def _list_seated(event: Event, later: Set[str]) -> Iterator[EntrantId | None]:
    """Yield the players who were drawn or paired in these stages."""
    for draw in event.draws:
        if draw.stage in later:
            yield from draw.lines
    for batch in event.rounds:
        if batch.stage in later:
            yield from (one for each in batch.pairings for one in (each.a, each.b))
            yield from (bye.entrant for bye in batch.byes)


def _list_entrants(event: Event, stage: Stage) -> tuple[Entrant, ...]:
    """List the entrants for a stage. Players who left after a later stage was drawn have not left this one (P33)."""
    later = {
        other.name
        for other in event.stages
        if any(take.stage == stage.name for take in other.takes) and _has_begun(event, other)
    }
    return tuple(
        one if later.isdisjoint(one.left_after_draws) else replace(one, left=None) for one in event.entrants
    )


def remove_impossible(event: Event) -> tuple[Event, frozenset[str]]:
    """Reset stages that cannot have begun, or whose entrants have changed because earlier ranks have."""
    if not any(stage.takes for stage in event.stages):
        return event, frozenset()
    done: dict[str, Proposal] = {}
    fallen: set[str] = set()
    for stage in event.stages:
        field = build_field(event, stage, done)
        if _has_begun(event, stage):
            there: frozenset[EntrantId] = frozenset(
                () if field is None else (one.id for one in field.entrants)
            )
            if field is None or not there.issuperset(_list_lines(event, stage)):
                fallen.add(stage.name)
                event = _clear_stage(event, stage)
                field = build_field(event, stage, done)
        if field is not None:
            done[stage.name] = propose_stage(field)
    return event, frozenset(fallen)


def _has_begun(event: Event, stage: Stage) -> bool:
    return bool(stage.takes) and (
        any(draw.stage == stage.name for draw in event.draws)
        or any(batch.stage == stage.name for batch in event.rounds)
    )


def _list_lines(event: Event, stage: Stage) -> Iterator[EntrantId]:
    """Yield the players on lines: if others have qualified, it is drawn again. Groups only replace them."""
    for draw in event.draws:
        if draw.stage == stage.name and get_format(stage).is_elimination:
            yield from (one for one in draw.lines if one is not None)


def _clear_stage(event: Event, stage: Stage) -> Event:
    """Remove the draw and rounds of a stage. Players who have left since are not drawn again."""
    return replace(
        event,
        entrants=tuple(
            replace(one, left_after_draws=tuple(name for name in one.left_after_draws if name != stage.name))
            for one in event.entrants
        ),
        draws=tuple(draw for draw in event.draws if draw.stage != stage.name),
        rounds=tuple(batch for batch in event.rounds if batch.stage != stage.name),
    )


def select_entrants(take: Take, proposal: Proposal, passed_over: Collection[EntrantId]) -> tuple[Ranked, ...]:
    """Return the entrants a stage takes, in order: of groups all the winners first, then all the seconds."""
    ranking = tuple(ranked for ranked in proposal.ranking if ranked.entrant not in passed_over)
    if not take.each_group:
        return ranking[take.first - 1 : take.last]
    groups: dict[str, list[Ranked]] = {}
    for ranked in ranking:
        groups.setdefault(ranked.group, []).append(ranked)
    cut = [groups[name][take.first - 1 : take.last] for name in sorted(groups)]
    deepest = max((len(rows) for rows in cut), default=0)
    return tuple(rows[at] for at in range(deepest) for rows in cut if at < len(rows))


def rank_event(event: Event, done: Mapping[str, Proposal]) -> tuple[Ranked, ...]:
    """Rank the event: the last stages first, then entrants who did not get that far (P35)."""
    begun = [stage for stage in event.stages if stage.name in done]
    if len(begun) == 1:
        return done[begun[0].name].ranking
    sources = {take.stage for stage in begun for take in stage.takes}
    last = [stage.name for stage in begun if stage.name not in sources]
    earlier = [stage.name for stage in reversed(begun) if stage.name in sources]
    ranking: list[Ranked] = []
    seen: set[EntrantId] = set()
    for name in (*last, *earlier):
        whole = done[name].ranking
        rest = [ranked for ranked in whole if ranked.entrant not in seen]
        # If some have advanced, the others close up. Entrants still in keep their range of places.
        is_on = len(rest) == len(whole) and any(ranked.is_open for ranked in whole)
        placed = rest if is_on else close_ranks(sorted(rest, key=lambda one: one.rank))
        above = len(ranking)
        ranking += [replace(ranked, rank=above + ranked.rank) for ranked in placed]
        seen.update(ranked.entrant for ranked in rest)
    return tuple(ranking)


def close_ranks(ranking: Sequence[Ranked]) -> tuple[Ranked, ...]:
    """Return the order as if nothing more were played: equal places are shared, the rest close up."""
    found: list[Ranked] = []
    for _, same in groupby(ranking, key=lambda one: (one.rank, one.last)):
        tied = list(same)
        found += [replace(one, rank=len(found) + 1, shared=len(tied), is_open=False) for one in tied]
    return tuple(found)


def get_key_prefix(event: Event, stage: Stage) -> str:
    """Return the prefix of a stage's keys; empty if it is the only stage."""
    return f"{stage.name}/" if len(event.stages) > 1 else ""


def _add_addresses(event: Event, stage: Stage, proposal: Proposal) -> Proposal:
    """Add the stage to the keys of places, seats and reasons."""
    prefix = get_key_prefix(event, stage)
    entrants = {str(entrant.id) for entrant in event.entrants}

    def seat(one: Seat) -> Seat:
        return one if one.key is None or not prefix else replace(one, key=Key(prefix + one.key))

    def place(one: Place) -> Place:
        key = Key(prefix + one.key)
        return replace(one, key=key, a=seat(one.a), b=seat(one.b), stage=stage.name)

    keys = {str(place.key) for place in proposal.places if prefix} - entrants

    def reason(one: Reason) -> Reason:
        named = one.about in entrants or one.about == stage.name
        figures = tuple((name, f"{prefix}{value}" if value in keys else value) for name, value in one.figures)
        about = one.about if named else prefix + one.about
        return replace(one, about=about, figures=figures, format=stage.format)

    def stale(one: StalePairing) -> StalePairing:
        pairing: Pairing = replace(one.pairing, key=Key(prefix + one.pairing.key))
        return replace(one, pairing=pairing, stage=stage.name)

    return replace(
        proposal,
        places=tuple(place(one) for one in proposal.places),
        why=tuple(reason(one) for one in proposal.why),
        stale=tuple(stale(one) for one in proposal.stale),
    )
