"""What a player does on the page of an event: checks in, sees whom to meet, reports, confirms, leaves."""

from __future__ import annotations

import pytest
from django.test import Client

from players.accounts import accounts
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import Browser, text, url
from tournaments.base.settings import Settings
from tournaments.models import Entry, Pairing, Report
from tournaments.plan import drawing
from tournaments.play import directing, event_control, incidents

pytestmark = pytest.mark.today


class Two:
    """Two with accounts, each in a browser, and the match they are to play."""

    def __init__(self, desk: Desk, settings: Settings | None = None) -> None:
        self.desk = desk
        desk.announce(a_plan("single-elimination", settings))
        self.users = [desk.entrant(name) for name in ("Otis Fenn", "Runa Vik")]
        self.browsers = [Browser(user) for user in self.users]

    def start(self) -> Two:
        self.desk.do(drawing.publish)
        return self

    @property
    def key(self) -> str:
        return self.desk.fresh().key

    def page(self, number: int) -> str:
        return text(self.browsers[number].get(self.desk.event.get_absolute_url()))

    def post(self, number: int, act: str, **said: str) -> int:
        self.answer = self.browsers[number].post(url(act, self.key), {"match": "main/1.1", **said})
        return self.answer.status_code

    def match(self) -> Pairing:
        return self.desk.row("main/1.1")


def test_the_card_says_whom_where_and_how_long(desk: Desk) -> None:
    two = Two(desk).start()
    desk.do(incidents.call_match, key="main/1.1", table="4")

    for number, other in ((0, "Runa Vik"), (1, "Otis Fenn")):
        page = two.page(number)
        card = page[page.index('class="card card--accent mine"') :].partition("</section>")[0]
        for words in (f"against {other}", "Table 4", "to 5 points", "Final"):
            assert words in card
    assert 'class="card card--accent mine"' not in text(Browser().get(desk.event.get_absolute_url()))


@pytest.mark.long
@pytest.mark.share
def test_reported_and_confirmed(desk: Desk) -> None:
    two = Two(desk).start()

    assert two.post(0, "report", own="5", other="3") == 302
    assert "You have reported 5–3" in two.page(0)  # noqa: RUF001
    assert "Otis Fenn says: you 3, Otis Fenn 5." in two.page(1)
    assert two.match().state == "ready"
    assert two.post(1, "confirm") == 302

    match = two.match()
    assert match.state == "decided"
    assert match.winner.player.user == two.users[0]
    assert {match.score_a, match.score_b} == {5, 3}
    assert desk.fresh().status == "FINISHED"


def test_whoever_sits_on_the_other_side_reports_from_there(desk: Desk) -> None:
    """A score is typed as own and other; the row holds it as a and b."""
    two = Two(desk).start()
    for number in (0, 1):
        two.post(number, "report", own="5" if number == 0 else "2", other="2" if number == 0 else "5")

    match = two.match()
    assert match.state == "decided", "both have said the same"
    assert match.winner.player.user == two.users[0]


@pytest.mark.parametrize(
    ("own", "other"), [("5", "5"), ("4", "3"), ("6", "2"), ("", "5"), ("x", "1"), ("\u0665", "1")]
)
def test_what_cannot_be_comes_back_as_it_was_typed(desk: Desk, own: str, other: str) -> None:
    two = Two(desk).start()

    assert two.post(0, "report", own=own, other=other) == 422

    page = two.answer.content.decode()
    assert "A match to 5 ends when one has 5 points and the other fewer." in page
    assert f'value="{own}"' in page
    assert f'value="{other}"' in page
    assert not Report.objects.exists()


@pytest.mark.long
def test_denied_reports_go_to_the_director(desk: Desk) -> None:
    two = Two(desk).start()
    two.post(0, "report", own="5", other="3")
    director, claim = Browser(desk.director), "Otis Fenn says: Runa Vik 3–5 Otis Fenn"  # noqa: RUF001
    assert text(director.get(url("desk", two.key))).count(claim) == 1, "beside the match"

    assert two.post(1, "dispute") == 302

    assert "The director decides." in two.page(0)
    assert "The director decides." in two.page(1)
    page = text(director.get(url("desk", two.key)))
    assert page.count(claim) == 1, "where it waits to be decided, and nowhere else"
    assert "Runa Vik says that the report is wrong." in page
    assert "The two players report different results." not in page
    assert "Rule on this match" in page
    page = text(director.get(url("act", two.key, "rule") + "?match=main/1.1"))
    assert "Please give a reason" not in page
    said = {
        "match": "main/1.1",
        "decision": "result",
        "score": "5 3",
        "reason": "Both showed me the sheet",
        "sure": "yes",
    }
    assert director.post(url("act", two.key, "rule"), said).status_code == 302
    assert two.match().state == "decided"


@pytest.mark.long
def test_nobody_speaks_for_others(desk: Desk, client: Client) -> None:
    two = Two(desk)
    third = two.desk.entrant("Ivo Stern")
    two.start()
    idle = Browser(third)
    open_match = desk.open()[0]

    assert client.post(url("report", two.key), {"match": open_match.key}).status_code == 302
    assert "/accounts/login/" in client.post(url("report", two.key)).url
    outsider = accounts.register(email="out@example.org", password=None, name="Out Sider", now=desk.now)
    for browser in (idle, Browser(outsider)):
        if open_match.a and browser is idle and third.player in {open_match.a.player, open_match.b.player}:  # type: ignore[union-attr]
            continue
        answer = browser.post(url("report", two.key), {"match": open_match.key, "own": "5", "other": "1"})
        assert answer.status_code == 422
        for act in ("confirm", "dispute", "open_board", "here"):
            browser.post(url(act, two.key), {"match": open_match.key})
    assert not Report.objects.exists()
    assert Pairing.objects.get(pk=open_match.pk).match is None


def test_a_board_is_laid_out_once(desk: Desk) -> None:
    two = Two(desk).start()

    assert "Play it here on a board" in two.page(0)
    two.post(0, "open_board")
    first = two.answer.url
    two.post(1, "open_board")

    assert two.answer.url == first
    assert first.startswith("/matches/")
    assert "Go to the board" in two.page(1)
    assert first in text(Browser().get(url("schedule", two.key)))


def test_without_a_second_account_there_is_no_board(desk: Desk) -> None:
    two = Two(desk)
    desk.do(drawing.publish)
    other = two.users[1].player
    other.user = None
    other.save(update_fields=["user"])

    assert "Play it here on a board" not in two.page(0)


def test_checking_in_and_withdrawing(desk: Desk) -> None:
    two = Two(desk, Settings(needs_check_in=True))

    assert ">I am here<" in two.page(0)
    two.browsers[0].post(url("check_in", two.key))
    assert Entry.objects.get(player=two.users[0].player).checked_in_at is not None
    assert ">I am here<" not in two.page(0)
    two.browsers[1].post(url("cancel_entry", two.key))
    assert "Withdraw myself" not in two.page(1)


def test_at_the_table(desk: Desk) -> None:
    two = Two(desk, Settings(no_show_minutes=20)).start()

    assert "I am at the table" in two.page(0)
    two.post(0, "here")
    assert "I am at the table" not in two.page(0)
    assert "I am at the table" in two.page(1)


def test_leaving(desk: Desk) -> None:
    two = Two(desk).start()

    assert "Leave the event now" in two.page(0)
    two.browsers[0].post(url("leave", two.key), {"when": "now"})

    assert Entry.objects.get(player=two.users[0].player).left == "now"
    assert two.match().kind == "withdrawal"
    assert "Leave the event now" not in two.page(0)


def test_the_schedule_says_which_event_was_left(desk: Desk) -> None:
    two = Two(desk)
    desk.do(directing.admit_named, names=["Guest", "Another guest"])
    two.start().browsers[0].post(url("leave", two.key), {"when": "now"})

    schedule = (
        text(two.browsers[0].get(url("careers:me"))).partition("My schedule")[2].partition("</section>")[0]
    )

    assert "You have left this event." in schedule
    assert "likely over at" not in schedule


def test_where_the_director_reports_players_do_not(desk: Desk) -> None:
    two = Two(desk, Settings(reporting="director")).start()

    assert "In this event the director enters the results." in two.page(0)
    assert two.post(0, "report", own="5", other="3") == 422


def test_in_a_pause_nothing_is_reported(desk: Desk) -> None:
    two = Two(desk).start()
    desk.do(event_control.pause_event, reason="Fire alarm")

    page = two.page(0)
    assert "The event is paused" in page
    assert "<span>paused</span>" in page
    assert "<span>Running</span>" not in page
    assert two.post(0, "report", own="5", other="3") == 422
    assert "The event is paused." in two.answer.content.decode()


@pytest.mark.parametrize("act", ["check_in", "report", "confirm", "dispute", "open_board", "here", "leave"])
def test_links_do_nothing(desk: Desk, act: str) -> None:
    two = Two(desk).start()

    assert two.browsers[0].get(url(act, two.key)).url == desk.event.get_absolute_url()
