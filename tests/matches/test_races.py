"""Two at one match in the same moment: first shown to go wrong with the guards off, then not.

The guards are the lock on the match's row and the compare-and-set of its head. Without both, two commands
are decided on the same board and both are written down. On SQLite, where transactions take turns from their
first statement on, there is nothing to show; the races themselves are run on both.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection, connections

from engine.game import Phase
from engine.plays import legal_plays
from engine.side import Side
from matches.journal import journal
from matches.journal.journal import RequestIdentity, Step
from matches.models import JournalEntry, Match
from matches.play import deadlines, directing, play
from matches.play.directing import RulingResult
from matches.play.play import CommandResult
from matches.state import commands, facts
from matches.state.commands import Command
from matches.state.errors import Refused, Stale
from matches.state.match_state import MatchState
from matches.state.rulings import Pause, RuleMatch, Ruling, SetScore, TakeBack, Verdict
from players.clubs import clubs
from players.models import User
from runtime.work import failures
from tests.matches.support import Table, club_terms, person

Act = Callable[[], object]

pytestmark = pytest.mark.django_db(transaction=True)

WHITE, BLACK = Side
# Where transactions take turns there is less to find, and each costs a write to the disk.
ROUNDS = {"postgresql": 15, "sqlite": 5}
CONTROL_ROUNDS = 4
# Longer than any move may still be on its way.
GRACE = timedelta(seconds=3)
TICK = timedelta(milliseconds=1)


# -- who is at the board, and how rounds are brought about -------------------------------------------------


class Hall:
    """Two players and a director, and table after table for them."""

    def __init__(self, now: datetime) -> None:
        self.now = now
        self.director: User = person("Dora", now)
        self.club = clubs.create(owner=self.director, name="Here", now=now)
        self.players = (person("Ann", now).player, person("Ben", now).player)
        self.tables = 0

    def table(self, race: Race) -> Table:
        self.tables += 1
        chained = (WHITE, BLACK) if race.is_chained else ()
        table = Table(
            self.now,
            agreed=club_terms(race.points),
            players=self.players,
            chained=chained,
            club=self.club,
            seed=self.tables,
        )
        table.sit_down()
        return table

    def ready(self, race: Race, table: Table | None) -> Table:
        """Bring a table to where the race begins; the one that is there, if it can go on."""
        while True:
            if table is None or table.state.match.is_over:
                table = self.table(race)
            if race.is_ready(table.state):
                return table
            table.wait(milliseconds=200)
            race.steer(table)


class Loud:
    """A sweep goes on after a match that it cannot help, and only writes that down; here it is heard of."""

    def exception(self, *_: object, **__: object) -> None:
        raise


@pytest.fixture
def hall(now: datetime, monkeypatch: pytest.MonkeyPatch) -> Hall:
    monkeypatch.setattr(failures, "log", Loud())
    return Hall(now)


def act(table: Table) -> None:
    table.act()


def offer_cubes(table: Table) -> None:
    game = table.state.match.game
    if game.phase is Phase.TO_ROLL and game.why_no_double is None:
        table.give(table.state.owing[0], commands.Double())
    else:
        table.act()


def leave_games(table: Table) -> None:
    """Play on to the next opening roll."""
    state = table.state
    if len(state.owing) == 1 and state.match.game.phase is not Phase.OPENING:
        side = state.owing[0]
        table.give(side, commands.OfferResignation(1))
        table.give(side.other, commands.AcceptResignation())
    else:
        table.act()


def keep_shares_back(table: Table) -> None:
    """Give no share before it is requested."""
    state = table.state
    side = state.owing[0]
    own = table.shares(side, 1) if state.match.game.phase in {Phase.OPENING, Phase.TO_ROLL} else {}
    table.give(side, table.next_command(side), shares=own)


def to_play(state: MatchState) -> bool:
    game = state.match.game
    if game.phase is not Phase.TO_PLAY or game.turn is None or game.dice is None:
        return False
    return len(legal_plays(game.board, game.turn, game.dice)) > 1


def to_double(state: MatchState) -> bool:
    return state.match.game.phase is Phase.TO_ROLL and state.match.game.why_no_double is None


def doubled(state: MatchState) -> bool:
    return state.match.game.phase is Phase.DOUBLED


def opening(state: MatchState) -> bool:
    return state.match.game.phase is Phase.OPENING and state.owing == (WHITE, BLACK)


def asked(state: MatchState) -> bool:
    return state.asked is not None


# -- what is done at once ----------------------------------------------------------------------------------


def command(table: Table, side: Side, given: Command, key: str, **more: Any) -> Act:
    """A command as it leaves a browser, on the board that is shown there now."""
    told: dict[str, Any] = {
        "match_id": table.match.pk,
        "player": table.player(side),
        "command": given,
        "after": table.row.head,
        "now": table.now,
        "shares": {},
        "request": RequestIdentity(f"user.{side.word}", f"{key}-{table.row.head}", key),
    }
    told.update(more)
    return lambda: play.submit(**told)


def ruling(table: Table, director: User, given: Ruling) -> Act:
    row = table.row
    return lambda: directing.rule(
        match_id=row.pk,
        user=director,
        ruling=given,
        reason="so it is",
        after=row.head,
        now=table.now,
        request=RequestIdentity("director", f"ruling-{row.head}", "x"),
    )


def a_move(table: Table, which: int = 0) -> commands.Move:
    game = table.state.match.game
    assert game.turn is not None
    assert game.dice is not None
    return commands.Move(legal_plays(game.board, game.turn, game.dice)[which].steps)


def mover(table: Table) -> Side:
    return table.state.owing[0]


def double_click(table: Table, hall: Hall) -> list[Act]:
    side, move = mover(table), a_move(table)
    return [command(table, side, move, key) for key in ("first", "second")]


def same_key(table: Table, hall: Hall) -> list[Act]:
    return [command(table, mover(table), a_move(table), "the same")] * 3


def two_tabs(table: Table, hall: Hall) -> list[Act]:
    side = mover(table)
    return [command(table, side, a_move(table, which), f"tab {which}") for which in (0, 1)]


def roll_and_double(table: Table, hall: Hall) -> list[Act]:
    side = mover(table)
    return [
        command(table, side, commands.Roll(), "roll"),
        command(table, side, commands.Double(), "double"),
    ]


def take_and_drop(table: Table, hall: Hall) -> list[Act]:
    side = mover(table)
    return [command(table, side, commands.Take(), "take"), command(table, side, commands.Drop(), "drop")]


def double_and_take(table: Table, hall: Hall) -> list[Act]:
    side, head = mover(table), table.row.head
    return [
        command(table, side, commands.Double(), "double"),
        command(table, side, commands.Double(), "double again"),
        # On a board that the other may have seen a moment before anybody else.
        command(table, side.other, commands.Take(), "take", after=head + 1),
    ]


def both_ready(table: Table, hall: Hall) -> list[Act]:
    return [
        command(table, side, commands.Roll(), f"ready {side.word}", shares=table.shares(side))
        for side in Side
    ]


def share_twice(table: Table, hall: Hall) -> list[Act]:
    side = mover(table)
    shares = table.shares(side, 1)
    return [
        command(table, side, commands.Share(), "share", shares=shares),
        command(table, side, commands.Share(), "share again", shares=shares),
    ]


def share_and_loss(table: Table, hall: Hall) -> list[Act]:
    side = mover(table)
    return [
        command(table, side, commands.Share(), "share", shares=table.shares(side, 1)),
        command(table, side, commands.Forgo("the other tab"), "forgo"),
    ]


def sweep_and_move(table: Table, hall: Hall) -> list[Act]:
    deadline = journal.to_datetime(table.state.deadline or 0)
    table.now = deadline - TICK
    move = command(table, mover(table), a_move(table), "in time")
    return [move, lambda: deadlines.sweep(deadline + GRACE)]


def two_sweeps(table: Table, hall: Hall) -> list[Act]:
    deadline = journal.to_datetime(table.state.deadline or 0)
    return [lambda: deadlines.sweep(deadline + GRACE)] * 3


def claim_and_move(table: Table, hall: Hall) -> list[Act]:
    deadline = journal.to_datetime(table.state.deadline or 0)
    table.now = deadline - TICK
    side = mover(table)
    return [
        command(table, side, a_move(table), "in time"),
        command(table, side.other, commands.ClaimFlag(), "claim", now=deadline + GRACE),
    ]


def resign_and_move(table: Table, hall: Hall) -> list[Act]:
    side = mover(table)
    return [
        command(table, side, a_move(table), "move"),
        command(table, side, commands.OfferResignation(1), "resign"),
    ]


def concede_and_move(table: Table, hall: Hall) -> list[Act]:
    side = mover(table)
    return [
        command(table, side, a_move(table), "move"),
        command(table, side.other, commands.Concede(), "concede"),
    ]


def both_concede(table: Table, hall: Hall) -> list[Act]:
    return [command(table, side, commands.Concede(), f"concede {side.word}") for side in Side]


def takeback_and_move(table: Table, hall: Hall) -> list[Act]:
    return [command(table, mover(table), a_move(table), "move"), ruling(table, hall.director, TakeBack(1))]


def pause_and_move(table: Table, hall: Hall) -> list[Act]:
    return [command(table, mover(table), a_move(table), "move"), ruling(table, hall.director, Pause())]


def score_and_move(table: Table, hall: Hall) -> list[Act]:
    score = SetScore(1, 0)
    return [command(table, mover(table), a_move(table), "move"), ruling(table, hall.director, score)]


def verdict_and_concession(table: Table, hall: Hall) -> list[Act]:
    verdict = RuleMatch(WHITE, Verdict.FORFEIT)
    return [command(table, WHITE, commands.Concede(), "concede"), ruling(table, hall.director, verdict)]


def everything(table: Table, hall: Hall) -> list[Act]:
    """More than anybody can do at once."""
    side = mover(table)
    return [
        *double_click(table, hall),
        *two_tabs(table, hall),
        command(table, side, commands.OfferResignation(2), "resign"),
        command(table, side.other, commands.Roll(), "not my turn"),
        ruling(table, hall.director, SetScore(0, 1)),
    ]


@dataclass(frozen=True)
class Race:
    """Who meets whom where, and what may come of it: the facts of those who got through, in their order."""

    acts: Callable[[Table, Hall], list[Act]]
    outcomes: set[tuple[str, ...]]
    is_ready: Callable[[MatchState], bool] = to_play
    steer: Callable[[Table], None] = act
    points: int = 1
    is_chained: bool = False


RACES = {
    race.acts.__name__: race
    for race in (
        Race(double_click, {("played",)}),
        Race(same_key, {("played",)}),
        Race(two_tabs, {("played",)}),
        Race(roll_and_double, {("rolled",), ("doubled",)}, to_double, points=25),
        Race(take_and_drop, {("took",), ("dropped",)}, doubled, offer_cubes, points=25),
        Race(double_and_take, {("doubled",), ("doubled", "took")}, to_double, points=25),
        Race(both_ready, {("readied", "readied")}, opening, leave_games, points=25, is_chained=True),
        Race(share_twice, {("rolled",)}, asked, keep_shares_back, is_chained=True),
        Race(share_and_loss, {("rolled", "forwent"), ("forwent",)}, asked, keep_shares_back, is_chained=True),
        Race(sweep_and_move, {("played",), ("flagged",)}),
        Race(two_sweeps, {("flagged",)}),
        Race(claim_and_move, {("played",), ("flagged",)}),
        Race(resign_and_move, {("played",), ("resign-offered",)}),
        Race(concede_and_move, {("conceded",), ("played", "conceded")}),
        Race(both_concede, {("conceded",)}),
        Race(takeback_and_move, {("taken-back",), ("played",)}),
        Race(pause_and_move, {("paused",), ("played", "paused")}),
        Race(score_and_move, {("ruled-score",), ("played",)}, points=3),
        Race(verdict_and_concession, {("conceded",), ("ruled-match",)}),
        Race(everything, {("played",), ("resign-offered",), ("ruled-score",)}, points=3),
    )
}


def at_once(acts: Sequence[Act]) -> list[object]:
    """Do everything at the same moment; the result is each act's return value or exception."""
    line = threading.Barrier(len(acts))
    told: list[object] = [None] * len(acts)

    def run(place: int) -> None:
        try:
            line.wait(10)
            told[place] = acts[place]()
        except Exception as error:
            told[place] = error
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(place,), daemon=True) for place in range(len(acts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert not any(thread.is_alive() for thread in threads), "a thread hangs"
    return told


# -- what must be true afterwards --------------------------------------------------------------------------


def faults(table: Table, head: int, told: list[object], race: Race) -> Iterator[str]:
    """Yield everything that is not as it would be had one come after the other."""
    row = table.row
    if problems := list(journal.find_problems(row)):
        yield from problems
        return
    written = list(JournalEntry.objects.filter(match=row, seq__gt=head, lines__gt=0).order_by("seq"))
    if (kinds := tuple(entry.fact["fact"] for entry in written)) not in race.outcomes:
        yield f"the journal has {kinds}"
    # A share that is not asked for any more is thanked for, and writes nothing.
    answered = [each for each in told if isinstance(each, CommandResult | RulingResult) and each.steps]
    if {each.steps[0].line.seq for each in answered} != {entry.seq for entry in written if entry.actor}:
        yield "who was told that it is done is not who did it"
    for each in told:
        yield from refusals(each, head, row)
    lines = {line.seq: line for line in journal.list_lines(row, after=head)}
    for each in answered:
        last = each.steps[-1].line.seq
        # What the row repeats of the journal has been compared with it.
        board = journal.load(row) if last == row.head else journal.replay(row, upto=last)
        if any(step.line.seq > head and lines.get(step.line.seq) != step.line for step in each.steps):
            yield f"what was answered up to line {last} is not what the journal says"
        elif board.to_json() != each.state.to_json():
            yield f"the board that was answered to line {last} is not that of the journal"


def refusals(each: object, head: int, row: Match) -> Iterator[str]:
    if isinstance(each, Stale):
        if not head <= each.head <= row.head:
            yield f"stale, but of line {each.head}"
    elif isinstance(each, Exception) and not isinstance(each, Refused):
        yield f"{type(each).__name__}: {each}"


def run(race: Race, hall: Hall, rounds: int) -> list[str]:
    """Run a number of rounds of a race, each on a table without faults, and list the problems."""
    table, found = None, []
    for _ in range(rounds):
        table = hall.ready(race, table)
        head = table.row.head
        told = at_once(race.acts(table, hall))
        if wrong := list(faults(table, head, told, race)):
            found.append("; ".join(wrong))
        if wrong or table.state.match.paused or table.state.dicing.forgone:
            table = None
    return found


# To empty the tables after each of these tests takes longer than a race: so they are run in one.


@pytest.mark.long
def test_one_comes_after_the_other(hall: Hall) -> None:
    found = {name: run(race, hall, ROUNDS[connection.vendor]) for name, race in RACES.items()}

    assert found == {key: [] for key in RACES}


@pytest.mark.long
def test_the_same_key_gets_the_same_answer(hall: Hall) -> None:
    race, table = RACES["same_key"], None
    for _ in range(ROUNDS[connection.vendor]):
        table = hall.ready(race, table)
        told = at_once(race.acts(table, hall))
        answers = [each for each in told if isinstance(each, CommandResult)]
        assert len(answers) == len(told)
        assert len({tuple(step.line for step in answer.steps) for answer in answers}) == 1


@pytest.mark.long
def test_replayed_and_reordered_requests_change_nothing(hall: Hall) -> None:
    """A whole match whose every request comes again later, several at once, in any order."""
    race = Race(double_click, set(), is_chained=True)
    table = hall.table(race)
    sent: list[Act] = []
    while not table.state.match.is_over:
        table.wait(milliseconds=500)
        side = table.rng.choice(table.state.owing)
        shares = table.shares(side)
        now = command(table, side, table.next_command(side), f"number {len(sent)}", shares=shares)
        sent.append(now)
        late = [now, now, *table.rng.sample(sent, min(2, len(sent)))] if len(sent) % 4 == 0 else [now]
        told = at_once(late)
        assert all(isinstance(each, CommandResult) for each in told), told
    row, lines = table.row, journal.list_lines(table.row)
    assert list(journal.find_problems(row)) == []
    assert (
        sum(bool(entry.lines) for entry in JournalEntry.objects.filter(match=row, actor__gt=""))
        == len(sent) + 4
    )

    table.rng.shuffle(sent)
    for start in range(0, len(sent), 4):
        assert all(isinstance(each, CommandResult) for each in at_once(sent[start : start + 4]))

    assert journal.list_lines(row) == lines
    assert table.row.head_hash == row.head_hash


# -- with the guards off -----------------------------------------------------------------------------------


def trusting_lock(match_id: int) -> Match:
    """Read, as one would who is alone."""
    return Match.objects.get(pk=match_id)


def trusting_hold(row: Match) -> bool:
    return True


def trusting_append(row: Match, written: Sequence[Step], *, request: RequestIdentity) -> bool:
    """Write what was decided behind what is there by now, as one would who is alone."""
    head, before = Match.objects.values_list("head", "head_hash").get(pk=row.pk)
    entries = []
    for seq, step in enumerate(written, head + 1):
        line = replace(step.line, seq=seq)
        before = facts.compute_hash(before, line.body())
        entries.append(JournalEntry(match=row, hash=before, **line.body()))
    entries[0].actor, entries[0].key, entries[0].request = request.actor, request.key, request.digest
    entries[0].lines = len(entries)
    after = replace(written[-1].after, head=head + len(written))
    changes = journal.build_columns(row, after) | {"head_hash": before}
    Match.objects.filter(pk=row.pk).update(**changes, deposits=row.deposits, salts=row.salts)
    JournalEntry.objects.bulk_create(entries)
    for name, value in changes.items():
        setattr(row, name, value)
    return True


@pytest.fixture
def _no_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "lock", trusting_lock)
    monkeypatch.setattr(deadlines, "_lock_unchanged", trusting_hold)


@pytest.fixture
def _no_guards(_no_lock: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "append_steps", trusting_append)


def needs_postgresql() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite's transactions take turns from their first statement on")


@pytest.mark.long
@pytest.mark.services
@pytest.mark.usefixtures("_no_guards")
def test_without_the_guards_journals_are_wrong(hall: Hall) -> None:
    needs_postgresql()
    found = {name: len(run(race, hall, CONTROL_ROUNDS)) for name, race in RACES.items()}

    assert {name: spoiled for name, spoiled in found.items() if spoiled * 10 < CONTROL_ROUNDS} == {}


@pytest.mark.services
@pytest.mark.usefixtures("_no_lock")
def test_without_the_lock_the_comparison_alone_keeps_journals_right(hall: Hall) -> None:
    """Only work is lost: the second request is refused, where the lock would let it wait."""
    needs_postgresql()
    some = ("double_click", "take_and_drop", "both_ready", "sweep_and_move", "concede_and_move", "everything")
    lenient = [replace(RACES[name], outcomes=RACES[name].outcomes | firsts(RACES[name])) for name in some]

    assert [run(race, hall, CONTROL_ROUNDS) for race in lenient] == [[]] * len(some)


def firsts(race: Race) -> set[tuple[str, ...]]:
    return {outcome[:1] for outcome in race.outcomes}
