"""A match transcribed with its code, without an account: gone on with on another phone, handed in, and never confirmed by the same one."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from engine.rules import Rules
from players.models import Player
from records.models import Submission, Transcription
from records.transcripts import transcribing, transcriptions
from tests.deliveries import deliver
from tests.records.base.test_codes import Phone, text
from tests.records.sheets.test_table_api import Program, coded, numbers, sides
from tests.tournaments.pages.test_pages_player import Two
from tournaments.base import codes
from tournaments.models import Entry, Pairing, PairingState, Report, ReportStatus
from tournaments.play import corrections, incidents, results

pytestmark = pytest.mark.today


# The one who is a plays 31 and gives the match up: b wins 5-0.
LINES = ("31 8/5 6/5", "64 24/14", "resign match")
RESULT = (0, 5)


def sits(two: Two, side: int) -> Program:
    """Return a phone without an account that has said which player it is."""
    phone = coded(two)
    status, _told = phone.send(act="who", match=str(two.match().uid), player=numbers(two)[side])
    assert status == 200
    return phone


def begins(phone: Program) -> dict[str, Any]:
    status, told = phone.send("transcription/")
    assert status == 201, told
    return dict(told)


def types(phone: Program, *lines: str) -> dict[str, Any]:
    told = phone.read("transcription/")[1]
    for line in lines:
        key = f"line-{told['version']}-{len(told['lines'])}-key"
        status, told = phone.send("transcription/lines/", key=key, version=told["version"], text=line)
        assert status == 200, told
    return dict(told)


def hands_in(phone: Program) -> dict[str, Any]:
    """Hand in what was typed, let a worker judge it, and return the record."""
    version = phone.read("transcription/")[1]["version"]
    status, job = phone.send("transcription/hand-in/", version=version)
    assert status == 202, job
    deliver(timezone.now())
    (sent,) = job["submissions"]
    status, record = phone.read(f"records/{sent['key']}/")
    assert status == 200
    return dict(record)


@pytest.mark.long
def test_it_is_begun_on_one_phone_and_finished_on_another(two: Two) -> None:
    one = sits(two, 0)
    assert one.read("transcription/")[0] == 404
    told = begins(one)
    names = [two.match().a.player.name.split()[0], two.match().b.player.name.split()[0]]  # type: ignore[union-attr]
    assert [each.split()[0] for each in told["players"]] == names
    assert types(one, *LINES[:1])["version"] == 1

    other = sits(two, 0)
    assert begins(other)["uid"] == told["uid"]
    assert types(other, *LINES[1:])["is_over"]
    # Who looks with the first phone has seen another version by now.
    status, refused = one.send("transcription/lines/", key="a-late-line", version=1, text="64 24/14")
    assert (status, refused["code"]) == (409, "other_version")

    record = hands_in(other)
    assert (record["verdict"], record["outcome"]) == ("accepted", "reported")
    report = Report.objects.get()
    assert (report.score_a, report.score_b) == RESULT
    assert report.by == two.match().a
    assert report.device
    assert report.status == ReportStatus.OPEN
    sent = Submission.objects.get()
    assert (sent.by, sent.entry, sent.opponent) == (None, two.match().a, two.match().b)
    # The first phone sees the verdict, too; one that speaks for the other side does not.
    assert one.read(f"records/{sent.key}/")[0] == 200
    assert sits(two, 1).read(f"records/{sent.key}/")[0] == 404


@pytest.mark.parametrize(
    ("play", "rules"),
    [
        ({"best_of": 3}, Rules.best_of(3)),
        ({"crawford": False, "backgammons": False}, Rules(length=2, crawford=False, backgammons=False)),
        ({"jacoby": True}, Rules(length=2, jacoby=True)),
    ],
)
def test_it_is_judged_by_the_rules_of_the_event(two: Two, play: dict[str, Any], rules: Rules) -> None:
    row = two.match()
    Pairing.objects.filter(pk=row.pk).update(length=2, rules={**row.rules, "play": play})
    begins(sits(two, 0))

    assert transcriptions.judge_lines(Transcription.objects.get()).rules == rules


def test_it_begins_with_the_points_for_lateness(two: Two) -> None:
    Pairing.objects.filter(pk=two.match().pk).update(b_late=4)
    told = begins(sits(two, 1))

    assert told["score"] == [4, 0]
    assert types(sits(two, 1), *LINES[:2])["score"] == [4, 0]
    view = transcriptions.build_view(Transcription.objects.get())
    assert (view.is_crawford, view.count) == (True, 0)


def test_each_side_has_its_own(two: Two) -> None:
    mine, theirs = begins(sits(two, 0)), begins(sits(two, 1))
    assert mine["uid"] != theirs["uid"]
    assert mine["players"] == theirs["players"]


@pytest.mark.long
def test_the_same_device_never_confirms_its_own_record(two: Two) -> None:
    phone = sits(two, 0)
    begins(phone)
    types(phone, *LINES)
    assert hands_in(phone)["outcome"] == "reported"
    # It says now that it is the other player: it neither confirms nor hands in for them.
    match = str(two.match().uid)
    phone.send(act="who", match=match, player=numbers(two)[1])
    status, told = phone.send(act="confirm", match=match, score=list(RESULT))
    assert (status, told["code"]) == (409, "same_device")
    begins(phone)
    types(phone, *LINES)
    assert hands_in(phone)["outcome"] == "kept"
    assert two.match().state == PairingState.READY


@pytest.mark.long
@pytest.mark.share
def test_nor_does_a_record_for_the_same_player(two: Two) -> None:
    phone, another = sits(two, 0), sits(two, 0)
    phone.send(act="report", match=str(two.match().uid), score=list(RESULT))
    begins(another)
    types(another, *LINES)
    assert hands_in(another)["outcome"] == "kept"
    assert two.match().state == PairingState.READY


@pytest.mark.long
def test_the_opponent_s_record_confirms_what_was_reported(two: Two) -> None:
    sits(two, 0).send(act="report", match=str(two.match().uid), score=list(RESULT))
    phone = sits(two, 1)
    begins(phone)
    types(phone, *LINES)
    assert hands_in(phone)["outcome"] == "confirmed"
    row = two.match()
    assert (row.state, row.score_a, row.score_b) == (PairingState.DECIDED, *RESULT)


@pytest.mark.long
@pytest.mark.share
def test_where_only_the_director_reports_it_is_kept(two: Two) -> None:
    type(two.desk.event).objects.filter(pk=two.desk.pk).update(reporting="director")
    phone = sits(two, 0)
    begins(phone)
    types(phone, *LINES)
    assert hands_in(phone)["outcome"] == "kept"
    assert not Report.objects.exists()


def test_without_a_side_nothing_is_begun(two: Two) -> None:
    phone = coded(two)
    assert [phone.send("transcription/")[1]["code"], phone.read("transcription/")[1]["code"]] == [
        "who_are_you"
    ] * 2
    assert not Transcription.objects.exists()


def test_a_code_that_has_expired_or_is_of_other_players_is_refused(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone = sits(two, 0)
    begins(phone)
    monkeypatch.setattr(codes, "MATCH_LASTS", timedelta(days=-9))
    late = Program(f"/api/v1/codes/{codes.build_match_code(two.match(), timezone.now())}/")
    late.client = phone.client
    for answer in (
        late.read("transcription/"),
        late.send("transcription/lines/", key="a-line-too-late", version=0, text="31"),
        late.send("transcription/hand-in/", version=0),
    ):
        assert (answer[0], answer[1]["code"]) == (410, "code_expired")

    row = two.match()
    Pairing.objects.filter(pk=row.pk).update(a=row.b_id, b=row.a_id)
    for answer in (
        phone.read("transcription/"),
        phone.send("transcription/"),
        phone.send("transcription/hand-in/", version=0),
    ):
        assert (answer[0], answer[1]["code"]) == (409, "code_moved")


def test_a_match_that_moved_before_the_verdict_is_left_alone(two: Two) -> None:
    phone = sits(two, 0)
    begins(phone)
    version = types(phone, *LINES)["version"]
    assert phone.send("transcription/hand-in/", version=version)[0] == 202
    somebody = Player.objects.create(name="Somebody else")
    entry = Entry.objects.create(
        tournament_id=two.desk.pk, player=somebody, number=9, entered_at=timezone.now()
    )
    Pairing.objects.filter(pk=two.match().pk).update(b=entry)
    deliver(timezone.now())
    assert Submission.objects.get().outcome == "other"
    assert not Report.objects.exists()


@pytest.mark.long
@pytest.mark.share
def test_a_decided_match_is_finished_but_none_is_begun(two: Two) -> None:
    phone, idle = sits(two, 0), sits(two, 1)
    begins(phone)
    row = two.match()
    winner, loser = RESULT[1], RESULT[0]
    two.desk.do(results.enter_result, key=row.key, score=(loser, winner))
    types(phone, *LINES)
    assert hands_in(phone)["outcome"] == "fits"
    assert idle.send("transcription/")[1]["code"] == "result_stands"


def test_removed_and_taken_back_and_taken_home(two: Two) -> None:
    phone = sits(two, 0)
    begins(phone)
    told = types(phone, *LINES[:2])
    lines = told["lines"]
    _status, told = phone.send(
        "transcription/remove/", key="remove-one", version=told["version"], at=len(lines) - 1
    )
    assert told["lines"] == lines[:-1]
    _status, told = phone.send("transcription/take-back/", key="back-once", version=told["version"])
    assert told["lines"] == lines
    answer = phone.client.get(f"{phone.path}transcription/file/mat/")
    assert b"8/5 6/5" in answer.content
    assert phone.read("transcription/file/exe/")[0] == 404


@pytest.mark.long
@pytest.mark.share
def test_a_match_that_is_played_again_is_transcribed_from_the_start(two: Two) -> None:
    """As its score sheet is; what was typed of the void play stays, apart from the match."""
    before = begins(sits(two, 0))
    lines = types(sits(two, 0), *LINES[:2])["lines"]
    two.desk.now = timezone.now()
    two.desk.do(incidents.void_match, key="main/1.1", reason="The wrong length")

    phone = sits(two, 0)
    assert phone.read("transcription/")[0] == 404
    told = begins(phone)
    assert told["uid"] != before["uid"]
    assert told["lines"] == []
    assert types(phone, *LINES[:1])["lines"] == lines[:2]
    old = Transcription.objects.get(uid=before["uid"])
    assert (old.lines, old.pairing) == (lines, None)
    assert begins(phone)["uid"] == told["uid"]


def test_what_was_typed_is_back_when_the_ruling_is_taken_back(two: Two) -> None:
    phone = sits(two, 0)
    before = begins(phone)
    two.desk.now = timezone.now()
    two.desk.do(incidents.void_match, key="main/1.1", reason="The wrong length")
    ruling = two.desk.event.rulings.latest("pk")
    assert phone.read("transcription/")[0] == 404
    two.desk.now = timezone.now()
    two.desk.do(corrections.undo_act, ruling_id=ruling.pk, reason="It was the right one")

    assert phone.read("transcription/")[1]["uid"] == before["uid"]


def test_so_is_one_that_was_begun_with_an_account(two: Two) -> None:
    def begin() -> Transcription:
        return transcribing.begin(
            by=two.users[0],
            club=two.desk.club,
            names=("Otis Fenn", "Runa Vik"),
            length=5,
            now=timezone.now(),
            pairing=two.match(),
        )

    before = begin()
    assert begin() == before
    two.desk.now = timezone.now()
    two.desk.do(incidents.void_match, key="main/1.1", reason="The wrong length")

    again = begin()
    assert again != before
    assert begin() == again
    before.refresh_from_db()
    assert before.pairing is None


def test_who_is_signed_in_but_no_member_does_it_with_the_code(two: Two) -> None:
    user, _other = sides(two)
    two.desk.club.memberships.filter(player=user.player).delete()
    phone = coded(two)
    phone.client.force_login(user)
    assert phone.send("transcription/")[0] == 201
    assert Transcription.objects.get().by is None


# -- the pages


@pytest.mark.long
def test_the_page_at_the_table_begins_shows_mends_and_tells_the_verdict(two: Two) -> None:
    here = codes.build_match_address(two.match(), now=timezone.now())
    phone = Phone(here).sit(numbers(two)[0])
    where, match = f"{here}transcription/", str(two.match().uid)
    assert phone.browser.get(where).url == here
    assert "Transcribe the match" in phone.look()
    answer = phone.browser.post(where, {"do": "begin", "match": match})
    assert answer.url == where
    assert "Go on transcribing" in phone.look()

    def send(**said: object) -> Any:
        row = Transcription.objects.get()
        key = f"a-key-{row.version}-{len(row.lines)}"
        return phone.browser.post(where, {"match": match, "key": key, "version": row.version, **said})

    page = phone.browser.get(where).content.decode()
    assert 'value="delete"' not in page
    assert f"{where}record.mat?match={match}" in page
    for line in LINES:
        assert send(text=line).status_code == 302
    at = next(place for place, line in enumerate(Transcription.objects.get().lines) if "64:" in line)
    assert send(at=at, instead="1", text="64 24/13", as_written="1").status_code == 302
    record = send(do="hand-in").url
    waiting = phone.browser.get(record).content.decode()
    assert 'data-live="verdicts.' in waiting
    deliver(timezone.now())
    rejected = phone.browser.get(record)
    assert "Rejected" in text(rejected)
    assert 'data-live="verdicts.' not in rejected.content.decode()
    mend = re.search(r'href="([^"]+)">\s*Correct this record', rejected.content.decode())
    assert mend[1].startswith(where)

    assert send(at=at, instead="1", text="64 24/14").status_code == 302

    record = send(do="hand-in").url
    deliver(timezone.now())
    assert "Accepted" in text(phone.browser.get(record))
    assert Report.objects.get().score_b == 5
    assert phone.browser.get(f"{where}record.mat?match={match}").status_code == 200
    # Another browser that has not said who it is sees none of it.
    stranger = Phone(here)
    assert stranger.browser.get(where).url == here
    assert stranger.browser.get(record).status_code == 404


def test_a_page_of_the_match_before_is_told_what_has_become_of_it(two: Two) -> None:
    here = codes.build_match_address(two.match(), now=timezone.now())
    phone = Phone(here).sit(numbers(two)[0])
    where = f"{here}transcription/"
    phone.browser.post(where, {"do": "begin"})
    row = two.match()
    Pairing.objects.filter(pk=row.pk).update(a=row.b_id, b=row.a_id)
    answer = phone.browser.post(where, {"do": "enter", "text": "31"}, headers={"Accept": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (409, "code_moved")


def test_a_script_that_has_not_said_who_it_is_is_asked(two: Two) -> None:
    here = codes.build_match_address(two.match(), now=timezone.now())
    browser = Phone(here).browser
    answer = browser.post(f"{here}transcription/", {"do": "begin"}, headers={"Accept": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (409, "who_are_you")
    assert browser.post(f"{here}transcription/", {"do": "begin"}).url == here
    assert not Transcription.objects.exists()
