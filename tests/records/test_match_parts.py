"""A match in two files: the second goes on where the first stopped, and the verdict is over both."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from django.urls import reverse

from engine import formats
from engine.actions import Action, Conceded, Flagged, Penalised, RuledMatch, RuledScore
from engine.record import Record
from engine.side import BySide, Side
from engine.verdict import judge
from players.models import Club, User
from records import match_parts
from records.models import Outcome, Submission
from records.submissions import other_parts, record_outcomes, submissions
from records.submissions.submissions import SentFile
from tests.deliveries import deliver
from tests.records.conftest import CLEAN, WRONG
from tests.records.submissions.test_record_outcomes import hand_in, record, reported, score, sits
from tests.tournaments.pages.test_pages_player import Two
from tests.tournaments.support import Browser, text
from tournaments.models import PairingState

pytestmark = pytest.mark.today


def split(data: bytes, after: int) -> tuple[bytes, bytes]:
    """Return a record as two files, the second of which begins with the game after."""
    head, *games = re.split(rb"(?m)^(?= Game \d+\r?$)", data)
    assert 0 < after < len(games)
    return head + b"".join(games[:after]), head + b"".join(games[after:])


def interrupt(data: bytes, after: int) -> tuple[bytes, bytes]:
    """Return a record as two files, the first of which stops within the game that the second begins with."""
    first, second = split(data, after)
    begun = re.split(rb"(?m)^(?= Game \d+\r?$)", second)[1]
    return first + b"".join(begun.splitlines(keepends=True)[:4]), second


def verdict(data: bytes) -> dict[str, Any]:
    [found] = judge(data)
    return found.to_json()


def turned(told: dict[str, Any]) -> dict[str, Any]:
    """The verdict with the two players exchanged."""
    winner = told["winner"]
    games = [
        each | {"winner": None if each["winner"] is None else 1 - each["winner"]} for each in told["games"]
    ]
    start = {"start": told["start"][::-1]} if "start" in told else {}
    return (
        told
        | start
        | {
            "players": told["players"][::-1],
            "score": told["score"][::-1],
            "winner": None if winner is None else 1 - winner,
            "games": games,
        }
    )


@pytest.mark.parametrize("after", [1, 2, 3, 4])
@pytest.mark.parametrize("is_swapped", [False, True])
def test_two_halves_come_to_the_whole(after: int, is_swapped: bool) -> None:
    whole = verdict(CLEAN)
    first, second = map(verdict, split(CLEAN, after))
    if is_swapped:
        second = turned(second)

    assert match_parts.find_swap(first, second) is is_swapped
    assert match_parts.is_continuation(first, second, is_swapped=is_swapped)
    assert (
        not match_parts.is_continuation(first, second, is_swapped=not is_swapped)
        or first["score"][0] == first["score"][1]
    )
    assert not match_parts.is_continuation(second, first, is_swapped=is_swapped)
    told = match_parts.combine_verdicts(first, second, is_swapped=is_swapped)
    assert (told.players, told.score) == (tuple(whole["players"]), tuple(whole["score"]))
    assert (told.winner, told.games, told.word) == (whole["winner"], len(whole["games"]), "accepted")


@pytest.mark.parametrize("after", [1, 2, 3])
@pytest.mark.parametrize("is_swapped", [False, True])
def test_two_halves_are_found_by_where_they_meet(after: int, is_swapped: bool) -> None:
    first, second = map(verdict, split(CLEAN, after))
    second = turned(second) if is_swapped else second

    assert match_parts.find_end_seam(first) == match_parts.find_begin_seam(second) is not None
    assert match_parts.find_end_seam(second) is match_parts.find_begin_seam(first) is None
    assert match_parts.find_end_seam(first) != match_parts.find_begin_seam(
        second | {"players": ["Ada", "Cy"]}
    )


def test_files_of_many_matches_are_not_compared_match_by_match(
    club: Club, otis: User, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = 30

    def half(number: int, part: int, name: str) -> bytes:
        return split(CLEAN.replace(b"Ada", f"{name}{number}".encode()), 2)[part]

    # Only the last of each file are halves of one match.
    ours = [half(number, 0, "Ada") for number in range(many)]
    theirs = [half(number, 1, "Cy") for number in range(many - 1)] + [half(many - 1, 1, "Ada")]
    files = [SentFile("a.mat", b"\n".join(ours)), SentFile("b.mat", b"\n".join(theirs))]
    first, second = submissions.hand_in(club=club, by=otis, files=files, now=now)
    deliver(now)
    folded: list[str] = []
    monkeypatch.setattr(match_parts, "fold", lambda name: [name.casefold(), folded.append(name)][0])

    found = other_parts.find_whole_match(first, Submission.objects.filter(club=club))

    assert (found.first, found.second) == (first, second)
    assert len(folded) <= 2 * 4 * many + 4


def test_what_begins_elsewhere_does_not_go_on() -> None:
    first, _ = map(verdict, split(CLEAN, 1))
    _, late = map(verdict, split(CLEAN, 3))

    assert not match_parts.is_continuation(first, late, is_swapped=False)
    assert not match_parts.is_continuation(first, verdict(CLEAN), is_swapped=False)
    assert match_parts.find_swap(first, late | {"players": ["Ada", "Cy"]}) is None


@pytest.mark.parametrize("is_first_first", [True, False])
def test_the_second_file_to_come_decides(two: Two, is_first_first: bool) -> None:
    a, b = sits(two)
    reported(two, b, 2, 5)
    first, second = split(record(a, b), 2)
    one, other = (first, second) if is_first_first else (second, first)

    early = hand_in(two, a, one)
    assert early.outcome == (Outcome.UNFINISHED if is_first_first else Outcome.HALF)
    assert two.match().state == PairingState.READY
    late = hand_in(two, b, other)

    assert late.outcome == Outcome.CONFIRMED
    assert (two.match().state, score(two)) == (PairingState.DECIDED, (2, 5))
    early.refresh_from_db()
    assert early.outcome == Outcome.JOINED


@pytest.mark.parametrize("is_first_first", [True, False])
def test_a_first_part_that_stops_within_a_game_counts_with_the_second(two: Two, is_first_first: bool) -> None:
    a, b = sits(two)
    reported(two, b, 2, 5)
    first, second = interrupt(record(a, b), 2)
    [told] = judge(first)
    assert (told.word, [each.code for each in told.findings]) == ("rejected", ["unfinished-game"])

    early, late = (
        hand_in(two, by, data) for by, data in ((a, first), (b, second))[:: 1 if is_first_first else -1]
    )

    early.refresh_from_db()
    assert (early.outcome, late.outcome) == (Outcome.JOINED, Outcome.CONFIRMED)
    assert (two.match().state, score(two)) == (PairingState.DECIDED, (2, 5))
    for row in (early, late):
        whole = other_parts.find_whole_match(row, Submission.objects.all())
        assert (whole.verdict.word, whole.verdict.games, whole.verdict.score) == ("accepted", 5, (2, 5))


def test_what_stops_within_a_game_changes_nothing_alone_or_with_another_fault(two: Two) -> None:
    a, b = sits(two)
    reported(two, b, 2, 5)
    assert hand_in(two, a, interrupt(record(a, b), 2)[0]).outcome == Outcome.UNFINISHED
    # Two are no whole match either.
    _, second = split(record(a, b), 2)
    assert hand_in(two, a, interrupt(second, 1)[0]).outcome == Outcome.UNFINISHED
    faulty, _ = interrupt(record(a, b, WRONG), 2)
    assert hand_in(two, a, faulty).outcome == Outcome.REJECTED
    # Only the last game may be unfinished.
    first, _ = interrupt(record(a, b), 1)
    [rest] = re.findall(rb"(?ms)^ Game 1\r?$.*", first)
    assert hand_in(two, a, first + rest).outcome == Outcome.REJECTED
    assert two.match().state == PairingState.READY


def test_a_crawford_game_that_was_interrupted_is_still_to_come() -> None:
    first, second = map(verdict, interrupt(CLEAN, 4))
    assert match_parts.is_continuation(first, second, is_swapped=False)
    assert match_parts.find_crawford_correction(first, second) is None


def cut_after(games: int, *facts: Action) -> Record:
    """Return the record with only its first games, and then these facts."""
    [told] = judge(CLEAN)
    moments = [moment for chapter in told.record.chapters()[:games] for moment in chapter.moments]
    return replace(told.record, actions=(*(moment.action for moment in moments), *facts))


# Facts by which points are won without a game, or the score is set between two.
WITHOUT_A_GAME = [
    Conceded(Side.WHITE),
    Flagged(Side.WHITE),
    Flagged(Side.WHITE, 5),
    Penalised(Side.WHITE, 5, "late"),
    RuledScore(BySide(0, 5)),
]


@pytest.mark.parametrize("ending", ["json", "mat", "sgf"])
@pytest.mark.parametrize("fact", WITHOUT_A_GAME)
def test_points_without_a_game_are_no_score_at_the_beginning(fact: Action, ending: str) -> None:
    told = verdict(formats.write(cut_after(2, fact), ending))

    assert told["verdict"] in {"accepted", "noted"}
    assert (told["winner"], told["score"][1] >= 5) == (1, True)
    assert match_parts.get_begin_score(told) == (0, 0)
    assert match_parts.find_begin_seam(told) is None


@pytest.mark.parametrize("ending", ["json", "mat", "sgf"])
def test_a_score_that_is_set_before_the_first_game_is_where_a_record_begins(ending: str) -> None:
    [told] = judge(split(CLEAN, 2)[1])
    score = tuple(told.record.actions[0].score)  # type: ignore[union-attr]
    assert max(score)

    again = verdict(formats.write(told.record, ending))
    older = {name: value for name, value in told.to_json().items() if name != "start"}

    assert match_parts.get_begin_score(again) == match_parts.get_begin_score(older) == score


def test_a_match_that_was_conceded_between_two_games_counts(two: Two) -> None:
    a, b = sits(two)
    data = formats.write(cut_after(2, Conceded(Side.WHITE)), "mat")

    assert hand_in(two, b, record(a, b, data)).outcome == Outcome.REPORTED


@pytest.mark.parametrize("is_over", [False, True])
def test_a_match_that_was_awarded_against_its_score_proves_none(two: Two, is_over: bool) -> None:
    a, b = sits(two)
    [told] = judge(CLEAN)
    ruled = RuledMatch(Side.WHITE, "disqualification")
    played_out = replace(told.record, actions=(*told.record.actions, ruled))
    data = formats.write(played_out if is_over else cut_after(2, ruled), "mat")

    assert hand_in(two, b, record(a, b, data)).outcome == Outcome.UNFINISHED
    assert two.match().state == PairingState.READY


def test_a_half_that_goes_on_from_another_score_decides_nothing(two: Two) -> None:
    a, b = sits(two)
    reported(two, b, 2, 5)
    hand_in(two, a, split(record(a, b), 1)[0])

    assert hand_in(two, a, split(record(a, b), 3)[1]).outcome == Outcome.HALF
    assert two.match().state == PairingState.READY


@pytest.mark.parametrize("has_won", [False, True])
def test_both_in_one_go_are_one_match(two: Two, has_won: bool) -> None:
    a, b = sits(two)
    files = [SentFile(f"{number}.mat", data) for number, data in enumerate(split(record(a, b), 2), 1)]

    by = b if has_won else a
    rows = submissions.hand_in(club=two.desk.club, by=by, files=files, now=two.desk.now, pairing=two.match())
    deliver(two.desk.now)

    outcomes = Submission.objects.filter(pk__in=[row.pk for row in rows]).values_list("outcome", flat=True)
    # Who lost says so for good; who won waits for the opponent, and the two parts do not confirm each other.
    assert set(outcomes) == ({Outcome.REPORTED} if has_won else {Outcome.REPORTED, Outcome.FITS})
    assert two.match().state == (PairingState.READY if has_won else PairingState.DECIDED)


def test_what_names_kept_waiting_is_decided_once_they_are_known(two: Two) -> None:
    _, b = sits(two)
    first, second = split(CLEAN, 2)
    early, late = hand_in(two, b, second), hand_in(two, b, first)
    assert (early.outcome, late.outcome) == (Outcome.WHO, Outcome.WHO)

    record_outcomes.name_white(submission=early, white="a", by=b, now=two.desk.now)
    deliver(two.desk.now)

    for row in (early, late):
        row.refresh_from_db()
    assert (early.outcome, late.outcome) == (Outcome.REPORTED, Outcome.JOINED)


def test_who_is_who_is_asked_of_a_first_part_that_stops_within_a_game(two: Two) -> None:
    _, b = sits(two)
    first, second = interrupt(CLEAN, 2)
    early = hand_in(two, b, first)
    assert early.outcome == Outcome.WHO
    page = reverse("records:verdict", args=[two.desk.club.slug, early.key])
    browser = two.browsers[two.users.index(b)]
    assert "The names in the record are Ada and Bo." in text(browser.get(page))

    assert browser.post(f"{page}who/", {"white": "a"}).status_code == 302

    early.refresh_from_db()
    assert early.outcome == Outcome.UNFINISHED
    assert hand_in(two, b, second).outcome == Outcome.REPORTED
    early.refresh_from_db()
    assert early.outcome == Outcome.JOINED


def test_a_record_that_waited_for_the_same_names_is_decided_with_them(two: Two) -> None:
    _, b = sits(two)
    row, again = hand_in(two, b, CLEAN), hand_in(two, b, CLEAN + b"\n")
    assert (row.outcome, again.outcome) == (Outcome.WHO, Outcome.WHO)

    record_outcomes.name_white(submission=row, white="b", by=b, now=two.desk.now)
    deliver(two.desk.now)

    again.refresh_from_db()
    # As Ada they lost, and who has lost says so for good.
    assert again.outcome == Outcome.FITS


def test_the_verdict_over_both_stands_with_each_half(club: Club, otis: User, now: datetime) -> None:
    files = [SentFile(f"{number}.mat", data) for number, data in enumerate(split(CLEAN, 2), 1)]
    first, second = submissions.hand_in(club=club, by=otis, files=files, now=now)
    browser = Browser(otis)
    assert browser.get(f"/api/v1/records/{first.key}/").json()["whole"] is None
    deliver(now)

    for row in (first, second):
        told = browser.get(f"/api/v1/records/{row.key}/").json()["whole"]
        assert told == {
            "first": first.key,
            "second": second.key,
            "verdict": "accepted",
            "players": ["Ada", "Bo"],
            "score": [2, 5],
            "winner": 1,
            "games": 5,
            "findings": 0,
        }
        page = " ".join(text(browser.get(reverse("records:verdict", args=[club.slug, row.key]))).split())
        assert "One match in two files" in page
        assert 'Ada <span class="nowrap">2–5</span> Bo' in page  # noqa: RUF001
        assert "5 games" in page
