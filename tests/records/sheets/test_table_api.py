"""The score sheet by program, and a match by its code: what the pages can do, with and without an account."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from players.accounts import tokens
from players.models import Scope, User
from records.models import SheetAct
from tests.tournaments.pages.test_pages_player import Two
from tests.tournaments.support import Browser
from tournaments.base import codes
from tournaments.models import PairingState, Report, ReportStatus

pytestmark = pytest.mark.today


class Program:
    """A client of the API, which keeps cookies, with a token or without."""

    def __init__(self, path: str, user: User | None = None, scope: Scope = Scope.PLAY) -> None:
        self.path, self.client = path, Client()
        self.headers = {}
        if user is not None:
            text = tokens.create(user=user, name="A program", scope=scope, now=timezone.now())
            self.headers["Authorization"] = f"Bearer {text}"

    def read(self, more: str = "") -> tuple[int, Any]:
        answer = self.client.get(self.path + more, headers=self.headers)
        return answer.status_code, answer.json()

    def send(self, more: str = "", **said: object) -> tuple[int, Any]:
        answer = self.client.post(
            self.path + more, said, content_type="application/json", headers=self.headers
        )
        return answer.status_code, answer.json()


def sheet(two: Two, user: User, scope: Scope = Scope.PLAY) -> Program:
    return Program(f"/api/v1/sheets/{two.match().uid}/", user, scope)


def coded(two: Two) -> Program:
    code = codes.build_match_address(two.match(), now=timezone.now()).strip("/").rpartition("/")[2]
    return Program(f"/api/v1/codes/{code}/")


def sides(two: Two) -> tuple[User, User]:
    """The users who play as a and as b."""
    row = two.match()
    one, other = two.users
    return (one, other) if row.a.player.user_id == one.pk else (other, one)


def numbers(two: Two) -> tuple[int, int]:
    row = two.match()
    return row.a.number, row.b.number


def test_a_sheet_is_kept_from_its_first_game_to_the_report(two: Two) -> None:
    one, other = (sheet(two, user) for user in sides(two))
    status, blank = one.read()
    assert (status, blank["score"], blank["game"], blank["is_open"]) == (200, [0, 0], 1, True)
    assert {"winner": "a", "end": "gammon", "cubes": [1, 2, 4, 8]} in blank["offers"]

    tap = {"do": "game", "key": "first-tap", "number": 1, "winner": "a", "end": "gammon", "cube": 2}
    tap["seats"] = blank["seats"]
    status, said = one.send(**tap)
    assert (status, said["score"], said["game"], said["is_crawford"]) == (200, [4, 0], 2, True)
    # Sent again it counts once; the other one's program sees it, and takes it back.
    assert one.send(**tap)[1] == said
    assert other.read()[1]["games"] == [{"winner": "a", "points": 4, "cube": 2, "end": "gammon"}]
    assert other.send(do="undo", key="second-tap", number=1)[1]["score"] == [0, 0]

    one.send(do="game", key="third-tap", number=1, winner="b", end="backgammon", cube=2)

    report = Report.objects.get()
    assert (report.score_a, report.score_b, report.status) == (0, 5, ReportStatus.CONFIRMED)
    status, last = one.read()
    assert (last["is_over"], last["is_open"], last["offers"]) == (True, False, [])
    assert two.match().state == PairingState.DECIDED


@pytest.mark.parametrize(
    ("said", "status", "code"),
    [
        ({"number": 2, "winner": "a"}, 409, "other_game"),
        ({"number": 1, "winner": "a", "seats": "aaaaaaaaaa,bbbbbbbbbb"}, 409, "other_game"),
        ({"number": 1, "winner": "a", "end": "drop", "cube": 8}, 409, "not_offered"),
        ({"do": "undo", "number": 1}, 409, "nothing_to_undo"),
        ({"number": 1}, 400, "invalid"),
        ({"number": 1, "winner": "a", "key": "short"}, 400, "invalid"),
        ({"do": "undo", "number": 1, "winner": "a"}, 400, "invalid"),
        ({"number": 1, "winner": "a", "side": "b"}, 400, "invalid"),
    ],
)
def test_a_tap_is_refused_with_its_code(two: Two, said: dict[str, Any], status: int, code: str) -> None:
    program = sheet(two, two.users[0])

    met, problem = program.send(**{"do": "game", "key": "first-tap", **said})

    assert (met, problem["code"]) == (status, code)
    assert not SheetAct.objects.exists()


GAMMON = {"do": "game", "number": 1, "winner": "a", "end": "gammon", "cube": 1}


@pytest.mark.parametrize(
    "other",
    [
        {**GAMMON, "winner": "b"},
        {**GAMMON, "end": "single"},
        {**GAMMON, "cube": 2},
        {**GAMMON, "number": 2},
        {"do": "undo", "number": 1},
        {"do": "adjourn", "number": 2},
    ],
)
def test_another_tap_under_a_used_key_is_refused(two: Two, other: dict[str, Any]) -> None:
    account = sheet(two, two.users[0])
    code = coded(two)
    assert code.send(act="who", match=str(two.match().uid), player=numbers(two)[1])[0] == 200
    assert account.send(key="first-tap", **GAMMON)[0] == 200
    for program, more in ((account, ""), (code, "sheet/")):
        assert program.send(more, key="first-tap", **GAMMON)[0] == 200
        met, problem = program.send(more, key="first-tap", **other)
        assert (met, problem["code"]) == (422, "idempotency_key_reused")
    assert SheetAct.objects.count() == 1


def test_an_adjournment_sent_again_is_the_same_with_its_position(two: Two) -> None:
    program, other = sheet(two, two.users[0]), sheet(two, two.users[1])
    there = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:5:10"
    said = {"do": "adjourn", "key": "adjourned", "number": 1, "position": there}
    first = program.send(**said)
    assert first[0] == 200
    assert program.send(**said)[1]["position"] == first[1]["position"] != ""
    later = other.send(do="take-up", key="resumed-1", number=1)
    assert later[0] == 200
    assert program.send(**said)[0] == 200
    met, problem = program.send(**{**said, "position": there.replace(":00:", ":31:")})
    assert (met, problem["code"]) == (422, "idempotency_key_reused")
    assert SheetAct.objects.count() == 2


def test_a_sheet_is_for_those_who_keep_it(two: Two, stranger: User) -> None:
    tap = {"do": "game", "key": "first-tap", "number": 1, "winner": "a"}

    assert Program(f"/api/v1/sheets/{two.match().uid}/").read()[0] == 401
    assert sheet(two, stranger).read()[1]["code"] == "not_your_sheet"
    assert sheet(two, stranger).send(**tap)[0] == 403
    reader = sheet(two, two.users[0], Scope.READ)
    assert reader.read()[0] == 200
    assert reader.send(**tap)[1]["code"] == "read_only_token"
    assert sheet(two, two.desk.director).read()[0] == 200
    assert not SheetAct.objects.exists()


@pytest.mark.long
def test_a_match_is_reported_and_confirmed_by_its_code(two: Two) -> None:
    a, b = numbers(two)
    about = {"match": str(two.match().uid)}
    one, other = coded(two), coded(two)
    status, seen = one.read()
    assert (status, seen["you"], [each["entry"] for each in seen["players"]]) == (200, None, [a, b])
    assert one.send(act="report", score=[5, 2], **about)[1]["code"] == "who_are_you"
    assert one.send(act="who", player=a, **about)[1]["you"] == a

    status, said = one.send(act="report", score=[5, 2], **about)

    assert status == 200
    assert [(each["entry"], each["score"], each["winner"]) for each in said["reports"]] == [(a, [5, 2], a)]
    # A device cannot confirm its own report, not even as the other player.
    one.send(act="who", player=b, **about)
    assert one.send(act="confirm", score=[5, 2], **about)[1]["code"] == "same_device"
    other.send(act="who", player=b, **about)
    assert other.send(act="confirm", score=[5, 1], **about)[1]["code"] == "changed_meanwhile"
    status, done = other.send(act="confirm", score=[5, 2], **about)
    assert (status, done["reports"], done["is_open"]) == (200, [], False)
    assert "5" in done["result"]
    assert two.match().state == PairingState.DECIDED
    assert coded(two).read()[1]["code"] == "match_decided"


def test_a_report_is_disputed_by_its_code(two: Two) -> None:
    a, b = numbers(two)
    about = {"match": str(two.match().uid)}
    one, other = coded(two), coded(two)
    for program, number in ((one, a), (other, b)):
        program.send(act="who", player=number, **about)
    one.send(act="report", score=[5, 2], **about)

    status, said = other.send(act="dispute", score=[5, 2], **about)

    assert (status, said["reports"][0]["status"]) == (200, "disputed")
    assert two.match().needs_director == "dispute"


def test_an_act_with_a_code_has_only_the_fields_that_it_reads(two: Two) -> None:
    """A device that has chosen a player reports for that player; a number in the request is refused."""
    a, b = numbers(two)
    about = {"match": str(two.match().uid)}
    program = coded(two)
    status, problem = program.send(act="who", player=a, score=[5, 2], **about)
    assert (status, set(problem["context"]["fields"])) == (400, {"score"})
    program.send(act="who", player=a, **about)

    status, problem = program.send(act="report", player=b, score=[5, 2], **about)

    assert status == 400
    assert [error["code"] for error in problem["context"]["fields"]["player"]] == ["unknown_field"]
    assert program.read()[1]["reports"] == []


def test_a_sheet_is_kept_by_the_code_without_an_account(two: Two) -> None:
    a, _ = numbers(two)
    program = coded(two)
    assert program.read("sheet/")[1]["code"] == "who_are_you"
    program.send(act="who", player=a, match=str(two.match().uid))

    status, said = program.send("sheet/", do="game", key="first-tap", number=1, winner="a")

    assert (status, said["score"]) == (200, [1, 0])
    tap = SheetAct.objects.get()
    assert tap.by is None
    assert tap.device
    assert program.read("sheet/")[1] == said


def test_a_code_is_refused_as_on_its_page(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    program = coded(two)
    other = program.send(act="who", player=1, match="00000000-0000-0000-0000-000000000007")
    assert (other[0], other[1]["code"]) == (409, "other_match")
    assert Program("/api/v1/codes/made-up/").read()[1]["code"] == "code_unreadable"
    real = timezone.now
    monkeypatch.setattr("django.utils.timezone.now", lambda: real() + timedelta(days=2))

    status, problem = program.read()

    assert (status, problem["code"]) == (410, "code_expired")


def test_the_sheets_of_a_page_and_a_program_are_one(two: Two) -> None:
    user = sides(two)[0]
    sheet(two, user).send(do="game", key="first-tap", number=1, winner="a")
    browser = Browser(user)

    page = browser.get(f"/events/{two.key}/sheet/main/1.1/", headers={"Accept": "application/json"})

    assert page.json()["sheet"]["games"] == [{"winner": "a", "points": 1, "cube": 1, "end": "single"}]
