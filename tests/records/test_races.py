"""Two at one match in the same moment, phones without an account among them: first with the guards off, then on.

On SQLite, where transactions take turns from their first statement on, there is nothing to show without guards; the races themselves
are run on both.
"""

from __future__ import annotations

import contextlib
import threading
from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection

from players.accounts import accounts
from players.clubs import clubs
from players.models import Club, User
from records import evidence
from records.archive import archiving
from records.models import ArchivedMatch, RecordFile, RecordMatch, Submission, Transcription
from records.submissions import archive_filing, judging, record_outcomes, submissions
from records.submissions.submissions import SentFile
from records.transcripts import transcribing
from tests.records.conftest import CLEAN
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.test_races_in_events import LONGEST, together, wrong
from tournaments.base.errors import TournamentError
from tournaments.base.settings import Settings
from tournaments.models import Pairing, PairingState, Report, ReportStatus, Tournament
from tournaments.play import changes, claims, code_holders, disputes, progress, results
from tournaments.play.code_holders import CodeHolder

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def desk(db: None, now: Any) -> Desk:
    """A match of two, and another one beside it."""
    desk = Desk(now)
    desk.start(a_plan("single-elimination", Settings(confirm_minutes=10)), 4)
    return desk


@pytest.fixture
def unguarded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Switch off the lock of the event."""
    if connection.vendor != "postgresql":
        pytest.skip("SQLite's writers stand in line anyway")
    monkeypatch.setattr(
        changes, "lock_event", lambda pk: Tournament.objects.select_related("club").get(pk=pk)
    )


def match(desk: Desk) -> Pairing:
    return desk.row("main/1.1")


def phone(desk: Desk, side: str, **other: Any) -> CodeHolder:
    row = match(desk)
    seats = (row.a_id, row.b_id)
    said = {"seats": seats, "until": desk.now + timedelta(days=1), "device": f"phone-{side}"}
    return CodeHolder(**(said | {"entry_id": seats[side == "b"]} | other))  # type: ignore[arg-type]


def act(desk: Desk, service: Any, who: CodeHolder, *score: int) -> Any:
    return lambda: service(tournament_id=desk.pk, key="main/1.1", user=who, score=score, now=desk.now)


# -- both report differently


def both_report(desk: Desk) -> Counter[str]:
    return together(
        [
            act(desk, results.report_result, phone(desk, "a"), 5, 1),
            act(desk, results.report_result, phone(desk, "b"), 2, 5),
        ]
    )


def test_both_report_differently_at_once(desk: Desk) -> None:
    assert both_report(desk) == {"done": 2}

    assert set(Report.objects.values_list("status", flat=True)) == {ReportStatus.DISPUTED}
    assert match(desk).needs_director == "dispute"
    assert match(desk).state == PairingState.READY
    assert wrong(desk) == []


@pytest.mark.usefixtures("unguarded")
def test_without_the_lock_neither_sees_the_other(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    read, honest = threading.Barrier(2), claims.list_open_reports

    def late(row: Pairing) -> Any:
        found = honest(row)
        read.wait(LONGEST)
        return found

    monkeypatch.setattr(claims, "list_open_reports", late)

    assert both_report(desk) == {"done": 2}
    assert set(Report.objects.values_list("status", flat=True)) == {ReportStatus.OPEN}
    assert match(desk).needs_director == ""


# -- confirm and dispute


def confirm_and_dispute(desk: Desk) -> Counter[str]:
    act(desk, results.report_result, phone(desk, "a"), 5, 1)()
    one, other = phone(desk, "b", device="one"), phone(desk, "b", device="other")
    return together(
        [act(desk, results.confirm_report, one, 5, 1), act(desk, results.dispute_report, other, 5, 1)]
    )


def test_confirmed_and_disputed_at_once(desk: Desk) -> None:
    told = confirm_and_dispute(desk)

    # A dispute that comes first does not stop the confirmation; a confirmed result cannot be disputed.
    assert told in ({"done": 2}, {"done": 1, "result_stands": 1})
    assert match(desk).state == PairingState.DECIDED
    assert Report.objects.get().status == ReportStatus.CONFIRMED
    assert wrong(desk) == []


@pytest.mark.usefixtures("unguarded")
def test_without_the_lock_a_result_stands_and_is_disputed(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, honest, stored = threading.Barrier(2), results._get_their_report, results._mark_disputed

    def late(row: Pairing, *about: Any) -> Any:
        said = honest(row, *about)
        read.wait(LONGEST)
        return said

    def later(said: Report) -> None:
        while not Report.objects.filter(pk=said.pk, status=ReportStatus.CONFIRMED).exists():
            threading.Event().wait(0.01)
        stored(said)

    monkeypatch.setattr(results, "_get_their_report", late)
    monkeypatch.setattr(results, "_mark_disputed", later)

    assert confirm_and_dispute(desk) == {"done": 2}
    assert Report.objects.get().status == ReportStatus.DISPUTED
    assert match(desk).kind == "played"


# -- the desk rules while a player confirms


def rule_and_confirm(desk: Desk) -> Counter[str]:
    act(desk, results.report_result, phone(desk, "a"), 5, 1)()
    return together(
        [
            lambda: desk.do(disputes.rule_on_match, key="main/1.1", score=(2, 5), reason="seen it"),
            act(desk, results.confirm_report, phone(desk, "b"), 5, 1),
        ]
    )


def test_the_desk_rules_while_a_player_confirms(desk: Desk) -> None:
    assert rule_and_confirm(desk) == {"done": 1, "result_stands": 1}

    row, said = match(desk), Report.objects.get()
    assert (said.status == ReportStatus.CONFIRMED) == (row.score_a == 5)
    assert wrong(desk) == []


@pytest.mark.usefixtures("unguarded")
def test_without_the_guards_both_are_told_that_theirs_stands(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, honest = threading.Barrier(2), progress.store_result

    def late(row: Pairing, kind: Any, **what: Any) -> None:
        confirms = Report.objects.filter(pairing=row, status=ReportStatus.CONFIRMED).exists()
        read.wait(LONGEST)
        # One after the other: at once, each could wait for a row of the other's until PostgreSQL ends one of them.
        while not confirms and not Pairing.objects.filter(pk=row.pk, state=PairingState.DECIDED).exists():
            threading.Event().wait(0.01)
        Pairing.objects.filter(pk=row.pk).update(state=PairingState.READY, kind="", winner=None)
        honest(row, kind, **what)

    monkeypatch.setattr(progress, "store_result", late)

    assert rule_and_confirm(desk) == {"done": 2}


# -- a code that is not good any more


def report_while_seats_change(desk: Desk) -> str:
    """Let a phone report while the event is locked and the two players are exchanged; return its answer."""
    who, row = phone(desk, "a"), match(desk)
    held, told = threading.Event(), Counter[str]()
    honest = changes.lock_event

    def tell() -> None:
        held.wait(LONGEST)
        told.update(together([act(desk, results.report_result, who, 5, 1)]))

    from django.db import transaction

    waiting = threading.Thread(target=tell)
    waiting.start()
    with transaction.atomic():
        honest(desk.pk)
        held.set()
        Pairing.objects.filter(pk=row.pk).update(a=row.b_id, b=row.a_id)
    waiting.join(LONGEST)
    return next(iter(told))


def test_a_code_used_after_the_match_moved(desk: Desk) -> None:
    assert report_while_seats_change(desk) == "code_moved"
    assert not Report.objects.exists()


def test_without_the_look_under_the_lock_the_other_has_won(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(code_holders, "require_seats", lambda seats, row: None)

    assert report_while_seats_change(desk) == "done"
    # The phone reported for who was a then, and said that they won.
    said = Report.objects.get()
    assert (said.score_a, said.by_id) == (5, match(desk).b_id)


def test_a_code_used_after_it_expired(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    late = phone(desk, "a", until=desk.now)
    with pytest.raises(TournamentError) as refusal:
        act(desk, results.report_result, late, 5, 1)()
    assert refusal.value.code == "code_expired"

    monkeypatch.setattr(code_holders, "require_unexpired", lambda until, *, now: None)
    act(desk, results.report_result, late, 5, 1)()
    assert Report.objects.count() == 1


def test_a_code_used_for_another_match(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    about = {"tournament_id": desk.pk, "key": "main/1.2", "score": (5, 1), "now": desk.now}
    with pytest.raises(TournamentError) as refusal:
        results.report_result(user=phone(desk, "a"), **about)
    assert refusal.value.code == "code_moved"

    monkeypatch.setattr(code_holders, "require_seats", lambda seats, row: None)
    other = desk.row("main/1.2").a_id
    results.report_result(user=phone(desk, "a", entry_id=other), **about)
    assert Report.objects.get().pairing.key == "main/1.2"


# -- two workers take one submission


@pytest.fixture
def club(desk: Desk) -> Club:
    return desk.club


@pytest.fixture
def member(desk: Desk, club: Club) -> User:
    user = accounts.register(email="ada@example.org", password=None, name="Ada", now=desk.now)
    clubs.join(club=club, player=user.player, now=desk.now)
    return user


def handed_in(club: Club, by: User, desk: Desk, **other: Any) -> Submission:
    [row] = submissions.hand_in(club=club, by=by, files=[SentFile("a.mat", CLEAN)], now=desk.now, **other)
    return row


def judged_twice(desk: Desk, row: Submission) -> Counter[str]:
    assert row.file
    verdict, file = judging.judge_file(CLEAN), RecordFile.objects.get(pk=row.file.pk)
    return together([lambda: submissions.store_verdict(file, verdict, now=desk.now)] * 2)


def test_two_workers_judge_one_file(desk: Desk, club: Club, member: User) -> None:
    assert judged_twice(desk, handed_in(club, member, desk)) == {"done": 2}

    assert RecordMatch.objects.count() == 1


def test_without_the_comparison_the_second_writes_too(
    desk: Desk, club: Club, member: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = handed_in(club, member, desk)
    honest = RecordFile.objects.filter
    monkeypatch.setattr(RecordFile.objects, "filter", lambda **about: honest(pk=about["pk"]), raising=False)

    # Only the database keeps a second verdict out, by failing.
    assert judged_twice(desk, row)[IntegrityError.__name__] == 1


def decided_twice(desk: Desk, row: Submission, monkeypatch: pytest.MonkeyPatch) -> int:
    """Have two workers decide by one record, and count those that did."""
    submissions.store_verdict(row.file, judging.judge_file(CLEAN), now=desk.now)  # type: ignore[arg-type]
    done: list[str] = []
    honest = evidence.conclude

    def counted(*about: Any, **more: Any) -> Any:
        done.append("")
        return honest(*about, **more)

    monkeypatch.setattr(evidence, "conclude", counted)
    together([lambda: record_outcomes.decide_outcome({"submission": row.pk}, now=desk.now)] * 2)
    return len(done)


def of_the_match(desk: Desk) -> Submission:
    row = match(desk)
    for entry, name in ((row.a, "Ada"), (row.b, "Bo")):
        assert entry
        entry.player.name = name
        entry.player.save()
    return handed_in(desk.club, desk.director, desk, pairing=row)


def test_two_workers_decide_by_one_record(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    row = of_the_match(desk)

    assert decided_twice(desk, row, monkeypatch) == 1
    row.refresh_from_db()
    assert (row.outcome, match(desk).score_b) == ("entered", 5)


@pytest.mark.usefixtures("unguarded")
def test_without_the_lock_both_decide(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    row = of_the_match(desk)
    read, honest = threading.Barrier(2), results.get_match

    def late(*about: Any) -> Any:
        if threading.current_thread() is not threading.main_thread() and not read.broken:
            with contextlib.suppress(threading.BrokenBarrierError):
                read.wait(5)
        return honest(*about)

    monkeypatch.setattr(results, "get_match", late)

    assert decided_twice(desk, row, monkeypatch) == 2


# -- a transcription is handed in twice


def typed(desk: Desk) -> Transcription:
    row = transcribing.begin(by=desk.director, club=desk.club, names=("Ann", "Ben"), length=1, now=desk.now)
    said = {"key": "a-first-line", "version": 0, "at": None, "text": "31 8/5 6/5", "now": desk.now}
    return transcribing.enter_line(transcription=row, **said)[0]


def hand_in_twice(desk: Desk, row: Transcription) -> Counter[str]:
    return together([lambda: transcribing.hand_in(transcription=row, version=1, now=desk.now)] * 2)


def test_who_hands_in_twice_at_once_hands_in_one_record(desk: Desk) -> None:
    assert hand_in_twice(desk, typed(desk)) == {"done": 2}

    assert Submission.objects.count() == 1


def test_without_the_row_s_lock_there_would_be_two(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite's writers stand in line anyway")
    read = threading.Barrier(2)

    def late(transcription: Transcription) -> Transcription:
        found = Transcription.objects.select_related("club", "by", "pairing", "mends", "handed_in").get(
            pk=transcription.pk
        )
        read.wait(LONGEST)
        return found

    row = typed(desk)
    monkeypatch.setattr(transcribing, "_lock_transcription", late)
    hand_in_twice(desk, row)

    assert Submission.objects.count() == 2


# -- a transcription is begun with the code on two phones at once


def begin_twice(desk: Desk) -> Counter[str]:
    one, other = phone(desk, "a", device="one"), phone(desk, "a", device="other")
    row = match(desk)
    return together(
        [
            lambda: transcribing.begin_at_table(pairing=row, who=one, now=desk.now),
            lambda: transcribing.begin_at_table(pairing=row, who=other, now=desk.now),
        ]
    )


def test_two_phones_begin_one_transcription(desk: Desk) -> None:
    assert begin_twice(desk) == {"done": 2}

    assert Transcription.objects.get().entry == match(desk).a


@pytest.mark.usefixtures("unguarded")
def test_without_the_lock_only_the_database_keeps_a_second_one_out(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, honest = threading.Barrier(2), claims.require_open

    def late(row: Pairing) -> None:
        honest(row)
        read.wait(LONGEST)

    monkeypatch.setattr(claims, "require_open", late)

    assert begin_twice(desk) == {"done": 1, IntegrityError.__name__: 1}


# -- two phones enter a line into one transcription at once


def enter_twice(desk: Desk) -> Counter[str]:
    row = transcribing.begin_at_table(pairing=match(desk), who=phone(desk, "a"), now=desk.now)
    said: dict[str, Any] = {"version": 0, "at": 0, "out": 0, "now": desk.now}

    def enter(key: str, line: str) -> Any:
        return lambda: transcribing.edit(transcription=row, key=key, lines=[line], **said)

    return together([enter("of-one-phone", "W 31: 8/5 6/5"), enter("of-the-other", "B 64: 24/14")])


def test_two_phones_enter_a_line_at_once(desk: Desk) -> None:
    assert enter_twice(desk) == {"done": 1, "other_version": 1}

    assert len(Transcription.objects.get().lines) == 1


def test_without_the_row_s_lock_one_line_would_be_lost(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite's writers stand in line anyway")
    read = threading.Barrier(2)

    def late(transcription: Transcription) -> Transcription:
        found = Transcription.objects.get(pk=transcription.pk)
        read.wait(LONGEST)
        return found

    monkeypatch.setattr(transcribing, "_lock_transcription", late)

    # Both requests succeed.
    assert enter_twice(desk) == {"done": 2}
    assert len(Transcription.objects.get().lines) == 1


# -- two workers file the same results


def both_file(desk: Desk) -> Counter[str]:
    desk.do(results.enter_result, key="main/1.1", score=(5, 0))
    return together([lambda: archiving.sweep(desk.now)] * 2)


def test_two_workers_file_a_result_once(desk: Desk) -> None:
    assert both_file(desk) == {"done": 2}

    assert list(ArchivedMatch.objects.values_list("pairing__key", "is_read")) == [("main/1.1", True)]
    # No match waits for the archive.
    assert list(archiving.fill_archive()) == []
    desk.do(results.enter_result, key="main/1.2", score=(5, 0))
    assert archiving.sweep(desk.now) > 0


def test_whoever_was_killed_at_it_has_had_the_turn(desk: Desk) -> None:
    killed = archive_filing.hold_lease(desk.now)
    assert killed.__enter__()
    desk.do(results.enter_result, key="main/1.1", score=(5, 0))

    assert archiving.sweep(desk.now + timedelta(seconds=59)) == 0
    assert archiving.sweep(desk.now + timedelta(seconds=61)) > 0


def test_without_turns_one_of_two_workers_fails(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite's writers stand in line anyway")
    both_looked, honest = threading.Barrier(2), archive_filing._store_match

    def store_after_the_other_looked(*found: Any) -> ArchivedMatch:
        both_looked.wait(LONGEST)
        return honest(*found)

    monkeypatch.setattr(archive_filing, "hold_lease", lambda _now: contextlib.nullcontext(True))
    monkeypatch.setattr(archive_filing, "_store_match", store_after_the_other_looked)

    assert both_file(desk) == {"done": 1, "IntegrityError": 1}
