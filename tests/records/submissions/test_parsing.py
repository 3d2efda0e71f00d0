"""Records of others are parsed by workers or in children with limits, never in a thread that answers requests."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, NoReturn

import pytest
from django.test import Client

from engine import express, formats
from engine.verdict import judge
from players.models import Club, User
from records.base.errors import CannotBeParsed, NothingToMend
from records.models import RecordFacts, RecordMatch
from records.submissions import (
    judging,
    limited_reading,
    parsing_child,
    record_changes,
    replays,
    submissions,
    visible_submissions,
)
from records.submissions.submissions import SentFile
from records.transcripts import transcribing
from runtime.work import child_processes
from runtime.work.child_processes import FileInProgress
from tests.deliveries import deliver
from tests.records.conftest import CLEAN, WRONG
from tests.records.submissions.test_disputes import MATCH, OTHER
from tests.records.submissions.test_record_outcomes import hand_in, record, reported, sits
from tests.tournaments.pages.test_pages_player import Two
from tests.tournaments.support import Browser

pytestmark = pytest.mark.today

PAYERS = ("test",)


@pytest.fixture
def forbid_parsing(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Make parsing in this process fail."""

    def never(*_arguments: object, **_more: object) -> NoReturn:
        raise AssertionError("a record is parsed in this process")

    def forbid() -> None:
        monkeypatch.setattr(formats, "read", never)
        monkeypatch.setattr(express, "read_clean_sheet", never)

    return forbid


@pytest.fixture
def send(club: Club, otis: User, now: datetime) -> Any:
    def _send(data: bytes, **more: Any) -> Any:
        [row] = submissions.hand_in(club=club, by=otis, files=[SentFile("a.mat", data)], now=now, **more)
        deliver(now)
        return row

    return _send


def test_a_replay_reads_the_facts_that_were_kept_with_the_verdict(
    client: Client, otis: User, send: Any, forbid_parsing: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    row = send(CLEAN + WRONG)
    facts = [verdict.record for verdict in judge(CLEAN + WRONG)]
    forbid_parsing()
    monkeypatch.delattr(child_processes, "run")
    client.force_login(otis)
    assert client.get(f"/records/{row.club.slug}/{row.key}/1/replay/").status_code == 200
    # Also of one that was rejected: the desk compares it with others.
    assert [replays.load_facts(each) for each in RecordMatch.objects.filter(file=row.file)] == facts


@pytest.mark.parametrize("name", ["MOST_FACTS", "MOST_SECONDS_FOR_FACTS"])
def test_no_facts_are_kept_of_a_match_that_is_too_long(
    send: Any, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(judging, name, 1e-6)
    row = send(CLEAN)
    assert RecordMatch.objects.get(file=row.file).word == "accepted"
    assert not RecordFacts.objects.exists()


@pytest.mark.long
def test_a_replay_without_facts_is_parsed_in_no_web_thread(
    client: Client, otis: User, send: Any, forbid_parsing: Callable[[], None]
) -> None:
    row = send(CLEAN)
    RecordFacts.objects.all().delete()
    [verdict] = judge(CLEAN)
    facts = verdict.record
    forbid_parsing()
    client.force_login(otis)
    here = f"/records/{row.club.slug}/{row.key}/1/"
    assert client.get(f"{here}replay/").status_code == 200
    assert client.get(f"{here}record.json").status_code == 200
    assert replays.load_facts(RecordMatch.objects.get(file=row.file)) == facts


@pytest.mark.long
def test_a_record_is_opened_for_mending_in_no_web_thread(
    otis: User, send: Any, now: datetime, forbid_parsing: Callable[[], None]
) -> None:
    row = send(CLEAN + WRONG)
    forbid_parsing()
    assert len(transcribing.begin_correction(by=otis, submission=row, number=2, now=now).lines) > 20
    with pytest.raises(NothingToMend):
        transcribing.begin_correction(by=otis, submission=row, number=3, now=now)


@pytest.mark.long
def test_a_mended_record_is_compared_in_no_web_thread(
    otis: User, send: Any, now: datetime, forbid_parsing: Callable[[], None]
) -> None:
    wrong = send(WRONG)
    row = transcribing.begin_correction(by=otis, submission=wrong, number=1, now=now)
    transcribing.rename(transcription=row, version=0, names=["Ada Okafor", "Bo"], length=5, now=now)
    made = transcribing.hand_in(transcription=row, version=1, now=now)
    deliver(now)
    forbid_parsing()
    seen = visible_submissions.list_visible(otis)
    found = record_changes.load_record_changes(seen.get(pk=made.pk), seen)
    assert found
    assert ("White: Ada", "White: Ada Okafor") in [each.texts for each in found.lines]


@pytest.mark.long
def test_two_records_are_compared_at_the_desk_in_no_web_thread(
    two: Two, forbid_parsing: Callable[[], None]
) -> None:
    a, b = sits(two)
    reported(two, a, 5, 3)
    hand_in(two, a, record(a, b))
    hand_in(two, b, record(a, b, OTHER))
    director = Browser(two.desk.director)
    RecordFacts.objects.all().delete()
    forbid_parsing()
    page = director.get(f"/events/{two.key}/matches/{MATCH}/").content.decode()
    assert "Game 1, turn 6" in page


def test_a_page_says_that_another_record_is_being_read(client: Client, otis: User, send: Any) -> None:
    row = send(CLEAN)
    RecordFacts.objects.all().delete()
    client.force_login(otis)
    with child_processes.reserve(), child_processes.reserve():
        answer = client.get(f"/records/{row.club.slug}/{row.key}/1/replay/", follow=True)
    assert str(FileInProgress()) in answer.content.decode()


@pytest.mark.long
def test_what_a_child_cannot_read_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for read in (limited_reading.read_facts, limited_reading.read_lines):
        for data, number in ((b"", 1), (b"\x00" * 100, 1), (CLEAN, 2)):
            with pytest.raises(CannotBeParsed):
                read(data, number, payers=PAYERS)
    with pytest.raises(CannotBeParsed):
        limited_reading.find_changes(b"\x00", CLEAN, payers=PAYERS)
    monkeypatch.setattr(limited_reading, "PARSING_LIMITS", child_processes.Limits(memory=16 << 20))
    with pytest.raises(CannotBeParsed):
        limited_reading.read_facts(CLEAN, 1, payers=PAYERS)


def test_a_match_has_so_many_facts_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    assert parsing_child.read_facts(CLEAN, 1)
    monkeypatch.setattr(parsing_child, "MOST_FACTS", 10)
    with pytest.raises(ValueError, match="facts"):
        parsing_child.read_facts(CLEAN, 1)


@pytest.mark.long
@pytest.mark.share
def test_changes_are_found_between_two_files() -> None:
    head, pairs = limited_reading.find_changes(CLEAN, CLEAN, payers=PAYERS)
    assert head
    assert pairs
