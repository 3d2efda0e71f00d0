"""Transcribing by program: from the first line to the record, as the page does it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from players.accounts import tokens
from players.models import Club, Scope, User
from records.models import Submission, Transcription
from records.transcripts import transcribing
from tests.clients import signed_in
from tests.deliveries import deliver
from tests.records.conftest import CLEAN, WRONG
from tests.records.submissions.test_handing_in import by_program

WHERE = "/api/v1/transcriptions/"


class Program:
    """A program of a person's."""

    def __init__(self, user: User, scope: Scope = Scope.PLAY) -> None:
        text = tokens.create(user=user, name="A program", scope=scope, now=timezone.now())
        self.headers = {"Authorization": f"Bearer {text}"}

    def read(self, more: str = "") -> Any:
        return Client().get(WHERE + more, headers=self.headers)

    def send(self, more: str = "", **said: object) -> tuple[int, Any]:
        answer = Client().post(WHERE + more, said, content_type="application/json", headers=self.headers)
        return answer.status_code, answer.json()

    def put(self, more: str, **said: object) -> tuple[int, Any]:
        answer = Client().put(WHERE + more, said, content_type="application/json", headers=self.headers)
        return answer.status_code, answer.json()

    def delete(self, more: str) -> int:
        return int(Client().delete(WHERE + more, headers=self.headers).status_code)


@pytest.fixture
def program(otis: User) -> Program:
    return Program(otis)


def begun(program: Program, club: Club) -> dict[str, Any]:
    status, told = program.send(club=club.slug, white="Ann", black="Ben", length=1)
    assert status == 201
    return dict(told)


@pytest.mark.django_db
def test_a_match_is_entered_taken_back_and_handed_in_once(program: Program, club: Club) -> None:
    told = begun(program, club)
    here = f"{told['key']}/"
    assert (told["lines"], told["score"], told["version"]) == ([], [0, 0], 0)
    first = {"key": "the-first-line", "version": 0, "text": "31 8/5 6/5"}
    status, told = program.send(f"{here}lines/", **first)
    assert (status, told["version"]) == (200, 1)
    lines = told["lines"]
    assert any("31: 8/5 6/5" in line for line in lines)
    # Sent again it counts once.
    assert program.send(f"{here}lines/", **first)[1]["lines"] == lines

    _status, told = program.send(f"{here}lines/", key="the-second-line", version=1, text="w resign")
    assert told["is_over"] is (told["score"] == [0, 1])
    _status, told = program.send(f"{here}take-back/", key="back-once", version=told["version"])
    assert told["lines"] == lines
    _status, told = program.send(
        f"{here}remove/", key="remove-once", version=told["version"], at=len(lines) - 1
    )
    assert len(told["lines"]) == len(lines) - 1
    _status, told = program.send(f"{here}take-back/", key="back-twice", version=told["version"])

    jobs = {program.send(f"{here}hand-in/", version=told["version"])[1]["key"] for _ in range(3)}
    assert len(jobs) == 1
    assert Submission.objects.count() == 1
    assert program.read().json() == []
    read = program.read(here).json()
    assert read["handed_in"] == Submission.objects.get().key
    answer = program.read(f"{here}file/mat/")
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/plain; charset=utf-8")
    assert b"31: 8/5 6/5" in answer.content
    assert program.read(f"{here}file/exe/").status_code == 404
    assert program.delete(here) == 204
    assert program.read(here).status_code == 404


@pytest.mark.django_db
def test_what_cannot_be_is_refused_with_its_code(program: Program, club: Club) -> None:
    here = f"{begun(program, club)['key']}/"

    def enter(text: str, version: int = 0) -> tuple[int, str, str]:
        status, told = program.send(
            f"{here}lines/",
            key=f"a-key-for-{text}".replace(" ", "-").replace("/", "-"),
            version=version,
            text=text,
        )
        return status, told["code"], told.get("context", {}).get("reason", "")

    assert enter("31 8/4 6/5")[:2] == (409, "line_refused")
    assert enter("31") == (409, "line_refused", "say_play")
    assert enter("nonsense") == (409, "line_refused", "not_understood")
    assert enter("31 8/5 6/5", version=7)[:2] == (409, "other_version")
    assert program.send(f"{here}hand-in/", version=0)[1]["code"] == "nothing_typed"
    assert program.send(f"{here}take-back/", key="back-once", version=0)[1]["code"] == "nothing_to_take_back"
    assert program.send(club=club.slug)[0] == 400
    status, problem = program.send(club=club.slug, white="A", black="B", number=2)
    assert (status, set(problem["context"]["fields"])) == (400, {"number"})
    assert (
        program.send(club=club.slug, white="A", black="B", match="8a3ab3b0-0000-4000-8000-000000000000")[1][
            "code"
        ]
        == "unknown_match"
    )


@pytest.mark.django_db
def test_a_line_is_replaced_only_where_it_is_named(program: Program, club: Club) -> None:
    here = f"{begun(program, club)['key']}/lines/"
    assert program.send(here, key="a-first-key", version=0, text="31 8/5 6/5")[0] == 200
    status, problem = program.send(here, key="another-key", version=1, text="31 24/23 13/10", instead=True)
    assert (status, set(problem["context"]["fields"])) == (400, {"at"})


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("way", "said"),
    [("lines/", {"text": "31 24/23 13/10"}), ("remove/", {"at": 0, "count": 1}), ("take-back/", {})],
)
def test_a_used_key_does_nothing_else(program: Program, club: Club, way: str, said: dict[str, Any]) -> None:
    here = f"{begun(program, club)['key']}/"
    assert program.send(f"{here}lines/", key="a-first-key", version=0, text="31 8/5 6/5")[0] == 200
    status, problem = program.send(f"{here}{way}", key="a-first-key", version=1, **said)
    assert (status, problem["code"]) == (422, "idempotency_key_reused")


@pytest.mark.django_db
def test_it_is_its_owners_alone_and_members_begin(
    program: Program, club: Club, owner: User, stranger: User, otis: User
) -> None:
    key = begun(program, club)["key"]
    assert Program(owner).read(f"{key}/").status_code == 404
    assert Program(owner).delete(f"{key}/") == 404
    assert Program(stranger).send(club=club.slug, white="A", black="B")[1]["code"] == "not_a_member"
    reader = Program(otis, Scope.READ)
    assert reader.read(f"{key}/").status_code == 200
    assert reader.delete(f"{key}/") == 403
    assert Client().get(WHERE).status_code == 401
    assert Transcription.objects.count() == 1


@pytest.mark.long
@pytest.mark.django_db
def test_a_rejected_record_is_opened_at_what_it_claims(program: Program, club: Club, otis: User) -> None:
    client = signed_in(otis)
    by_program(client, club.slug, ("a.mat", WRONG))
    deliver(timezone.now())
    record = Submission.objects.get()
    status, told = program.send(mends=record.key)
    assert status == 201
    assert (told["mends"], told["match"]) == (record.key, None)
    [fault] = [each for each in told["findings"] if each["is_fault"]]
    assert fault["nearest"]
    assert not fault["sentence"].endswith(f" {fault['rule']}.")
    assert program.send(mends="nothing")[0] == 404
    status, problem = program.send(mends=record.key, white="Ann")
    assert (status, set(problem["context"]["fields"])) == (400, {"white"})
    # Begun once, it is the same one.
    assert program.send(mends=record.key)[1]["key"] == told["key"]


@pytest.mark.long
@pytest.mark.django_db
def test_each_match_of_a_record_has_its_own_transcription(program: Program, club: Club, otis: User) -> None:
    client = signed_in(otis)
    by_program(client, club.slug, ("a.mat", CLEAN + WRONG))
    deliver(timezone.now())
    record = Submission.objects.get()
    keys = [program.send(mends=record.key, number=number)[1]["key"] for number in (1, 2, 1, 2)]
    assert keys[:2] == keys[2:]
    assert len(set(keys)) == 2


@pytest.mark.django_db
def test_with_other_names_it_is_handed_in_as_another_record(club: Club, otis: User, now: datetime) -> None:
    row = transcribing.begin(by=otis, club=club, names=("Ann", "Ben"), length=1, now=now)
    row, _entered = transcribing.enter_line(
        transcription=row, key="a-first-key", version=0, at=None, text="31 8/5 6/5", now=now
    )
    first = transcribing.hand_in(transcription=row, version=1, now=now)
    row.refresh_from_db()
    program, here, lines = Program(otis), f"{row.key}/", row.lines
    said: dict[str, Any] = {"white": "Ann", "black": "Bo", "length": 1, "version": row.version}
    assert program.put(here, **said | {"version": 0})[1]["code"] == "other_version"
    assert program.put(here, **said | {"white": " "})[0] == 400
    status, told = program.put(here, **said)
    assert (status, told["version"]) == (200, row.version + 1)
    row.refresh_from_db()
    assert (row.head["names"], row.lines) == (["Ann", "Bo"], lines)
    assert transcribing.hand_in(transcription=row, version=row.version, now=now) != first
