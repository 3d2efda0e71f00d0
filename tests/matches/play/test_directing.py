"""Acts of a director on a match: each is a fact with a reason and needs the permission."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from engine.board import STANDARD, Board
from engine.clock import DelayMethod
from engine.cube import Cube
from engine.dice import Dice
from engine.game import Phase, Termination
from engine.match import Crawford
from engine.rules import Rules
from engine.side import BySide, Side
from matches.hooks import match_finished, match_reopened
from matches.journal import dice, journal
from matches.journal.journal import RequestIdentity
from matches.models import JournalEntry, Match
from matches.play import deadlines, directing, directing_api
from matches.state import commands
from matches.state.errors import NotAllowed, Refused, Stale
from matches.state.rulings import (
    CreditTime,
    Pause,
    Penalise,
    Resume,
    RuleGame,
    RuleMatch,
    Ruling,
    SetPosition,
    SetScore,
    Start,
    TakeBack,
    Verdict,
    VoidGame,
    VoidMatch,
)
from matches.state.status import Status
from matches.state.terms import build_terms
from players.clubs import clubs
from players.models import Role
from runtime.idempotency import KeyReused
from tests import prepared
from tests.matches.support import Table, club_terms, person

GRACE = timedelta(seconds=2)
EVERY: list[Ruling] = [
    Pause(),
    CreditTime(Side.WHITE, 60_000),
    TakeBack(to_start_of=Start.GAME),
    SetPosition(STANDARD, Side.BLACK, Cube()),
    SetScore(1, 2),
    Penalise(Side.WHITE, 1),
    RuleGame(Side.BLACK, 2),
    RuleMatch(Side.BLACK, Verdict.FORFEIT),
    VoidGame(),
    VoidMatch(),
]


class Hall(Table):
    """A table in a club, and the club's director."""

    def __init__(self, now: datetime, **details: Any) -> None:
        self.owner = person("Olga", now)
        self.director = person("Dora", now)
        self.club = clubs.create(owner=self.owner, name="Here", now=now)
        clubs.join(club=self.club, player=self.director.player, now=now)
        clubs.set_role(
            club=self.club, player=self.director.player, role=Role.DIRECTOR, by=self.owner, now=now
        )
        super().__init__(now, **{"club": self.club, **details})

    def rule(self, ruling: Ruling, **more: Any) -> directing.RulingResult:
        row = self.row
        signals: dict[str, Any] = {
            "user": self.director,
            "reason": "a good reason",
            "after": row.head,
            "now": self.now,
            "request": RequestIdentity("director.1", uuid4().hex, "digest"),
        }
        decision = directing.rule(match_id=row.pk, ruling=ruling, **{**signals, **more})
        row = self.row
        assert list(journal.find_problems(row)) == []
        assert row.head == decision.state.head
        return decision

    def refused(self, ruling: Ruling, **more: Any) -> str:
        before = self.row.head
        with pytest.raises(Refused) as caught:
            self.rule(ruling, **more)
        assert self.row.head == before
        return caught.value.code

    def lines(self) -> list[Any]:
        return [line.fact for line in journal.list_lines(self.row)]

    def next_command(self, side: Side) -> commands.Command:
        """Play without the cube, so that no game ends by a drop in the middle of a test."""
        is_roll = self.state.match.game.phase is Phase.TO_ROLL and self.state.asked is None
        return commands.Roll() if is_roll else super().next_command(side)

    def goes_on(self) -> None:
        """Play a little, to see that it can be played."""
        head = self.row.head
        for _ in range(6):
            if not self.state.match.is_over:
                self.wait(seconds=1)
                self.act()
        assert self.row.head > head
        assert list(journal.find_problems(self.row)) == []

    def moves(self, count: int) -> None:
        """Play some plays; stop with a person on roll."""
        done = 0
        while done < count or self.state.match.game.phase is not Phase.TO_ROLL:
            self.wait(seconds=1)
            answer = self.act()
            done += any(type(step.line.fact).__name__ == "Played" for step in answer.steps)


@pytest.fixture
def hall(db: None, now: datetime) -> Hall:
    def make() -> Hall:
        hall = Hall(now)
        hall.begin()
        hall.moves(3)
        return hall

    return prepared.begin("hall", now, make)


@pytest.fixture
def signals(django_capture_on_commit_callbacks: Any) -> Iterator[list[tuple[str, int]]]:
    heard: list[tuple[str, int]] = []
    finished = lambda match_id, **_: heard.append(("finished", match_id))  # noqa: E731
    reopened = lambda match_id, **_: heard.append(("reopened", match_id))  # noqa: E731
    match_finished.connect(finished)
    match_reopened.connect(reopened)
    with django_capture_on_commit_callbacks(execute=True):
        yield heard
    match_finished.disconnect(finished)
    match_reopened.disconnect(reopened)


class TestWho:
    @pytest.mark.parametrize("ruling", EVERY, ids=lambda each: type(each).__name__)
    def test_every_act_says_who_and_why(self, hall: Hall, ruling: Ruling) -> None:
        decision = hall.rule(ruling, reason="  because \n of it ")
        line = next(step.line for step in decision.steps if step.line.by == "director")
        assert line.who == hall.director.player.key
        assert line.fact.reason.endswith("because of it")  # type: ignore[union-attr]
        [entry] = directing_api.list_rulings(hall.row)
        assert (entry.seq, entry.name) == (line.seq, "Dora")
        assert entry.reason.endswith("because of it")

    @pytest.mark.parametrize("ruling", EVERY, ids=lambda each: type(each).__name__)
    def test_nobody_else_may(self, hall: Hall, now: datetime, ruling: Ruling) -> None:
        stranger = person("Sam", now)
        elsewhere = clubs.create(owner=stranger, name="Elsewhere", now=now)
        assert elsewhere.pk
        member = person("Mia", now)
        clubs.join(club=hall.club, player=member.player, now=now)
        for user in (stranger, member, hall.white.user, hall.black.user):
            with pytest.raises(NotAllowed):
                hall.rule(ruling, user=user)
        assert not JournalEntry.objects.filter(by="director").exists()

    def test_without_a_club_only_the_back_office_may(self, db: None, now: datetime) -> None:
        hall = Hall(now, club=None)
        hall.begin()
        with pytest.raises(NotAllowed):
            hall.rule(Pause())
        assert not directing.may_rule(hall.director, hall.row)
        hall.director.is_superuser = hall.director.is_staff = True
        hall.director.save()
        assert directing.may_rule(hall.director, hall.row)
        hall.rule(Pause())
        assert hall.row.status == Status.PAUSED

    def test_nobody_rules_on_a_match_of_their_own(self, db: None, now: datetime) -> None:
        hall = Hall(now, players=None)
        clubs.join(club=hall.club, player=hall.white, now=now)
        clubs.set_role(club=hall.club, player=hall.white, role=Role.DIRECTOR, by=hall.owner, now=now)
        hall.begin()
        with pytest.raises(NotAllowed) as caught:
            hall.rule(RuleMatch(Side.WHITE), user=hall.white.user)
        assert caught.value.code == "own-match"
        assert not directing.may_rule(hall.white.user, hall.row)  # type: ignore[arg-type]

    @pytest.mark.parametrize(
        ("reason", "code"),
        [
            ("", "reason-needed"),
            (" \n", "reason-needed"),
            ("a\x00b", "reason-needed"),
            ("x" * 301, "reason-too-long"),
        ],
    )
    def test_a_reason_is_needed(self, hall: Hall, reason: str, code: str) -> None:
        assert hall.refused(Pause(), reason=reason) == code


class TestRequests:
    def test_the_same_request_gets_the_first_answer(self, hall: Hall) -> None:
        request = RequestIdentity("director.1", "a-key-of-mine", "digest")
        first = hall.rule(Penalise(Side.WHITE, 1), request=request)
        head = hall.row.head
        again = directing.rule(
            match_id=hall.match.pk,
            user=hall.director,
            ruling=Penalise(Side.WHITE, 1),
            reason="a good reason",
            after=1,
            now=hall.now,
            request=request,
        )
        assert [step.line for step in again.steps] == [step.line for step in first.steps]
        assert again.refusal is None
        assert hall.row.head == head
        with pytest.raises(KeyReused):
            hall.rule(
                Penalise(Side.BLACK, 1), request=RequestIdentity("director.1", "a-key-of-mine", "other")
            )

    @pytest.mark.parametrize("ruling", EVERY, ids=lambda each: type(each).__name__)
    def test_a_board_that_has_gone_on_is_looked_at_again(self, hall: Hall, ruling: Ruling) -> None:
        head = hall.row.head
        hall.act()
        if isinstance(ruling, Pause | CreditTime):
            hall.rule(ruling, after=head)
            return
        with pytest.raises(Stale) as caught:
            hall.rule(ruling, after=head)
        assert caught.value.head == hall.row.head

    def test_a_flag_that_fell_before_is_written_first_and_the_director_looks_again(self, hall: Hall) -> None:
        due = hall.row.deadline_at
        hall.now = due + GRACE
        request = RequestIdentity("director.1", "a-key-of-mine", "digest")
        decision = hall.rule(Penalise(Side.WHITE, 1), request=request)
        assert isinstance(decision.refusal, Stale)
        assert hall.row.status == Status.FINISHED
        again = hall.rule(Penalise(Side.WHITE, 1), request=request)
        assert isinstance(again.refusal, Stale)
        assert not JournalEntry.objects.filter(by="director").exists()


class TestPause:
    def test_the_clock_stands_and_nobody_plays_until_it_goes_on(self, hall: Hall) -> None:
        due = hall.row.deadline_at
        assert due is not None
        side = hall.state.owing[0]
        hall.rule(Pause())
        assert (hall.row.status, hall.row.deadline_at, hall.state.owing) == (Status.PAUSED, None, ())
        hall.wait(hours=3)
        with pytest.raises(Refused, match="paused"):
            hall.give(side, commands.Roll())
        with pytest.raises(Refused):
            hall.rule(Pause())
        hall.rule(Resume())
        assert hall.row.status == Status.LIVE
        assert hall.row.deadline_at == due + timedelta(hours=3)
        with pytest.raises(Refused):
            hall.rule(Resume())
        hall.goes_on()

    @pytest.mark.parametrize(
        "ruling",
        [each for each in EVERY if not isinstance(each, Pause)],
        ids=lambda each: type(each).__name__,
    )
    def test_everything_can_be_done_while_it_is_paused_and_it_stays_so(
        self, hall: Hall, ruling: Ruling
    ) -> None:
        hall.rule(Pause())
        hall.wait(minutes=30)
        hall.rule(ruling)
        ended = isinstance(ruling, RuleMatch | VoidMatch)
        assert hall.state.match.paused
        assert (hall.row.status == Status.PAUSED) is not ended
        if ended:
            return
        hall.wait(minutes=30)
        hall.rule(Resume())
        assert hall.row.status == Status.LIVE
        assert hall.row.deadline_at > hall.now
        hall.goes_on()

    def test_a_fine_while_it_is_paused_begins_no_new_turn(self, hall: Hall) -> None:
        hall.wait(seconds=10)
        due = hall.row.deadline_at
        assert due is not None
        hall.rule(Pause())
        hall.rule(Penalise(hall.state.awaited[0], 1))
        hall.rule(Resume())
        assert hall.row.deadline_at == due

    def test_between_games_a_missing_player_has_the_rest_of_the_minute_after_it(
        self, db: None, now: datetime
    ) -> None:
        hall = Hall(now)
        hall.sit_down()
        hall.give(Side.WHITE, commands.Roll())
        due = hall.row.deadline_at
        hall.wait(seconds=1)
        hall.rule(Pause())
        hall.wait(hours=1)
        hall.rule(Resume())
        assert hall.row.deadline_at == due + timedelta(hours=1)
        hall.wait(seconds=58)
        clock = hall.state.clock
        assert clock.elapsed(journal.to_milliseconds(hall.now)) == 0

    def test_who_waits_to_begin_waits_as_much_longer(self, db: None, now: datetime) -> None:
        until = now + timedelta(minutes=10)
        hall = Hall(now, waits_until=until)
        hall.wait(minutes=5)
        hall.rule(Pause())
        assert hall.row.deadline_at is None
        hall.wait(minutes=30)
        hall.rule(Resume())
        assert (hall.row.status, hall.row.deadline_at) == (Status.WAITING, until + timedelta(minutes=30))
        hall.begin()


class TestTime:
    def test_credit_is_on_the_clock(self, hall: Hall) -> None:
        side, due = hall.state.owing[0], hall.row.deadline_at
        hall.rule(CreditTime(side, 90_000))
        hall.rule(CreditTime(side.other, 1))
        assert hall.row.deadline_at == due + timedelta(seconds=90)
        clock = hall.state.clock
        assert clock.control.timing is DelayMethod.SIMPLE
        assert clock.reserve[side.other] == 360_001

    def test_only_where_there_is_a_clock_and_only_more(self, hall: Hall, now: datetime) -> None:
        for milliseconds in (0, -5, 60 * 86_400_000 + 1):
            assert hall.refused(CreditTime(Side.WHITE, milliseconds)) == "bad-credit"
        Match.objects.update(status=Status.VOID, finished_at=now, deadline_at=None)

    def test_not_without_a_clock(self, db: None, now: datetime) -> None:
        hall = Hall(now, agreed=club_terms(clock=None))
        assert hall.refused(CreditTime(Side.WHITE, 1)) == "no-clock"


class TestTakeBack:
    @pytest.mark.long
    def test_to_any_line_the_board_is_as_it_was_after_it(self, hall: Hall) -> None:
        steps = list(journal.iterate_steps(hall.row))
        present = steps[-1].after.match
        for step in reversed(steps[:-1]):
            past = step.after.match
            if (past.game, past.score) == (present.game, present.score):
                assert hall.refused(TakeBack(step.line.seq)) == "nothing-to-take-back"
                continue
            hall.rule(TakeBack(step.line.seq))
            state = hall.state
            assert (state.match.game, state.match.score) == (past.game, past.score)
            present = past
        assert hall.state.match.game.phase is Phase.OPENING
        hall.goes_on()

    def test_a_takeback_can_be_taken_back(self, hall: Hall) -> None:
        head, game = hall.row.head, hall.state.match.game
        hall.rule(TakeBack(to_start_of=Start.GAME))
        assert hall.state.match.game.plies == 0
        hall.rule(TakeBack(head))
        assert hall.state.match.game == game

    def test_the_journal_keeps_what_was_taken_back_and_rolls_get_new_numbers(self, hall: Hall) -> None:
        facts, number = hall.lines(), hall.state.dicing.next
        hall.rule(TakeBack(to_start_of=Start.GAME))
        assert hall.lines()[: len(facts)] == facts
        assert hall.state.dicing.next == number
        hall.open()
        assert hall.state.dicing.next > number

    def test_to_the_start_of_the_turn(self, hall: Hall) -> None:
        before = hall.state.match.game
        side = hall.state.owing[0]
        hall.give(side, commands.Double())
        hall.give(side.other, commands.Take())  # who cannot double any more rolls by itself
        assert hall.state.match.game.cube.value == 2
        hall.rule(TakeBack(to_start_of=Start.TURN))
        game = hall.state.match.game
        assert (game.board, game.turn, game.cube, game.phase) == (before.board, side, Cube(), Phase.TO_ROLL)
        assert hall.state.owing == (side,)

    def test_directly_after_a_play_the_turn_is_the_one_just_played(self, hall: Hall) -> None:
        side = hall.state.owing[0]
        before = hall.state.match.game
        hall.give(side, commands.Roll())
        while hall.state.match.game.turn is side:
            hall.act()
        assert hall.state.match.game.board != before.board
        hall.rule(TakeBack(to_start_of=Start.TURN))
        game = hall.state.match.game
        assert (game.board, game.turn, game.phase) == (before.board, side, Phase.TO_ROLL)
        # Once more: the turn before that, and not the one that was taken back.
        plies = game.plies
        hall.rule(TakeBack(to_start_of=Start.TURN))
        assert (hall.state.match.game.turn, hall.state.match.game.plies) == (side.other, plies - 1)

    def test_what_followed_by_itself_is_no_turn_of_its_own(self, hall: Hall) -> None:
        """The opponent cannot double, so the roll is made with the play before it."""
        side = hall.state.owing[0]
        hall.give(side, commands.Double())
        hall.give(side.other, commands.Take())
        while hall.state.match.game.turn is side:
            hall.act()
        while hall.state.owing != (side.other,):
            hall.act()
        hall.give(side.other, commands.Roll())
        before = hall.state.match.game
        assert (before.turn, before.phase) == (side.other, Phase.TO_PLAY)
        hall.act()
        while hall.state.asked is not None:
            hall.act()
        assert (hall.state.match.game.turn, hall.state.match.game.phase) == (side, Phase.TO_PLAY)
        hall.rule(TakeBack(to_start_of=Start.TURN))
        game = hall.state.match.game
        assert (game.board, game.turn, game.phase) == (before.board, side.other, Phase.TO_ROLL)

    def test_a_roll_made_when_the_share_arrives_is_no_turn_of_its_own(self, hall: Hall) -> None:
        """The opponent cannot double, and the roll waits for their browser to seal its share: its own
        line."""
        side = hall.state.owing[0]
        hall.give(side, commands.Double())
        hall.give(side.other, commands.Take())
        while hall.state.match.game.turn is side:
            hall.act()
        hall.give(side.other, commands.Roll())
        while hall.state.asked is not None:
            hall.act()
        before = hall.state.match.game
        assert (before.turn, before.phase) == (side.other, Phase.TO_PLAY)
        Match.objects.update(deposits={})
        hall.act()
        played = hall.row.head
        while hall.state.match.game.phase is not Phase.TO_PLAY:
            for each in Side:
                hall.give(each, commands.Share())
        assert JournalEntry.objects.get(seq=hall.row.head, fact__fact="rolled").lines
        assert hall.row.head > played

        hall.rule(TakeBack(to_start_of=Start.TURN))
        game = hall.state.match.game
        assert (game.board, game.turn, game.phase) == (before.board, side.other, Phase.TO_ROLL)

    def test_new_dice_are_no_turn_of_their_own(
        self, db: None, now: datetime, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The chains were used up with the play before, and the browsers have sealed new ones since."""
        monkeypatch.setattr(dice, "ROLLS_A_POINT", 2)
        hall = Hall(now, agreed=build_terms(Rules(length=3, cube=False), None))
        hall.begin()
        first, before = hall.state.dicing.first, hall.state.match.game
        while hall.state.dicing.first == first:
            before = hall.state.match.game
            hall.act()
        while hall.state.match.game.phase is not Phase.TO_PLAY:
            hall.act()

        # Without a cube the roll of that turn may have been made again already.
        hall.rule(TakeBack(to_start_of=Start.TURN))
        game = hall.state.match.game
        assert (game.board, game.turn) == (before.board, before.turn)

    def test_once_more_is_the_turn_before_even_where_the_roll_was_made_again(
        self, db: None, now: datetime
    ) -> None:
        hall = Hall(now, agreed=build_terms(Rules(length=3, cube=False), None))
        hall.begin()
        first = hall.state.match.game
        for _ in range(2):
            hall.act()
            while hall.state.match.game.phase is not Phase.TO_PLAY:
                hall.act()
        # All shares are here, so each turn that is taken back is rolled again at once.
        for side in Side:
            hall.give(side, commands.Share(), shares=hall.shares(side, 3))
        for _ in range(2):
            hall.rule(TakeBack(to_start_of=Start.TURN))
        game = hall.state.match.game
        assert game.phase is Phase.TO_PLAY
        assert (game.board, game.turn, game.plies) == (first.board, first.turn, first.plies)

    def test_a_position_that_was_set_begins_the_turn_anew(self, hall: Hall) -> None:
        hall.moves(1)
        board = hall.state.match.game.board
        side = hall.state.owing[0]
        other = Board.from_counts({24: 2, 13: 5, 8: 3, 6: 4, 5: 1}, {24: 2, 13: 5, 8: 3, 6: 5})
        hall.rule(SetPosition(other, side, Cube(), Dice(3, 1)))
        before = hall.state.match.game
        while hall.state.match.game.turn is side:
            hall.act()

        hall.rule(TakeBack(to_start_of=Start.TURN))
        assert hall.state.match.game == before
        # Nothing was done since then, so the next one takes back the position too.
        hall.rule(TakeBack(to_start_of=Start.TURN))
        assert hall.state.match.game.board == board

    def test_directly_after_a_game_the_game_is_the_one_just_played(self, hall: Hall) -> None:
        hall.rule(RuleGame(Side.BLACK, 1))
        assert hall.state.match.number == 2
        hall.rule(TakeBack(to_start_of=Start.GAME))
        match = hall.state.match
        assert (match.score, match.number, match.game.plies) == (BySide(0, 0), 1, 0)

    def test_before_the_first_roll_there_is_nothing(self, db: None, now: datetime) -> None:
        hall = Hall(now)
        hall.sit_down()
        for start in Start:
            assert hall.refused(TakeBack(to_start_of=start)) == "nothing-to-take-back"

    def test_to_the_start_of_the_game_leaves_those_before(self, hall: Hall) -> None:
        hall.rule(RuleGame(Side.BLACK, 1))
        hall.open()
        hall.moves(2)
        hall.rule(TakeBack(to_start_of=Start.GAME))
        match = hall.state.match
        assert (match.score, match.number, match.game.phase) == (BySide(0, 1), 2, Phase.OPENING)

    def test_the_end_itself(self, hall: Hall, signals: list[tuple[str, int]]) -> None:
        side = hall.state.owing[0]
        hall.give(side, commands.Concede())
        assert hall.row.status == Status.FINISHED
        hall.rule(TakeBack(hall.row.head - 1))
        row = hall.row
        assert (row.status, row.winner, row.finished_at) == (Status.LIVE, "", None)
        assert hall.state.owing == (side,)
        assert row.deadline_at is not None

    def test_the_last_turn_of_a_match_that_is_over(self, hall: Hall) -> None:
        side = hall.state.owing[0]
        hall.give(side, commands.Roll())
        while hall.state.match.game.dice is None and not hall.state.match.is_over:
            hall.act()
        turn = hall.state.match.game.turn
        hall.give(Side.WHITE, commands.Concede())
        hall.rule(TakeBack(to_start_of=Start.TURN))
        game = hall.state.match.game
        assert (game.turn, game.dice, hall.row.status) == (turn, None, Status.LIVE)

    @pytest.mark.parametrize("line", [-1, 10_000])
    def test_only_to_lines_that_are_there(self, hall: Hall, line: int) -> None:
        assert hall.refused(TakeBack(line)) == "no-such-line"

    @pytest.mark.long
    def test_a_share_that_was_asked_for_is_forgotten(self, db: None, now: datetime) -> None:
        hall = Hall(now)
        hall.begin()
        hall.moves(2)
        side = hall.state.owing[0]
        Match.objects.update(deposits={})
        hall.give(side, commands.Roll())
        assert hall.state.asked is not None
        hall.rule(TakeBack(to_start_of=Start.GAME))
        assert hall.state.asked is None
        hall.goes_on()


class TestBoard:
    def test_a_position_with_and_without_dice(self, hall: Hall) -> None:
        board = Board.from_counts({6: 2, 4: 1}, {25: 1, 1: 14})
        hall.rule(SetPosition(board, Side.WHITE, Cube(2, Side.WHITE)))
        game = hall.state.match.game
        assert (game.board, game.turn, game.cube, game.phase) == (
            board,
            Side.WHITE,
            Cube(2, Side.WHITE),
            Phase.TO_ROLL,
        )
        hall.rule(SetPosition(board, Side.BLACK, Cube(), Dice(6, 1)))
        state = hall.state
        assert (state.owing, state.match.game.dice) == ((Side.BLACK,), Dice(6, 1))
        assert state.clock.turn is Side.BLACK
        hall.goes_on()

    def test_only_what_can_be_played(self, hall: Hall) -> None:
        over = Board.from_counts({}, {1: 15})
        few = Board.from_counts({6: 3}, {6: 3}, checkers=3)
        for board in (over, few):
            assert hall.refused(SetPosition(board, Side.WHITE, Cube())) == "bad-position"

    def test_no_cube_where_none_is_played(self, db: None, now: datetime) -> None:
        hall = Hall(now, agreed=club_terms(1))
        assert hall.refused(SetPosition(STANDARD, Side.WHITE, Cube(2, Side.WHITE))) == "no-cube"

    def test_between_games_too(self, db: None, now: datetime) -> None:
        hall = Hall(now)
        hall.sit_down()
        hall.rule(SetPosition(STANDARD, Side.BLACK, Cube()))
        assert hall.state.owing == (Side.BLACK,)
        hall.goes_on()


class TestScore:
    @pytest.mark.parametrize(
        ("score", "played", "crawford"),
        [
            (BySide(1, 1), None, Crawford.AHEAD),
            (BySide(2, 1), None, Crawford.NOW),
            (BySide(2, 1), True, Crawford.PAST),
            (BySide(2, 1), False, Crawford.NOW),
            (BySide(2, 2), None, Crawford.PAST),
        ],
    )
    def test_with_the_crawford_game_played_or_not(
        self, hall: Hall, score: BySide[int], played: bool | None, crawford: Crawford
    ) -> None:
        hall.rule(SetScore(score.white, score.black, played))
        match = hall.state.match
        assert (match.score, match.crawford, match.game.phase) == (score, crawford, Phase.OPENING)
        row = hall.row
        assert (row.white_score, row.black_score) == tuple(score)

    def test_below_one_short_the_crawford_game_is_still_to_come(self, hall: Hall) -> None:
        hall.rule(SetScore(2, 1, crawford_played=True))
        hall.rule(SetScore(1, 1))
        assert hall.state.match.crawford is Crawford.AHEAD
        hall.rule(SetScore(2, 1))
        assert hall.state.match.game.crawford

    def test_a_score_can_end_the_match_and_open_it_again(
        self, hall: Hall, signals: list[tuple[str, int]]
    ) -> None:
        hall.rule(SetScore(0, 3))
        assert (hall.row.status, hall.row.winner) == (Status.FINISHED, "black")
        hall.rule(SetScore(1, 2))
        assert (hall.row.status, hall.row.winner) == (Status.LIVE, "")

    @pytest.mark.parametrize("score", [BySide(-1, 0), BySide(3, 3), BySide(0, 1_001)])
    def test_only_scores_that_can_be(self, hall: Hall, score: BySide[int]) -> None:
        assert hall.refused(SetScore(*score)) in {"bad-score", "bad-points"}

    def test_a_fine_can_win_the_match(self, hall: Hall) -> None:
        hall.rule(Penalise(Side.WHITE, 1))
        assert hall.row.black_score == 1
        hall.rule(Penalise(Side.WHITE, 2))
        assert (hall.row.status, hall.row.winner) == (Status.FINISHED, "black")
        assert hall.refused(Penalise(Side.WHITE, 1)) == "play-after-end"

    def test_between_games_a_fine_brings_the_crawford_game(self, db: None, now: datetime) -> None:
        hall = Hall(now)
        hall.sit_down()
        hall.rule(Penalise(Side.BLACK, 2))
        assert hall.state.match.game.crawford

    @pytest.mark.parametrize("points", [0, -1, 1_001])
    def test_points_are_points(self, hall: Hall, points: int) -> None:
        assert hall.refused(Penalise(Side.WHITE, points)) in {"bad-penalty", "bad-points"}
        assert hall.refused(RuleGame(Side.WHITE, points)) == "bad-points"


class TestGamesAndMatches:
    def test_the_game_is_given(self, hall: Hall) -> None:
        hall.rule(RuleGame(Side.WHITE, 2))
        match = hall.state.match
        assert (match.score, match.results[-1].how, match.game.crawford) == (
            BySide(2, 0),
            Termination.RULING,
            True,
        )
        hall.goes_on()

    def test_the_game_is_played_again(self, hall: Hall) -> None:
        hall.rule(VoidGame())
        match = hall.state.match
        assert (match.score, match.results, match.game.phase) == (BySide(0, 0), (), Phase.OPENING)
        assert hall.refused(VoidGame()) == hall.refused(RuleGame(Side.WHITE, 1)) == "no-game"
        hall.goes_on()

    @pytest.mark.parametrize("verdict", list(Verdict))
    def test_the_match_is_given(self, hall: Hall, verdict: Verdict) -> None:
        hall.rule(RuleMatch(Side.BLACK, verdict), reason="left the room")
        row = hall.row
        assert (row.status, row.winner, row.deadline_at) == (Status.FINISHED, "black", None)
        assert hall.lines()[-1].reason == f"{verdict.value}: left the room"
        assert directing_api.list_rulings(row)[0].reason == f"{verdict.value.title()}: left the room"

    def test_a_walkover_before_anybody_came(self, db: None, now: datetime) -> None:
        hall = Hall(now)
        hall.rule(RuleMatch(Side.WHITE, Verdict.WALKOVER))
        assert (hall.row.status, hall.row.winner) == (Status.FINISHED, "white")

    def test_void_does_not_count_and_can_be_revoked(self, hall: Hall) -> None:
        head = hall.row.head
        hall.rule(VoidMatch())
        assert (hall.row.status, hall.row.winner) == (Status.VOID, "")
        hall.rule(TakeBack(head))
        assert hall.row.status == Status.LIVE
        hall.goes_on()


def test_a_ruling_on_a_match_that_is_over_reopens_it(
    db: None, now: datetime, django_capture_on_commit_callbacks: Any
) -> None:
    heard: list[str] = []
    finished = lambda **_: heard.append("finished")  # noqa: E731
    reopened = lambda **_: heard.append("reopened")  # noqa: E731
    match_finished.connect(finished)
    match_reopened.connect(reopened)
    hall = Hall(now)

    def told(ruling: Ruling) -> list[str]:
        heard.clear()
        with django_capture_on_commit_callbacks(execute=True):
            hall.rule(ruling)
        return heard.copy()

    try:
        hall.begin()
        assert told(RuleMatch(Side.WHITE)) == ["finished"]
        assert told(RuleMatch(Side.WHITE)) == []  # the same again, for another reason
        assert told(RuleMatch(Side.BLACK)) == ["reopened", "finished"]
        assert told(VoidMatch()) == ["reopened", "finished"]
        assert told(RuleMatch(Side.BLACK)) == ["reopened", "finished"]
        assert told(TakeBack(to_start_of=Start.GAME)) == ["reopened"]
        assert told(VoidMatch()) == ["finished"]
        assert told(SetScore(1, 1)) == ["reopened"]
    finally:
        match_finished.disconnect(finished)
        match_reopened.disconnect(reopened)


class TestCallingOff:
    """Either player of a friendly match may end it before it begins."""

    @pytest.mark.parametrize("side", list(Side))
    def test_before_the_dice_are_shown(self, db: None, now: datetime, side: Side) -> None:
        hall = Hall(now, club=None)
        hall.promise(Side.WHITE)
        user = hall.player(side).user
        hall.rule(VoidMatch(), user=user, reason="")
        assert hall.row.status == Status.VOID
        line = journal.list_lines(hall.row)[-1]
        assert (line.by, line.who) == (side.word, hall.player(side).key)
        assert line.fact.reason == f"called-off:{side.word}"  # type: ignore[union-attr]
        assert directing_api.list_rulings(hall.row) == []

    def test_not_after_it_has_begun_and_not_in_a_club(self, db: None, now: datetime) -> None:
        hall = Hall(now, club=None)
        hall.begin()
        with pytest.raises(NotAllowed):
            hall.rule(VoidMatch(), user=hall.white.user)
        other = Table(now, players=(hall.white, hall.black), club=hall.club)
        with pytest.raises(NotAllowed):
            directing.rule(
                match_id=other.match.pk,
                user=hall.white.user,  # type: ignore[arg-type]
                ruling=VoidMatch(),
                reason="",
                after=other.row.head,
                now=now,
                request=RequestIdentity("director.1", "another-key", "digest"),
            )

    def test_nothing_else_is_theirs(self, db: None, now: datetime) -> None:
        hall = Hall(now, club=None)
        for ruling in EVERY[:-1]:
            with pytest.raises(NotAllowed):
                hall.rule(ruling, user=hall.white.user)


def test_nothing_falls_for_whom_the_director_has_stopped(hall: Hall) -> None:
    hall.rule(Pause())
    assert deadlines.sweep(hall.now + timedelta(days=30)) == 0
