"""Places and ranking of formats with rounds."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from draw.event import (
    Bye,
    EntrantId,
    Field,
    From,
    Key,
    MatchRules,
    Pairing,
    Place,
    Points,
    Proposal,
    Ranked,
    Reason,
    Seat,
    State,
    get_match_rules,
)
from draw.history import PLAYOFF_BRACKET, History, is_playoff
from draw.options import (
    Choice,
    Choices,
    Flag,
    OptionHeading,
    Options,
    Prominence,
    Texts,
    WholeNumber,
    gettext_noop,
)
from draw.random_stream import RandomStream
from draw.standings.cards import Table
from draw.standings.ranking import rank_players
from draw.standings.registry import TIE_BREAKS

FEW: Final = 2
TIES = ("points", "head-to-head", "buchholz-cut-1", "buchholz", "sonneborn-berger")
TIES_OPTION: Final = Choices(
    "ties",
    TIES,
    gettext_noop("Players are ranked by"),
    gettext_noop("Players who are level on one line are separated by the next."),
    choices={name: one.title for name, one in TIE_BREAKS.items()},
    heading=OptionHeading.RANKING,
)
ROUNDS: Final = WholeNumber(
    "rounds",
    0,
    gettext_noop("Rounds"),
    gettext_noop("Leave empty for as many as it takes."),
    most=30,
    largest=100,
    heading=OptionHeading.LENGTH,
)
PLAYOFF: Final = Flag(
    "playoff",
    False,
    gettext_noop("Play off ties for places that count"),
    gettext_noop(
        "Decides who goes on to the next stage, and prize places. Otherwise the list above decides, then the lot."
    ),
    heading=OptionHeading.RANKING,
)
# Default: the first place, and none if a stage follows.
PLAYOFF_FOR: Final = WholeNumber(
    "playoff_for",
    None,
    gettext_noop("Play off places down to"),
    gettext_noop(
        "Applies when ties are played off. Leave empty for first place only, or none if another stage follows."
    ),
    most=16,
    heading=OptionHeading.RANKING,
)
LEFT_TO_LOT: Final = "asked"
# How a tie that decides an advance or a bye is broken if nothing separates it (P91).
LOTS: Final = Choice(
    "lots",
    "ask",
    gettext_noop("Ties that remain"),
    choices={
        "ask": gettext_noop("The director decides"),
        "lot": gettext_noop("The lot or the list decides"),
        LEFT_TO_LOT: gettext_noop("The director left them to the lot"),
    },
    asked=Prominence.NEVER,
    heading=OptionHeading.RANKING,
)
PLACED: Final = Texts(
    "placed",
    (),
    gettext_noop("The director's order of tied players"),
    gettext_noop("One text for each tie: the players separated by spaces, in their order."),
    asked=Prominence.NEVER,
)
# The options about ties, in every format with tie-breaks.
TIE_OPTIONS: Final = (PLAYOFF, PLAYOFF_FOR, LOTS, PLACED)


def apply_placed_order(options: Options, tied: Sequence[Ranked]) -> tuple[Ranked, ...] | None:
    """Return the tied players in the order that the director has set; None if no order is set."""
    those = {one.entrant: one for one in tied}
    for written in PLACED.get(options):
        order = [EntrantId(one) for one in written.split()]
        if len(order) >= FEW and set(order) == set(those):
            return tuple(
                replace(
                    those[one],
                    figures=(*those[one].figures, ("director", at)),
                    decided_by="director" if at > 1 else tied[0].decided_by,
                )
                for at, one in enumerate(order, 1)
            )
    return None


def list_tie_breaks(options: Options, default: Sequence[str] = TIES) -> tuple[str, ...]:
    """Return the announced tie-breaks, with the play-off last if the options want one."""
    names = TIES_OPTION.get(options, ()) or tuple(default)
    return (*names, "play-off") if PLAYOFF.get(options) and "play-off" not in names else names


@dataclass(frozen=True)
class RoundsState:
    """The current state of a stage of rounds: its matches, and the order."""

    history: History
    ties: tuple[str, ...]
    ranking: tuple[Ranked, ...]
    planned: int  # rounds; 0 if unknown

    @classmethod
    def build(
        cls,
        history: History,
        rng: RandomStream,
        planned: int,
        *,
        start: Mapping[EntrantId, Points] | None = None,
        lives: int = 0,
        ties: Sequence[str] = TIES,
    ) -> RoundsState:
        names = list_tie_breaks(history.field.options, ties)
        table = build_table(history, names, rng, start=start, lives=lives)
        return cls(history, names, rank_players(table, names), planned)

    @property
    def field(self) -> Field:
        return self.history.field

    def rules(self, number: int) -> MatchRules:
        counted = self.history.count_round(number)
        return get_match_rules(self.field.stage, "", counted, self.planned)

    def list_places(self) -> Iterator[Place]:
        """Yield the places of the rounds made so far, then those of play-offs."""
        for batch in self.history.rounds:
            rules = self.rules(batch.number)
            for table, pairing in enumerate(batch.pairings, 1):
                yield build_place(pairing, batch.number, table, rules)
            yield from list_bye_places(batch.byes, batch.number, len(batch.pairings), rules)
        for table, (number, pairing) in enumerate(self.history.playoffs, 1):
            yield build_place(pairing, number, table, self.rules(number), PLAYOFF_BRACKET)

    def proposal(
        self,
        pairings: Sequence[Pairing] = (),
        byes: Sequence[Bye] = (),
        why: Sequence[Reason] = (),
        *,
        finished: bool = False,
    ) -> Proposal:
        """Propose the places made so far, and new ones for these pairings and byes."""
        number = self.history.next_number
        rules = self.rules(number)
        new = [
            build_place(one, number, table, rules, PLAYOFF_BRACKET if is_playoff(one) else "")
            for table, one in enumerate(pairings, 1)
        ]
        return Proposal(
            places=(*self.list_places(), *new, *list_bye_places(byes, number, len(pairings), rules)),
            byes=tuple(byes),
            ranking=self.ranking,
            finished=finished,
            why=tuple(why),
            stale=self.history.stale,
        )


def build_place(pairing: Pairing, number: int, table: int, rules: MatchRules, bracket: str = "") -> Place:
    return Place(
        pairing.key,
        Seat(From.PAIRED, entrant=pairing.a),
        Seat(From.PAIRED, entrant=pairing.b),
        State.READY if pairing.result is None else State.DECIDED,
        number,
        table,
        bracket,
        winner=None if pairing.result is None else pairing.result.winner,
        loser=pairing.loser,
        result=pairing.result,
        rules=rules,
    )


def build_bye_place(
    key: str, entrant: EntrantId, number: int, table: int, rules: MatchRules, bracket: str = ""
) -> Place:
    bye, nobody = Seat(From.PAIRED, entrant=entrant), Seat(From.NOBODY)
    return Place(Key(key), bye, nobody, State.BYE, number, table, bracket, winner=entrant, rules=rules)


def list_bye_places(byes: Sequence[Bye], number: int, tables: int, rules: MatchRules) -> Iterator[Place]:
    """Yield the places of byes in a round, after its tables."""
    for count, bye in enumerate(byes, 1):
        key = f"r{number}.bye" if count == 1 else f"r{number}.bye{count}"
        yield build_bye_place(key, bye.entrant, number, tables + count, rules)


def build_table(
    history: History,
    ties: Sequence[str],
    rng: RandomStream,
    *,
    start: Mapping[EntrantId, Points] | None = None,
    lives: int = 0,
    is_round_robin: bool = False,
) -> Table:
    """Build the cards of all players, with play-off results and lots for tie-breaks."""
    lots = rng.child("lots").shuffled(range(len(history.by_id))) if "lot" in ties else ()
    return Table(
        history.cards(start or {}, lives),
        is_round_robin=is_round_robin,
        playoffs=tuple(
            (one.result.winner, one.loser)
            for _, one in history.playoffs
            if one.result is not None and one.result.winner is not None and one.loser is not None
        ),
        lots=dict(zip(history.by_id, lots, strict=False)),
    )


def rank_last(order: Sequence[Ranked], out: Collection[EntrantId]) -> tuple[Ranked, ...]:
    """Return the order with the players in *out* behind all others; the others close up.

    None of their results count, so they share the last place.
    """
    if not out:
        return tuple(order)
    stay = [one for one in order if one.entrant not in out]
    gone = [replace(one, rank=0, figures=(), decided_by="") for one in order if one.entrant in out]
    found: list[Ranked] = []
    for _, same in groupby((*stay, *gone), key=lambda one: one.rank):
        tied, first = list(same), len(found) + 1
        found += [replace(one, rank=first, shared=len(tied)) for one in tied]
    return tuple(found)
