"""Outcomes of a record: the players' colours, agreement with the report, and records without a report."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import strip_tags

from players.accounts import accounts, exports
from players.models import Export, User
from records.base.errors import NothingAsked, NotYours
from records.models import Outcome, RecordAlias, Submission
from records.submissions import naming, record_outcomes, submissions
from records.submissions.submissions import SentFile
from runtime.work import outbox
from tests.records.conftest import CLEAN, WRONG
from tests.tournaments.event_desk import Desk
from tests.tournaments.pages.test_pages_player import Two
from tests.tournaments.support import Browser, text
from tournaments.base.settings import Settings
from tournaments.models import PairingState, Report, ReportedBy
from tournaments.play import deadlines, event_control, results

pytestmark = pytest.mark.today

MATCH = "main/1.1"
# In the record Ada lost to Bo, 2-5.
NAMES = (b"Ada", b"Bo")


def sits(two: Two) -> tuple[User, User]:
    row = two.match()
    assert row.a
    first, second = sorted(two.users, key=lambda user: user.player.pk != row.a.player_id)  # type: ignore[union-attr]
    return first, second


def record(white: User | str, black: User | str, data: bytes = CLEAN) -> bytes:
    """Return the record under other names."""
    for name, who in zip(NAMES, (white, black), strict=True):
        called = who if isinstance(who, str) else who.player.name
        data = data.replace(name + b" :", called.encode() + b" :")
    return data


def hand_in(two: Two, by: User, data: bytes, *, waits: bool = False, pairing: Any = "its own") -> Submission:
    pairing = two.match() if pairing == "its own" else pairing
    [row] = submissions.hand_in(
        club=two.desk.club, by=by, files=[SentFile("a.mat", data)], now=two.desk.now, pairing=pairing
    )
    if not waits:
        deliver(two.desk.now)
    row.refresh_from_db()
    return row


def deliver(now: datetime) -> None:
    for _ in range(5):
        for pk in outbox.list_due(now=now).filter(kind__startswith="records.").values_list("pk", flat=True):
            assert outbox.deliver(outbox_id=pk, now=now)


def score(two: Two) -> tuple[int | None, int | None]:
    row = two.match()
    return row.score_a, row.score_b


def reported(two: Two, by: User, *said: int) -> Report:
    return results.report_result(tournament_id=two.desk.pk, key=MATCH, user=by, score=said, now=two.desk.now)  # type: ignore[arg-type]


@pytest.mark.parametrize("is_swapped", [False, True])
def test_a_record_that_fits_confirms_the_report(two: Two, is_swapped: bool) -> None:
    a, b = sits(two)
    # White lost, as player a or as player b.
    white, black = (b, a) if is_swapped else (a, b)
    result = (5, 2) if is_swapped else (2, 5)
    reported(two, black, *result)

    row = hand_in(two, black, record(white, black))

    assert row.outcome == Outcome.CONFIRMED
    assert (two.match().state, score(two)) == (PairingState.DECIDED, result)
    assert Report.objects.get().status == "confirmed"


@pytest.mark.parametrize("of", ["opponent", "reporter", "director"])
def test_one_that_ends_otherwise_calls_the_director(db: None, now: datetime, of: str) -> None:
    two = Two(Desk(now), Settings(confirm_minutes=10)).start()
    a, b = sits(two)
    reported(two, a, 5, 3)
    assert Report.objects.get().confirms_at is not None

    sent = hand_in(two, {"opponent": b, "reporter": a, "director": two.desk.director}[of], record(a, b))

    assert sent.outcome == Outcome.DIFFERS
    assert (two.match().state, two.match().needs_director) == (PairingState.READY, "dispute")
    assert (Report.objects.get().status, Report.objects.get().confirms_at) == ("disputed", None)
    two.desk.now += timedelta(hours=1)
    deadlines.process_event(tournament_id=two.desk.pk, now=two.desk.now)
    assert two.match().state == PairingState.READY
    # A record like the report does not end the dispute; the director does.
    assert hand_in(two, b, record(b, a)).outcome == Outcome.DISPUTED
    two.desk.do(results.enter_result, key=MATCH, score=(2, 5))
    assert (two.match().state, two.match().needs_director) == (PairingState.DECIDED, "")


def test_the_desk_links_to_the_report_and_the_record_that_contradicts_it(two: Two) -> None:
    a, b = sits(two)
    reported(two, a, 5, 3)
    hand_in(two, b, record(a, b))
    address = reverse("tournaments:pairing", args=[two.desk.fresh().key, MATCH])

    desk = text(Browser(two.desk.director).get(reverse("tournaments:desk", args=[two.desk.fresh().key])))

    assert address in desk.partition('id="desk-needs"')[2].partition("</section>")[0]
    assert "a.mat" in text(Browser(two.desk.director).get(address))


def test_a_bystander_disputes_no_report(two: Two) -> None:
    a, b = sits(two)
    reported(two, a, 5, 3)
    other = two.desk.member("Cy")

    assert hand_in(two, other, record(a, b)).outcome == Outcome.DIFFERS
    assert (Report.objects.get().status, two.match().needs_director) == ("open", "")


def test_a_file_with_a_rejected_and_an_accepted_match_decides_nothing(two: Two) -> None:
    """Its seal says "rejected": neither the accepted match nor the order of the two counts."""
    a, b = sits(two)
    reported(two, b, 2, 5)
    parts = record(a, b), record(a, b, WRONG)

    for data in (parts[0] + parts[1], parts[1] + parts[0]):
        row = hand_in(two, a, data)
        assert (row.file.word, row.outcome) == ("rejected", Outcome.REJECTED)
    assert two.match().state == PairingState.READY
    assert Report.objects.get().status == "open"
    # What is accepted by itself still counts.
    assert hand_in(two, a, parts[0]).outcome == Outcome.CONFIRMED


def test_without_a_report_it_is_that_of_who_hands_it_in(two: Two) -> None:
    a, b = sits(two)

    assert hand_in(two, b, record(a, b)).outcome == Outcome.REPORTED

    report = Report.objects.get()
    assert (report.by.player, report.score_a, report.score_b) == (b.player, 2, 5)
    assert two.match().state == PairingState.READY


def test_who_reported_by_a_record_does_not_confirm_it_by_the_same(two: Two) -> None:
    a, b = sits(two)
    data = record(a, b)
    hand_in(two, b, data)

    assert hand_in(two, b, data).outcome == Outcome.REPORTED
    assert hand_in(two, b, data + b"\n").outcome == Outcome.REPORTED
    assert two.match().state == PairingState.READY
    assert Report.objects.get().status == "open"
    # The opponent's is another word.
    assert hand_in(two, a, data).outcome == Outcome.CONFIRMED


def test_a_director_who_hands_it_in_enters_the_result(two: Two) -> None:
    a, b = sits(two)

    assert hand_in(two, two.desk.director, record(a, b)).outcome == Outcome.ENTERED
    assert score(two) == (2, 5)


def test_a_record_handed_in_during_a_pause_counts_after_it(two: Two) -> None:
    _a, b = sits(two)
    two.desk.do(event_control.pause_event)
    row = hand_in(two, b, record(*sits(two)))
    assert row.outcome == Outcome.KEPT
    two.desk.now += record_outcomes.AGAIN
    deliver(two.desk.now)
    two.desk.do(event_control.resume_event)
    assert not Report.objects.exists()

    two.desk.now += record_outcomes.AGAIN
    deliver(two.desk.now)
    row.refresh_from_db()
    assert row.outcome == Outcome.REPORTED
    assert Report.objects.get().by.player == b.player


def test_a_member_who_did_not_play_enters_nothing(two: Two) -> None:
    a, b = sits(two)
    other = two.desk.member("Other")

    assert hand_in(two, other, record(a, b)).outcome == Outcome.KEPT
    assert two.match().state == PairingState.READY


def test_where_the_director_reports_it_is_only_kept(db: None, now: datetime) -> None:
    two = Two(Desk(now), Settings(reporting=ReportedBy.DIRECTOR)).start()
    a, b = sits(two)

    assert hand_in(two, a, record(a, b)).outcome == Outcome.KEPT
    assert not Report.objects.exists()


def test_a_rejected_one_changes_nothing(two: Two) -> None:
    a, b = sits(two)
    reported(two, b, 2, 5)

    assert hand_in(two, b, record(a, b, WRONG)).outcome == Outcome.REJECTED
    assert two.match().state == PairingState.READY


def test_the_page_of_many_says_what_each_does_to_the_match(two: Two) -> None:
    _, b = sits(two)
    files = [SentFile("a.mat", CLEAN), SentFile("b.txt", b"Dear all")]
    rows = submissions.hand_in(club=two.desk.club, by=b, files=files, now=two.desk.now, pairing=two.match())
    deliver(two.desk.now)
    browser = two.browsers[two.users.index(b)]

    page = browser.get(f"/records/{two.desk.club.slug}/sent/{rows[0].batch}/")

    shown = " ".join(strip_tags(text(page)).split())
    assert "The names in the record do not show who is who. Choose who is who" in shown
    assert f"/records/{two.desk.club.slug}/{rows[0].key}/#outcome" in page.content.decode()
    assert "Hand in the file of the match exactly as your program wrote it." in text(page)
    assert "Otis Fenn" in text(page)


def test_in_a_dispute_the_director_decides(two: Two) -> None:
    a, b = sits(two)
    two.desk.event.refresh_from_db()
    reported(two, a, 5, 3)
    reported(two, b, 2, 5)

    assert hand_in(two, b, record(a, b)).outcome == Outcome.DISPUTED
    assert two.match().state == PairingState.READY


def test_of_a_result_that_stands_it_says_whether_it_fits(two: Two) -> None:
    a, b = sits(two)
    two.desk.do(results.enter_result, key=MATCH, score=(2, 5))

    assert hand_in(two, a, record(a, b)).outcome == Outcome.FITS
    assert hand_in(two, a, record(b, a)).outcome == Outcome.DIFFERS
    assert score(two) == (2, 5)


@pytest.mark.long
def test_names_that_do_not_tell_are_asked_for_and_remembered(two: Two) -> None:
    a, b = sits(two)
    reported(two, b, 2, 5)
    row = hand_in(two, b, CLEAN)
    assert row.outcome == Outcome.WHO
    page = f"/records/{two.desk.club.slug}/{row.key}/"
    browser = two.browsers[two.users.index(b)]
    assert "The names in the record are Ada and Bo." in text(browser.get(page))

    assert browser.post(f"{page}who/", {"white": "a"}).status_code == 302

    row.refresh_from_db()
    assert row.outcome == Outcome.CONFIRMED
    assert score(two) == (2, 5)
    known = dict(RecordAlias.objects.values_list("folded", "player"))
    assert known == {"ada": a.player.pk, "bo": b.player.pk}
    again = browser.post(f"/api/v1/records/{row.key}/who/", {"white": "a"}, content_type="application/json")
    assert (again.status_code, again.json()["outcome"]) == (200, "confirmed"), "its first answer may be lost"
    for other in ("b", "neither"):
        with pytest.raises(NothingAsked):
            record_outcomes.name_white(submission=row, white=other, by=b, now=two.desk.now)
    # The next record needs no answer.
    assert hand_in(two, b, CLEAN + b"\n").outcome == Outcome.FITS


def test_that_it_is_a_match_of_others_is_said_and_no_name_remembered(two: Two) -> None:
    _, b = sits(two)
    row = hand_in(two, b, CLEAN)
    page = f"/records/{two.desk.club.slug}/{row.key}/"
    browser = two.browsers[two.users.index(b)]
    assert "Neither: it is another match" in text(browser.get(page))

    for _ in range(2):
        assert browser.post(f"{page}who/", {"white": "neither"}).status_code == 302

    row.refresh_from_db()
    assert row.outcome == Outcome.OTHER
    assert not RecordAlias.objects.exists()
    assert "Neither: it is another match" not in text(browser.get(page))


def test_a_record_without_names_says_what_to_do_and_asks_nothing(two: Two) -> None:
    _, b = sits(two)
    row = hand_in(two, b, record("", ""))
    assert row.outcome == Outcome.WHO
    browser = two.browsers[two.users.index(b)]
    records = f"/records/{two.desk.club.slug}/"

    page = text(browser.get(f"{records}{row.key}/"))

    assert "The record does not name its players. Add both names to the file" in page
    assert "Neither: it is another match" not in page
    assert "Choose who is who" not in text(browser.get(records))
    said = browser.post(f"/api/v1/records/{row.key}/who/", {"white": "a"}, content_type="application/json")
    assert (said.status_code, said.json()["code"]) == (409, "no_names")
    row.refresh_from_db()
    assert row.outcome == Outcome.WHO
    # One name is enough to ask.
    one = hand_in(two, b, record("", "Bo"))
    assert "Neither: it is another match" in text(browser.get(f"{records}{one.key}/"))


def test_the_whole_name_of_another_member_is_theirs(two: Two) -> None:
    a, b = sits(two)
    director = two.desk.director

    assert hand_in(two, b, record(director, "Somebody")).outcome == Outcome.OTHER
    assert hand_in(two, b, record(a, director)).outcome == Outcome.OTHER
    assert two.match().state == PairingState.READY
    assert not Report.objects.exists()


def test_only_those_it_concerns_say_who_is_who(two: Two) -> None:
    from players.accounts import accounts

    _, b = sits(two)
    row = hand_in(two, b, CLEAN)
    stranger = accounts.register(email="x@example.org", password=None, name="Xan Rook", now=two.desk.now)

    with pytest.raises(NotYours):
        record_outcomes.name_white(submission=row, white="a", by=stranger, now=two.desk.now)


def test_a_name_that_is_known_as_another_players_is_not_theirs(two: Two) -> None:
    a, b = sits(two)
    other = two.desk.director.player
    RecordAlias.objects.create(club=two.desk.club, folded="ada", player=other)

    assert hand_in(two, b, record("Ada", b)).outcome == Outcome.OTHER
    assert hand_in(two, b, record(a.player.name.split()[0], "Somebody")).outcome == Outcome.REPORTED


def test_the_export_of_one_s_data_has_records_and_names_in_records(two: Two) -> None:
    a, b = sits(two)
    row = hand_in(two, b, record(a, b))
    RecordAlias.objects.create(club=two.desk.club, folded="bo", player=b.player)
    request = exports.request_export(user=b, now=two.desk.now)
    exports.write_export({"export_id": request.pk}, now=two.desk.now)

    data = json.loads(bytes(Export.objects.get().content))
    assert [(each["key"], each["match"], each["file"]) for each in data["records"]] == [
        (row.key, MATCH, "a.mat")
    ]
    assert data["names_in_records"] == [{"club": two.desk.club.slug, "name": "bo"}]
    assert submissions.export_submissions(a.player) == naming.export_aliases(a.player) == []


def test_the_names_of_a_deleted_account_are_free_again(two: Two) -> None:
    _, b = sits(two)
    ada = accounts.register(email="ada@example.org", password=None, name="Ada Left", now=two.desk.now)
    RecordAlias.objects.create(club=two.desk.club, folded="ada", player=ada.player)
    accounts.erase(user=ada, now=two.desk.now)

    assert not RecordAlias.objects.exists()
    assert hand_in(two, b, record("Ada", b)).outcome == Outcome.REPORTED


def test_a_match_of_another_length_decides_nothing(two: Two) -> None:
    a, b = sits(two)
    row = two.match()
    row.length = 7
    row.save()

    assert hand_in(two, b, record(a, b)).outcome == Outcome.UNFINISHED


ONE_GAME = """; [Site "BackgammonGalaxy"]

 2 point match

 Game 1
 {} : 0                        {} : 0
  1) 31: 8/5 6/5                 64: 24/14
"""
DOUBLED = "  2)  Doubles => 2                Takes\n      Wins 2 points and the match\n"


@pytest.mark.parametrize(
    ("end", "outcome"), [(DOUBLED, Outcome.REPORTED), ("      Wins 1 point\n", Outcome.UNFINISHED)]
)
def test_a_match_to_two_that_was_decided_in_one_game_has_ended(two: Two, end: str, outcome: Outcome) -> None:
    """The referee takes it as unlimited play, because Backgammon Galaxy writes both so."""
    a, b = sits(two)
    row = two.match()
    row.length = 2
    row.save()

    told = hand_in(two, a, (ONE_GAME.format(a.player.name, b.player.name) + end).encode())

    match = told.file.matches.get()
    assert (match.word, match.length, match.winner) == ("accepted", 2, None)
    assert told.outcome == outcome
    reports = list(Report.objects.values_list("score_a", "score_b"))
    assert reports == ([(2, 0)] if outcome == Outcome.REPORTED else [])


def test_what_is_handed_in_again_is_decided_though_it_was_judged_before(two: Two) -> None:
    a, b = sits(two)
    data = record(a, b)
    assert hand_in(two, b, data, pairing=None).outcome == ""
    reported(two, b, 2, 5)

    assert hand_in(two, b, data).outcome == Outcome.CONFIRMED


def test_it_is_decided_once(two: Two) -> None:
    a, b = sits(two)
    row = hand_in(two, b, record(a, b))
    results.drop_own_report(two.match(), Report.objects.get().by, b)

    record_outcomes.decide_outcome({"submission": row.pk}, now=two.desk.now)

    assert [report.status for report in Report.objects.all()] == ["dropped"]


def test_from_the_page_of_a_match_it_belongs_to_that_match(two: Two) -> None:
    a, b = sits(two)
    browser = two.browsers[two.users.index(b)]
    sheet = browser.get(f"/events/{two.key}/sheet/{MATCH}/").content.decode()
    where = f"/records/{two.desk.club.slug}/?match={two.match().uid}"
    assert where in sheet
    assert "For this match:" in text(browser.get(where))

    browser.post(where, {"match": str(two.match().uid), "text": record(a, b).decode()})

    assert Submission.objects.get().pairing == two.match()
    assert browser.get(f"/records/{two.desk.club.slug}/?match=nothing").status_code == 404


def test_by_program_it_belongs_to_that_match(two: Two) -> None:
    a, b = sits(two)
    browser = two.browsers[two.users.index(b)]
    said = {"club": two.desk.club.slug, "text": record(a, b).decode(), "match": str(two.match().uid)}

    job = browser.post("/api/v1/records/", said).json()
    assert job["submissions"][0]["match"] == str(two.match().uid)
    deliver(timezone.now())

    key = job["submissions"][0]["key"]
    assert browser.get(f"/api/v1/records/{key}/").json()["outcome"] == "reported"
    who = browser.post(f"/api/v1/records/{key}/who/", {"white": "a"}, content_type="application/json")
    assert (who.status_code, who.json()["code"]) == (409, "nothing_asked")
    nowhere = {**said, "match": "00000000-0000-4000-8000-000000000000"}
    assert browser.post("/api/v1/records/", nowhere).status_code == 409
