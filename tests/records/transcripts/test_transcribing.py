"""A transcription is its lines: entered one by one, corrected anywhere, on any device, and judged as an upload is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from engine import formats
from engine.dice import Dice
from engine.errors import Unreadable
from engine.formats import transcript
from engine.formats.transcript import UnreadLine, parse_claim
from engine.plays import legal_plays
from engine.referee.incremental_judging import IncrementalReferee
from engine.sheet import Sheet, Turn
from engine.verdict import Verdict, adjudicate, judge_sheet
from players.models import Club, User
from records.base.errors import NotAMemberHere, NothingToTakeBack, OtherVersion
from records.models import Submission, Transcription
from records.submissions import line_changes, record_changes, submissions, visible_submissions
from records.submissions.submissions import SentFile
from records.transcripts import transcribing, transcriptions, typed_input
from records.transcripts.typed_input import IllegalInput
from runtime.idempotency import KeyReused
from tests import samples
from tests.deliveries import deliver
from tests.records.conftest import CLEAN, WRONG

HERE = Path(samples.__file__).parent
FILES = sorted([*(HERE / "records").glob("*.*"), *(HERE / "faults").glob("*.mat")])
HEAD: dict[str, Any] = {"names": ["Ann", "Ben"], "length": 5, "tags": [], "agreed": {}}


def sheets(path: Path) -> list[Sheet]:
    try:
        return [each for each in formats.read(path.read_bytes()) if isinstance(each, Sheet)]
    except Unreadable:
        return []


SHEETS = [pytest.param(each, id=path.name) for path in FILES for each in sheets(path)]


def summarize_verdict(verdict: Verdict) -> object:
    """What counts of a verdict: where a play is spelled otherwise, the sentence is another."""
    found = [(each.code, each.game, each.ply, each.rule) for each in verdict.findings]
    return verdict.word, verdict.score, verdict.winner, verdict.games, found


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_sheet_written_as_lines_is_judged_as_it_was(sheet: Sheet) -> None:
    (again,) = formats.read(transcript.write(sheet))
    assert isinstance(again, Sheet)
    before, after = adjudicate(sheet), adjudicate(again)
    assert [each[:4] for each in _faults(after)] == [each[:4] for each in _faults(before)]
    assert (after.is_accepted, after.score, after.winner) == (before.is_accepted, before.score, before.winner)
    if before.is_accepted:
        assert after.record.digest() == before.record.digest()


def _faults(verdict: Verdict) -> list[tuple[object, ...]]:
    return [
        (each.code, each.game, each.ply, each.rule)
        for each in verdict.findings
        if each.severity.value == "fault"
    ]


@pytest.mark.parametrize("sheet", SHEETS)
def test_typing_a_record_leads_to_its_facts(sheet: Sheet) -> None:
    uploaded = adjudicate(sheet)
    if not uploaded.is_accepted or sheet.length is None or any(game.before for game in sheet.games):
        return
    course, lines = IncrementalReferee(), list[str]()
    head = transcript.serialize_head(sheet)
    for line in transcript.list_lines(sheet):
        claim = parse_claim(line)
        if isinstance(claim, Turn) and claim.dice is not None:
            standing = course.stand(transcript.build_sheet(head, lines), len(lines))
            text = f"{line[0].lower()} {line[2:]}" if standing.match.game.turn is None else line[2:]
            played = typed_input.parse_input(text, standing).lines or (line,)
            # The heading of the game is already written.
            lines += played[-1:]
        else:
            lines.append(line)
    typed_in = judge_sheet(transcript.build_sheet(head, lines), walk=course.walk)
    assert typed_in.is_accepted
    assert typed_in.record.digest() == uploaded.record.digest()


@pytest.mark.long
@given(st.data())
def test_editing_anywhere_is_typing_anew(data: st.DataObject) -> None:
    (sheet,) = (each for each in formats.read(CLEAN) if isinstance(each, Sheet))
    head, lines = transcript.serialize_head(sheet), transcript.list_lines(sheet)
    course = IncrementalReferee()
    judge_sheet(transcript.build_sheet(head, lines), walk=course.walk)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(lines)))
        out = data.draw(st.integers(0, min(3, len(lines) - at)))
        put = data.draw(
            st.lists(st.sampled_from([*lines[:40], "? lost", "Game 1-0", "W Takes", "B 99:"]), max_size=2)
        )
        lines = [*lines[:at], *put, *lines[at + out :]]
        anew, edited = (
            transcript.build_sheet(head, lines),
            judge_sheet(transcript.build_sheet(head, lines), walk=course.walk),
        )
        assert summarize_verdict(edited) == summarize_verdict(adjudicate(anew))
        upto = data.draw(st.integers(0, len(lines)))
        assert course.stand(anew, upto) == IncrementalReferee().stand(anew, upto)


def test_only_the_games_from_the_change_on_are_walked() -> None:
    (sheet,) = (each for each in formats.read(CLEAN) if isinstance(each, Sheet))
    head, lines = transcript.serialize_head(sheet), transcript.list_lines(sheet)
    course = IncrementalReferee()
    judge_sheet(transcript.build_sheet(head, lines), walk=course.walk)
    assert course.walked == len(sheet.games) > 1
    course.walked = 0
    judge_sheet(transcript.build_sheet(head, lines[:-1]), walk=course.walk)
    assert course.walked == 1


def entered(lines: Sequence[str], text: str) -> tuple[str, ...]:
    standing = IncrementalReferee().stand(transcript.build_sheet(HEAD, lines), len(lines))
    return typed_input.parse_input(text, standing).lines


OPENED = ("Game", "W 31: 8/5 6/5")
ALONE = ("Game", "Set white 24:1 1:2 off:12 black 23:2 2:13 = W 1 -")
CLOSED = ("Game", "Set white 6:2 5:2 4:2 3:2 2:2 1:2 24:3 black bar:1 6:5 8:3 13:5 12:1 = B 1 -")


@pytest.mark.parametrize(
    ("before", "text", "lines"),
    [
        ((), "31 8/5 6/5", ("Game", "W 31: 8/5 6/5")),
        ((), "13 8/5 6/5", ("Game", "B 31: 8/5 6/5")),
        ((), "b 31: 8/5 6/5", ("Game", "B 31: 8/5 6/5")),
        (OPENED, "65 24/13", ("B 65: 24/13",)),
        (OPENED, "6-5: 24/13", ("B 65: 24/13",)),
        # One way only to go on from there.
        (ALONE, "65 24/18", ("W 65: 24/13",)),
        (ALONE, "65", ("W 65: 24/13",)),
        (OPENED, "d", ("B Doubles => 2",)),
        ((*OPENED, "B Doubles => 2"), "p", ("W Drops",)),
        ((*OPENED, "B Doubles => 2", "W Drops"), "21 13/11 6/5", ("Game", "W 21: 13/11 6/5")),
        (OPENED, "resign gammon", ("B Resigns a gammon",)),
        (OPENED, "w r m", ("W Resigns the match",)),
        # A player on the bar cannot enter against a closed board.
        (CLOSED, "64", ("B 64: Cannot Move",)),
    ],
)
def test_what_is_entered_becomes_a_line(before: Sequence[str], text: str, lines: tuple[str, ...]) -> None:
    assert entered(before, text) == lines
    assert not any(isinstance(parse_claim(line), UnreadLine) for line in lines)


@pytest.mark.parametrize(
    ("text", "code", "rule"),
    [
        ("66 24/12", "blocked", "R14"),
        ("77", "illegal-dice", "R11"),
        ("65 13/8 13/8", "dice-mismatch", "R12"),
        ("31 8/5", "more-to-play", ""),
        ("w 31", "out-of-turn", "R11"),
        ("take", "take-without-double", "R47"),
        ("hello", "not-understood", ""),
        ("31 from here to there", "no-play", ""),
        ("3" * 200, "too-long", ""),
    ],
)
def test_what_cannot_be_is_refused(text: str, code: str, rule: str) -> None:
    with pytest.raises(IllegalInput) as refused:
        entered(OPENED, text)
    assert (refused.value.code, refused.value.rule) == (code, rule)
    assert transcribing.describe_problem(refused.value)["sentence"]


def test_a_roll_alone_asks_for_its_play() -> None:
    standing = IncrementalReferee().stand(transcript.build_sheet(HEAD, OPENED), len(OPENED))
    choice = typed_input.parse_input("65", standing).choice
    assert len(choice.tree.nodes) > 1


@given(st.text(max_size=60))
def test_whatever_is_typed_is_taken_or_refused(text: str) -> None:
    try:
        code = bool(entered(OPENED, text)) or "choice"
    except IllegalInput as refusal:
        code = transcribing.describe_problem(refusal)["code"]
    assert code


@pytest.fixture
def row(otis: User, club: Club, now: datetime) -> Transcription:
    return transcribing.begin(by=otis, club=club, names=("Ada", "Bo"), length=5, now=now)


def put(
    row: Transcription, key: str, *lines: str, at: int, now: datetime, version: int, out: int = 0
) -> Transcription:
    return transcribing.edit(
        transcription=row, key=key, version=version, at=at, out=out, lines=lines, now=now
    )


def test_an_edit_counts_once_and_another_device_does_not_write_over_it(
    row: Transcription, now: datetime
) -> None:
    first = put(row, "key-0001", *OPENED, at=0, version=0, now=now)
    again = put(row, "key-0001", *OPENED, at=0, version=0, now=now)
    assert (again.lines, again.version) == (first.lines, 1) == (list(OPENED), 1)
    with pytest.raises(OtherVersion):
        put(row, "key-0002", "B 65: 24/13", at=2, version=0, now=now)
    row.refresh_from_db()
    assert row.lines == list(OPENED)


def test_a_key_is_good_for_one_edit(row: Transcription, now: datetime) -> None:
    def enter(text: str, version: int) -> None:
        transcribing.enter_line(
            transcription=row, key="key-0001", version=version, at=None, text=text, now=now
        )
        row.refresh_from_db()

    enter("31 8/5 6/5", 0)
    # Sent again by a page that has seen the line, it is the same one.
    enter("31 8/5 6/5", 1)
    acts: list[Callable[[], object]] = [
        lambda: enter("31 24/23 13/10", 1),
        lambda: put(row, "key-0001", at=0, out=1, version=1, now=now),
        lambda: transcribing.undo_edit(transcription=row, key="key-0001", version=1, now=now),
    ]
    for act in acts:
        with pytest.raises(KeyReused):
            act()
    transcribing.undo_edit(transcription=row, key="back-001", version=1, now=now)
    row.refresh_from_db()
    for act in acts[:2]:
        with pytest.raises(KeyReused):
            act()
    enter("31 8/5 6/5", 2)
    assert (row.lines, row.version) == ([], 2)


def test_edits_are_taken_back_in_their_order(row: Transcription, now: datetime) -> None:
    put(row, "key-0001", *OPENED, at=0, version=0, now=now)
    put(row, "key-0002", "W 31: 24/23 13/10", at=1, out=1, version=1, now=now)
    back = transcribing.undo_edit(transcription=row, key="back-001", version=2, now=now)
    assert back.lines == list(OPENED)
    assert transcribing.undo_edit(transcription=row, key="back-001", version=2, now=now).version == 3
    assert transcribing.undo_edit(transcription=row, key="back-002", version=3, now=now).lines == []
    with pytest.raises(NothingToTakeBack):
        transcribing.undo_edit(transcription=row, key="back-003", version=4, now=now)


def test_what_another_device_has_changed_is_not_undone_renamed_or_handed_in(
    row: Transcription, now: datetime
) -> None:
    put(row, "key-0001", *OPENED, at=0, version=0, now=now)
    acts: list[Callable[[], object]] = [
        lambda: transcribing.undo_edit(transcription=row, key="back-001", version=0, now=now),
        lambda: transcribing.rename(transcription=row, version=0, names=("A", "B"), length=7, now=now),
        lambda: transcribing.hand_in(transcription=row, version=0, now=now),
    ]
    for act in acts:
        with pytest.raises(OtherVersion):
            act()


def test_a_stranger_begins_nothing(stranger: User, otis: User, club: Club, now: datetime) -> None:
    with pytest.raises(NotAMemberHere):
        transcribing.begin(by=stranger, club=club, names=("A", "B"), length=5, now=now)
    (wrong,) = submissions.hand_in(club=club, by=otis, files=[SentFile("wrong.mat", WRONG)], now=now)
    with pytest.raises(NotAMemberHere):
        transcribing.begin_correction(by=stranger, submission=wrong, number=1, now=now)
    # Nor do they learn whether it can be read.
    wrong.file = None
    with pytest.raises(NotAMemberHere):
        transcribing.begin_correction(by=stranger, submission=wrong, number=1, now=now)


@pytest.mark.long
def test_a_rejected_record_is_mended_and_accepted(otis: User, club: Club, now: datetime) -> None:
    (wrong,) = submissions.hand_in(club=club, by=otis, files=[SentFile("wrong.mat", WRONG)], now=now)
    deliver(now)
    wrong.refresh_from_db()
    assert wrong.file.word == "rejected"
    row = transcribing.begin_correction(by=otis, submission=wrong, number=1, now=now)
    assert transcribing.begin_correction(by=otis, submission=wrong, number=1, now=now).pk == row.pk
    at = transcriptions.find_first_fault(row)
    fault = transcriptions.build_view(row).first
    assert fault.at == at
    assert fault.nearest
    dice = row.lines[at][2:4]
    mended = transcriptions.parse_entry(row, at, f"{dice} {_right(row, at)}", is_instead=True)
    put(row, "mend-0001", *mended.lines, at=at, out=1, version=0, now=now)
    row.refresh_from_db()
    assert transcriptions.judge_lines(row).is_accepted
    made = transcribing.hand_in(transcription=row, version=1, now=now)
    deliver(now)
    made.refresh_from_db()
    assert made.file.word in {"accepted", "noted"}
    assert made.mends == wrong
    wrong.refresh_from_db()
    assert bytes(wrong.file.content) == WRONG


@pytest.mark.long
def test_each_match_of_a_record_is_mended_in_its_own_transcription(
    otis: User, club: Club, now: datetime
) -> None:
    sent = [SentFile("both.mat", CLEAN + WRONG)]
    (record,) = submissions.hand_in(club=club, by=otis, files=sent, now=now)
    deliver(now)
    first, second = (
        transcribing.begin_correction(by=otis, submission=record, number=number, now=now) for number in (1, 2)
    )
    assert first.lines != second.lines
    transcribing.rename(transcription=second, version=0, names=("A", "B"), length=5, now=now)
    for number, row in ((1, first), (2, second)):
        again = transcribing.begin_correction(by=otis, submission=record, number=number, now=now)
        assert again.pk == row.pk


@pytest.mark.long
def test_the_page_of_a_mended_record_shows_what_was_changed(
    otis: User, club: Club, now: datetime, client: Client
) -> None:
    (wrong,) = submissions.hand_in(club=club, by=otis, files=[SentFile("wrong.mat", CLEAN + WRONG)], now=now)
    deliver(now)
    # The second of its matches is the one that has a fault.
    row = transcribing.begin_correction(by=otis, submission=wrong, number=2, now=now)
    at = transcriptions.find_first_fault(row)
    before = row.lines[at]
    after = f"{before[:5]} {_right(row, at)}"
    put(row, "mend-0001", after, at=at, out=1, version=0, now=now)
    transcribing.rename(
        transcription=row,
        version=1,
        names=["Ada Okafor", row.head["names"][1]],
        length=row.head["length"],
        now=now,
    )
    made = transcribing.hand_in(transcription=row, version=2, now=now)
    deliver(now)

    found = record_changes.load_record_changes(
        visible_submissions.list_visible(otis).get(pk=made.pk), visible_submissions.list_visible(otis)
    )

    assert found
    assert found.original == wrong
    assert [each.texts for each in found.lines if each.is_marked] == [
        ("White: Ada", "White: Ada Okafor"),
        (before[2:], after[2:]),
    ]
    # It has the number that it has in the record below.
    line = next(each for each in found.lines if each.texts == (before[2:], after[2:]))
    assert made.file
    assert bytes(made.file.content).decode().split("\n")[line.number - 1] == after
    client.force_login(otis)
    page = client.get(f"/records/{club.slug}/{made.key}/").text.partition('id="mends"')[2]
    assert page.count('class="beside__first"') == 2
    assert f"/records/{club.slug}/{wrong.key}/" in page
    # Anyone who sees the mended one alone is shown nothing of the other.
    assert (
        record_changes.load_record_changes(made, visible_submissions.list_visible(otis).exclude(pk=wrong.pk))
        is None
    )
    # What was not mended has no other beside it.
    assert 'id="mends"' not in client.get(f"/records/{club.slug}/{wrong.key}/").text


LINES = st.lists(st.sampled_from(["Game", "W 31: 8/5 6/5", "B 31: 8/5 6/5", "W Doubles", "B Takes", ""]))


@given(LINES, LINES)
def test_what_was_changed_leads_from_one_version_to_the_other(before: list[str], after: list[str]) -> None:
    pairs = line_changes.compare_lines(before, after)

    for side, version in enumerate((before, after)):
        told = {pair.numbers[side]: pair.texts[side] for pair in pairs if pair.numbers[side]}
        assert all(version[number - 1] == line for number, line in told.items() if number)
        assert list(told) == sorted(told, key=lambda number: number or 0)
    # What is not told is the same in both.
    left = [
        [
            line
            for number, line in enumerate(version, 1)
            if number not in {pair.numbers[side] for pair in pairs}
        ]
        for side, version in enumerate((before, after))
    ]
    assert left[0] == left[1]
    assert bool(pairs) == (before != after)


def _right(row: Transcription, at: int) -> str:
    """The play that the sample had before it was spoilt: the one with which all that follows is legal."""
    standing = transcriptions.compute_standing(row, at)
    game = standing.match.game
    assert game.turn is not None
    for play in legal_plays(
        game.board, game.turn, Dice.from_numbers(int(row.lines[at][2]), int(row.lines[at][3]))
    ):
        lines = [*row.lines[:at], f"{row.lines[at][:5]} {play.notation}", *row.lines[at + 1 :]]
        if judge_sheet(transcript.build_sheet(row.head, lines)).is_accepted:
            return play.notation
    raise AssertionError("nothing fits")


@pytest.mark.long
def test_the_page_is_its_owners_alone(client: Client, owner: User, row: Transcription, now: datetime) -> None:
    address = reverse("records:transcription", args=[row.club.slug, row.key])
    assert client.get(address).status_code == 302
    client.force_login(owner)
    assert client.get(address).status_code == 404
    client.force_login(row.by)
    assert client.get(address).status_code == 200


def test_names_and_points_are_corrected_on_the_page(client: Client, row: Transcription) -> None:
    client.force_login(row.by)
    address = reverse("records:transcription", args=[row.club.slug, row.key])
    client.post(address, {"do": "enter", "key": "page-0001", "version": 0, "at": 0, "text": "31 8/5 6/5"})
    sent = {"do": "names", "key": "page-0002", "version": 1, "white": "Ann", "black": "Bo", "length": "7"}
    refused = client.post(address, sent | {"black": "", "length": "many"})
    assert refused.status_code == 422
    # What was entered is still there.
    assert 'value="many"' in refused.text
    conflict = client.post(address, sent | {"version": 0})
    assert conflict.status_code == 409
    assert 'value="Bo"' in conflict.text
    page = client.post(address, sent, follow=True).text
    assert 'value="Bo"' in page
    row.refresh_from_db()
    assert (row.head["names"], row.head["length"], row.lines[-1]) == (["Ann", "Bo"], 7, "W 31: 8/5 6/5")


def test_the_page_takes_lines_with_a_script_and_without(client: Client, row: Transcription) -> None:
    client.force_login(row.by)
    address = reverse("records:transcription", args=[row.club.slug, row.key])
    sent = {"do": "enter", "key": "page-0001", "version": 0, "at": 0, "text": "31 8/5 6/5"}
    assert client.post(address, sent).status_code == 302
    sent = {"do": "enter", "key": "page-0002", "version": 1, "at": 2, "text": "<b>31</b>"}
    refused = client.post(address, sent, headers={"accept": "application/json"})
    assert refused.status_code == 422
    assert "<b>" not in refused.json()["problem"]["html"]
    sent |= {"text": "65"}
    choice = client.post(address, sent, headers={"accept": "application/json"}).json()
    assert choice["nodes"]
    assert choice["version"] == 1
    sent |= {"text": "65 24/13", "version": 0}
    assert client.post(address, sent, headers={"accept": "application/json"}).status_code == 409
    sent |= {"text": "65 24/13", "version": 1}
    assert client.post(address, sent, headers={"accept": "application/json"}).json()["end"] == 3
    # The browser's "back" shows an earlier page, whose key is used.
    earlier = client.post(address, sent | {"text": "52 13/8 13/11"})
    assert earlier.status_code == 409
    assert 'value="52 13/8 13/11"' in earlier.text
    for name in ("mat", "sgf", "json"):
        file = reverse("records:transcription_file", args=[row.club.slug, row.key, name])
        assert client.get(file).status_code == 200
    sent = {"do": "hand-in", "key": "page-0003", "version": 2}
    assert client.post(address, sent).status_code == 302
    assert Submission.objects.count() == 1


def test_what_somebody_typed_is_in_their_export(row: Transcription, now: datetime) -> None:
    put(row, "key-0001", *OPENED, at=0, version=0, now=now)
    assert transcriptions.export_transcriptions(row.by.player)[0]["lines"] == list(OPENED)
