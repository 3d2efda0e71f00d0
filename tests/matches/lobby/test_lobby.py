"""The lobby: its boards are those in play, its seats are those that are free, and it hears of each change."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from engine.side import Side
from matches.journal import live
from matches.lobby import challenges, lobby
from matches.models import Challenge, Match
from matches.models.challenges import Offer
from matches.models.matches import State
from matches.play import terms_validation
from matches.state.commands import Concede
from matches.state.errors import Refused
from players.accounts import accounts
from players.clubs import clubs
from players.models import User
from runtime.models import TopicEvent
from runtime.stream import presence, tokens
from tests.clients import signed_in
from tests.matches.support import Table, person

Within = Callable[..., Any]

pytestmark = [pytest.mark.django_db, pytest.mark.today]
CLUB = terms_validation.read_terms(length=5, clock="club")
SLOW = terms_validation.read_terms(length=5, clock="correspondence")


def text(answer: Any) -> str:
    return str(answer.content.decode())


def count_events() -> int:
    return TopicEvent.objects.filter(topic=live.LOBBY).count()


def seat(by: User, terms: Any, now: datetime) -> Challenge:
    return challenges.offer(challenger=by.player, terms=terms, now=now)


class TestBoards:
    def test_a_board_is_there_from_its_beginning_to_its_end(
        self, table: Table, django_capture_on_commit_callbacks: Within
    ) -> None:
        key = f'data-board="{table.match.key}"'
        # The match has not begun.
        assert key not in text(Client().get("/play/"))
        with django_capture_on_commit_callbacks(execute=True):
            table.begin()
        assert count_events() == 1
        for address in ("/play/", "/play/boards/"):
            assert key in text(Client().get(address))

        with django_capture_on_commit_callbacks(execute=True):
            table.give(Side.WHITE, Concede())
        assert table.row.status == State.FINISHED
        assert count_events() == 2
        for address in ("/play/", "/play/boards/"):
            assert key not in text(Client().get(address))

    def test_a_private_match_has_no_board(self, now: datetime) -> None:
        table = Table(now, is_private=True)
        table.begin()

        assert table.match.key not in text(Client().get("/play/boards/"))
        assert table.match.key not in text(Client().get("/play/"))

    def test_nobody_is_told_of_a_private_board(
        self, now: datetime, django_capture_on_commit_callbacks: Within
    ) -> None:
        table = Table(now, is_private=True)
        with django_capture_on_commit_callbacks(execute=True):
            table.begin()

        assert count_events() == 0

    def test_one_sees_the_boards_of_others(self, table: Table) -> None:
        table.begin()
        assert table.white.user is not None

        assert lobby.draw_boards(table.white) == ()
        own = text(signed_in(table.white.user).get("/play/"))
        assert f'data-board="{table.match.key}"' not in own
        assert f"/matches/{table.match.key}/" in own

    def test_they_are_not_sent_again_before_somebody_moves(self, table: Table) -> None:
        table.begin()
        for browser in (Client(), signed_in(person("Cleo", table.now))):
            mark = browser.get("/play/boards/")["ETag"]
            assert browser.get("/play/boards/", headers={"If-None-Match": mark}).status_code == 304
            table.act()
            moved = browser.get("/play/boards/", headers={"If-None-Match": mark})
            assert moved.status_code == 200
            assert moved["ETag"] != mark

    @pytest.mark.long
    def test_more_rows_are_no_more_queries(self, now: datetime) -> None:
        me = person("Cleo", now)
        club = clubs.create(owner=me, name="Bristol", now=now)
        browser = signed_in(me)

        def queries() -> int:
            with CaptureQueriesContext(connection) as asked:
                assert browser.get("/play/").status_code == 200
            return len(asked)

        counts = []
        for number in range(3):
            white, black, sitter = (person(f"{name}{number}", now) for name in ("Ann", "Ben", "Dan"))
            for each in (white, black, sitter):
                clubs.join(club=club, player=each.player, now=now)
            Table(now, players=(white.player, black.player), seed=number).begin()
            seat(sitter, CLUB, now)
            presence.write_counts({f"user.{sitter.pk}": 1}, now=now)
            counts.append(queries())

        assert counts[1] == counts[2]
        assert text(browser.get("/play/")).count("Sit down") == 3


class TestWhoIsHere:
    def test_who_of_ones_clubs_has_a_page_open(self, table: Table, now: datetime) -> None:
        table.begin()
        me, ann = person("Cleo", now), table.white.user
        assert ann is not None
        club = clubs.create(owner=me, name="Bristol", now=now)
        people = [ann, person("Dan", now), person("Away", now)]
        for each in people:
            clubs.join(club=club, player=each.player, now=now)
        stranger = person("Stranger", now)
        here = [*(f"user.{each.pk}" for each in (*people[:2], stranger)), f"seat.{table.match.key}.white"]
        presence.write_counts(dict.fromkeys(here, 1), now=now)

        shown = lobby.load_lobby(me.player, now=now).here

        assert [(one.name, one.is_playing) for one in shown] == [("Dan", False), ("Ann", True)]

    def test_one_press_challenges_them(self, now: datetime) -> None:
        me, dan = person("Cleo", now), person("Dan", now)
        club = clubs.create(owner=me, name="Bristol", now=now)
        clubs.join(club=club, player=dan.player, now=now)
        presence.write_counts({f"user.{dan.pk}": 1}, now=now)
        browser = signed_in(me)
        page = text(browser.get("/play/"))
        form = page[page.index('id="here-title"') :]
        names = ("opponent", "length", "clock")
        values = {name: form.split(f'name="{name}" value="')[1].split('"')[0] for name in names}

        assert browser.post("/play/offer/", values).status_code == 302

        row = Challenge.objects.get()
        assert (row.opponent, row.terms["rules"]["length"], row.terms["clock"]) == (dan.player, 5, "club")
        assert [one.is_asked for one in lobby.load_lobby(me.player, now=now).here] == [True]


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ({"length": 5, "variant": "hypergammon"}, "to 5, Hypergammon"),
        ({"length": 0, "jacoby": True, "beavers": True}, "without end, Jacoby rule, with beavers"),
        ({"length": 0, "automatic_doubles": 2}, "without end, up to 2 automatic doubles"),
    ],
)
def test_a_challenge_says_by_which_rules_it_is_played(
    now: datetime, rules: dict[str, Any], said: str
) -> None:
    ann, ben = person("Ann", now), person("Ben", now)
    terms = terms_validation.read_terms(**rules)
    challenges.offer(challenger=ann.player, opponent=ben.player, terms=terms, now=now)

    assert said in text(signed_in(ben).get("/play/"))


class TestAnybody:
    def test_whoever_has_waited_longest_is_played(self, now: datetime) -> None:
        me, early, late, slow = (person(name, now) for name in ("Cleo", "Early", "Late", "Slow"))
        seat(slow, SLOW, now)
        first = seat(early, CLUB, now)
        seat(late, CLUB, now)

        answer = signed_in(me).post("/play/anybody/")

        first.refresh_from_db()
        assert answer["Location"] == f"/matches/{first.match.key}/"
        assert {first.match.white, first.match.black} == {me.player, early.player}

    @pytest.mark.long
    def test_where_nobody_waits_a_seat_is_opened_once(self, now: datetime) -> None:
        me = person("Cleo", now)
        browser = signed_in(me)
        for _ in range(2):
            answer = browser.post("/play/anybody/", follow=True)
            assert "Your seat is open." in text(answer)

        row = Challenge.objects.get()
        assert (row.challenger, row.opponent, row.status) == (me.player, None, Offer.OPEN)
        assert "Your open seat" in text(browser.get("/play/"))

    def test_a_seat_that_is_taken_meanwhile_is_left_alone(
        self, now: datetime, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        me, early, late, quick = (person(name, now) for name in ("Cleo", "Early", "Late", "Quick"))
        first, second = seat(early, CLUB, now), seat(late, CLUB, now)
        honest = challenges.accept

        def accept(*, challenge_id: int, player: Any, now: datetime) -> Challenge:
            # Between the look and the press another person sits down at the first.
            if challenge_id == first.pk and player == me.player:
                honest(challenge_id=first.pk, player=quick.player, now=now)
            return honest(challenge_id=challenge_id, player=player, now=now)

        monkeypatch.setattr(challenges, "accept", accept)

        row = challenges.join_or_open_seat(player=me.player, terms=CLUB, now=now)

        assert row.pk == second.pk
        assert Match.objects.count() == 2

    def test_who_has_too_much_to_do_is_refused(self, now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
        me, ben = person("Cleo", now), person("Ben", now)
        monkeypatch.setattr(challenges, "MOST_LIVE", 1)
        row = challenges.offer(challenger=me.player, opponent=ben.player, terms=CLUB, now=now)
        challenges.accept(challenge_id=row.pk, player=ben.player, now=now)
        seat(person("Dan", now), CLUB, now)

        with pytest.raises(Refused, match="unfinished matches"):
            challenges.join_or_open_seat(player=me.player, terms=CLUB, now=now)


def test_the_lobby_hears_of_offers(now: datetime, django_capture_on_commit_callbacks: Within) -> None:
    ann, ben = person("Ann", now), person("Ben", now)
    heard = [count_events()]

    def do(act: Callable[..., Any], **what: Any) -> Any:
        with django_capture_on_commit_callbacks(execute=True):
            found = act(now=now, **what)
        heard.append(count_events())
        return found

    row = do(challenges.offer, challenger=ann.player, terms=CLUB)
    do(challenges.withdraw, challenge_id=row.pk, player=ann.player)
    row = do(challenges.offer, challenger=ann.player, opponent=ben.player, terms=CLUB)
    do(challenges.decline, challenge_id=row.pk, player=ben.player)
    row = do(challenges.offer, challenger=ann.player, terms=CLUB)
    do(challenges.accept, challenge_id=row.pk, player=ben.player)
    do(challenges.offer, challenger=ann.player, terms=CLUB)
    do(accounts.erase, user=ann)

    assert heard == list(range(9))


def test_somebody_who_just_looks_may_listen(table: Table) -> None:
    table.begin()
    page = text(Client().get("/play/"))
    token = page.split('data-token="')[1].split('"')[0]

    assert set(tokens.verify_token(token).positions) == {live.LOBBY, live.get_topic(table.match.key)}


def test_the_list_of_recent_matches_names_no_winner_of_money_play(now: datetime) -> None:
    money = terms_validation.read_terms(length=0, clock="correspondence")
    table = Table(now, agreed=money)
    table.begin()
    table.give(Side.WHITE, Concede())
    played = Table(now, players=(table.white, table.black))
    played.begin()
    played.give(Side.WHITE, Concede())

    rows = {row["key"]: row for row in lobby.load_lobby(table.white, now=now).recent}
    assert not rows[table.match.key]["is_lost"]
    assert rows[table.match.key]["score"] == "0\u20131"
    assert rows[played.match.key]["is_lost"]
