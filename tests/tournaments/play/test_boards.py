"""Matches of an event on a live board: laid out once, followed to the end, and after a ruling."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from engine.actions import VoidedMatch
from engine.side import Side
from matches.journal import journal
from matches.journal.journal import RequestIdentity
from matches.models import Match
from matches.play import directing as adjudicating
from matches.play import play
from matches.state import commands, reasons, rulings
from players.clubs import webhooks
from players.models import Notice, User
from runtime.models import Outbox
from tests.deliveries import deliver
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.base.errors import NoAccounts, NotYourMatch
from tournaments.models import Pairing, RulingKind
from tournaments.plan.templates import StagePlan
from tournaments.play import (
    arrivals,
    boards,
    corrections,
    deadlines,
    departures,
    directing,
    incidents,
    results,
)
from tournaments.status import Status


def laid_out(desk: Desk, users: dict[int, User], key: str = "main/1.1") -> Match:
    row = desk.row(key)
    return results.open_board(tournament_id=desk.pk, key=key, user=users[row.a.player_id], now=desk.now)


def submit(desk: Desk, match: Match, user: User, command: commands.Command, key: str) -> None:
    play.submit(
        match_id=match.pk,
        player=user.player,
        command=command,
        after=Match.objects.get(pk=match.pk).head,
        now=desk.now,
        request=RequestIdentity(str(user.player.pk), key, ""),
    )


def seated(desk: Desk, match: Match, users: dict[int, User]) -> None:
    """Seat both players at the board."""
    for player in (match.white_id, match.black_id):
        submit(desk, match, users[player], commands.Promise(words="a few words"), f"sit {player}")


def conceded(desk: Desk, match: Match, users: dict[int, User], key: str = "concede") -> None:
    """Seat both players, and let black resign the match."""
    seated(desk, match, users)
    submit(desk, match, users[match.black_id], commands.Concede(), key)


def ruled(desk: Desk, match: Match, ruling: Any, key: str) -> None:
    desk.now += timedelta(minutes=1)
    adjudicating.rule(
        match_id=match.pk,
        user=desk.director,
        ruling=ruling,
        reason="as seen",
        after=Match.objects.get(pk=match.pk).head,
        now=desk.now,
        request=RequestIdentity("desk", key, ""),
    )


def played_out(desk: Desk, match: Match, users: dict[int, User]) -> None:
    """Let white win 3-1."""
    seated(desk, match, users)
    ruled(desk, match, rulings.SetScore(3, 1), "played out")
    boards.sweep(desk.now)
    assert get_result(desk) == ("played", "a", 3, 1)


def get_result(desk: Desk) -> tuple[str, str, int | None, int | None]:
    row = desk.row("main/1.1")
    assert row.winner_id in {row.a_id, row.b_id}
    return row.kind, "a" if row.winner_id == row.a_id else "b", row.score_a, row.score_b


def test_a_board_is_laid_out_once_with_the_rules_of_the_round(desk: Desk, users: dict[int, User]) -> None:
    match = laid_out(desk, users)

    assert laid_out(desk, users) == match
    row = desk.row("main/1.1")
    assert (match.white_id, match.black_id) == (row.a.player_id, row.b.player_id)
    assert (match.length, match.is_timed, match.club) == (3, True, desk.club)
    assert Match.objects.count() == 1


def test_only_those_two_or_a_director_lay_it_out(desk: Desk, users: dict[int, User]) -> None:
    other = desk.row("main/1.2").a
    assert other
    with pytest.raises(NotYourMatch):
        results.open_board(tournament_id=desk.pk, key="main/1.1", user=users[other.player_id], now=desk.now)

    results.open_board(tournament_id=desk.pk, key="main/1.1", user=desk.director, now=desk.now)


@pytest.mark.parametrize("other", ["main/1.2", "main/1.1"])
def test_who_was_entered_as_another_does_not_play_at_their_board(
    desk: Desk, users: dict[int, User], other: str
) -> None:
    """The board that is open belongs to the two who sat there; the next one is for those who are to play."""
    left = laid_out(desk, users)
    one, two = desk.row("main/1.1").a, desk.row(other).b
    assert one
    assert two

    ruling = desk.do(
        corrections.exchange_players, entry=one.number, other=two.number, reason="entered as each other"
    )

    row = desk.row("main/1.1")
    assert row.match is None
    match = laid_out(desk, users)
    row = desk.row("main/1.1")
    assert match != left
    assert (match.white_id, match.black_id) == (row.a.player_id, row.b.player_id)
    desk.do(corrections.undo_act, ruling_id=ruling.pk, reason="they were right")
    assert desk.row("main/1.1").match == left


def test_a_substitute_does_not_play_at_the_board_of_who_left(desk: Desk, users: dict[int, User]) -> None:
    left = laid_out(desk, users)
    one = desk.row("main/1.1").a
    assert one

    desk.do(arrivals.substitute_player, entry=one.number, name="Guest 9", reason="had to leave")

    assert desk.row("main/1.1").match is None
    assert Match.objects.get() == left


def test_guests_have_no_board(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 4)

    with pytest.raises(NoAccounts):
        results.open_board(tournament_id=desk.pk, key="main/1.1", user=desk.director, now=desk.now)


def test_what_is_played_live_moves_the_bracket_by_itself(
    desk: Desk, users: dict[int, User], django_capture_on_commit_callbacks: Any
) -> None:
    match = laid_out(desk, users)
    with django_capture_on_commit_callbacks(execute=True):
        conceded(desk, match, users)
    match.refresh_from_db()
    assert match.status == "finished"
    deliver(max(desk.now, timezone.now()) + timedelta(minutes=1))

    row = desk.row("main/1.1")
    assert (row.state, row.winner_id) == ("decided", row.a_id)
    assert row.a_id in (desk.row("main/2.1").a_id, desk.row("main/2.1").b_id)
    assert row.match_head == match.head


def test_what_nobody_has_told_is_found_by_the_sweep_once(desk: Desk, users: dict[int, User]) -> None:
    match = laid_out(desk, users)
    conceded(desk, match, users)
    assert desk.row("main/1.1").state == "ready"

    assert boards.sweep(desk.now) == 1
    assert desk.row("main/1.1").state == "decided"
    assert boards.sweep(desk.now) == 0


def test_a_match_that_is_given_to_the_loser_of_its_score_is_a_forfeit(
    desk: Desk, users: dict[int, User]
) -> None:
    match = laid_out(desk, users)
    played_out(desk, match, users)

    ruled(desk, match, rulings.RuleMatch(Side.BLACK, rulings.Verdict.DISQUALIFICATION), "given")
    boards.sweep(desk.now)

    assert get_result(desk) == ("forfeit", "b", None, None)


def test_a_result_corrected_on_the_board_keeps_its_time_and_is_told_again(
    desk: Desk, users: dict[int, User]
) -> None:
    match = laid_out(desk, users)
    played_out(desk, match, users)
    played_at = desk.row("main/1.1").decided_at
    webhooks.add(club=desk.club, url="https://hooks.example.org/x", by=desk.director, now=desk.now)

    desk.now += timedelta(days=1)
    ruled(desk, match, rulings.SetScore(1, 3), "the other way round")
    boards.sweep(desk.now)

    assert get_result(desk) == ("played", "b", 1, 3)
    assert desk.row("main/1.1").decided_at == played_at
    calls = Outbox.objects.filter(kind=webhooks.KIND, payload__body__type="result.entered")
    assert [call.payload["body"]["match"] for call in calls] == ["main/1.1"]


def test_a_score_set_on_a_finished_board_reaches_the_event(desk: Desk, users: dict[int, User]) -> None:
    match = laid_out(desk, users)
    played_out(desk, match, users)

    ruled(desk, match, rulings.SetScore(3, 0), "to nought")
    boards.sweep(desk.now)

    assert get_result(desk) == ("played", "a", 3, 0)


def test_a_ruling_on_the_board_corrects_the_result_and_what_came_of_it(
    desk: Desk, users: dict[int, User]
) -> None:
    match = laid_out(desk, users)
    conceded(desk, match, users)
    boards.sweep(desk.now)
    desk.play("main/1.2")

    ruled(desk, match, rulings.RuleMatch(Side.BLACK, rulings.Verdict.DISQUALIFICATION), "turn")
    assert boards.sweep(desk.now) == 1

    row = desk.row("main/1.1")
    assert row.winner_id == row.b_id
    assert row.b_id in (desk.row("main/2.1").a_id, desk.row("main/2.1").b_id)
    assert desk.event.rulings.filter(act=RulingKind.CORRECTED, by=None).count() == 1


def list_notices(user: User) -> list[str]:
    return list(Notice.objects.filter(user=user).values_list("text", flat=True))


def test_who_loses_a_match_by_a_ruling_on_the_board_is_told(desk: Desk, users: dict[int, User]) -> None:
    match = laid_out(desk, users)
    conceded(desk, match, users)
    boards.sweep(desk.now)
    for key in ("main/1.2", "main/2.1"):
        desk.play(key)
    winner = desk.row("main/1.2").winner
    other = users[winner.player_id]
    Notice.objects.all().delete()

    ruled(desk, match, rulings.RuleMatch(Side.BLACK, rulings.Verdict.DISQUALIFICATION), "turn")
    boards.sweep(desk.now)

    [said] = list_notices(other)
    assert "no longer counts" in said
    assert said.endswith("the director has corrected a result.")


def test_whose_place_changes_by_a_ruling_on_the_board_is_told(desk: Desk, users: dict[int, User]) -> None:
    for key in ("main/1.1", "main/1.2"):
        desk.play(key)
    match = laid_out(desk, users, "main/2.1")
    conceded(desk, match, users)
    boards.sweep(desk.now)
    deliver(desk.now)
    Notice.objects.all().delete()

    ruled(desk, match, rulings.RuleMatch(Side.BLACK, rulings.Verdict.DISQUALIFICATION), "turn")
    boards.sweep(desk.now)
    deliver(desk.now)

    assert list_notices(users[match.black_id]) == ["You won Thursday. Congratulations!"]
    assert list_notices(users[match.white_id]) == ["Thursday is over: your place is 2 of 4."]


@pytest.mark.parametrize("key", ["main/1.1", "main/1.2"])
def test_a_match_is_played_on_at_its_board_though_the_loser_is_to_play_elsewhere(
    desk: Desk, members: Callable[[StagePlan], dict[int, User]], key: str
) -> None:
    """It has the same number of round and the same side, so each player has one match in a round."""
    users = members(StagePlan(format="last-chance"))
    match = laid_out(desk, users, key)
    conceded(desk, match, users)
    boards.sweep(desk.now)
    desk.play("main/1.2" if key == "main/1.1" else "main/1.1")
    assert desk.row("consolation/1.1").state == "ready"

    ruled(desk, match, rulings.TakeBack(to_start_of=rulings.Start.GAME), "played on")
    assert boards.sweep(desk.now) == 1

    assert desk.row(key).state == "ready"
    assert desk.row("consolation/1.1").state == "waiting"


def test_what_the_desk_has_corrected_since_is_not_overwritten(desk: Desk, users: dict[int, User]) -> None:
    match = laid_out(desk, users)
    conceded(desk, match, users)
    boards.sweep(desk.now)
    desk.do(corrections.correct_result, key="main/1.1", score=(1, 3), reason="the wrong board")

    assert boards.sweep(desk.now + timedelta(minutes=5)) == 0
    row = desk.row("main/1.1")
    assert row.winner_id == row.b_id


@pytest.mark.long
@pytest.mark.share
@pytest.mark.parametrize("kind", ["", "void"])
def test_a_finished_match_that_the_desk_opens_again_has_another_board(
    desk: Desk, users: dict[int, User], kind: str
) -> None:
    match = laid_out(desk, users)
    conceded(desk, match, users)
    boards.sweep(desk.now)
    desk.do(corrections.correct_result, key="main/1.1", kind=kind, reason="with a wrong board")
    reopened = desk.ruling().pk
    again = laid_out(desk, users)
    assert again != match
    assert laid_out(desk, users) == again
    seated(desk, again, users)
    ruled(desk, again, rulings.SetScore(1, 3), "played out")
    boards.sweep(desk.now)
    assert get_result(desk) == ("played", "b", 1, 3)

    desk.do(corrections.undo_act, ruling_id=reopened, reason="it was the right one")
    assert boards.sweep(desk.now) == 0
    assert get_result(desk) == ("played", "a", 3, 0)
    assert desk.row("main/1.1").match == match


def test_the_end_of_a_board_counts_if_the_result_of_the_desk_is_taken_back(
    desk: Desk, users: dict[int, User]
) -> None:
    match = laid_out(desk, users)
    seated(desk, match, users)
    desk.do(results.enter_result, key="main/1.1", score=(1, 3))
    entered = desk.ruling().pk
    conceded(desk, match, users)
    boards.sweep(desk.now)
    assert get_result(desk) == ("played", "b", 1, 3)
    desk.do(corrections.undo_result, ruling_id=entered)
    boards.sweep(desk.now)
    assert get_result(desk) == ("played", "a", 3, 0)


def test_a_match_that_is_still_played_keeps_its_board(desk: Desk, users: dict[int, User]) -> None:
    match = laid_out(desk, users)
    seated(desk, match, users)
    desk.do(results.enter_result, key="main/1.1", score=(1, 3))
    desk.do(corrections.correct_result, key="main/1.1", kind="", reason="the wrong match")
    assert laid_out(desk, users) == match


def decide_at_desk(desk: Desk, way: str) -> None:
    """Decide the match against White, whose board is in play."""
    row = desk.row("main/1.1")
    loser = row.a.number
    acts: dict[str, Callable[[], object]] = {
        "forfeit": lambda: desk.do(incidents.record_forfeit, key=row.key, loser=loser),
        "result": lambda: desk.do(results.enter_result, key=row.key, score=(1, 3)),
        "disqualify": lambda: desk.do(departures.disqualify_entry, entry=loser, reason="foul play"),
        "withdraw": lambda: desk.do(departures.withdraw_entry, entry=loser),
    }
    acts[way]()


@pytest.mark.parametrize("is_second", [False, True])
@pytest.mark.parametrize("way", ["forfeit", "result", "disqualify", "withdraw"])
def test_what_the_desk_decides_while_they_play_stays(
    desk: Desk, users: dict[int, User], way: str, is_second: bool
) -> None:
    match = laid_out(desk, users)
    if is_second:
        conceded(desk, match, users)
        boards.sweep(desk.now)
        ruled(desk, match, rulings.TakeBack(to_start_of=rulings.Start.GAME), "open again")
        boards.sweep(desk.now)
    row = desk.row("main/1.1")
    decide_at_desk(desk, way)
    before = desk.row(row.key)
    desk.now += timedelta(minutes=1)
    conceded(desk, match, users, key="again")
    boards.sweep(desk.now)

    after = desk.row(row.key)
    assert (after.state, after.winner_id) == ("decided", row.b_id)
    assert (after.kind, after.score_a, after.score_b) == (before.kind, before.score_a, before.score_b)
    assert boards.sweep(desk.now) == 0


def test_a_ruling_on_the_board_counts_after_what_the_desk_has_decided(
    desk: Desk, users: dict[int, User]
) -> None:
    match = laid_out(desk, users)
    seated(desk, match, users)
    desk.do(results.enter_result, key="main/1.1", score=(1, 3))
    ruled(desk, match, rulings.SetScore(3, 2), "as it ended")
    boards.sweep(desk.now)
    assert get_result(desk) == ("played", "a", 3, 2)


def test_a_board_that_was_called_off_makes_room_for_another(desk: Desk, users: dict[int, User]) -> None:
    match = laid_out(desk, users)
    ruled(desk, match, rulings.VoidMatch(), "void")

    assert boards.sweep(desk.now) == 1
    assert desk.row("main/1.1").state == "ready"
    assert laid_out(desk, users) != match


def test_a_finished_match_that_is_declared_void_is_played_again(desk: Desk, users: dict[int, User]) -> None:
    match = laid_out(desk, users)
    conceded(desk, match, users)
    boards.sweep(desk.now)
    desk.play("main/1.2")
    winner = desk.row("main/1.1").winner_id
    assert winner in (desk.row("main/2.1").a_id, desk.row("main/2.1").b_id)

    ruled(desk, match, rulings.VoidMatch(), "void")
    assert boards.sweep(desk.now) == 1
    assert boards.sweep(desk.now) == 0

    row = desk.row("main/1.1")
    assert (row.state, row.kind, row.winner_id, row.match) == ("ready", "", None, None)
    assert winner not in (desk.row("main/2.1").a_id, desk.row("main/2.1").b_id)
    assert desk.event.rulings.filter(act=RulingKind.CORRECTED, by=None).count() == 1
    again = laid_out(desk, users)
    assert again != match
    conceded(desk, again, users)
    boards.sweep(desk.now)
    assert desk.row("main/1.1").winner_id == winner


@pytest.mark.parametrize(
    ("ruling", "kind", "called"),
    [
        (rulings.VoidMatch(), "double forfeit", ""),
        (rulings.TakeBack(to_start_of=rulings.Start.GAME), "", "deadline"),
    ],
)
def test_a_match_that_is_open_again_by_a_ruling_after_its_deadline_has_time_to_be_played(
    desk: Desk, members: Callable[[StagePlan], dict[int, User]], ruling: Any, kind: str, called: str
) -> None:
    users = members(StagePlan(format="single-elimination", round_minutes=60, deadline_policy="double"))
    match = laid_out(desk, users)
    conceded(desk, match, users)
    boards.sweep(desk.now)
    desk.play("main/1.2")
    desk.now += timedelta(minutes=90)

    ruled(desk, match, ruling, "open again")
    assert boards.sweep(desk.now) == 1
    desk.now += timedelta(minutes=59)
    deadlines.sweep(desk.now)
    assert (desk.row("main/1.1").kind, desk.row("main/1.1").needs_director) == ("", "")
    desk.now += timedelta(minutes=1)
    deadlines.sweep(desk.now)
    assert (desk.row("main/1.1").kind, desk.row("main/1.1").needs_director) == (kind, called)


def test_a_result_that_the_desk_entered_stays_when_the_board_is_declared_void(
    desk: Desk, users: dict[int, User]
) -> None:
    match = laid_out(desk, users)
    desk.play("main/1.1")

    ruled(desk, match, rulings.VoidMatch(), "void")
    assert boards.sweep(desk.now) == 1

    row = desk.row("main/1.1")
    assert (row.state, row.match) == ("decided", None)


def test_boards_of_nobodys_event_are_nobodys_business(desk: Desk, users: dict[int, User]) -> None:
    match = laid_out(desk, users)
    Pairing.objects.filter(match=match).update(match=None)

    assert not boards.apply_board_state(match_id=match.pk, now=desk.now)
    desk.do(directing.cancel_event, reason="the cellar is flooded")
    assert desk.fresh().status == Status.CANCELLED


def outlive(desk: Desk, minutes: int = 1) -> int:
    """Sweep after the time in which a result can be taken back at once."""
    desk.now += timedelta(minutes=minutes)
    return boards.sweep(desk.now)


@pytest.mark.parametrize("way", ["forfeit", "result", "disqualify", "withdraw"])
def test_a_board_ends_when_the_desk_has_decided_its_match(
    desk: Desk, users: dict[int, User], way: str
) -> None:
    match = laid_out(desk, users)
    seated(desk, match, users)
    row = desk.row("main/1.1")
    decide_at_desk(desk, way)
    before = desk.row(row.key)
    assert boards.sweep(desk.now) == 0, "it can be taken back at once"

    assert outlive(desk) == 1
    match.refresh_from_db()
    assert (match.status, journal.list_lines(match)[-1].fact) == ("void", VoidedMatch(reasons.DECIDED))
    boards.sweep(desk.now)
    after = desk.row(row.key)
    assert (after.kind, after.winner_id, after.match) == (before.kind, row.b_id, None)
    assert outlive(desk) == 0

    if way == "result":
        desk.do(corrections.correct_result, key=row.key, kind="", reason="the wrong table")
    else:
        desk.do(corrections.undo_act, ruling_id=desk.ruling().pk, reason="the wrong table")
    boards.sweep(desk.now)
    assert desk.row(row.key).state == "ready"
    assert laid_out(desk, users) != match


def test_the_board_goes_on_when_a_result_is_taken_back_at_once(desk: Desk, users: dict[int, User]) -> None:
    match = laid_out(desk, users)
    seated(desk, match, users)
    desk.do(results.enter_result, key="main/1.1", score=(1, 3))
    desk.do(corrections.undo_result, ruling_id=desk.ruling().pk)
    assert outlive(desk) == 0
    assert laid_out(desk, users) == match


def test_a_match_that_is_void_at_the_desk_is_played_again_at_another_board(
    desk: Desk, users: dict[int, User]
) -> None:
    match = laid_out(desk, users)
    seated(desk, match, users)
    desk.now += timedelta(minutes=1)
    desk.do(incidents.void_match, key="main/1.1", reason="The wrong length")
    assert outlive(desk) == 1
    boards.sweep(desk.now)
    again = laid_out(desk, users)
    assert again != match
    seated(desk, again, users)
    assert outlive(desk, 5) == 0
    match.refresh_from_db()
    again.refresh_from_db()
    assert (match.status, again.status) == ("void", "live")


def test_the_end_of_a_board_counts_if_a_ruling_of_the_desk_is_taken_back_later(
    desk: Desk, users: dict[int, User]
) -> None:
    match = laid_out(desk, users)
    seated(desk, match, users)
    row = desk.row("main/1.1")
    desk.do(incidents.record_forfeit, key=row.key, loser=row.a.number)
    ruling = desk.ruling().pk
    conceded(desk, match, users)
    boards.sweep(desk.now)
    assert get_result(desk)[0] == "forfeit"

    desk.now += timedelta(minutes=5)
    desk.do(corrections.undo_act, ruling_id=ruling, reason="they were there")
    boards.sweep(desk.now)
    assert get_result(desk) == ("played", "a", 3, 0)
