"""Round robins and leagues: everybody meets everybody, once or twice (P77 to P80)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Final

from draw import deciders, ordering, rounds, schedule
from draw.brackets.structure import PLAYOFF_BRACKET
from draw.circle_play import CirclePlayout, OpenCircle
from draw.event import From, Key, Place, Proposal, Reason, Round, Seat, State
from draw.format import LARGEST_CIRCLE, DueFrom, Format, FormatKind, RoundCount, pgettext
from draw.history import History, is_playoff
from draw.options import Asked, Flag, OptionHeading, Whole, gettext_noop, specs
from draw.rules import rules_for

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from draw.chance import Chance
    from draw.event import Entrant, EntrantId, Field, Pairing, Ranked, Stage, Stale
    from draw.format import Odds
    from draw.options import Options
    from draw.schedule import Match

TIES: Final = ("points", "head-to-head", "sonneborn-berger", "wins-at-the-board")
TIMES: Final = Whole(
    "times",
    1,
    gettext_noop("Matches between two players"),
    least=1,
    most=4,
    largest=10,
    asked=Asked.FIRST,
    heading=OptionHeading.LENGTH,
)
CANCEL_HALF: Final = Flag(
    "cancel_half",
    True,
    gettext_noop("Take players who leave before half of their matches out of the table"),
    gettext_noop(
        "None of their matches counts then. Otherwise those they played count, and the rest are lost."
    ),
    heading=OptionHeading.RANKING,
)
AT_ONCE: Final = Flag(
    "at_once", False, gettext_noop("All matches may be played at any time"), heading=OptionHeading.LENGTH
)
LEAGUE_AT_ONCE: Final = replace(AT_ONCE, default=True)
OPTIONS: Final = specs(
    rounds.ROUNDS,
    TIMES,
    ordering.ORDER,
    AT_ONCE,
    CANCEL_HALF,
    replace(rounds.TIES_OPTION, default=TIES),
    *rounds.TIE_OPTIONS,
)
WEEK: Final = 7
SENTENCES: Final = {
    "cancelled": "{entrant} left before half of the matches were played: none of them counts.",
    "postponed": "{a} and {b} play later: one of them is away.",
    "play-off": deciders.SENTENCE,
}


@dataclass(frozen=True)
class League:
    """One circle of entrants in which everybody meets everybody."""

    field: Field
    entrants: tuple[Entrant, ...]
    matches: tuple[Match, ...]
    stale: tuple[Stale, ...]
    cancelled: frozenset[EntrantId]
    rng: Chance
    group: str = ""
    extra: tuple[Pairing, ...] = ()  # what was played to break ties

    @classmethod
    def build(
        cls,
        field: Field,
        entrants: tuple[Entrant, ...],
        facts: tuple[Pairing, ...],
        rng: Chance,
        group: str = "",
    ) -> League:
        """Lay out the matches and give them their results."""
        options = field.options
        matches = schedule.lay_out_matches(
            [one for one in entrants if one.arrived <= 1],
            [one for one in entrants if one.arrived > 1],
            times=TIMES.get(options),
            limit=rounds.ROUNDS.get(options),
            prefix=f"{group}/" if group else "",
        )
        extra = tuple(fact for fact in facts if is_playoff(fact))
        facts = tuple(fact for fact in facts if not is_playoff(fact))
        matches, stale = schedule.apply_results(matches, facts, field.stage.name)
        matches, cancelled = schedule.decide_withdrawn(matches, entrants, cancel=CANCEL_HALF.get(options))
        return cls(field, entrants, matches, stale, cancelled, rng, group, extra)

    @property
    def last(self) -> int:
        """Return the number of the last round."""
        return self._last

    @cached_property
    def _last(self) -> int:
        return max((match.round for match in self.matches), default=0)

    @property
    def ties(self) -> tuple[str, ...]:
        """Return the list of tie-breaks."""
        return rounds.list_tie_breaks(self.field.options, TIES)

    @property
    def is_over(self) -> bool:
        """Say whether every match is decided."""
        return _are_decided(self.matches)

    @cached_property
    def playoffs(self) -> deciders.Deciders:
        """Return what is played off, and the order that comes of it; nothing before all else is played (P89)."""
        is_wanted = self.is_over and "play-off" in self.ties
        order = rounds.rank_stage(self.history(), self.ties, self.rng, is_round_robin=True, group=self.group)
        tied = deciders.find_tied_ranks(self.field, order) if is_wanted else frozenset[int]()
        return deciders.Deciders.build(
            self.field, self.entrants, order, tied, self.extra, self.rng, self.prefix
        )

    @property
    def is_settled(self) -> bool:
        """Say whether the order stands: everything is decided, play-offs too."""
        return self.is_over and _are_decided(self.playoffs.matches)

    def places(self, *, at_once: bool) -> Iterator[Place]:
        """Yield the place of every match, and of everybody who sits out a round."""
        due = schedule.find_due(self.matches, self.field.absent, at_once=at_once)
        for match in self.matches:
            yield self._place(match, due, self.group)
        due = schedule.find_due(self.playoffs.matches, self.field.absent, at_once=at_once)
        for match in self.playoffs.matches:
            yield self._place(replace(match, round=self.last + match.round), due, PLAYOFF_BRACKET)
        by_round = self._by_round
        for number in range(1, self.last + 1):
            tables = len(by_round.get(number, ()))
            busy = {one for match in by_round.get(number, ()) for one in match.players}
            out = [one for one in self.entrants if one.id not in busy]
            if len(out) == 1:  # more are out only where late entrants make up for what they missed
                yield Place(
                    Key(f"{self.prefix}r{number}.bye"),
                    Seat(From.PAIRED, entrant=out[0].id),
                    Seat(From.NOBODY),
                    State.BYE,
                    number,
                    tables + 1,
                    self.group,
                    winner=out[0].id,
                )

    @property
    def prefix(self) -> str:
        """Return what the keys of its matches begin with."""
        return f"{self.group}/" if self.group else ""

    def _place(self, match: Match, due: set[Key], bracket: str) -> Place:
        place = rounds.build_place(
            match.pairing,
            match.round,
            match.table,
            lambda number: rules_for(self.field.stage, bracket, number, self.last),
            bracket,
        )
        is_waiting = place.state is State.READY and place.key not in due
        return replace(place, state=State.WAITING) if is_waiting else place

    def history(self) -> History:
        """Return the rounds as they count."""
        return self.history_of(self.matches)

    def history_of(self, matches: tuple[Match, ...]) -> History:
        """Return the rounds as they count with these matches."""
        made = tuple(
            Round(number, tuple(match.pairing for match in own))
            for number, own in group_by_round(matches).items()
        )
        return History(replace(self.field, entrants=self.entrants, rounds=made))

    @cached_property
    def _by_round(self) -> dict[int, list[Match]]:
        return group_by_round(self.matches)

    @property
    def ranking(self) -> tuple[Ranked, ...]:
        """Return the order of this circle."""
        return self.playoffs.ranking

    def why(self) -> Iterator[Reason]:
        """Explain what is unusual."""
        for one in self.entrants:
            if one.id in self.cancelled:
                yield Reason("cancelled", one.id, (("entrant", one.id),))
        for match in self.matches:
            if match.pairing.result is None and not self.field.absent.isdisjoint(match.players):
                a, b = match.players
                yield Reason("postponed", match.pairing.key, (("a", a), ("b", b)))
        yield from deciders.explain_playoffs(
            [one for one in self.playoffs.matches if one.pairing.result is None]
        )


def group_by_round(matches: Sequence[Match]) -> dict[int, list[Match]]:
    """Return matches by the number of their round."""
    found: dict[int, list[Match]] = {}
    for match in matches:
        found.setdefault(match.round, []).append(match)
    return found


def _are_decided(matches: Sequence[Match]) -> bool:
    return all(match.pairing.result is not None for match in matches)


def propose(field: Field, rng: Chance) -> Proposal:
    """Say what a round robin needs now."""
    return _build_proposal(field, rng, at_once=AT_ONCE.get(field.options))


def propose_league(field: Field, rng: Chance) -> Proposal:
    """Say what a league needs now: all its matches may be played at any time before their deadlines."""
    return _build_proposal(field, rng, at_once=LEAGUE_AT_ONCE.get(field.options))


def build_league(field: Field, rng: Chance) -> League:
    """Return the one circle of a stage."""
    facts = tuple(pairing for made in field.rounds for pairing in made.pairings)
    return League.build(field, ordering.number_entrants(field, rng, "listed"), facts, rng)


def build_playout(field: Field, rng: Chance, odds: Odds) -> CirclePlayout:
    """Return what is left to play of a round robin."""
    circle = OpenCircle(build_league(field, rng), odds)
    return CirclePlayout(
        [circle], overall=lambda rankings, _: rankings[0], best=lambda leaders, _: leaders[0]
    )


def _build_proposal(field: Field, rng: Chance, *, at_once: bool) -> Proposal:
    league = build_league(field, rng)
    return Proposal(
        places=tuple(league.places(at_once=at_once)),
        ranking=league.ranking,
        finished=league.is_settled,
        why=tuple(league.why()),
        stale=(*league.stale, *league.playoffs.stale),
    )


def compute_deadlines(stage: Stage, starts: date, last: int) -> tuple[date, ...]:
    """Return by when each round is to be played: every round has its days, a week if nothing else is said."""
    due: list[date] = []
    for number in range(1, last + 1):
        days = rules_for(stage, "", number, last).days
        starts += timedelta(days=WEEK if days is None else days)
        due.append(starts)
    return tuple(due)


def count_rounds(options: Options, entrants: int) -> RoundCount:
    """Return how many rounds it takes until all have met, if it is not cut short."""
    turns = TIMES.get(options) * (entrants if entrants % 2 else max(0, entrants - 1))
    announced = rounds.ROUNDS.get(options)
    return RoundCount(min(announced, turns) if announced else turns, entrants // 2, entrants % 2)


def count_most_places(options: Options, entrants: int) -> int:
    """Return the places of one circle: its matches, and who sits out. Late entrants meet everybody, however few rounds are announced."""
    return TIMES.get(options) * entrants * (entrants + 1) // 2


FORMAT = Format(
    propose=propose,
    label=pgettext("event format", "Round robin"),
    kind=FormatKind.CIRCLES,
    options=OPTIONS,
    sentences=SENTENCES,
    fixed=True,
    playout=build_playout,
    count=count_rounds,
    ties=TIES,
    most_players=LARGEST_CIRCLE,
    most_places=count_most_places,
)
LEAGUE = replace(
    FORMAT,
    propose=propose_league,
    label=pgettext("event format", "League"),
    options=OPTIONS | specs(LEAGUE_AT_ONCE),
    due_from=DueFrom.PUBLISHED,
)
