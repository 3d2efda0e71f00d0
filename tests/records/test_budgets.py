"""One request brings so many files and bytes, people and clubs keep so much in a day, and what is refused leaves nothing."""

from __future__ import annotations

import io
import zipfile
from datetime import datetime, timedelta
from typing import Any, NoReturn

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from players.clubs import clubs
from players.models import Club, User
from records.base.errors import (
    ClubDayQuotaReached,
    ClubQuotaReached,
    FileQuotaReached,
    PersonQuotaReached,
    QuotaReached,
    TooManyFiles,
    TooMuchUnpacked,
)
from records.models import RecordFile, Submission
from records.submissions import limited_reading, submissions, unpacking_child
from records.submissions.submissions import SentFile
from runtime.models import Outbox
from runtime.work import child_processes
from tests import attack_files
from tests.records.conftest import CLEAN
from tests.tournaments.support import text

MEGABYTE = 1_000_000


@pytest.fixture
def member(client: Client, otis: User) -> Client:
    client.force_login(otis)
    return client


@pytest.fixture
def hand_in(club: Club, otis: User, now: datetime) -> Any:
    """Hand in files of these bytes as a member, in one request."""

    def send(*files: bytes, by: User = otis, to: Club = club, at: datetime = now) -> list[Submission]:
        sent = [SentFile(f"{number}.mat", data) for number, data in enumerate(files)]
        return submissions.hand_in(club=to, by=by, files=sent, now=at)

    return send


def post(client: Client, where: str, *files: bytes, **more: str) -> Any:
    sent = [SimpleUploadedFile(f"{number}.zip", data) for number, data in enumerate(files)]
    return client.post(where, {"files": sent, **more})


def left() -> tuple[int, int, int]:
    """Count how many rows there are of what was handed in."""
    return Submission.objects.count(), RecordFile.objects.count(), Outbox.objects.count()


ATTACKS = {
    "bytes over many zips": ([attack_files.zip_of(3, 4 << 20, seed=n) for n in range(3)], TooMuchUnpacked),
    "files over many zips": ([attack_files.zip_of(200, 10, seed=n) for n in range(3)], TooManyFiles),
    "a zip of zips": ([attack_files.zip_of_zips(501, 10)], TooManyFiles),
    "refused members": ([attack_files.zip_of_nested(10, 4 << 20)], TooMuchUnpacked),
    "files and a zip": ([b"x" * (4 << 20)] * 5 + [attack_files.zip_of(2, 4 << 20)], TooMuchUnpacked),
}


@pytest.mark.long
@pytest.mark.parametrize("name", ATTACKS)
def test_one_budget_is_for_the_whole_request_and_what_is_refused_leaves_nothing(
    name: str, hand_in: Any, member: Client, club: Club
) -> None:
    files, refusal = ATTACKS[name]
    with pytest.raises(refusal):
        hand_in(*files)
    answer = post(member, "/api/v1/records/", *files, club=club.slug)
    assert (answer.status_code, answer.json()["code"]) == (413, refusal.code)
    answer = post(member, reverse("records:hand_in", args=[club.slug]), *files)
    assert answer.status_code == 422
    assert left() == (0, 0, 0)


def test_unpacking_stops_at_the_first_excess() -> None:
    budget = unpacking_child.Budget(100, 10, 250)
    parts = unpacking_child.unpack_zip("a.zip", attack_files.zip_of(10, 100), budget)
    assert [next(parts).name, next(parts).name] == ["0-0.mat", "0-1.mat"]
    with pytest.raises(unpacking_child.OverBudget):
        next(parts)
    assert next(parts, None) is None


def test_a_member_that_lies_about_its_size_counts_as_what_it_was_said_to_be() -> None:
    data = bytearray(attack_files.zip_of(1, 400))
    for at in (22, data.rindex(b"PK\x01\x02") + 24):
        data[at : at + 4] = (60).to_bytes(4, "little")
    budget = unpacking_child.Budget(1_000, 10, 1_000)
    [part] = unpacking_child.unpack_zip("a.zip", bytes(data), budget)
    assert part.refusal == "bad-zip"
    assert budget.bytes <= 940


def test_entries_that_are_no_files_are_counted_too() -> None:
    packed = attack_files.zip_of(0, 0)
    with pytest.raises(TooManyFiles):
        limited_reading.unpack_files(
            [("a.zip", folders(unpacking_child.ENTRIES_PER_FILE * limited_reading.MOST_FILES + 1))]
        )
    assert limited_reading.unpack_files([("a.zip", packed)])[0].refusal == "empty-zip"


def folders(many: int) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for number in range(many):
            archive.writestr(f"{number}/", b"")
    return packed.getvalue()


def test_no_zip_is_opened_in_this_process(hand_in: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    packed = attack_files.zip_of(2, 100)

    def never(*_arguments: object, **_more: object) -> NoReturn:
        raise AssertionError

    monkeypatch.setattr(zipfile, "ZipFile", never)
    assert [each.name for each in hand_in(packed, CLEAN)] == ["0-0.mat", "0-1.mat", "1.mat"]


def test_unpacking_has_limits_and_who_passes_them_is_refused(
    hand_in: Any, otis: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[child_processes.Limits, frozenset[str]]] = []

    def out_of_memory(
        *_arguments: object, limits: child_processes.Limits, payers: frozenset[str], **_more: object
    ) -> bytes:
        asked.append((limits, frozenset(payers)))
        raise child_processes.OutOfLimits(-9)

    monkeypatch.setattr(child_processes, "run", out_of_memory)
    with pytest.raises(TooMuchUnpacked):
        hand_in(attack_files.zip_of(1, 10))
    limits = child_processes.Limits(memory=160 << 20, cpu_seconds=3, seconds=10)
    assert asked == [(limits, frozenset({f"account {otis.pk}"}))]
    assert left() == (0, 0, 0)


def test_a_second_zip_of_the_same_account_or_network_meanwhile_is_refused_at_once(
    member: Client, club: Club, otis: User
) -> None:
    for busy in (f"account {otis.pk}", "network 127.0.0.1"):
        with child_processes.reserve([busy]):
            answer = post(member, "/api/v1/records/", attack_files.zip_of(1, 10), club=club.slug)
            page = post(member, reverse("records:hand_in", args=[club.slug]), attack_files.zip_of(1, 10))
        assert (answer.status_code, answer.json()["code"]) == (429, "file-in-progress")
        assert (page.status_code, page["Retry-After"]) == (429, answer["Retry-After"])
    assert left() == (0, 0, 0)


@pytest.mark.parametrize(
    ("setting", "refusal"),
    [
        ("RECORDS_MB_PER_PERSON_DAY", PersonQuotaReached),
        ("RECORDS_MB_PER_CLUB_DAY", ClubDayQuotaReached),
        ("RECORDS_MB_PER_CLUB", ClubQuotaReached),
    ],
)
def test_so_much_is_kept_and_what_is_there_already_costs_nothing(
    setting: str, refusal: type[QuotaReached], hand_in: Any, settings: Any
) -> None:
    setattr(settings, setting, 1)
    first, second = b"a".ljust(MEGABYTE - 10), b"b".ljust(20)
    hand_in(first)
    before = left()
    with pytest.raises(refusal) as refused:
        hand_in(second)
    assert "1 MB" in str(refused.value)
    assert left() == before
    assert len(hand_in(first, first, b"c".ljust(10))) == 3


def test_a_day_later_there_is_room_again_but_not_in_a_club_that_is_full(
    hand_in: Any, settings: Any, now: datetime
) -> None:
    settings.RECORDS_MB_PER_PERSON_DAY = settings.RECORDS_MB_PER_CLUB_DAY = 1
    settings.RECORDS_MB_PER_CLUB = 2
    later = now + timedelta(days=1, seconds=1)
    hand_in(b"a".ljust(MEGABYTE))
    with pytest.raises(PersonQuotaReached):
        hand_in(b"b".ljust(MEGABYTE), at=later - timedelta(seconds=2))
    hand_in(b"b".ljust(MEGABYTE), at=later)
    with pytest.raises(ClubQuotaReached):
        hand_in(b"c", at=later + timedelta(days=2))


def test_a_person_pays_in_all_clubs_and_not_for_others(
    hand_in: Any, settings: Any, owner: User, otis: User, now: datetime
) -> None:
    settings.RECORDS_MB_PER_PERSON_DAY = 1
    hand_in(b"a".ljust(MEGABYTE))
    hand_in(b"b".ljust(MEGABYTE), by=owner)
    own = clubs.create(owner=otis, name="Another", now=now)
    with pytest.raises(PersonQuotaReached):
        hand_in(b"c", to=own)


def test_files_count_even_if_they_are_refused_or_known(hand_in: Any, settings: Any) -> None:
    settings.RECORDS_FILES_PER_PERSON_DAY = 3
    hand_in(CLEAN, b"\x1f\x8b1")
    before = left()
    with pytest.raises(FileQuotaReached):
        hand_in(CLEAN, b"\x1f\x8b1")
    assert left() == before
    hand_in(CLEAN)


def test_programs_are_told_the_code_and_when_to_try_again(member: Client, club: Club, settings: Any) -> None:
    settings.RECORDS_MB_PER_PERSON_DAY = 1
    answer = post(member, "/api/v1/records/", b"a".ljust(MEGABYTE + 1), club=club.slug)
    assert (answer.status_code, answer.json()["code"]) == (429, "person_quota_reached")
    assert answer["Retry-After"] == "3600"
    settings.RECORDS_MB_PER_PERSON_DAY, settings.RECORDS_MB_PER_CLUB = 64, 1
    answer = post(member, "/api/v1/records/", b"a".ljust(MEGABYTE + 1), club=club.slug)
    assert (answer.status_code, answer.json()["code"]) == (409, "club_quota_reached")
    assert left() == (0, 0, 0)


def test_directors_see_how_much_is_kept_and_members_do_not(
    member: Client, club: Club, owner: User, hand_in: Any
) -> None:
    hand_in(b"a".ljust(MEGABYTE + 1))
    page = reverse("records:hand_in", args=[club.slug])
    said = "take up 2 of at most 4000 MB. In the last 24 hours 2 of at most 256 MB were added"
    assert said not in text(member.get(page)).replace(",", "")
    member.force_login(owner)
    assert said.split(".")[0] in text(member.get(page)).replace(",", "")
