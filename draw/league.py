"""One circle of a round robin: all its players meet each other (P77 to P80)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from draw import playoff_matches, rounds, schedule
from draw.event import (
    Entrant,
    EntrantId,
    Field,
    Key,
    MatchRules,
    Pairing,
    Place,
    Reason,
    Round,
    StalePairing,
    State,
    get_match_rules,
)
from draw.history import PLAYOFF_BRACKET, History, is_playoff
from draw.options import Flag, OptionHeading, Prominence, WholeNumber, gettext_noop
from draw.random_stream import RandomStream
from draw.schedule import Match
from draw.standings.ranking import rank_players

TIES: Final = ("points", "head-to-head", "sonneborn-berger", "wins-at-the-board")
TIMES: Final = WholeNumber(
    "times",
    1,
    gettext_noop("Matches between two players"),
    least=1,
    most=4,
    largest=10,
    asked=Prominence.FIRST,
    heading=OptionHeading.LENGTH,
)
CANCEL_HALF: Final = Flag(
    "cancel_half",
    True,
    gettext_noop("Remove players who leave before half of their matches are played"),
    gettext_noop(
        "Then none of their matches counts. Otherwise the matches they played count, and the rest are lost."
    ),
    heading=OptionHeading.RANKING,
)


@dataclass(frozen=True)
class League:
    field: Field
    entrants: tuple[Entrant, ...]
    matches: tuple[Match, ...]
    stale: tuple[StalePairing, ...]
    cancelled: frozenset[EntrantId]
    rng: RandomStream
    group: str = ""
    extra: tuple[Pairing, ...] = ()  # recorded play-off matches

    @classmethod
    def build(
        cls,
        field: Field,
        entrants: tuple[Entrant, ...],
        facts: tuple[Pairing, ...],
        rng: RandomStream,
        group: str = "",
    ) -> League:
        """Lay out the matches and apply the recorded results."""
        options = field.options
        matches = schedule.lay_out_matches(
            [one for one in entrants if one.arrived <= 1],
            # In the order of the list: a later one with a better number moves no match.
            [one for one in field.entrants if one.arrived > 1 and one in entrants],
            times=TIMES.get(options),
            limit=rounds.ROUNDS.get(options),
            prefix=f"{group}/" if group else "",
        )
        extra = tuple(fact for fact in facts if is_playoff(fact))
        facts = tuple(fact for fact in facts if not is_playoff(fact))
        matches, stale = schedule.apply_results(matches, facts, field.stage.name)
        matches, cancelled = schedule.decide_withdrawn(matches, entrants, cancel=CANCEL_HALF.get(options))
        return cls(field, entrants, matches, stale, cancelled, rng, group, extra)

    @cached_property
    def last(self) -> int:
        return max((match.round for match in self.matches), default=0)

    @property
    def ties(self) -> tuple[str, ...]:
        return rounds.list_tie_breaks(self.field.options, TIES)

    @property
    def is_over(self) -> bool:
        """True if every match is decided, play-offs aside."""
        return _are_decided(self.matches)

    @cached_property
    def playoffs(self) -> playoff_matches.Playoffs:
        """The play-offs and the resulting order; no matches until all others are played (P89)."""
        is_wanted = self.is_over and "play-off" in self.ties
        table = rounds.build_table(self.history_of(self.matches), self.ties, self.rng, is_round_robin=True)
        order = rounds.rank_last(rank_players(table, self.ties, self.group), self.cancelled)
        tied = playoff_matches.find_tied_ranks(self.field, order) if is_wanted else frozenset[int]()
        return playoff_matches.Playoffs.build(
            self.field, self.entrants, order, tied, self.extra, self.rng, self.prefix
        )

    @property
    def is_settled(self) -> bool:
        """True if every match is decided, play-offs included."""
        return self.is_over and _are_decided(self.playoffs.matches)

    def places(self, *, at_once: bool) -> Iterator[Place]:
        """Yield the places of all matches, and of the byes."""
        due = schedule.list_due_keys(self.matches, self.field.absent, at_once=at_once)
        for match in self.matches:
            yield self._build_place(match, due, self.group)
        due = schedule.list_due_keys(self.playoffs.matches, self.field.absent, at_once=at_once)
        for match in self.playoffs.matches:
            yield self._build_place(replace(match, round=self.last + match.round), due, PLAYOFF_BRACKET)
        by_round = _group_by_round(self.matches)
        for number in range(1, self.last + 1):
            own = by_round.get(number, ())
            busy = {one for match in own for one in match.players}
            out = [one for one in self.entrants if one.id not in busy]
            if len(out) == 1:  # several are out only in make-up rounds of late entrants
                key = f"{self.prefix}r{number}.bye"
                yield rounds.build_bye_place(key, out[0].id, number, len(own) + 1, MatchRules(), self.group)

    def list_put_off(self, *, at_once: bool) -> Iterator[StalePairing]:
        """Yield opened matches of players who are away, if the opponent is in another match now.

        They are opened again later: a player who comes back does not interrupt that match.
        """
        due = schedule.list_due_keys(self.matches, self.field.absent, at_once=at_once)
        busy = {one for match in self.matches if match.pairing.key in due for one in match.players}
        for match in self.matches:
            is_away = not self.field.absent.isdisjoint(match.players)
            if is_away and match.is_running and not busy.isdisjoint(match.players):
                yield StalePairing(match.pairing, self.field.stage.name)

    @property
    def prefix(self) -> str:
        return f"{self.group}/" if self.group else ""

    def _build_place(self, match: Match, due: set[Key], bracket: str) -> Place:
        place = rounds.build_place(
            match.pairing,
            match.round,
            match.table,
            get_match_rules(self.field.stage, bracket, match.round, self.last),
            bracket,
        )
        is_waiting = place.state is State.READY and place.key not in due
        return replace(place, state=State.WAITING) if is_waiting else place

    def history_of(self, matches: tuple[Match, ...]) -> History:
        made = tuple(
            Round(number, tuple(match.pairing for match in own))
            for number, own in _group_by_round(matches).items()
        )
        return History(replace(self.field, entrants=self.entrants, rounds=made))

    def why(self) -> Iterator[Reason]:
        """Explain cancelled results, postponed matches and play-offs."""
        for one in self.entrants:
            if one.id in self.cancelled:
                yield Reason("cancelled", one.id, (("entrant", one.id),))
        for match in self.matches:
            if match.pairing.result is None and not self.field.absent.isdisjoint(match.players):
                a, b = match.players
                yield Reason("postponed", match.pairing.key, (("a", a), ("b", b)))
        yield from playoff_matches.explain_playoffs(
            match.pairing for match in self.playoffs.matches if match.pairing.result is None
        )


def _group_by_round(matches: Sequence[Match]) -> dict[int, list[Match]]:
    found: dict[int, list[Match]] = {}
    for match in matches:
        found.setdefault(match.round, []).append(match)
    return found


def _are_decided(matches: Sequence[Match]) -> bool:
    return all(match.pairing.result is not None for match in matches)
