"""Results: entered, reported, confirmed, disputed, ruled; and only such as can be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from draw.event import Kind
from draw.rules_of_play import RulesOfPlay
from players.models import User
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.base import scores
from tournaments.base.errors import (
    AlreadyDone,
    BadGame,
    BadGames,
    BadScore,
    DirectorReports,
    NotDirector,
    NothingReported,
    NotOpen,
    NotYourMatch,
    Paused,
    ResultStands,
    UnknownPairing,
)
from tournaments.base.settings import Settings
from tournaments.hooks import event_changed, open_match_changed
from tournaments.models import Report, ReportStatus, RulingKind
from tournaments.plan import drawing
from tournaments.play import corrections, disputes, entering, event_control, incidents, progress, results

Game = dict[str, Any]


@pytest.fixture
def users(desk: Desk) -> list[User]:
    """Four members in a knock-out, the first two of whom meet."""
    return [desk.member(name) for name in ("Ann", "Ben", "Cid", "Dee")]


def start(desk: Desk, users: list[User], **said: Any) -> tuple[str, User, User]:
    """Begin; return a match and its two, a first."""
    desk.announce(a_plan("single-elimination", Settings(**said)))
    for user in users:
        entering.enter_own_player(tournament_id=desk.pk, user=user, now=desk.now)
    desk.do(drawing.publish)
    desk.fresh()
    key = next(iter(desk.pairs()))
    row = desk.row(key)
    by_player = {user.player.pk: user for user in users}
    return key, by_player[row.a.player_id], by_player[row.b.player_id]


@pytest.fixture
def heard() -> Iterator[list[str]]:
    """The signals that receivers get about an event: "changed", or only "open match"."""
    found: list[str] = []

    def hear_change(**_signal: object) -> None:
        found.append("changed")

    def hear_open_match(**_signal: object) -> None:
        found.append("open match")

    event_changed.connect(hear_change)
    open_match_changed.connect(hear_open_match)
    yield found
    event_changed.disconnect(hear_change)
    open_match_changed.disconnect(hear_open_match)


# -- scores


@pytest.mark.parametrize("typed", ["7 5", "7:5", "7-5", " 7 \u2013 5 ", "7,5", "7/5", "7  5"])
def test_a_score_is_read_as_people_type_it(typed: str) -> None:
    assert scores.parse_score(typed, 7) == (7, 5)


@pytest.mark.parametrize(
    "typed", ["", "7", "7 7", "6 5", "8 5", "5 5", "7 5 3", "a b", "-7 5", "70 5", "0 0"]
)
def test_what_no_match_ends_with_is_refused(typed: str) -> None:
    with pytest.raises(BadScore):
        scores.parse_score(typed, 7)


def test_a_wrong_score_of_a_match_to_one_point_is_refused_without_a_plural() -> None:
    with pytest.raises(BadScore) as refusal:
        scores.parse_score("1 1", 1)
    assert str(refusal.value) == "A match to 1 ends when one has 1 point and the other has none."


def test_a_score_that_no_best_of_ends_with_is_refused_in_games() -> None:
    with pytest.raises(BadScore) as refusal:
        scores.parse_score("3 1", 2, RulesOfPlay(best_of=3))
    assert str(refusal.value) == "A best of 3 ends when one has won 2 games and the other fewer."


def game(winner: str, points: int, cube: int = 1, end: str = "single") -> Game:
    return {"winner": winner, "points": points, "cube": cube, "end": end}


@pytest.mark.parametrize(
    "games",
    [
        [game("a", 4, 2, "gammon"), game("b", 1), game("a", 1)],
        [game("a", 8, 4, "gammon")],
        [game("b", 2, 2, "drop"), game("a", 2, 1, "gammon"), game("b", 2, 2), game("a", 3, 1, "backgammon")],
        # The Crawford game has no cube, the one after it may have.
        [game("a", 4, 2, "gammon"), game("b", 1), game("b", 2, 2), game("a", 2, 2)],
    ],
)
def test_games_that_add_up(games: list[Game]) -> None:
    total = [0, 0]
    for one in games:
        total[one["winner"] == "b"] += one["points"]
    scores.check_games(games, (min(total[0], 5), total[1]), 5)


@pytest.mark.parametrize(
    ("games", "refusal"),
    [
        ([game("a", 4, 2, "gammon")], BadGames),
        ([game("a", 8, 4, "gammon"), game("b", 1)], BadGames),
        ([game("a", 3)], BadGame),
        ([game("a", 3, 3)], BadGame),
        ([game("a", 0, 0)], BadGame),
        ([game("c", 1)], BadGame),
        ([game("a", 1, 1, "stalemate")], BadGame),
        ([game("a", 4, 2, "gammon"), game("a", 2, 2)], BadGame),
        ([game("a", 4, 2, "gammon"), game("a", 1, 1, "drop")], BadGame),
        ([], BadGames),
    ],
)
def test_games_that_do_not(games: list[Game], refusal: type[Exception]) -> None:
    with pytest.raises(refusal):
        scores.check_games(games, (5, 0), 5)


def test_penalty_points_count_before_the_first_game() -> None:
    scores.check_games([game("a", 4, 2, "gammon")], (5, 0), 5, (1, 0))
    with pytest.raises(BadGames):
        scores.check_games([game("a", 4, 2, "gammon")], (5, 0), 5)


# -- the desk


def test_a_result_moves_the_bracket_on_and_is_noted(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 4)
    first, second = desk.pairs()
    winners = {desk.play(key).winner_id for key in (first, second)}

    assert {desk.row("main/2.1").a_id, desk.row("main/2.1").b_id} == winners
    assert desk.event.rulings.filter(act=RulingKind.ENTERED_RESULT, by=desk.director).count() == 2
    row = desk.row(second)
    a, b = row.a.number, row.b.number
    score = [5, 0] if a < b else [0, 5]
    assert desk.ruling().data == {"key": second, "between": [a, b], "score": score}


def test_every_change_is_counted(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 4)
    before, stamp = desk.fresh().version, desk.event.stamp

    desk.play(next(iter(desk.pairs())))

    assert desk.fresh().version > before
    assert desk.event.stamp != stamp


def test_who_enters_it_again_is_told_so_and_who_enters_another_too(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 4)
    key = next(iter(desk.pairs()))
    desk.do(results.enter_result, key=key, score=(5, 2))

    with pytest.raises(AlreadyDone):
        desk.do(results.enter_result, key=key, score=(5, 2))
    with pytest.raises(ResultStands):
        desk.do(results.enter_result, key=key, score=(5, 3))


def test_what_cannot_be_entered(desk: Desk, users: list[User]) -> None:
    key, *_ = start(desk, users)
    enter = {"tournament_id": desk.pk, "now": desk.now}

    with pytest.raises(UnknownPairing):
        desk.do(results.enter_result, key="main/9.9", score=(5, 2))
    with pytest.raises(NotOpen):
        desk.do(results.enter_result, key="main/2.1", score=(5, 2))
    with pytest.raises(BadScore):
        desk.do(results.enter_result, key=key, score=(6, 2))
    with pytest.raises(BadGames):
        desk.do(results.enter_result, key=key, score=(5, 0), games=[game("a", 1)])
    with pytest.raises(NotDirector):
        results.enter_result(key=key, score=(5, 2), by=users[0], **enter)  # type: ignore[arg-type]
    desk.do(event_control.pause_event)
    with pytest.raises(Paused):
        desk.do(results.enter_result, key=key, score=(5, 2))


# -- players


def test_the_winner_reports_and_the_loser_confirms(desk: Desk, users: list[User]) -> None:
    key, ann, ben = start(desk, users)
    said = results.report_result(tournament_id=desk.pk, key=key, user=ann, score=(5, 2), now=desk.now)
    assert (said.status, desk.row(key).state) == ("open", "ready")

    results.confirm_report(tournament_id=desk.pk, key=key, user=ben, score=(5, 2), now=desk.now)

    row = desk.row(key)
    assert (row.state, row.score_a, row.score_b, row.winner_id) == ("decided", 5, 2, row.a_id)
    said.refresh_from_db()
    assert said.status == "confirmed"
    with pytest.raises(AlreadyDone):
        results.confirm_report(tournament_id=desk.pk, key=key, user=ben, score=(5, 2), now=desk.now)


def test_who_reports_that_he_has_lost_needs_nobody_to_confirm(desk: Desk, users: list[User]) -> None:
    key, _, ben = start(desk, users)

    said = results.report_result(tournament_id=desk.pk, key=key, user=ben, score=(5, 2), now=desk.now)

    assert (said.status, desk.row(key).state) == ("confirmed", "decided")


def test_where_both_report_the_same_twice_is_enough(desk: Desk, users: list[User]) -> None:
    key, ann, ben = start(desk, users, reporting="both")
    results.report_result(tournament_id=desk.pk, key=key, user=ben, score=(5, 2), now=desk.now)
    assert desk.row(key).state == "ready"

    results.report_result(tournament_id=desk.pk, key=key, user=ann, score=(5, 2), now=desk.now)

    assert desk.row(key).state == "decided"
    assert Report.objects.filter(pairing__key=key, status="confirmed").count() == 1


def test_who_do_not_agree_call_the_director_who_rules(desk: Desk, users: list[User]) -> None:
    key, ann, ben = start(desk, users, reporting="both")
    results.report_result(tournament_id=desk.pk, key=key, user=ann, score=(5, 2), now=desk.now)
    results.report_result(tournament_id=desk.pk, key=key, user=ben, score=(3, 5), now=desk.now)
    assert desk.row(key).needs_director == "dispute"
    assert set(Report.objects.values_list("status", flat=True)) == {"disputed"}

    desk.do(disputes.rule_on_match, key=key, score=(5, 3), reason="the slip says so")

    row = desk.row(key)
    assert (row.state, row.needs_director, row.score_b) == ("decided", "", 3)
    assert set(Report.objects.values_list("status", flat=True)) == {"dropped"}


def test_two_who_come_to_agree_after_all_need_no_director(desk: Desk, users: list[User]) -> None:
    key, ann, ben = start(desk, users, reporting="both")
    results.report_result(tournament_id=desk.pk, key=key, user=ann, score=(5, 2), now=desk.now)
    results.report_result(tournament_id=desk.pk, key=key, user=ben, score=(3, 5), now=desk.now)

    results.report_result(tournament_id=desk.pk, key=key, user=ben, score=(5, 2), now=desk.now)

    assert (desk.row(key).state, desk.row(key).needs_director) == ("decided", "")


def test_a_match_that_is_reopened_can_be_reported_and_confirmed_again(desk: Desk, users: list[User]) -> None:
    key, a, b = start(desk, users)
    for score in ((2, 5), (3, 5)):
        results.report_result(tournament_id=desk.pk, key=key, user=a, score=score, now=desk.now)
        assert desk.row(key).winner == desk.row(key).b
        desk.do(corrections.correct_result, key=key, kind="", reason="Not over yet")
        assert not Report.objects.exclude(status=ReportStatus.DROPPED).exists()
    results.report_result(tournament_id=desk.pk, key=key, user=b, score=(4, 5), now=desk.now)
    results.confirm_report(tournament_id=desk.pk, key=key, user=a, score=(4, 5), now=desk.now)
    assert (desk.row(key).score_a, desk.row(key).score_b) == (4, 5)


@pytest.mark.long
@pytest.mark.share
def test_a_match_that_an_undone_act_takes_away_can_be_reported_again(desk: Desk, users: list[User]) -> None:
    key, _a, b = start(desk, users)
    other = next(one for one in desk.pairs() if one != key)
    _, loser = desk.pairs()[other]
    desk.play(key, desk.row(key).b.number)
    desk.do(incidents.record_walkover, key=other, loser=loser)
    walkover = desk.ruling()
    [final] = desk.pairs()
    lost = (0, 5) if desk.row(final).a.player == b.player else (5, 0)
    results.report_result(tournament_id=desk.pk, key=final, user=b, score=lost, now=desk.now)
    desk.do(corrections.undo_act, ruling_id=walkover.pk, reason="He was outside")
    assert desk.row(final).kind == ""
    assert not Report.objects.exists()
    desk.play(other)
    results.report_result(tournament_id=desk.pk, key=final, user=b, score=lost, now=desk.now)
    assert desk.row(final).kind == "played"


def test_only_a_report_that_decides_counts_as_a_change(
    desk: Desk, users: list[User], heard: list[str]
) -> None:
    key, ann, ben = start(desk, users)
    about: dict[str, Any] = {"tournament_id": desk.pk, "key": key, "now": desk.now}
    heard.clear()

    results.report_result(**about, user=ann, score=(5, 2))
    results.dispute_report(**about, user=ben, score=(5, 2))
    assert heard == ["open match", "open match"]
    results.report_result(**about, user=ben, score=(2, 5))
    results.report_result(**about, user=ann, score=(2, 5))
    assert heard == ["open match", "open match", "open match", "changed"]


def test_the_same_report_twice_is_one(desk: Desk, users: list[User]) -> None:
    key, ann, _ = start(desk, users)
    first = results.report_result(tournament_id=desk.pk, key=key, user=ann, score=(5, 2), now=desk.now)

    again = results.report_result(tournament_id=desk.pk, key=key, user=ann, score=(5, 2), now=desk.now)

    assert again == first
    assert Report.objects.count() == 1


def test_what_players_cannot_say(desk: Desk, users: list[User]) -> None:
    key, ann, ben = start(desk, users)
    other = next(user for user in users if user not in (ann, ben))

    with pytest.raises(NotYourMatch):
        results.report_result(tournament_id=desk.pk, key=key, user=other, score=(5, 2), now=desk.now)
    with pytest.raises(NothingReported):
        results.confirm_report(tournament_id=desk.pk, key=key, user=ben, score=(5, 2), now=desk.now)
    results.report_result(tournament_id=desk.pk, key=key, user=ann, score=(5, 2), now=desk.now)
    with pytest.raises(NothingReported):
        results.confirm_report(tournament_id=desk.pk, key=key, user=ann, score=(5, 2), now=desk.now)


def test_where_the_director_enters_results_nobody_else_does(desk: Desk, users: list[User]) -> None:
    key, ann, _ = start(desk, users, reporting="director")

    with pytest.raises(DirectorReports):
        results.report_result(tournament_id=desk.pk, key=key, user=ann, score=(5, 2), now=desk.now)


def test_a_match_gets_one_result_even_without_the_lock(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 4)
    row = desk.open()[0]
    desk.play(row.key)
    before = desk.row(row.key)

    with pytest.raises(NotOpen):
        progress.store_result(row, Kind.PLAYED, winner_id=row.b_id, score=(0, 5), now=desk.now)
    after = desk.row(row.key)
    assert (after.winner_id, after.score_a) == (before.winner_id, before.score_a)
