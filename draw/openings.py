"""The openings for a latecomer, found by proposing the event with the latecomer added (P14, P16)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from draw import stages
from draw.brackets import knockout, late_entries
from draw.event import UNDECIDED, Entrant, EntrantId, Event, Key, Kind, Proposal, Result, Stage, State
from draw.random_stream import RandomStream

# The choice of joining the coming rounds, without a particular place.
ROUNDS: Final = "rounds"
SITS: Final = (*UNDECIDED, State.BYE)


@dataclass(frozen=True, slots=True)
class Opening:
    """A way to join. `place` is the key of a match, a key and a seat in a side bracket, or `rounds`."""

    place: str
    stage: str
    bracket: str = ""
    round: int = 0
    against: EntrantId | None = None

    @property
    def is_side(self) -> bool:
        return self.place.endswith(("/a", "/b"))

    @property
    def key(self) -> Key:
        """The key of the match it leads to."""
        return Key(self.place.rpartition("/")[0] if self.is_side else self.place)


def find_openings(event: Event, newcomer: Entrant) -> tuple[Opening, ...]:
    done = stages.propose_stages(event)
    before = stages.combine_proposals(event, done)
    found: list[Opening] = []
    for stage in event.stages:
        if stage.takes or stage.name not in done or done[stage.name].finished:
            continue  # later stages are entered by rank only, and finished ones stay finished
        found += _find_direct(event, stage, before, newcomer)
        found += _find_side_seats(event, stage, newcomer)
    return tuple(found)


def is_seated(proposal: Proposal, who: EntrantId) -> bool:
    return any(who in place.entrants for place in proposal.places)


def _find_direct(event: Event, stage: Stage, before: Proposal, newcomer: Entrant) -> Iterator[Opening]:
    """Yield the line or the round that the newcomer gets, side brackets aside."""
    form = stages.get_format(stage)
    if form.joins_from is not None:
        field = stages.build_field(event, stage, {})
        number = 0 if field is None else form.joins_from(field, newcomer)
        if number:
            yield Opening(ROUNDS, stage.name, round=number)
        return
    is_knockout = form.is_elimination
    with_them = replace(event, entrants=(*event.entrants, newcomer))
    at_once = stages.propose(with_them)
    # No recorded match may become stale, neither on a sheet nor in a play-off.
    if len(at_once.stale) > len(before.stale):
        return
    # One more loser could displace an earlier latecomer from a side bracket.
    joined = [one.id for one in event.entrants if one.joins]
    if any(is_seated(before, one) and not is_seated(at_once, one) for one in joined):
        return
    after = at_once if is_knockout else stages.propose(_play_open_matches(with_them, stage))
    for place in after.places:
        if place.stage == stage.name and place.state in SITS and newcomer.id in place.entrants:
            against = next((one for one in place.entrants if one != newcomer.id), None)
            name = str(place.key) if is_knockout else ROUNDS
            yield Opening(name, stage.name, place.bracket, place.round, against)
            return


def _play_open_matches(event: Event, stage: Stage) -> Event:
    """Return the event with all open matches of a stage decided; the winners do not matter."""
    return replace(
        event,
        rounds=tuple(
            replace(
                batch,
                pairings=tuple(
                    replace(one, result=one.result or Result(Kind.PLAYED, one.a)) for one in batch.pairings
                ),
            )
            if batch.stage in {stage.name, ""}
            else batch
            for batch in event.rounds
        ),
    )


def _find_side_seats(event: Event, stage: Stage, newcomer: Entrant) -> Iterator[Opening]:
    """Yield the best free seat of each side bracket."""
    field = stages.build_field(event, stage, {})
    if field is None or not stages.get_format(stage).is_sheet(stage.options):
        return
    made = knockout.get_draw(field, RandomStream(field.seed).child(stage.name))
    if sum(one is not None for one in made.lines) < knockout.FEW:
        return
    structure, facts, _, _ = knockout.collect_facts(field, made)
    prefix = stages.get_key_prefix(event, stage)
    sheet = knockout.build_sheet(knockout.PRESETS[stage.format], field.options)
    for node, seat, spot in late_entries.find_seats(structure, facts, sheet, newcomer.id):
        other = spot.b if seat == "a" else spot.a
        against = other if isinstance(other, str) else None
        yield Opening(f"{prefix}{node.key}/{seat}", stage.name, node.bracket, node.round, against)
