"""A score sheet on the server: each tap once, the running score everywhere, the report at its end."""

from __future__ import annotations

import random
from datetime import timedelta
from itertools import count
from typing import Any

import pytest
from django.urls import reverse

from players.accounts import accounts
from players.models import User
from records.base.errors import NotOffered, NotYourSheet, OtherGame
from records.models import ScoreSheet, SheetAct
from records.sheets import stored_sheets, tap_storage
from records.sheets.sheet import ADJOURN, GAME, UNDO, SheetState, Tap
from tests.tournaments.event_desk import Desk
from tests.tournaments.pages.test_pages_player import Two
from tests.tournaments.support import Browser, text, url
from tournaments.base import codes, event_view
from tournaments.base.errors import DirectorDecides, NotHelper, Paused, WrongStatus
from tournaments.base.settings import Settings
from tournaments.models import (
    Helper,
    Pairing,
    PairingState,
    Report,
    ReportedBy,
    ReportStatus,
    Ruling,
    RulingKind,
    Tournament,
)
from tournaments.play import corrections, deadlines, event_control, helper_links, incidents, results
from tournaments.play.changes import HelperActor

pytestmark = pytest.mark.today

MATCH = "main/1.1"
KEYS = count(1)


def tap(two: Two, by: User, said: str, *, key: str = "") -> SheetState:
    """Tap "1 a gammon 2", the number of the game first, or "undo 1"."""
    words = said.split()
    what = Tap(UNDO, int(words[1])) if words[0] == "undo" else _game(*words)
    return tap_storage.store_tap(
        tournament_id=two.desk.pk,
        match=MATCH,
        key=key or f"tap-{next(KEYS)}",
        what=what,
        by=by,
        now=two.desk.now,
    )


def _game(number: str, winner: str, end: str = "single", cube: str = "1") -> Tap:
    return Tap(GAME, int(number), winner, end, int(cube))


def sits(two: Two) -> tuple[User, User]:
    """The users who play as a and as b."""
    row = two.match()
    assert row.a
    assert row.b
    first, second = sorted(two.users, key=lambda user: user.player.pk != row.a.player_id)
    return first, second


def shown(two: Two) -> tuple[str, str]:
    """Return the score as brackets and lists show it."""
    view = event_view.load_view(two.desk.fresh())
    return view.score(view.by_key[MATCH])


def test_the_running_score_is_shown_wherever_the_match_is(two: Two) -> None:
    otis = two.users[0]
    assert shown(two) == ("", "")
    version = two.desk.fresh().version

    tap(two, otis, "1 a gammon 1")
    tap(two, otis, "2 b single 2")

    assert shown(two) == ("2", "2")
    assert two.desk.fresh().version > version
    bracket = text(two.browsers[1].get(url("bracket", two.key)))
    assert "live" in bracket


def test_a_match_that_is_over_on_its_sheet_is_not_live(two: Two) -> None:
    winner, _loser = sits(two)
    tap(two, winner, "1 a single 4")
    assert event_view.load_view(two.desk.fresh()).by_key[MATCH].is_playing
    tap(two, winner, "2 a single 1")

    assert shown(two) == ("5", "0")
    assert not event_view.load_view(two.desk.fresh()).by_key[MATCH].is_playing
    assert "match--live" not in text(two.browsers[1].get(url("event", two.key)))
    tap(two, winner, "undo 2")
    assert event_view.load_view(two.desk.fresh()).by_key[MATCH].is_playing


def test_the_same_tap_sent_again_counts_once(two: Two) -> None:
    for _ in range(3):
        state = tap(two, two.users[0], "1 a gammon 1", key="the-same")

    assert state.score == (2, 0)
    assert SheetAct.objects.count() == 1


def test_the_last_tap_sent_again_is_answered_after_the_result_stands(two: Two) -> None:
    a, b = sits(two)
    tap(two, a, "1 a backgammon 2", key="the-last")
    results.confirm_report(tournament_id=two.desk.pk, key=MATCH, user=b, now=two.desk.now, score=(5, 0))

    assert tap(two, a, "1 a backgammon 2", key="the-last").is_over
    with pytest.raises(WrongStatus):
        tap(two, a, "undo 1")


def test_two_phones_do_not_write_the_same_game_twice(two: Two) -> None:
    tap(two, two.users[0], "1 a single 1")

    with pytest.raises(OtherGame):
        tap(two, two.users[1], "1 a single 1")
    assert shown(two) == ("1", "0")


def test_the_end_of_the_sheet_is_the_report(two: Two) -> None:
    a, b = sits(two)
    tap(two, a, "1 a gammon 2")
    tap(two, a, "2 a single 1")

    report = Report.objects.get()
    assert (report.score_a, report.score_b, report.status) == (5, 0, ReportStatus.OPEN)
    assert [game["points"] for game in report.games] == [4, 1]
    assert report.by.player == a.player
    results.confirm_report(tournament_id=two.desk.pk, key=MATCH, user=b, now=two.desk.now, score=(5, 0))
    assert [game["points"] for game in two.match().games] == [4, 1]


def test_undo_takes_the_report_back(two: Two) -> None:
    a, _b = sits(two)
    tap(two, a, "1 a backgammon 2")
    state = tap(two, a, "undo 1")

    assert state.games == ()
    assert Report.objects.get().status == ReportStatus.DROPPED
    assert shown(two) == ("", "")


def test_a_director_who_keeps_the_sheet_enters_the_result(two: Two) -> None:
    tap(two, two.desk.director, "1 b backgammon 2")

    row = two.match()
    assert (row.state, row.score_a, row.score_b) == (PairingState.DECIDED, 0, 5)
    assert not Report.objects.exists()


def test_where_the_director_reports_the_sheet_only_shows_the_score(desk: Desk) -> None:
    two = Two(desk, Settings(reporting=ReportedBy.DIRECTOR)).start()

    tap(two, two.users[0], "1 a backgammon 2")

    assert not Report.objects.exists()
    assert shown(two) == ("5", "0")


def test_points_for_lateness_are_on_the_sheet(two: Two) -> None:
    row = two.match()
    row.b_late = 4
    row.save()

    assert tap(two, two.users[0], "1 a single 1").is_over
    assert Report.objects.get().score_a == 5


def test_the_two_who_keep_a_sheet_are_not_late(desk: Desk) -> None:
    two = Two(desk, Settings(lateness=((5, 1), (15, None)), no_show_minutes=20)).start()
    row = two.match()
    desk.do(incidents.record_arrival, key=MATCH, entry=row.a.number)
    tap(two, two.users[0], "1 b single 1")

    desk.now += timedelta(minutes=30)
    deadlines.sweep(desk.now)

    row = two.match()
    assert (row.state, row.a_late, row.b_late, row.needs_director) == (PairingState.READY, 0, 0, "")


def test_who_does_not_come_back_to_an_adjourned_match_is_late(desk: Desk) -> None:
    two = Two(desk, Settings(lateness=((5, 1), (15, None)))).start()
    row = two.match()
    tap(two, two.users[0], "1 b single 1")
    adjourn = Tap(ADJOURN, 2)
    tap_storage.store_tap(
        tournament_id=desk.pk, match=MATCH, key="later", what=adjourn, by=two.users[0], now=desk.now
    )
    desk.do(incidents.call_match, key=MATCH, table="4")
    desk.do(incidents.record_arrival, key=MATCH, entry=row.a.number)

    desk.now += timedelta(minutes=6)
    deadlines.sweep(desk.now)

    assert two.match().b_late == 1


def test_penalty_points_in_mid_match_leave_what_is_written(two: Two) -> None:
    a, _b = sits(two)
    for said in ("1 a gammon 1", "2 a single 1", "3 b single 2"):
        tap(two, a, said)
    penalise_b(two)

    assert two.browsers[0].get(f"/events/{two.key}/sheet/{MATCH}/").status_code == 200
    state = stands(two)
    assert (state.score, state.is_crawford) == ((4, 2), True)
    assert shown(two) == ("4", "2")
    with pytest.raises(NotOffered):
        tap(two, a, "4 b single 2")
    tap(two, a, "4 b single 1")
    tap(two, a, "5 b single 2")
    report = Report.objects.get()
    assert (report.score_a, report.score_b) == (4, 5)


def test_a_game_from_before_the_penalty_points_is_not_the_crawford_game(two: Two) -> None:
    a, _b = sits(two)
    for said in ("1 a gammon 1", "2 a single 1", "3 b single 1"):
        tap(two, a, said)
    two.desk.now += timedelta(minutes=1)
    penalise_b(two)

    assert (stands(two).score, stands(two).is_crawford) == ((4, 1), True)
    with pytest.raises(NotOffered):
        tap(two, a, "4 b single 2")
    tap(two, a, "4 b single 1")
    assert (stands(two).score, stands(two).is_crawford) == ((4, 2), False)
    tap(two, a, "undo 4")
    assert stands(two).is_crawford
    for said in ("4 b single 1", "5 b single 2", "6 b single 1"):
        tap(two, a, said)
    report = Report.objects.get()
    assert (report.score_a, report.score_b, len(report.games)) == (4, 5, 6)


def test_the_crawford_game_after_early_penalty_points_is_one(two: Two) -> None:
    a, _b = sits(two)
    penalise_b(two)
    two.desk.now += timedelta(minutes=1)
    tap(two, a, "1 a backgammon 1")
    assert stands(two).is_crawford
    tap(two, a, "2 b single 1")
    assert (stands(two).score, stands(two).is_crawford) == ((4, 1), False)


def test_penalty_points_can_be_the_last_points_of_a_match(two: Two) -> None:
    a, _b = sits(two)
    for said in ("1 a gammon 1", "2 a gammon 1", "3 b single 1"):
        tap(two, a, said)
    penalise_b(two)

    assert (stands(two).score, stands(two).is_over) == ((5, 1), True)
    row = two.match()
    assert (row.state, row.kind, row.winner_id) == (PairingState.DECIDED, "played", row.a_id)
    assert (row.score_a, row.score_b, len(row.games)) == (5, 1, 3)
    director = Browser(two.desk.director)
    assert director.get(f"/events/{two.key}/matches/{MATCH}/").status_code == 200
    take_back_penalty(two)
    assert (two.match().state, shown(two), stands(two).score) == (PairingState.READY, ("4", "1"), (4, 1))


def test_penalty_points_are_in_the_running_score_and_leave_it_again(two: Two) -> None:
    a, _b = sits(two)
    penalise_b(two)
    assert shown(two) == ("", "")
    take_back_penalty(two)
    tap(two, a, "1 a single 1")
    penalise_b(two, points=2)
    assert shown(two) == ("3", "0")
    penalise_b(two)
    assert shown(two) == ("2", "0")
    tap(two, a, "2 b single 2")
    assert shown(two) == ("2", "2")
    # Back to two points: the game since then stays.
    take_back_penalty(two)
    assert shown(two) == ("3", "2")
    assert stands(two).score == (3, 2)


def test_penalty_points_from_before_the_first_game_leave_the_running_score(two: Two) -> None:
    a, _b = sits(two)
    penalise_b(two)
    tap(two, a, "1 a single 1")
    assert shown(two) == ("2", "0")
    take_back_penalty(two)
    assert shown(two) == ("1", "0")


def test_penalty_points_that_come_back_end_the_match_as_those_that_are_given(two: Two) -> None:
    a, _b = sits(two)
    penalise_b(two, points=2)
    penalise_b(two, points=0)
    tap(two, a, "1 a backgammon 1")
    assert (shown(two), two.match().state) == (("3", "0"), PairingState.READY)
    take_back_penalty(two)

    row = two.match()
    assert (row.state, row.kind, row.winner_id) == (PairingState.DECIDED, "played", row.a_id)
    assert (row.score_a, row.score_b, len(row.games)) == (5, 0, 1)


def test_penalty_points_that_come_back_after_the_last_game_are_no_second_end(two: Two) -> None:
    a, _b = sits(two)
    penalise_b(two, points=2)
    penalise_b(two, points=0)
    for said in ("1 a backgammon 1", "2 a gammon 1"):
        tap(two, a, said)
    take_back_penalty(two)

    assert two.match().state == PairingState.READY
    assert Report.objects.get().status == ReportStatus.OPEN


def test_penalty_points_after_the_last_game_are_no_second_end(two: Two) -> None:
    a, _b = sits(two)
    tap(two, a, "1 b single 2")
    tap(two, a, "2 a backgammon 2")
    penalise_b(two)

    assert two.match().state == PairingState.READY
    assert Report.objects.get().status == ReportStatus.OPEN


def test_points_past_the_length_leave_the_score_as_a_whole(two: Two) -> None:
    a, _b = sits(two)
    for said in ("1 b gammon 2", "2 a single 1"):
        tap(two, a, said)
    penalise_b(two, points=4)
    assert (two.match().state, two.match().score_a, two.match().score_b) == (PairingState.DECIDED, 5, 4)
    take_back_penalty(two)
    assert (shown(two), stands(two).score) == (("1", "4"), (1, 4))


@pytest.mark.long
@pytest.mark.parametrize("seed", [7, 11, 12, 13, 27, 48, 62])
def test_the_running_score_is_always_that_of_the_sheet(two: Two, seed: int) -> None:
    """Games, undone games, penalty points and acts taken back, in any order."""
    chance, a = random.Random(seed), sits(two)[0]
    acts = 0
    while acts < 20 and two.match().state == PairingState.READY:
        acts += 1
        state = stands(two)
        choice = chance.choice(("game", "game", "undo", "penalise", "take back"))
        two.desk.now += timedelta(seconds=5)
        if choice == "game" and not state.is_over:
            winner = chance.choice("ab")
            tap(two, a, f"{state.number} {winner} single {chance.choice(state.cubes(winner, 'single'))}")
        elif choice == "undo" and state.games:
            tap(two, a, f"undo {len(state.games)}")
        elif choice == "penalise":
            penalise_b(two, points=chance.randint(0, 4))
        elif choice == "take back" and two.desk.ruling().act == RulingKind.PENALISED:
            take_back_penalty(two)
        view, score = shown(two), stands(two).score
        row = two.match()
        if row.state == PairingState.DECIDED:
            assert (row.score_a, row.score_b) in {score, (None, None)}
        elif row.running:
            assert view == (str(score[0]), str(score[1]))


def penalise_b(two: Two, points: int = 1) -> None:
    row = two.match()
    two.desk.do(incidents.penalise_lateness, key=MATCH, entry=row.b.number, points=points)


def take_back_penalty(two: Two) -> None:
    two.desk.do(corrections.undo_act, ruling_id=two.desk.ruling().pk, reason="The clock was wrong")


def stands(two: Two) -> SheetState:
    row = two.match()
    return stored_sheets.load_state(row, stored_sheets.find_sheet(row))


def test_who_keeps_a_sheet_has_come_after_all(two: Two) -> None:
    Tournament.objects.filter(pk=two.desk.pk).update(no_show_minutes=20, no_show_policy="double")
    Pairing.objects.filter(pk=two.match().pk).update(needs_director="no-show")
    tap(two, two.users[0], "1 a single 1")
    assert two.match().needs_director == ""
    deadlines.sweep(two.desk.now + timedelta(hours=1))
    assert (two.match().state, two.match().needs_director) == (PairingState.READY, "")


def test_others_do_not_keep_it(two: Two) -> None:
    stranger = accounts.register(email="x@example.org", password=None, name="Xan Rook", now=two.desk.now)

    with pytest.raises(NotYourSheet):
        tap(two, stranger, "1 a single 1")


def test_nothing_is_kept_while_the_event_is_paused(two: Two) -> None:
    two.desk.do(event_control.pause_event, reason="Dinner")

    with pytest.raises(Paused):
        tap(two, two.users[0], "1 a single 1")
    said = {"do": "game", "key": "0123456789ab", "number": "1", "winner": "a", "end": "single", "cube": "1"}
    answer = two.browsers[0].post(f"/events/{two.key}/sheet/{MATCH}/", said)
    assert answer.status_code == 423, "the phone keeps it"


def test_what_the_score_makes_impossible_is_refused(two: Two) -> None:
    tap(two, two.users[0], "1 a gammon 2")

    with pytest.raises(NotOffered):
        tap(two, two.users[0], "2 b single 2")
    assert not ScoreSheet.objects.filter(acts__seq=2).exists()


@pytest.mark.long
def test_the_page_works_without_a_script(two: Two) -> None:
    address = f"/events/{two.key}/sheet/{MATCH}/"
    page = two.browsers[0].get(address)
    assert page.status_code == 200
    said = {"do": "game", "key": "abcdefgh1", "number": "1", "winner": "a", "end": "gammon", "cube": "2"}

    assert two.browsers[0].post(address, said).status_code == 302
    assert two.browsers[0].post(address, said).status_code == 302
    # "Back" in the browser, and another winner.
    again = two.browsers[0].post(address, {**said, "winner": "b"})
    assert again.status_code == 409
    assert "The page was out of date" in again.content.decode()
    page = text(two.browsers[1].get(address))
    assert "Game 2" in page
    assert "Crawford" in page
    assert two.browsers[0].post(address, {**said, "key": "abcdefgh2"}).status_code == 409
    assert two.browsers[0].post(address, {"do": "game", "number": "2", "key": "abcdefgh3"}).status_code == 422
    undo = {"do": "undo", "key": "abcdefgh4", "number": "1"}
    assert two.browsers[1].post(address, undo).status_code == 302
    assert stored_sheets.load_state(two.match(), stored_sheets.find_sheet(two.match())).games == ()


def test_a_phone_is_answered_with_the_sheet(two: Two) -> None:
    address = f"/events/{two.key}/sheet/{MATCH}/"
    said = {"do": "game", "key": "abcdefgh1", "number": "1", "winner": "b", "end": "single", "cube": "1"}

    answer = two.browsers[0].post(address, said, headers={"Accept": "application/json"})

    assert [game["winner"] for game in answer.json()["sheet"]["games"]] == ["b"]
    late = two.browsers[1].post(address, {**said, "key": "abcdefgh2"}, headers={"Accept": "application/json"})
    assert late.status_code == 409
    assert "game 2" in late.json()["problem"]
    seen = two.browsers[1].get(address, headers={"Accept": "application/json"}).json()
    # The server's time goes on.
    assert seen["sheet"] | {"now": 0} == answer.json()["sheet"] | {"now": 0}


def test_the_card_of_ones_match_leads_to_the_sheet(two: Two) -> None:
    assert f"/events/{two.key}/sheet/{MATCH}/" in two.browsers[0].get(two.desk.event.get_absolute_url()).text


def test_who_comes_to_sit_there_begins_a_sheet_of_their_own(two: Two) -> None:
    tap(two, two.users[0], "1 a single 1")
    row = two.match()
    row.a, row.b = row.b, row.a
    row.save()

    assert shown(two) == ("", "")
    assert tap(two, two.users[0], "1 a single 1").score == (1, 0)


@pytest.mark.long
def test_what_was_tapped_for_others_is_not_written_for_who_came_to_the_match(two: Two) -> None:
    address = f"/events/{two.key}/sheet/{MATCH}/"
    director = Browser(two.desk.director)
    script = {"Accept": "application/json"}
    seats = director.get(address, headers=script).json()["sheet"]["seats"]
    assert f'name="seats" value="{seats}"' in director.get(address).text
    row = two.match()
    row.a, row.b = row.b, row.a
    row.save()

    said = {"do": "game", "key": "abcdefgh1", "number": "1", "winner": "a", "end": "single", "cube": "1"}
    answer = director.post(address, {**said, "seats": seats}, headers=script)

    assert answer.status_code == 409
    assert "changed in the meantime" in answer.json()["problem"]
    assert not SheetAct.objects.exists()
    said["seats"] = answer.json()["sheet"]["seats"]
    assert said["seats"] != seats
    assert director.post(address, said, headers=script).status_code == 200
    # A page from before an upgrade does not say whom it shows.
    old = {**said, "key": "abcdefgh2", "number": "2", "seats": ""}
    assert director.post(address, old, headers=script).status_code == 200


@pytest.mark.long
def test_a_helper_keeps_a_sheet_as_the_helper(two: Two) -> None:
    """With a helper's link the last game decides the result, and the log names the helper."""
    token = two.desk.do(helper_links.create_link, name="Anna")
    phone = Browser()
    phone.post(reverse("tournaments:take_up", args=[token]))
    there = reverse("records:helper_sheet", args=[two.desk.event.key, MATCH])
    assert there in text(phone.get(url("helping", two.desk.event.key)))
    # The card at the table leads to the same sheet, and asks no helper which player they are.
    row = two.desk.row(MATCH)
    assert phone.get(codes.build_match_address(row, now=two.desk.now)).url == there  # type: ignore[attr-defined]
    assert "Who won this game?" in text(phone.get(there))

    for number, cube in ((1, 4), (2, 1)):
        said = {"match": row.uid, "do": "game", "key": f"{number:024}", "number": number}
        answer = phone.post(there, {**said, "winner": "a", "end": "single", "cube": cube})
        assert answer.status_code == 302
    row = two.desk.row(MATCH)
    assert (row.state, row.score_a, row.score_b) == (PairingState.DECIDED, 5, 0)
    assert not Report.objects.exists()
    assert Ruling.objects.filter(act=RulingKind.ENTERED_RESULT, helper__name="Anna").count() == 1
    assert "The result stands." in text(phone.get(there))

    Helper.objects.update(revoked_at=two.desk.now)
    assert phone.get(there).status_code == 403


def test_a_helper_s_sheet_overrules_no_player_and_ends_with_the_link(two: Two) -> None:
    helper = helper_links.accept_link(
        token=two.desk.do(helper_links.create_link, name="Anna"), now=two.desk.now
    )
    anna = HelperActor(helper.pk)
    tap_storage.store_tap(
        tournament_id=two.desk.pk,
        match=MATCH,
        key="k" * 24,
        what=_game("1", "a", "single", "4"),
        by=anna,
        now=two.desk.now,
    )
    results.report_result(
        tournament_id=two.desk.pk, key=MATCH, user=sits(two)[1], now=two.desk.now, score=(0, 5)
    )
    last: dict[str, Any] = {
        "tournament_id": two.desk.pk,
        "match": MATCH,
        "what": _game("2", "a", "single", "1"),
    }
    with pytest.raises(DirectorDecides):
        tap_storage.store_tap(**last, key="l" * 24, by=anna, now=two.desk.now)
    assert SheetAct.objects.count() == 1
    Helper.objects.update(revoked_at=two.desk.now)
    with pytest.raises(NotHelper):
        tap_storage.store_tap(**last, key="m" * 24, by=anna, now=two.desk.now)
