"""The matches an event still has to play, including unpaired rounds, to estimate when it ends (P120)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from draw import stages
from draw.brackets.structure import MAIN
from draw.event import (
    UNDECIDED,
    EntrantId,
    Event,
    From,
    Key,
    MatchRules,
    Place,
    Seat,
    Stage,
    State,
    Take,
    get_match_rules,
)
from draw.forecast import fixed_matches, sketch
from draw.forecast.event_forecast import plan_event
from draw.history import PLAYOFF_BRACKET
from draw.lives import BRACKET, LIVES, UNTIL
from draw.rounds import ROUNDS


@dataclass(frozen=True, slots=True)
class SeatToFill:
    """The occupant of a seat, or the match that sends one; neither if unknown."""

    entrant: EntrantId | None = None
    source: int | None = None
    is_loser: bool = False


@dataclass(frozen=True, slots=True)
class RemainingStep:
    """A match to come and the steps it waits for; without rules, a barrier between rounds or stages."""

    rules: MatchRules | None
    after: tuple[int, ...] = ()
    chance: float = 1.0
    key: Key | None = None  # of a match that is made
    seats: tuple[SeatToFill, ...] = ()
    # For an unpaired round: the round, and the number of the match in it.
    round: int = 0
    number: int = 0


@dataclass(frozen=True, slots=True)
class RemainingMatches:
    steps: tuple[RemainingStep, ...]
    # Rounds after which the event may stop early; empty if the format cannot.
    stops: tuple[int, ...]
    # Entrants with a known next match; and how many can leave a format paired round by round.
    known: tuple[EntrantId, ...]
    spare: int
    # Matches of each coming round, indexed by the number of players who leave.
    rounds: tuple[tuple[int, ...], ...]

    @property
    def last_round(self) -> int:
        """The last planned round, 0 if the event cannot stop between rounds."""
        return max(step.round for step in self.steps) if self.stops else 0

    @property
    def most_leaving(self) -> int:
        """The largest number of leavers whose effect can be computed."""
        return max(len(self.known), self.spare)


def plan_known_matches(event: Event, places: Sequence[Place]) -> tuple[RemainingMatches, bool]:
    """Plan the known matches that are left; also return True if these are all."""
    book = _StepCollector(event, places)
    is_whole = all(book.add(stage) for stage in event.stages)
    return book.rest(), is_whole


class _StepCollector:
    """The steps that are left, collected stage by stage."""

    def __init__(self, event: Event, places: Sequence[Place]) -> None:
        self.event, self.places = event, places
        self.steps: list[RemainingStep] = []
        self.sizes: dict[str, int] = {}
        self.groups: dict[str, list[int]] = {}  # how many players are in each group
        self.stops: tuple[int, ...] = ()
        self.spare = 0
        self.rounds: tuple[tuple[int, ...], ...] = ()

    def rest(self) -> RemainingMatches:
        known = dict.fromkeys(
            seat.entrant for step in self.steps for seat in step.seats if seat.entrant is not None
        )
        return RemainingMatches(tuple(self.steps), self.stops, tuple(known), self.spare, self.rounds)

    def add(self, stage: Stage) -> bool:
        """Add the rest of a stage; return True if it is known completely."""
        own = [place for place in self.places if place.stage == stage.name]
        # A player with a bye is in no place.
        size = max(len({one for place in own for one in place.entrants}), self._count_players(stage))
        self.sizes[stage.name] = size
        groups = {place.bracket for place in own} - {PLAYOFF_BRACKET}
        self.groups[stage.name] = [
            len({one for place in own if place.bracket == group for one in place.entrants})
            for group in groups
        ]
        rules = [place.rules for place in own] or [get_match_rules(stage, "", 1, 0)]
        is_by_days = any(one.days for one in rules)
        if size < 2 or is_by_days or stage.options.get("mode") == "continuous":
            return False
        if not stages.is_fixed(stage):
            return self._add_rounds(stage, own)
        if own:
            self._add_fixed(own)
        else:
            alone = replace(stage, takes=())
            self._add_fixed(stages.propose(plan_event([alone], size)).places, is_made=False)
        return True

    def _count_players(self, stage: Stage) -> int:
        """Count the players of a stage that is not drawn; 0 if unknown."""
        if not stage.takes:
            return len([one for one in self.event.entrants if one.left is None])
        return sum(self._count_taken(take) for take in stage.takes)

    def _count_taken(self, take: Take) -> int:
        sizes = self.groups[take.stage] if take.each_group else [self.sizes[take.stage]]
        return sum(max(0, min(take.last or size, size) - take.first + 1) for size in sizes)

    def _add_barrier(self) -> tuple[int, ...]:
        """Add a barrier: what follows waits for everything so far."""
        if not self.steps:
            return ()
        # Steps before the previous barrier are covered by it.
        before = max((at for at, step in enumerate(self.steps) if step.rules is None), default=0)
        self.steps.append(RemainingStep(None, tuple(range(before, len(self.steps)))))
        return (len(self.steps) - 1,)

    def _add_fixed(self, places: Sequence[Place], *, is_made: bool = True) -> None:
        gate = self._add_barrier()
        first = len(self.steps)
        planned = fixed_matches.plan_matches(places)
        at = {step.place.key: first + number for number, step in enumerate(planned)}
        for step in planned:
            place = step.place
            self.steps.append(
                RemainingStep(
                    place.rules,
                    tuple(first + other for other in step.after) or gate,
                    step.chance,
                    place.key if is_made else None,
                    tuple(_describe_seat(seat, at) for seat in (place.a, place.b)) if is_made else (),
                )
            )

    def _add_rounds(self, stage: Stage, own: Sequence[Place]) -> bool:
        made = max((place.round for place in own), default=0)
        # Rounds of play-offs have numbers too, but are none of those planned.
        played = len({place.round for place in own if place.bracket != PLAYOFF_BRACKET})
        counted = self._count_matches(stage, own, played)
        if counted is None:
            self._add_fixed(own)
            return False
        gate = self._add_barrier()
        self.steps += [
            RemainingStep(place.rules, gate, 1.0, place.key) for place in own if place.state in UNDECIDED
        ]
        planned = made + len(counted[0])
        bracket = MAIN if stages.get_format(stage).is_elimination else ""
        for number, matches in enumerate(counted[0], made + 1):
            gate = self._add_barrier()
            rules = get_match_rules(stage, bracket, number, planned)
            self.steps += [
                RemainingStep(rules, gate, round=number, number=one) for one in range(1, matches + 1)
            ]
        if len(self.event.stages) == 1:
            self.rounds = tuple((0,) * made + each for each in counted)
            self.spare = len(counted) - 1
            if stages.get_format(stage).counts_in != "lives" and not stages.get_format(stage).is_elimination:
                self.stops = tuple(range(max(1, made), planned))
        return True

    def _count_matches(self, stage: Stage, own: Sequence[Place], made: int) -> list[tuple[int, ...]] | None:
        """Count the matches of the coming rounds if 0, 1, 2, ... players leave; None if open-ended."""
        form = stages.get_format(stage)
        is_lives = form.counts_in == "lives"
        planned = ROUNDS.get(stage.options)
        if is_lives and BRACKET.get(stage.options):
            return None
        if is_lives or form.is_elimination:
            left = sorted(self._list_lives_left(stage, own), reverse=True)
            until = UNTIL.get(stage.options) if is_lives else 1
            most = planned - made if planned else None
            counts = [
                tuple(sketch.list_rounds_from_lives(left[: len(left) - leaving], until))[:most]
                for leaving in range(max(1, len(left) - 1))
            ]
            return _cap_counts(counts)
        if not planned:
            return None
        staying = len(self._list_staying(stage, own))
        return [
            ((staying - leaving) // 2,) * max(0, planned - made) for leaving in range(max(1, staying - 1))
        ]

    def _list_staying(self, stage: Stage, own: Sequence[Place]) -> list[EntrantId]:
        here = {one for place in own for one in place.entrants}
        gone = self.event.absent | {one.id for one in self.event.entrants if one.left is not None}
        if stage.takes and not own:
            return [EntrantId(str(number)) for number in range(self.sizes[stage.name])]
        return [
            one.id
            for one in self.event.entrants
            if one.id not in gone and (not stage.takes or one.id in here)
        ]

    def _list_lives_left(self, stage: Stage, own: Sequence[Place]) -> Iterator[int]:
        """Yield the remaining lives of each player, as if the second player of each open match lost it."""
        each = LIVES.get(stage.options) if stages.get_format(stage).counts_in == "lives" else 1
        losers = [place.loser for place in own if place.state is State.DECIDED]
        losers += [place.b.entrant for place in own if place.state in UNDECIDED]
        for one in self._list_staying(stage, own):
            left = each - losers.count(one)
            if left > 0:
                yield left


def _describe_seat(seat: Seat, at: dict[Key, int]) -> SeatToFill:
    if seat.entrant is not None:
        return SeatToFill(seat.entrant)
    source = None if seat.key is None else at.get(seat.key)
    return SeatToFill(None, source, seat.origin is From.LOSER)


def _cap_counts(counts: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Cap the counts so that a withdrawal never adds matches to a round."""
    found = [counts[0]]
    for each in counts[1:]:
        padded = each + (0,) * len(counts[0])
        found.append(tuple(min(pair) for pair in zip(found[-1], padded, strict=False)))
    return found
