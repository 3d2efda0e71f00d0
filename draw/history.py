"""What the rounds made so far say of each entrant: scores, meetings, byes, floats; for formats made of rounds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from draw import withdrawals
from draw.event import HALF, NOTHING, WIN, WON, Bye, Kind, Leave, Result, Stale
from draw.standings.cards import ABSENT, Card, Turn

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from draw.event import Entrant, EntrantId, Field, Pairing, Points, Round


PLAYOFF = "playoff."


@dataclass(frozen=True, slots=True)
class Met:
    """How often two have met, and in which round last."""

    times: int = 0
    last: int = 0


@dataclass(frozen=True)
class History:
    """The facts of one stage, as they count."""

    field: Field
    forfeits_count_as_met: bool = False

    @cached_property
    def by_id(self) -> dict[EntrantId, Entrant]:
        """Return the entrants by id."""
        return {entrant.id: entrant for entrant in self.field.entrants}

    @cached_property
    def rounds(self) -> tuple[Round, ...]:
        """Return the rounds; an open match of one who has left is lost (P51)."""
        return tuple(
            replace(
                made,
                pairings=tuple(
                    self._as_it_counts(one)
                    for one in made.pairings
                    if self._is_ours(one) and not is_playoff(one)
                ),
                byes=tuple(bye for bye in made.byes if bye.entrant in self.by_id),
            )
            for made in self.field.rounds
        )

    @cached_property
    def playoffs(self) -> tuple[tuple[int, Pairing], ...]:
        """Return the play-off matches, each with the number it was made under."""
        return tuple(
            (made.number, self._as_it_counts(one))
            for made in self.field.rounds
            for one in made.pairings
            if is_playoff(one) and self._is_ours(one)
        )

    @cached_property
    def stale(self) -> tuple[Stale, ...]:
        """Return the matches of somebody who, after a correction elsewhere, does not play here."""
        return tuple(
            Stale(one, self.field.stage.name, tuple(who for who in (one.a, one.b) if who in self.by_id))
            for made in self.field.rounds
            for one in made.pairings
            if not self._is_ours(one)
        )

    def _is_ours(self, pairing: Pairing) -> bool:
        return pairing.a in self.by_id and pairing.b in self.by_id

    def _as_it_counts(self, pairing: Pairing) -> Pairing:
        if pairing.result is not None:
            return pairing
        gone = [self.by_id[one].left is Leave.NOW for one in (pairing.a, pairing.b)]
        if not any(gone):
            return pairing
        order = {one: self.by_id[one].left_as for one in (pairing.a, pairing.b)}
        winner = withdrawals.find_winner((pairing.a, pairing.b), gone, order)
        kind = Kind.DOUBLE_FORFEIT if winner is None else Kind.WITHDRAWAL
        return replace(pairing, result=Result(kind, winner))

    @cached_property
    def next_number(self) -> int:
        """Return the number of the round that comes next."""
        return max((made.number for made in self.rounds), default=0) + 1

    @cached_property
    def is_open(self) -> bool:
        """Say whether a match is still being played."""
        every = (*(one for made in self.rounds for one in made.pairings), *(one for _, one in self.playoffs))
        return any(pairing.result is None for pairing in every)

    @cached_property
    def staying(self) -> list[Entrant]:
        """Return those who have not left the event."""
        return [one for one in self.field.entrants if one.left is None]

    def here(self, number: int) -> list[Entrant]:
        """Return those who take part in a round: arrived, not gone, not away today."""
        return [one for one in self.staying if one.arrived <= number and one.id not in self.field.absent]

    def playing(self, number: int) -> list[Entrant]:
        """Return those of them who did not ask to sit it out (P52)."""
        return [one for one in self.here(number) if all(asked.round != number for asked in one.asked)]

    def asked_byes(self, number: int) -> tuple[Bye, ...]:
        """Return the byes that were asked for in a round."""
        return tuple(
            Bye(one.id, asked.points, asked=True)
            for one in self.here(number)
            for asked in one.asked
            if asked.round == number
        )

    # Meetings

    @cached_property
    def met(self) -> dict[EntrantId, dict[EntrantId, Met]]:
        """Return who has met whom; a match nobody played is no meeting, unless the event says so (P53)."""
        found: dict[EntrantId, dict[EntrantId, Met]] = {one: {} for one in self.by_id}
        for made in self.rounds:
            for pairing in made.pairings:
                if self._was_meeting(pairing):
                    for one, other in ((pairing.a, pairing.b), (pairing.b, pairing.a)):
                        times = found[one].get(other, Met()).times
                        found[one][other] = Met(times + 1, made.number)
        return found

    def _was_meeting(self, pairing: Pairing) -> bool:
        result = pairing.result
        if result is None or result.contested:
            return True
        return self.forfeits_count_as_met and result.kind is not Kind.VOID

    # Turns

    @cached_property
    def turns(self) -> dict[EntrantId, tuple[Turn, ...]]:
        """Return what each round was for each entrant."""
        rows: dict[EntrantId, list[Turn]] = {one: [] for one in self.by_id}
        for made in self.rounds:
            there = dict(_turns_of(made))
            for one, row in rows.items():
                row.append(there.get(one) or self._missed(one, made.number))
        return {one: tuple(row) for one, row in rows.items()}

    def _missed(self, entrant: EntrantId, number: int) -> Turn:
        for asked in self.by_id[entrant].asked:
            if asked.round == number:
                return Turn(asked.points, voluntary=True)
        return ABSENT

    @cached_property
    def scores(self) -> dict[EntrantId, Points]:
        """Return what each entrant has; a score given from outside replaces the sum (P54)."""
        given = self.field.scores
        return {
            one: given[one]
            if one in given
            else sum((turn.points for turn in row), self.by_id[one].head_start)
            for one, row in self.turns.items()
        }

    @cached_property
    def floats(self) -> dict[EntrantId, list[int]]:
        """Return for each round whether an entrant met a lower score (-1), a higher one (1) or their own (0)."""
        score = {one: entrant.head_start for one, entrant in self.by_id.items()}
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
        """Return how many byes each entrant was given; those they asked for do not count (P55)."""
        given = dict.fromkeys(self.by_id, 0)
        for made in self.rounds:
            for bye in made.byes:
                given[bye.entrant] += not bye.asked
        return given

    @cached_property
    def gifts(self) -> dict[EntrantId, int]:
        """Return in how many matches each entrant won without playing."""
        return {
            one: sum(turn.points == WIN and turn.opponent is not None and not turn.played for turn in row)
            for one, row in self.turns.items()
        }

    @cached_property
    def sat_out(self) -> dict[EntrantId, int]:
        """Return in how many rounds each entrant did not play, for whatever reason."""
        return {one: sum(not turn.played for turn in row) for one, row in self.turns.items()}

    @cached_property
    def losses(self) -> dict[EntrantId, int]:
        """Return how many matches each entrant has lost, at the board or not."""
        return {one: sum(self._is_loss(turn) for turn in row) for one, row in self.turns.items()}

    @staticmethod
    def _is_loss(turn: Turn) -> bool:
        return turn.opponent is not None and turn.points == NOTHING

    @cached_property
    def awarded(self) -> dict[EntrantId, tuple[Turn, ...]]:
        """Return the turns as the table counts them: a bye in the last round scores once the round is over (P55)."""
        last = self.rounds[-1] if self.rounds else None
        if last is None or all(pairing.result is not None for pairing in last.pairings):
            return self.turns
        playing = {one for pairing in last.pairings for one in (pairing.a, pairing.b)}
        return {
            one: row if one in playing else (*row[:-1], replace(row[-1], points=NOTHING))
            for one, row in self.turns.items()
        }

    def cards(self, start: Mapping[EntrantId, Points], lives: int = 0) -> tuple[Card, ...]:
        """Return everybody's card, in the order of entry; *start* is what each began with beyond their rounds."""
        return tuple(
            Card(
                one,
                row,
                self.by_id[one].rating,
                self._before(one, row) + start.get(one, NOTHING),
                # P73: leaving is being out; the rank among those who are out was earned.
                max(0, lives - self.losses[one]) if lives and self.by_id[one].left is None else 0,
            )
            for one, row in self.awarded.items()
        )

    def _before(self, one: EntrantId, row: tuple[Turn, ...]) -> Points:
        """Return the points that do not come from an entrant's rounds: a head start, or the rest of a given score."""
        if one not in self.field.scores:
            return self.by_id[one].head_start
        return self.field.scores[one] - sum((turn.points for turn in row), NOTHING)


def is_playoff(pairing: Pairing) -> bool:
    """Say whether a match was played to break a tie, after the rounds."""
    return pairing.key.rpartition("/")[2].startswith(PLAYOFF)


def _turns_of(made: Round) -> Iterator[tuple[EntrantId, Turn]]:
    for pairing in made.pairings:
        yield pairing.a, _turn(pairing, pairing.a, pairing.b)
        yield pairing.b, _turn(pairing, pairing.b, pairing.a)
    for bye in made.byes:
        yield bye.entrant, _sat_out(bye)


def _sat_out(bye: Bye) -> Turn:
    return Turn(bye.points, voluntary=bye.asked)


def _turn(pairing: Pairing, own: EntrantId, opponent: EntrantId) -> Turn:
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
