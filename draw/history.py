"""Each entrant's scores, meetings, byes and floats from the recorded rounds, for formats with rounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from draw import ordering
from draw.event import (
    HALF,
    NOTHING,
    WIN,
    WON,
    Bye,
    Entrant,
    EntrantId,
    Field,
    Kind,
    LeaveTime,
    Pairing,
    Points,
    Result,
    Round,
    StalePairing,
)
from draw.standings.cards import ABSENT, Card, Turn


def find_winner_without_play(
    pair: tuple[EntrantId, EntrantId], gone: Sequence[bool], order: Mapping[EntrantId, int]
) -> EntrantId | None:
    """Return the winner without play (P33); None if both have left in unknown order.

    A win at the moment the other left stays valid, because matches may have been played since that depend on it.
    """
    a, b = pair
    if not all(gone):
        return b if gone[0] else a
    if order[a] == order[b]:
        return None
    return b if order[a] < order[b] else a


PLAYOFF = "playoff."
# The bracket of matches that break ties; not part of a drawn one.
PLAYOFF_BRACKET = "play-off"


@dataclass(frozen=True)
class History:
    """The recorded rounds of one stage, as scores, meetings, byes and floats."""

    field: Field
    forfeits_count_as_met: bool = False

    @cached_property
    def by_id(self) -> dict[EntrantId, Entrant]:
        return {entrant.id: entrant for entrant in self.field.entrants}

    @cached_property
    def rounds(self) -> tuple[Round, ...]:
        """The rounds without those of play-offs; an open match of a withdrawn player counts as lost (P51)."""
        return tuple(
            replace(
                made,
                pairings=tuple(
                    self._apply_withdrawal(one)
                    for one in made.pairings
                    if self._is_in_stage(one) and not is_playoff(one)
                ),
                byes=tuple(bye for bye in made.byes if bye.entrant in self.by_id),
            )
            for made in self.field.rounds
            if not _is_playoff_round(made)
        )

    @cached_property
    def playoffs(self) -> tuple[tuple[int, Pairing], ...]:
        """The play-off matches, each with the number of its round."""
        return tuple(
            (made.number, self._apply_withdrawal(one))
            for made in self.field.rounds
            for one in made.pairings
            if is_playoff(one) and self._is_in_stage(one)
        )

    @cached_property
    def stale(self) -> tuple[StalePairing, ...]:
        """Matches of players who, after a correction elsewhere, are not in this stage."""
        return tuple(
            StalePairing(
                one, self.field.stage.name, tuple(who for who in (one.a, one.b) if who in self.by_id)
            )
            for made in self.field.rounds
            for one in made.pairings
            if not self._is_in_stage(one)
        )

    def _is_in_stage(self, pairing: Pairing) -> bool:
        return pairing.a in self.by_id and pairing.b in self.by_id

    def _apply_withdrawal(self, pairing: Pairing) -> Pairing:
        if pairing.result is not None:
            return pairing
        gone = [self.by_id[one].left is LeaveTime.NOW for one in (pairing.a, pairing.b)]
        if not any(gone):
            return pairing
        order = {one: self.by_id[one].left_as for one in (pairing.a, pairing.b)}
        winner = find_winner_without_play((pairing.a, pairing.b), gone, order)
        kind = Kind.DOUBLE_FORFEIT if winner is None else Kind.WITHDRAWAL
        return replace(pairing, result=Result(kind, winner))

    @cached_property
    def next_number(self) -> int:
        """The number of the next round; rounds of play-offs have numbers too."""
        return max((made.number for made in self.field.rounds), default=0) + 1

    @cached_property
    def _playoff_rounds(self) -> tuple[int, ...]:
        return tuple(made.number for made in self.field.rounds if _is_playoff_round(made))

    def count_round(self, number: int) -> int:
        """Return the number that a round has if those of play-offs are not counted."""
        return number - sum(one < number for one in self._playoff_rounds)

    @cached_property
    def is_open(self) -> bool:
        every = (*(one for made in self.rounds for one in made.pairings), *(one for _, one in self.playoffs))
        return any(pairing.result is None for pairing in every)

    @cached_property
    def staying(self) -> list[Entrant]:
        return [one for one in self.field.entrants if one.left is None]

    def list_present(self, number: int) -> list[Entrant]:
        """List the entrants present in a round: arrived, not withdrawn, not away."""
        return [one for one in self.staying if one.arrived <= number and one.id not in self.field.absent]

    def list_playing(self, number: int) -> list[Entrant]:
        """List the entrants present in a round who did not request a bye (P52)."""
        return [one for one in self.list_present(number) if all(bye.round != number for bye in one.asked)]

    def list_asked_byes(self, number: int) -> tuple[Bye, ...]:
        return tuple(
            Bye(one.id, bye.points, asked=True)
            for one in self.list_present(number)
            for bye in one.asked
            if bye.round == number
        )

    # Meetings

    @cached_property
    def met(self) -> dict[EntrantId, dict[EntrantId, tuple[int, int]]]:
        """For each player and opponent, how often they met, and in which round last.

        An unplayed match does not count, unless the event says so (P53).
        """
        found: dict[EntrantId, dict[EntrantId, tuple[int, int]]] = {one: {} for one in self.by_id}
        for made in self.rounds:
            for pairing in made.pairings:
                if self._is_meeting(pairing):
                    for one, other in ((pairing.a, pairing.b), (pairing.b, pairing.a)):
                        times, _ = found[one].get(other, (0, 0))
                        found[one][other] = times + 1, made.number
        return found

    def _is_meeting(self, pairing: Pairing) -> bool:
        result = pairing.result
        if result is None or result.contested:
            return True
        return self.forfeits_count_as_met and result.kind is not Kind.VOID

    # Turns

    @cached_property
    def turns(self) -> dict[EntrantId, tuple[Turn, ...]]:
        rows: dict[EntrantId, list[Turn]] = {one: [] for one in self.by_id}
        for made in self.rounds:
            there = dict(_list_turns(made))
            for one, row in rows.items():
                row.append(there.get(one) or self._build_missed_turn(one, made.number))
        return {one: tuple(row) for one, row in rows.items()}

    def _build_missed_turn(self, entrant: EntrantId, number: int) -> Turn:
        for bye in self.by_id[entrant].asked:
            if bye.round == number:
                return Turn(bye.points, voluntary=True)
        return ABSENT

    @cached_property
    def scores(self) -> dict[EntrantId, Points]:
        """The score of each entrant; a score set from outside replaces the sum (P54)."""
        given = self.field.scores
        return {
            one: given[one]
            if one in given
            else sum((turn.points for turn in row), self.by_id[one].head_start)
            for one, row in self.turns.items()
        }

    @cached_property
    def floats(self) -> dict[EntrantId, list[int]]:
        """For each entrant and round: -1 against a lower score or with a bye, 1 against a higher, else 0."""
        start = ordering.compute_mcmahon(self.field)
        score = {one: entrant.head_start + start[one] for one, entrant in self.by_id.items()}
        found: dict[EntrantId, list[int]] = {one: [] for one in self.by_id}
        for number, made in enumerate(self.rounds):
            now = dict.fromkeys(self.by_id, 0)
            for pairing in made.pairings:
                above = (score[pairing.b] > score[pairing.a]) - (score[pairing.b] < score[pairing.a])
                now[pairing.a], now[pairing.b] = above, -above
            for bye in made.byes:
                now[bye.entrant] = -1
            for one, row in self.turns.items():
                found[one].append(now[one])
                score[one] += row[number].points
        return found

    @cached_property
    def byes(self) -> dict[EntrantId, int]:
        """The number of byes by entrant; requested byes do not count (P55)."""
        given = dict.fromkeys(self.by_id, 0)
        for made in self.rounds:
            for bye in made.byes:
                given[bye.entrant] += not bye.asked
        return given

    @cached_property
    def gifts(self) -> dict[EntrantId, int]:
        """The number of wins without play by entrant."""
        return {
            one: sum(turn.points == WIN and turn.opponent is not None and not turn.played for turn in row)
            for one, row in self.turns.items()
        }

    @cached_property
    def sat_out(self) -> dict[EntrantId, int]:
        """The number of rounds without play by entrant, for any reason."""
        return {one: sum(not turn.played for turn in row) for one, row in self.turns.items()}

    @cached_property
    def losses(self) -> dict[EntrantId, int]:
        """The number of lost matches by entrant, at the board or not."""
        return {
            one: sum(turn.opponent is not None and turn.points == NOTHING for turn in row)
            for one, row in self.turns.items()
        }

    @cached_property
    def awarded(self) -> dict[EntrantId, tuple[Turn, ...]]:
        """The turns as the table counts them.

        A bye in the last round scores once the round is over (P55), and a round without any result is none yet (P87).
        """
        last = self.rounds[-1] if self.rounds else None
        if last is None or all(pairing.result is not None for pairing in last.pairings):
            return self.turns
        if all(pairing.result is None for pairing in last.pairings):
            return {one: row[:-1] for one, row in self.turns.items()}
        playing = {one for pairing in last.pairings for one in (pairing.a, pairing.b)}
        return {
            one: row if one in playing else (*row[:-1], replace(row[-1], points=NOTHING))
            for one, row in self.turns.items()
        }

    def cards(self, start: Mapping[EntrantId, Points], lives: int = 0) -> tuple[Card, ...]:
        """Build all cards, in order of entry; *start* are initial points beyond the rounds."""
        return tuple(
            Card(
                one,
                row,
                self.by_id[one].rating,
                self._compute_outside_points(one, row) + start.get(one, NOTHING),
                # P73: a withdrawn player has no lives left, but keeps the rank among those who are out.
                max(0, lives - self.losses[one]) if lives and self.by_id[one].left is None else 0,
            )
            for one, row in self.awarded.items()
        )

    def _compute_outside_points(self, one: EntrantId, row: tuple[Turn, ...]) -> Points:
        """Compute points from outside the rounds: a head start, or the rest of a score set from outside."""
        if one not in self.field.scores:
            return self.by_id[one].head_start
        return self.field.scores[one] - sum((turn.points for turn in row), NOTHING)


def is_playoff(pairing: Pairing) -> bool:
    """True if a match was played to break a tie, after the rounds."""
    return pairing.key.rpartition("/")[2].startswith(PLAYOFF)


def _is_playoff_round(made: Round) -> bool:
    """True if a round has nothing but play-offs: the other players have not missed it."""
    return bool(made.pairings) and not made.byes and all(is_playoff(one) for one in made.pairings)


def _list_turns(made: Round) -> Iterator[tuple[EntrantId, Turn]]:
    for pairing in made.pairings:
        yield pairing.a, _build_turn(pairing, pairing.a, pairing.b)
        yield pairing.b, _build_turn(pairing, pairing.b, pairing.a)
    for bye in made.byes:
        yield bye.entrant, Turn(bye.points, voluntary=bye.asked)


def _build_turn(pairing: Pairing, own: EntrantId, opponent: EntrantId) -> Turn:
    result = pairing.result
    if result is None or result.kind is Kind.VOID:
        return Turn()
    margin = 0
    if result.score is not None:
        margin = result.score[0] - result.score[1]
        margin = margin if own == pairing.a else -margin
    if result.kind is Kind.DRAWN:
        return Turn(HALF, opponent, played=True, margin=margin)
    has_won = result.kind in WON and result.winner == own
    return Turn(
        WIN if has_won else NOTHING,
        opponent,
        played=result.contested,
        voluntary=not has_won and not result.contested,
        margin=margin,
    )
