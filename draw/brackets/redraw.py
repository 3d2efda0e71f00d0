"""A knock-out that is drawn again for every round, as in old cups (P15)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from operator import attrgetter

from draw import history, rounds, seeding
from draw.brackets import reasons
from draw.brackets.resolution import is_decisive
from draw.brackets.structure import MAIN
from draw.event import (
    UNDECIDED,
    Bye,
    EntrantId,
    Field,
    Key,
    Kind,
    LeaveTime,
    MatchRules,
    Pairing,
    Place,
    Proposal,
    Ranked,
    Reason,
    Result,
    Round,
    StalePairing,
    State,
    get_match_rules,
)
from draw.random_stream import RandomStream


class _Cup:
    """A replay of the recorded rounds: entrants still in, and exits by round."""

    def __init__(self, field: Field, rng: RandomStream, lines: tuple[EntrantId | None, ...]) -> None:
        self.field, self.rng, self.lines = field, rng, lines
        self.alive = [one for one in lines if one is not None]
        self.gone = {one.id for one in field.entrants if one.left is not None}
        self.late = [
            one.id
            for one in field.entrants
            if one.id not in self.alive and one.left is None and one.id not in field.absent
        ]
        self.places: list[Place] = []
        # Of all rounds: a correction or a withdrawal can add a bye to an earlier round.
        self.byes: list[EntrantId] = []
        self.out: list[list[EntrantId]] = []
        # Matches of the current round.
        self.on: list[Place] = []
        self.passing: set[EntrantId] = set()
        self.had: Counter[EntrantId] = Counter()
        self.why: list[Reason] = []
        self.stale: list[StalePairing] = []

    def replay(self) -> Proposal:
        number = 1
        while len(self.alive) > 1 or (number == 1 and self.late):
            if not self.replay_round(number):
                break
            number += 1
        for batch in self.field.rounds:
            if batch.number > number:
                self.stale.extend(StalePairing(pairing, self.field.stage.name) for pairing in batch.pairings)
        return Proposal(
            places=tuple(self.places),
            byes=tuple(Bye(one) for one in dict.fromkeys(self.byes)),
            ranking=self.rank(),
            finished=len(self.alive) <= 1,
            why=(*self.why, *reasons.explain_stale(self.stale)),
            stale=tuple(self.stale),
        )

    def replay_round(self, number: int) -> bool:
        """Replay one round; return True if it is over."""
        # Without pairings it was never made, such as a round of a file whose pairs have no keys yet.
        made = (batch for batch in self.field.rounds if batch.number == number and batch.pairings)
        record = next(made, None)
        pairings, byes = self.pair_recorded(number, record) if record else self.pair_new_round(number)
        given = {bye.entrant for bye in (record.byes if record else ())}
        self.byes.extend(one for one in byes if one not in given)
        rows = [self.build_place(number, pairing) for pairing in pairings]
        self.places.extend(rows)
        self.places.extend(
            rounds.build_bye_place(f"r{number}.bye{at}", one, number, 0, MatchRules())
            for at, one in enumerate(byes, start=1)
        )
        self.had.update(byes)
        self.passing = set(byes)
        if any(place.state in UNDECIDED for place in rows):
            self.on = rows
            return False
        # P39: players who advanced before a correction stay advanced.
        goes_on = {one.key: one.moves.winner for one in pairings if one.stands and one.moves}
        ahead = {goes_on.get(place.key, place.winner) for place in rows} | set(byes)
        self.out.append([one for one in self.alive if one not in ahead])
        self.alive = [one for one in self.alive if one in ahead]
        return True

    def pair_recorded(self, number: int, record: Round) -> tuple[list[Pairing], list[EntrantId]]:
        """Keep the recorded pairings that still fit, and pair the remaining entrants."""
        kept: list[Pairing] = []
        seated: set[EntrantId] = set()
        if number == 1:
            # Late entrants whose first match is on record.
            paired = {one for pairing in record.pairings for one in (pairing.a, pairing.b)}
            self.alive.extend(one for one in self.late if one in paired)
            self.late = [one for one in self.late if one not in paired]
        for pairing in record.pairings:
            if {pairing.a, pairing.b} <= set(self.alive) - seated:
                kept.append(pairing)
                seated |= {pairing.a, pairing.b}
            else:
                self.stale.append(StalePairing(pairing, self.field.stage.name))
        byes = [one.entrant for one in record.byes if one.entrant in self.alive and one.entrant not in seated]
        rest = [one for one in self.list_staying(seated) if one not in seated and one not in byes]
        used = {pairing.key for pairing in kept}
        if number == 1:
            return self.assign_late(kept, byes + rest, used)
        if len(rest) % 2 and byes:
            rest.append(byes.pop())  # P15: at most one bye
        pairs, passing = self.pair_by_lot(number, rest)
        return kept + self.assign_keys(number, pairs, used), byes + passing

    def list_staying(self, seated: set[EntrantId]) -> list[EntrantId]:
        """List the entrants still in, without those who left before they were paired."""
        return [one for one in self.alive if one in seated or one not in self.gone]

    def assign_late(
        self, kept: list[Pairing], byes: list[EntrantId], used: set[Key]
    ) -> tuple[list[Pairing], list[EntrantId]]:
        """Give late entrants byes of the first round, the lowest seed's first, until the second is drawn (P14)."""
        second = any(batch.number > 1 for batch in self.field.rounds)
        seeds = dict(zip(self.lines, seeding.list_seed_order(len(self.lines)), strict=True))
        pairs: list[tuple[EntrantId, EntrantId]] = []
        while self.late and byes and not second:
            arrived, opponent = self.late.pop(0), max(byes, key=lambda one: seeds.get(one, 0))
            byes.remove(opponent)
            pairs.append((opponent, arrived))
            self.alive.append(arrived)
            line = (self.lines.index(opponent) ^ 1) + 1  # it meets the opponent's in the first round
            self.why.append(Reason("late", arrived, (("line", line),)))
        size = len(self.lines)
        self.why.extend(Reason("no line", one, (("size", size),)) for one in self.late)
        self.late = []
        return kept + self.assign_keys(1, pairs, used), byes

    def pair_new_round(self, number: int) -> tuple[list[Pairing], list[EntrantId]]:
        here = self.list_staying(set())
        if number > 1:
            pairs, byes = self.pair_by_lot(number, here)
            return self.assign_keys(number, pairs, set()), byes
        pairs, byes = list[tuple["EntrantId", "EntrantId"]](), list["EntrantId"]()
        for a, b in seeding.list_first_pairs(self.lines):
            there = [one for one in (a, b) if one is not None and one in here]
            if len(there) > 1:
                pairs.append((there[0], there[1]))
            byes.extend(there if len(there) == 1 else ())
        return self.assign_late(
            self.assign_keys(1, pairs, set()), byes, {Key(f"r1.{at + 1}") for at in range(len(pairs))}
        )

    def pair_by_lot(
        self, number: int, entrants: Sequence[EntrantId]
    ) -> tuple[list[tuple[EntrantId, EntrantId]], list[EntrantId]]:
        """Pair these entrants by lot. Of an odd number, one with the fewest byes sits out."""
        rng = self.rng.child(f"round {number}")
        mixed = list(rng.shuffled(entrants))
        passing: list[EntrantId] = []
        if len(mixed) % 2:
            fewest = min(self.had[one] for one in mixed)
            eligible = [one for one in mixed if self.had[one] == fewest]
            passing = eligible[:1]
            mixed.remove(passing[0])
            self.why.append(Reason("lot bye", passing[0], (("eligible", len(eligible)),)))
        if seeding.KEEP_APART.get(self.field.options):
            apart = seeding.Clashes.collect(self.field, self.field.entrants)
            mixed = [
                one
                for one in seeding.separate_clashes(tuple(mixed), frozenset(), apart, rng)
                if one is not None
            ]
        return list(zip(mixed[::2], mixed[1::2], strict=True)), passing

    def assign_keys(
        self, number: int, pairs: Sequence[tuple[EntrantId, EntrantId]], used: set[Key]
    ) -> list[Pairing]:
        """Give new pairs the unused keys of a round."""
        keys = (
            key for at in range(1, len(used) + len(pairs) + 1) if (key := Key(f"r{number}.{at}")) not in used
        )
        return [Pairing(key, *pair) for key, pair in zip(keys, pairs, strict=False)]

    def build_place(self, number: int, pairing: Pairing) -> Place:
        made = any(pairing.key == other.key for batch in self.field.rounds for other in batch.pairings)
        result = pairing.result if is_decisive(pairing) else self.find_left_result(pairing, made=made)
        rules = get_match_rules(self.field.stage, MAIN, number, (len(self.lines) - 1).bit_length())
        table = int(pairing.key.rpartition(".")[2])
        place = rounds.build_place(replace(pairing, result=result), number, table, rules)
        if result is not None:
            return place
        self.why.append(Reason("redrawn", pairing.key, (("alive", len(self.alive)),)))
        is_away = not self.field.absent.isdisjoint(place.entrants)
        return replace(place, state=State.WAITING) if is_away else place

    def find_left_result(self, pairing: Pairing, *, made: bool) -> Result | None:
        pair, by_id = (pairing.a, pairing.b), {one.id: one for one in self.field.entrants}
        gone = [by_id[one].left is LeaveTime.NOW or (one in self.gone and not made) for one in pair]
        if not any(gone):
            return None
        order = {one: by_id[one].left_as for one in pair}
        return Result(Kind.WITHDRAWAL, history.find_winner_without_play(pair, gone, order))

    def rank(self) -> tuple[Ranked, ...]:
        """Rank entrants who are out by round, and above them the others by the places within reach."""
        # A winner who has left ranks below those who still play.
        ranking = sorted(self.rank_current_round(), key=attrgetter("rank", "shared"))
        for tied in reversed(self.out):
            rank = len(ranking) + 1
            ranking.extend(Ranked(one, rank, len(tied)) for one in tied)
        return tuple(ranking)

    def rank_current_round(self) -> Iterator[Ranked]:
        """Yield the entrants of the current round: advanced, still playing, and out."""
        playing = {one for place in self.on if place.state in UNDECIDED for one in place.entrants}
        lost = {
            one
            for place in self.on
            if place.state is State.DECIDED
            for one in place.entrants
            if one != place.winner
        }
        gone = self.gone
        paired = {one for place in self.on for one in place.entrants}
        out = [one for one in self.alive if one in lost or (self.on and one in gone - paired - self.passing)]
        ahead = [one for one in self.alive if one not in playing and one not in out]
        through = len(self.alive) - len(out) - len(playing) // 2
        leaving = {one for one in ahead if one in gone}
        may_leave = sum(not gone.isdisjoint(place.entrants) for place in self.on if place.state in UNDECIDED)
        # Entrants who leave before the next round share the places of its losers.
        goes_out = (through - len(leaving) - may_leave + 1) // 2 + 1
        for one in ahead:
            first = goes_out if one in leaving else 1
            yield Ranked(one, first, through - first + 1, is_open=bool(self.on) and one not in leaving)
        for one in self.alive:
            if one in playing:
                first = goes_out if one in gone else 1
                yield Ranked(one, first, len(self.alive) - first + 1, is_open=True)
        for one in out:
            yield Ranked(one, through + 1, len(self.alive) - through)


def propose(field: Field, lines: tuple[EntrantId | None, ...], rng: RandomStream) -> Proposal:
    return _Cup(field, rng, lines).replay()
