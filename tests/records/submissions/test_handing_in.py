"""Records are handed in by page and by program; both say what the referee says, and nothing in a file is markup."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import strip_tags

from players.models import Club, User
from records.models import RecordFile, Submission
from records.submissions import submissions
from records.submissions.submissions import SentFile
from tests.deliveries import deliver
from tests.records import hostile
from tests.records.conftest import CLEAN, WRONG
from tests.tournaments.support import text

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper


MARKUP = b"<script>alert(1)</script>"


@pytest.fixture
def member(client: Client, otis: User) -> Client:
    client.force_login(otis)
    return client


def by_program(client: Client, club: str, *files: tuple[str, bytes], **more: Any) -> HttpResponse:
    sent = [SimpleUploadedFile(name, data) for name, data in files]
    return client.post("/api/v1/records/", {"club": club, "files": sent, **more})


def test_a_program_hands_in_and_follows_the_job(member: Client, club: Club) -> None:
    answer = by_program(member, club.slug, ("a.mat", CLEAN), ("b.mat", WRONG), ("c.gz", b"\x1f\x8b1"))
    assert answer.status_code == 202
    job = member.get(answer["Location"]).json()
    assert (job["total"], job["waiting"]) == (3, 2)
    deliver(timezone.now())
    job = member.get(answer["Location"]).json()
    assert job["waiting"] == 0
    assert [each["verdict"] for each in job["submissions"]] == ["accepted", "rejected", ""]
    refused = job["submissions"][2]
    assert (refused["state"], refused["code"]) == ("refused", "other-archive")
    assert refused["sentence"].startswith("This is an archive")
    one = member.get(f"/api/v1/records/{job['submissions'][1]['key']}/").json()
    assert one["matches"][0]["verdict"]["findings"][0]["code"] == "dice-mismatch"


def test_a_program_pastes(member: Client, club: Club) -> None:
    answer = by_program(member, club.slug, text=CLEAN.decode())
    deliver(timezone.now())
    assert member.get(answer["Location"]).json()["submissions"][0]["verdict"] == "accepted"


def test_who_has_no_business_here_is_refused(
    client: Client, member: Client, club: Club, stranger: User, owner: User
) -> None:
    where = by_program(member, club.slug, ("a.mat", CLEAN))["Location"]
    key = Submission.objects.get().key
    assert by_program(member, club.slug).status_code == 400
    assert by_program(member, "nowhere", ("a.mat", CLEAN)).status_code == 400
    client.force_login(stranger)
    assert by_program(client, club.slug, ("a.mat", CLEAN)).status_code == 403
    pages = [where, f"/api/v1/records/{key}/", reverse("records:verdict", args=[club.slug, key])]
    pages.append(reverse("records:content", args=[club.slug, key]))
    assert [client.get(page).status_code for page in pages] == [404, 404, 404, 404]
    client.force_login(owner)
    assert [client.get(page).status_code for page in pages] == [200, 200, 200, 200]
    client.logout()
    assert [client.get(page).status_code for page in pages] == [401, 401, 302, 302]


def test_a_page_takes_files_and_text_without_script(member: Client, club: Club) -> None:
    page = reverse("records:hand_in", args=[club.slug])
    assert b'type="file"' in member.get(page).content
    empty = member.post(page)
    assert (empty.status_code, b"Choose a file" in empty.content) == (422, True)
    sent = member.post(page, {"files": [SimpleUploadedFile("final.mat", WRONG)], "text": CLEAN.decode()})
    assert sent.status_code == 302
    assert b"0 of 2" in member.get(sent["Location"]).content
    deliver(timezone.now())
    done = member.get(sent["Location"]).content.decode()
    assert "The referee has read everything." in done
    assert "Accepted" in done
    assert "Rejected" in done


def test_a_pasted_record_that_is_refused_stays_in_its_field(
    member: Client, club: Club, settings: SettingsWrapper
) -> None:
    settings.RECORDS_FILES_PER_PERSON_DAY = 0
    answer = member.post(reverse("records:hand_in", args=[club.slug]), {"text": "A < B\n"})
    assert answer.status_code == 422
    assert "A &lt; B\n</textarea>" in answer.content.decode()


def test_of_many_it_is_counted_what_became_of_them_and_what_is_to_be_done_stands_first(
    member: Client, club: Club
) -> None:
    sent = [
        ("a.mat", CLEAN),
        ("b.mat", CLEAN + b"\n"),
        ("c.mat", WRONG),
        ("d.txt", b"Dear all"),
        ("e.gz", b"\x1f\x8b"),
    ]
    files = [SimpleUploadedFile(name, data) for name, data in sent]
    page = member.post(reverse("records:hand_in", args=[club.slug]), {"files": files})["Location"]
    deliver(timezone.now())

    shown = " ".join(strip_tags(text(member.get(page))).split())

    assert "Accepted: 2 Rejected: 1 Unreadable: 1 Not accepted: 1" in shown
    assert [shown.index(name) for name, _ in sent[2:]] < [shown.index(name) for name, _ in sent[:2]]


@pytest.mark.long
def test_everything_that_was_handed_in_is_found_again(member: Client, club: Club) -> None:
    page = reverse("records:hand_in", args=[club.slug])
    files = [SimpleUploadedFile(f"{number:02}.mat", CLEAN + b"\n" * number) for number in range(60)]
    member.post(page, {"files": files})
    deliver(timezone.now())

    first, second = text(member.get(page)), text(member.get(page, {"page": "2"}))

    assert {f"{number:02}.mat" in first or f"{number:02}.mat" in second for number in range(60)} == {True}
    assert "00.mat" not in first


def test_a_file_that_nobody_can_read_is_none_to_mend(
    member: Client, club: Club, otis: User, now: datetime
) -> None:
    (said,) = submissions.hand_in(club=club, by=otis, files=[SentFile("d.txt", b"Dear all")], now=now)
    deliver(timezone.now())

    shown = member.get(reverse("records:verdict", args=[club.slug, said.key])).content.decode()

    assert "Unreadable:" in shown
    assert "<h2>No match could be read</h2>" in shown
    assert "? <" not in shown
    # The tick of what is accepted is not on its seal.
    assert "M35 51l9 9 18-20" not in shown
    assert "M38 40l20 20" in shown


def test_of_a_single_file_the_verdict_comes_as_a_page(member: Client, club: Club) -> None:
    sent = member.post(reverse("records:hand_in", args=[club.slug]), {"text": CLEAN.decode()})
    page = member.get(sent["Location"])["Location"]
    assert page == reverse("records:verdict", args=[club.slug, Submission.objects.get().key])
    waiting = member.get(page).content.decode()
    assert 'hx-trigger="live, load delay:4s"' in waiting
    assert "Look again" in waiting
    deliver(timezone.now())
    shown = member.get(page).content.decode()
    assert "Accepted:" in shown
    assert "hx-trigger" not in shown.partition('id="main"')[2]


def test_a_verdict_leads_to_the_first_finding_beside_its_line(
    member: Client, club: Club, otis: User, now: datetime
) -> None:
    (said,) = submissions.hand_in(club=club, by=otis, files=[SentFile("final.mat", WRONG)], now=now)
    page = reverse("records:verdict", args=[club.slug, said.key])
    assert "Waits for the referee" in member.get(page).content.decode()
    deliver(timezone.now())
    shown = member.get(page).content.decode()
    (finding,) = said.file.matches.get().verdict["findings"]
    assert "Rejected:" in shown
    assert 'href="#finding-1"' in shown
    assert finding["rule"] in shown
    assert finding["nearest"][0] in shown
    assert '<svg class="mini"' in shown
    assert f'<li class="sheet__line sheet__line--found" id="line-{finding["line"]}">' in shown
    content = member.get(reverse("records:content", args=[club.slug, said.key]))
    assert content.content == WRONG
    assert content["Content-Disposition"].startswith("attachment")
    assert content["Content-Type"] == "application/octet-stream"


@pytest.mark.long
def test_nothing_in_a_file_is_markup(member: Client, club: Club) -> None:
    sent = []
    for data in (CLEAN, WRONG):
        hostile = data.replace(b"Ada", MARKUP).replace(b"Bo", b"<img src=x onerror=1>")
        sent.append(("<b>a.mat", b"; " + MARKUP + b"\n" + hostile))
    by_program(member, club.slug, *sent)
    by_program(member, club.slug, ("a.json", b'{"players": ["' + MARKUP + b'"]}'))
    deliver(timezone.now())
    for said in Submission.objects.all():
        for page in ("verdict", "batch"):
            key = said.key if page == "verdict" else said.batch
            shown = member.get(reverse(f"records:{page}", args=[club.slug, key])).content
            assert MARKUP not in shown
            assert b"<img src=x" not in shown
            assert b"<b>a.mat" not in shown


# With which codes the referee or the parcels answer; what is not here is accepted, with no finding at all.
ANSWERS = {
    "too-large": {"zip bomb", "large text"},
    "nested-archive": {"nested zip", "gzip in a zip"},
    "bad-path": {"path out", "absolute path", "drive", "backslashes"},
    "link": {"link"},
    "locked-zip": {"locked zip"},
    "bad-zip": {"lying zip", "bzip2 inside", "cut zip"},
    "empty-zip": {"empty zip"},
    "too-much": {
        "long name", "endless games", "endless lines", "deep SGF",
    },
    "other-archive": {"gzip", "bzip2", "xz", "tar"},
    "unknown-format": {
        "NULs", "NUL in a name", "one long line", "PNG that is a script", "page", "SVG", "entities", "deep JSON",
        "wrong JSON", "UTF-7", "executable",
    },
    "damaged-file": {"truncated XG", "XG head alone"},
    "bad-record": {"cut JSON", "great number", "half a character"},
    "empty-file": {"blank"},
    "corrupt-row": {"markup in a play"},
    "no-length": {"endless match"},
    "unread-line": {"great score"},
    "match-unfinished": {"cut SGF"},
}  # fmt: skip


# Of these nothing at all is kept.
OVER_BUDGET = {"many bombs": "too_much_unpacked", "crowded zip": "too_many_files"}


@pytest.mark.long
@pytest.mark.parametrize(
    ("case", "name", "data"), list(hostile.cases()), ids=lambda one: one if isinstance(one, str) else ""
)
def test_hostile_files_are_answered(member: Client, club: Club, case: str, name: str, data: bytes) -> None:
    answer = by_program(member, club.slug, (name, data))
    if case in OVER_BUDGET:
        assert (answer.status_code, answer.json()["code"]) == (413, OVER_BUDGET[case])
        assert not Submission.objects.exists()
        assert not RecordFile.objects.exists()
        return
    assert answer.status_code == 202
    deliver(timezone.now())
    job = member.get(answer["Location"]).json()
    assert job["waiting"] == 0
    last = job["submissions"][-1]
    codes = {finding["code"] for each in last["matches"] for finding in each["verdict"]["findings"]}
    expected = next((code for code, named in ANSWERS.items() if case in named), None)
    assert expected in codes | {last["code"]} if expected else (last["verdict"], codes) == ("accepted", set())
    if last["code"]:
        assert last["sentence"]
    for page in (
        reverse("records:batch", args=[club.slug, job["key"]]),
        reverse("records:verdict", args=[club.slug, last["key"]]),
    ):
        shown = member.get(page).content
        assert hostile.MARKUP not in shown
        assert b"\0" not in shown


@pytest.mark.long
def test_there_are_enough_hostile_cases() -> None:
    names = [case for case, _name, _data in hostile.cases()]
    assert len(names) == len(set(names)) >= 50
    assert set().union(*ANSWERS.values()) <= set(names)
