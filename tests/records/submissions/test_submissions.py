"""Submitted records: stored unchanged, adjudicated once by any worker, as by the command."""

from __future__ import annotations

import io
import stat
import tarfile
import zipfile
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from datetime import datetime
from typing import Any

import pytest
from django.db import Error, transaction

from engine.verdict import judge
from players.models import Club, User
from records.base.errors import NotAMemberHere, NothingHandedIn, TooManyFiles, TooMuchUnpacked
from records.models import RecordFile, RecordMatch, Submission
from records.submissions import judging, limited_reading, submissions, unpacking_child
from records.submissions.submissions import SentFile
from runtime.work import cpu
from tests.deliveries import deliver
from tests.records.conftest import CLEAN, WRONG


@pytest.fixture
def send(club: Club, otis: User, now: datetime) -> Callable[..., list[Submission]]:
    """Hand in files: send(("final.mat", b"..."))."""

    def _send(*files: tuple[str, bytes]) -> list[Submission]:
        sent = [SentFile(name, data) for name, data in files]
        return submissions.hand_in(club=club, by=otis, files=sent, now=now)

    return _send


def zipped(**members: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name.replace("__", "/").replace("/MACOSX", "__MACOSX"), data)
    return packed.getvalue()


def test_a_record_is_kept_as_it_came_and_judged_as_the_command_does(send: Any, now: datetime) -> None:
    (good,) = send(("final.mat", CLEAN))
    assert good.file.word == ""
    deliver(now)
    (bad,) = send(("semi.mat", WRONG))
    deliver(now)

    for said, data in ((good, CLEAN), (bad, WRONG)):
        kept = RecordFile.objects.get(pk=said.file_id)
        (verdict,) = judge(data)
        assert bytes(kept.content) == data
        assert (kept.word, kept.size) == (verdict.word, len(data))
        match = kept.matches.get()
        assert match.verdict == verdict.to_json()
        assert (match.white, match.winner) == (verdict.players.white, verdict.winner)
    assert good.file.matches.get().folded_name == " ada bo"
    assert {good.file.matches.get().word, bad.file.matches.get().word} == {"accepted", "rejected"}
    assert not list(submissions.check_records())


def test_the_same_record_is_kept_and_judged_once_in_a_club(send: Any, now: datetime) -> None:
    for _ in range(20):
        send(("final.mat", CLEAN))
    assert deliver(now) == 1
    assert Submission.objects.count() == 20
    assert RecordFile.objects.get().attempts == 1
    assert RecordMatch.objects.count() == 1


def test_of_two_workers_at_one_file_one_writes(send: Any, now: datetime) -> None:
    (said,) = send(("final.mat", CLEAN))
    judged = judging.judge_file(CLEAN)
    assert submissions.store_verdict(said.file, judged, now=now)
    assert not submissions.store_verdict(said.file, judged, now=now)
    assert RecordMatch.objects.count() == 1


def test_a_worker_that_dies_is_followed_by_another(
    send: Any, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    (said,) = send(("final.mat", CLEAN))
    with monkeypatch.context() as patch:
        patch.setattr(submissions, "store_verdict", lambda *_, **__: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            submissions.adjudicate({"file": said.file_id}, now=now)
    assert not RecordMatch.objects.exists()
    deliver(now)
    assert RecordMatch.objects.get().word == "accepted"


def test_what_ends_the_referee_is_unreadable_and_holds_nobody(
    send: Any, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dies(*_: object, **__: object) -> None:
        raise BrokenProcessPool

    monkeypatch.setattr(cpu, "run", dies)
    (said,) = send(("final.mat", CLEAN))
    deliver(now)
    assert said.file.matches.get().verdict["findings"][0]["code"] == "internal-error"


@pytest.mark.parametrize("points", [judging.MOST_NUMBER, 10**30])
def test_a_score_that_cannot_be_stored_is_unreadable(send: Any, now: datetime, points: int) -> None:
    record = (
        '{"format": "barpoint-record", "version": 1, "players": ["Ann", "Ben"], "rules": {"length": 0},'
        f' "tags": [], "actions": [{{"v": 1, "fact": "ruled-score", "score": [{points}, 0]}}]}}'
    )
    (said,) = send(("money.json", record.encode()))
    deliver(now)
    said.file.refresh_from_db()
    assert said.file.word == "unreadable"
    assert said.file.matches.get().verdict["findings"][0]["code"] == "too-much"


def test_what_takes_too_long_is_unreadable(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(_: bytes) -> None:
        while True:
            pass

    monkeypatch.setattr(judging, "judge", never)
    monkeypatch.setattr(judging, "MOST_SECONDS", 0.05)
    found = judging.judge_file(CLEAN)
    assert (found.word, found.verdicts[0]["findings"][0]["code"]) == ("unreadable", "out-of-time")


def test_what_takes_too_much_memory_is_unreadable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "judge", lambda _: bytes(1 << 30))
    assert judging.judge_file(CLEAN).word == "unreadable"


def test_names_that_a_database_does_not_take_are_told_otherwise(send: Any, now: datetime) -> None:
    (said,) = send(("final.mat", CLEAN.replace(b"Ada", b"A\0a")))
    deliver(now)
    assert said.file.matches.get().verdict["verdict"] in judging.WORDS


def test_nothing_of_it_can_be_changed(send: Any, now: datetime) -> None:
    send(("final.mat", CLEAN))
    deliver(now)
    with pytest.raises(Error), transaction.atomic():
        RecordFile.objects.update(content=b"other")
    with pytest.raises(Error), transaction.atomic():
        RecordMatch.objects.update(word="noted")
    assert not list(submissions.check_records())


def test_only_members_hand_in_and_not_nothing_and_not_everything(
    club: Club, stranger: User, otis: User, now: datetime
) -> None:
    with pytest.raises(NotAMemberHere):
        submissions.hand_in(club=club, by=stranger, files=[SentFile("a.mat", CLEAN)], now=now)
    with pytest.raises(NothingHandedIn):
        submissions.hand_in(club=club, by=otis, files=[SentFile("a.mat", b"")], now=now)
    many = [SentFile("a.mat", CLEAN)] * (limited_reading.MOST_FILES + 1)
    with pytest.raises(TooManyFiles):
        submissions.hand_in(club=club, by=otis, files=many, now=now)
    assert not Submission.objects.exists()


def test_each_file_of_a_zip_is_a_submission(send: Any, now: datetime) -> None:
    found = send(
        ("night.zip", zipped(a__one_mat=CLEAN, two_mat=WRONG, __MACOSX__x=b"litter", three=b"no record"))
    )
    deliver(now)
    assert [said.name for said in found] == ["one_mat", "two_mat", "three"]
    assert [said.file.matches.get().word for said in found] == ["accepted", "rejected", "unreadable"]


def refusals(data: bytes, name: str = "x.zip") -> list[str]:
    return [part.refusal for part in limited_reading.unpack_files([(name, data)])]


@pytest.mark.long
def test_a_zip_is_not_believed() -> None:
    assert refusals(zipped(inner_zip=zipped(a=CLEAN))) == ["nested-archive"]
    assert refusals(zipped(inner=b"\x1f\x8b123")) == ["nested-archive"]
    assert refusals(zipped(bomb=bytes(50 << 20))) == ["too-large"]
    assert refusals(zipped(**{"..__..__etc__passwd": CLEAN})) == ["bad-path"]
    assert refusals(zipped(**{"__etc__passwd": CLEAN})) == ["bad-path"]
    assert refusals(zipped(**{"C:\\games.mat": CLEAN})) == ["bad-path"]
    assert refusals(zipped()) == ["empty-zip"]
    assert refusals(zipped(a=CLEAN)[:60]) == ["bad-zip"]
    assert refusals(b"PK\x03\x04 only looks like one") == ["bad-zip"]
    with pytest.raises(TooManyFiles):
        refusals(zipped(**{f"{number}.mat": CLEAN for number in range(limited_reading.MOST_FILES + 1)}))
    with pytest.raises(TooMuchUnpacked):
        refusals(zipped(**{f"{number}.mat": bytes(4 << 20) for number in range(30)}))


def test_links_and_locks_in_a_zip_are_refused() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        link = zipfile.ZipInfo("link.mat")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    assert refusals(packed.getvalue()) == ["link"]
    # The bit that says "encrypted", in both headers.
    locked = bytearray(zipped(a=CLEAN))
    locked[6] |= 1
    locked[locked.rindex(b"PK\x01\x02") + 8] |= 1
    assert refusals(bytes(locked)) == ["locked-zip"]


def test_other_archives_are_refused() -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("a.mat"), io.BytesIO())
    assert refusals(packed.getvalue()) == ["other-archive"]
    for head in unpacking_child.OTHERS:
        assert refusals(head + b"123") == ["other-archive"]
    assert refusals(bytes((4 << 20) + 1), "big.mat") == ["too-large"]


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        ("C:\\games\\final.mat", "final.mat"),
        ("../../etc/passwd", "passwd"),
        ("fin\u202eal\0.mat", "final.mat"),
        ("", "?"),
        ("x" * 500, "x" * 200),
    ],
)
def test_a_name_is_only_a_label(sent: str, shown: str) -> None:
    assert unpacking_child.clean_file_name(sent) == shown
