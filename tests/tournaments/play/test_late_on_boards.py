"""Points for lateness and live boards: given before, given after, corrected, taken back, and what they end."""

from __future__ import annotations

from datetime import timedelta

import pytest

from engine.actions import Opened, Penalised
from engine.errors import IllegalAction
from engine.match import Crawford, apply, replay
from engine.match import Match as Played
from engine.rules import Rules
from engine.side import BLACK, WHITE
from matches.journal import journal
from matches.models import JournalEntry, Match
from matches.state import commands, rulings
from players.models import User
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.play.test_boards import ruled, seated, submit
from tournaments.base.errors import BadScore, NotOpen, PointsForgotten
from tournaments.base.settings import Settings
from tournaments.models import Pairing
from tournaments.plan import drawing
from tournaments.plan.templates import StagePlan
from tournaments.play import boards, corrections, deadlines, incidents, results

KEY = "main/1.1"
LADDER = ((5, 1), (10, 2), (15, None))


@pytest.fixture
def users(desk: Desk) -> dict[int, User]:
    """Four members in a knock-out to 5, by their players."""
    desk.announce(a_plan("single-elimination", Settings(lateness=LADDER)))
    users = [desk.entrant(name) for name in ("Ann", "Ben", "Cid", "Dee")]
    desk.do(drawing.publish)
    desk.fresh()
    return {user.player.pk: user for user in users}


def a_is_late(desk: Desk, points: int) -> Pairing:
    row = desk.row(KEY)
    desk.do(incidents.penalise_lateness, key=KEY, entry=row.a.number, points=points)
    return desk.row(KEY)


def laid_out(desk: Desk) -> Match:
    return results.open_board(tournament_id=desk.pk, key=KEY, user=desk.director, now=desk.now)


def stands(match: Match) -> Played:
    match.refresh_from_db()
    assert not list(journal.find_problems(match))
    return journal.load(match).match


def game_is_on(desk: Desk, match: Match, users: dict[int, User]) -> None:
    """Seat both players and begin the first game."""
    seated(desk, match, users)
    for number in range(40):
        if stands(match).game.plies:
            return
        side = (WHITE, BLACK)[number % 2]
        player = match.black_id if side else match.white_id
        if side in journal.load(match).owing:
            submit(desk, match, users[player], commands.Roll(), f"open {number}")
    raise AssertionError("no game began")


# -- given before the board is laid out


def test_a_board_opens_at_the_score_that_lateness_has_made(desk: Desk, users: dict[int, User]) -> None:
    a_is_late(desk, 2)

    match = laid_out(desk)

    assert tuple(stands(match).score) == (0, 2)
    assert (match.white_score, match.black_score) == (0, 2)
    fact = JournalEntry.objects.get(match=match, fact__fact="penalised").fact
    assert (fact["side"], fact["points"], fact["reason"]) == ("white", 2, "late:white")


def test_points_that_leave_one_short_make_the_first_game_the_crawford_game(
    desk: Desk, users: dict[int, User]
) -> None:
    a_is_late(desk, 4)

    found = stands(laid_out(desk))

    assert (found.crawford, found.game.crawford) == (Crawford.NOW, True)


def test_the_late_player_does_not_win_a_match_that_was_over(desk: Desk, users: dict[int, User]) -> None:
    row = a_is_late(desk, 2)
    match = laid_out(desk)

    game_is_on(desk, match, users)
    ruled(desk, match, rulings.RuleGame(BLACK, 3), "three points")
    assert boards.sweep(desk.now) == 1

    row = desk.row(KEY)
    assert (row.winner_id, row.score_a, row.score_b) == (row.b_id, 0, 5)


def test_points_worth_the_match_end_it_without_a_board(desk: Desk, users: dict[int, User]) -> None:
    row = a_is_late(desk, 5)

    assert (row.state, row.kind, row.winner_id, row.score_a) == ("decided", "forfeit", row.b_id, None)
    assert row.b_id in (desk.row("main/2.1").a_id, desk.row("main/2.1").b_id)
    assert row.match_id is None
    desk.do(corrections.undo_act, ruling_id=desk.ruling().pk, reason="the wrong table")
    assert (desk.row(KEY).state, desk.row(KEY).a_late) == ("ready", 0)


def test_the_clock_of_the_event_ends_a_short_match_by_one_point(desk: Desk) -> None:
    stage = StagePlan(format="single-elimination", rules=({"length": 1},))
    desk.start(a_plan([stage], Settings(lateness=LADDER)), 4)
    row = desk.row(KEY)
    desk.do(incidents.record_arrival, key=KEY, entry=row.a.number)

    desk.now += timedelta(minutes=5)
    assert deadlines.sweep(desk.now) == 1

    row = desk.row(KEY)
    assert (row.state, row.kind, row.winner_id, row.b_late) == ("decided", "forfeit", row.a_id, 1)


# -- given, corrected and taken back while it is laid out


def test_points_given_later_are_put_on_the_board_and_corrected_there(
    desk: Desk, users: dict[int, User]
) -> None:
    match = laid_out(desk)
    a_is_late(desk, 4)
    assert (tuple(stands(match).score), stands(match).crawford) == ((0, 4), Crawford.NOW)

    a_is_late(desk, 1)
    found = stands(match)
    assert (tuple(found.score), found.crawford, found.game.crawford) == ((0, 1), Crawford.AHEAD, False)

    desk.do(corrections.undo_act, ruling_id=desk.ruling().pk, reason="it was four after all")
    assert (tuple(stands(match).score), desk.row(KEY).a_late) == ((0, 4), 4)
    assert desk.row(KEY).match == match


def test_a_board_laid_out_since_stays_when_the_points_are_taken_back(
    desk: Desk, users: dict[int, User]
) -> None:
    a_is_late(desk, 2)
    ruling = desk.ruling()
    match = laid_out(desk)

    desk.do(corrections.undo_act, ruling_id=ruling.pk, reason="he was here")

    assert desk.row(KEY).match == match
    assert tuple(stands(match).score) == (0, 0)
    assert laid_out(desk) == match


def test_in_a_game_they_count_at_once_and_can_be_taken_back(desk: Desk, users: dict[int, User]) -> None:
    match = laid_out(desk)
    game_is_on(desk, match, users)
    board = stands(match).game.board

    a_is_late(desk, 4)
    assert (tuple(stands(match).score), tuple(stands(match).away or ())) == ((0, 4), (5, 1))
    assert stands(match).game.is_cube_stopped
    desk.do(corrections.undo_act, ruling_id=desk.ruling().pk, reason="he was here")

    found = stands(match)
    assert (tuple(found.score), found.game.board, found.game.plies) == ((0, 0), board, 1)
    assert (tuple(found.game.away or ()), found.game.is_cube_stopped) == ((5, 5), False)


def test_a_crawford_game_that_only_lateness_had_made_is_none_any_more(
    desk: Desk, users: dict[int, User]
) -> None:
    a_is_late(desk, 4)
    match = laid_out(desk)
    game_is_on(desk, match, users)
    assert stands(match).game.crawford

    desk.do(incidents.penalise_lateness, key=KEY, entry=number_of_a(desk), points=0)

    found = stands(match)
    assert (found.crawford, found.game.crawford, tuple(found.score)) == (Crawford.AHEAD, False, (0, 0))


def number_of_a(desk: Desk) -> int:
    row = desk.row(KEY)
    return row.a.number


@pytest.mark.long
@pytest.mark.share
def test_points_can_end_a_match_on_the_board_and_taken_back_it_goes_on(
    desk: Desk, users: dict[int, User]
) -> None:
    match = laid_out(desk)
    game_is_on(desk, match, users)
    ruled(desk, match, rulings.RuleGame(BLACK, 3), "three points")
    a_is_late(desk, 2)

    row = desk.row(KEY)
    assert (row.state, row.kind, row.score_a, row.score_b) == ("decided", "played", 0, 5)
    assert stands(match).winner is BLACK
    assert boards.sweep(desk.now) == 0

    desk.do(corrections.undo_act, ruling_id=desk.ruling().pk, reason="he was here")
    assert (desk.row(KEY).state, tuple(stands(match).score)) == ("ready", (0, 3))
    assert not stands(match).is_over


def test_a_match_won_with_points_that_are_taken_back_goes_on(desk: Desk, users: dict[int, User]) -> None:
    a_is_late(desk, 2)
    ruling = desk.ruling()
    match = laid_out(desk)
    game_is_on(desk, match, users)
    ruled(desk, match, rulings.RuleGame(BLACK, 3), "three points")
    boards.sweep(desk.now)
    assert desk.row(KEY).state == "decided"

    desk.do(corrections.undo_act, ruling_id=ruling.pk, reason="he was here")
    boards.sweep(desk.now)

    assert (desk.row(KEY).state, tuple(stands(match).score), stands(match).is_over) == (
        "ready",
        (0, 3),
        False,
    )


def test_a_match_given_up_stays_given_up_whatever_becomes_of_the_points(
    desk: Desk, users: dict[int, User]
) -> None:
    a_is_late(desk, 2)
    ruling = desk.ruling()
    match = laid_out(desk)
    game_is_on(desk, match, users)
    ruled(desk, match, rulings.RuleMatch(BLACK, rulings.Verdict.FORFEIT), "forfeit")
    boards.sweep(desk.now)

    desk.do(corrections.undo_act, ruling_id=ruling.pk, reason="he was here")
    boards.sweep(desk.now)

    row = desk.row(KEY)
    assert (row.state, row.kind, row.winner_id) == ("decided", "forfeit", row.b_id)


def test_a_match_that_is_over_on_its_board_takes_no_more_points(desk: Desk, users: dict[int, User]) -> None:
    match = laid_out(desk)
    game_is_on(desk, match, users)
    ruled(desk, match, rulings.RuleMatch(BLACK, rulings.Verdict.FORFEIT), "forfeit")

    with pytest.raises(NotOpen):
        a_is_late(desk, 1)
    assert desk.row(KEY).a_late == 0


# -- who is late at all


def test_the_clock_of_the_event_fines_on_the_board_too(desk: Desk, users: dict[int, User]) -> None:
    row, match = desk.row(KEY), laid_out(desk)
    desk.do(incidents.record_arrival, key=KEY, entry=row.b.number)

    desk.now += timedelta(minutes=11)
    deadlines.sweep(desk.now)

    assert (desk.row(KEY).a_late, tuple(stands(match).score)) == (2, (0, 2))


def test_nobody_is_late_for_a_match_that_is_being_played(desk: Desk, users: dict[int, User]) -> None:
    row, match = desk.row(KEY), laid_out(desk)
    desk.do(incidents.record_arrival, key=KEY, entry=row.b.number)
    seated(desk, match, users)

    desk.now += timedelta(minutes=30)
    deadlines.sweep(desk.now)

    assert (desk.row(KEY).a_late, desk.row(KEY).state) == (0, "ready")


# -- on paper


def test_a_score_that_forgets_the_points_is_refused(desk: Desk, users: dict[int, User]) -> None:
    a_is_late(desk, 2)

    with pytest.raises(PointsForgotten):
        desk.do(results.enter_result, key=KEY, score=(5, 1))
    with pytest.raises(BadScore):
        desk.do(results.enter_result, key=KEY, score=(6, 2))
    desk.do(results.enter_result, key=KEY, score=(5, 2))


def test_no_more_points_are_taken_back_than_there_are() -> None:
    match = replay(Rules(length=5), [Penalised(WHITE, 2), Opened(3, 1)])

    assert tuple(apply(match, Penalised(WHITE, -1)).score) == (0, 1)
    for wrong in (-3, 0):
        with pytest.raises(IllegalAction, match="point"):
            apply(match, Penalised(WHITE, wrong))
