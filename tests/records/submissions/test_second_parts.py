"""The second of two records of a match: whether the Crawford game is over where it begins, the first of them proves."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection
from datetime import datetime, timedelta
from functools import partial
from itertools import chain

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from engine import formats
from engine.verdict import judge
from matches import hooks as match_hooks
from opinion.analyses import analysing
from opinion.models import Analysis
from players.models import User
from records import match_parts
from records.models import Outcome, RecordMatch, Submission
from records.submissions import other_parts, played_records, replays, submissions
from records.submissions.submissions import SentFile
from runtime.work import outbox
from runtime.work.child_processes import FileInProgress
from tests.records.submissions.test_record_outcomes import (
    deliver,
    hand_in,
    record,
    reported,
    score,
    sits,
)
from tests.records.test_match_parts import split, verdict
from tests.tournaments.pages.test_pages_player import Two
from tournaments.models import PairingState

pytestmark = pytest.mark.today


# Score before each game of a match to 5, the winner's column, and the points: the third is the Crawford game.
GAMES = ((0, 0, False, 2), (0, 2, False, 2), (0, 4, True, 1), (1, 4, True, 1), (2, 4, False, 1))
CRAWFORD = 3


def match(*, doubled: Collection[int] = ()) -> bytes:
    """Return a record in which Bo wins 5-2; in some games Ada doubles and Bo drops."""
    lines = [" 5 point match", ""]
    for number, (ada, bo, is_ada, points) in enumerate(GAMES, 1):
        lines += [f" Game {number}", f" Ada : {ada}{' ' * 24}Bo : {bo}"]
        lines += ["  1) 31: 8/5 6/5                 42: 8/4 6/4"]
        if number in doubled:
            lines += ["  2)  Doubles => 2                Drops"]
        lines += [f"{' ' * (6 if is_ada else 34)}Wins {points} point{'s' if points > 1 else ''}", ""]
    return "\n".join(lines).encode()


def parts(suffix: str, after: int, *, doubled: Collection[int] = ()) -> tuple[bytes, bytes]:
    """Return the match in two files of a format that does not say which game is the Crawford game."""
    first, second = split(match(doubled=doubled), after)
    if suffix == "mat":
        return first, second
    one, other = (_without_rules(formats.write(judge(each)[0].record, suffix)) for each in (first, second))
    return one, other


def _without_rules(data: bytes) -> bytes:
    return re.sub(rb"(?:RU|AP)\[[^]]*\]", b"", data)


def crawford_games(data: bytes) -> list[bool]:
    [row] = RecordMatch.objects.filter(file__sha256=hash_of(data))
    return [chapter.game[0].before.game.crawford for chapter in replays.load_facts(row).chapters()]


def hash_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


# -- pure -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", ["mat", "sgf"])
@pytest.mark.parametrize(
    ("after", "doubled", "corrected"),
    [
        # The first part ends before anybody is one point short.
        (1, (), None),
        # It ends before the Crawford game: the second is taken for what it is, unless a person doubles in it.
        (2, (), None),
        (2, (CRAWFORD,), False),
        # It ends with the Crawford game, or a game later: a double shows it, without one only the first part does.
        (3, (), True),
        (3, (4,), None),
        (4, (), True),
    ],
)
def test_the_first_part_corrects_what_the_second_was_taken_for(
    suffix: str, after: int, doubled: Collection[int], corrected: bool | None
) -> None:
    first, second = map(verdict, parts(suffix, after, doubled=doubled))
    assert match_parts.is_continuation(first, second, is_swapped=False)
    assert match_parts.find_crawford_correction(first, second) is corrected


@pytest.mark.parametrize("is_crawford", [True, False])
def test_a_first_part_that_begins_one_point_short_proves_it_as_well(is_crawford: bool) -> None:
    """In it the first game was the Crawford game, or already one after it."""
    begun = split(match(doubled=() if is_crawford else (CRAWFORD,)), 2)[1]
    first, second = map(verdict, split(begun, 1))
    assert match_parts.find_crawford_correction(first, second) is True


@pytest.mark.parametrize("length", [1, 3])
def test_at_one_all_away_nothing_is_left_to_correct(length: int) -> None:
    seam = {"length": length, "score": [length - 1, length - 1], "games": [], "winner": None}
    game = {"crawford": False, "winner": 0, "points": 1}
    assert match_parts.find_crawford_correction(seam, seam | {"games": [game]}) is None


@pytest.mark.parametrize("played", [True, False])
def test_facts_are_begun_before_or_after_the_crawford_game(played: bool) -> None:
    [found] = judge(split(match(), 3)[1])
    corrected = found.record.with_crawford(played=played)
    assert [each.before.game.crawford for each in (c.game[0] for c in corrected.chapters())] == [
        not played,
        False,
    ]
    assert corrected.replay().score == found.score
    # A record of a whole match has no such score.
    [whole_match] = judge(match())
    assert whole_match.record.with_crawford(played=True) is whole_match.record


# -- records that were handed in --------------------------------------------------------------------


def send(two: Two, by: User, *files: bytes) -> list[Submission]:
    """Hand in files together for the club, without a match."""
    sent = [SentFile(f"{number}.rec", data) for number, data in enumerate(files, 1)]
    rows = submissions.hand_in(club=two.desk.club, by=by, files=sent, now=two.desk.now)
    deliver(two.desk.now)
    return [Submission.objects.get(pk=row.pk) for row in rows]


@pytest.mark.django_db
@pytest.mark.parametrize("suffix", ["mat", "sgf"])
@pytest.mark.parametrize("is_first_first", [True, False])
def test_the_game_after_the_crawford_game_is_none_whichever_part_comes_first(
    two: Two, suffix: str, is_first_first: bool
) -> None:
    first, second = parts(suffix, CRAWFORD)
    a, _ = sits(two)
    [_row] = send(two, a, second)
    # Alone it begins with the Crawford game: nothing says otherwise.
    assert crawford_games(second) == [True, False]

    send(two, a, *((first, second) if is_first_first else (second, first)))

    assert crawford_games(second) == [False, False]
    assert crawford_games(first) == [False, False, True]


@pytest.mark.django_db
def test_what_is_handed_in_for_another_match_proves_nothing(two: Two) -> None:
    first, second = parts("mat", CRAWFORD)
    a, _ = sits(two)
    send(two, a, first)
    send(two, a, second)

    assert crawford_games(second) == [True, False]


@pytest.mark.django_db
@pytest.mark.parametrize("is_first_first", [True, False])
def test_both_parts_decide_a_match_of_an_event_and_names_need_not_agree(
    two: Two, is_first_first: bool
) -> None:
    a, b = sits(two)
    reported(two, b, 2, 5)
    first, second = split(record(a, b, match()), CRAWFORD)
    name = b.player.name.encode()  # type: ignore[union-attr]
    first = first.replace(name, name.split()[0])
    for data in (first, second) if is_first_first else (second, first):
        last = hand_in(two, a, data)

    assert (last.outcome, score(two)) == (Outcome.CONFIRMED, (2, 5))
    assert crawford_games(second) == [False, False]


@pytest.mark.django_db
@pytest.mark.parametrize("is_first_first", [True, False])
def test_a_double_in_what_the_first_part_proves_to_be_the_crawford_game_decides_nothing(
    two: Two, is_first_first: bool
) -> None:
    a, b = sits(two)
    reported(two, b, 2, 5)
    first, second = split(record(a, b, match(doubled=(CRAWFORD,))), 2)
    rows = [hand_in(two, a, data) for data in ((first, second) if is_first_first else (second, first))]

    for row in rows:
        row.refresh_from_db()
    one, other = rows if is_first_first else rows[::-1]
    assert (one.outcome, other.outcome) == (Outcome.UNFINISHED, Outcome.REJECTED)
    assert two.match().state == PairingState.READY
    found = other_parts.find_whole_match(other, Submission.objects.all())
    assert (found.verdict.word, found.verdict.findings) == ("rejected", 1)
    # Its own verdict and facts are those of its bytes.
    assert crawford_games(second) == [False, False, False]


@pytest.mark.django_db
def test_as_long_as_the_second_part_cannot_be_read_nothing_is_decided(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The job fails and is tried again; the pages of both parts are shown in the meantime."""
    a, b = sits(two)
    reported(two, b, 2, 5)
    one, other = split(record(a, b, match(doubled=(CRAWFORD,))), 2)
    hand_in(two, a, one)
    row = hand_in(two, a, other, waits=True)

    def refuse(_key: str) -> None:
        raise FileInProgress

    with monkeypatch.context() as patched:
        patched.setattr(replays, "_require_facts", refuse)
        tried = [
            (job.kind, outbox.deliver(outbox_id=job.pk, now=two.desk.now))
            for _ in range(2)
            for job in outbox.list_due(now=two.desk.now).filter(kind__startswith="records.")
        ]
        assert tried == [("records.adjudicate", True), ("records.decide", False)]
        assert other_parts.find_whole_match(row, Submission.objects.all()) is not None
        row.refresh_from_db()
        assert (row.outcome, two.match().state) == ("", PairingState.READY)

    deliver(two.desk.now + timedelta(seconds=5))
    row.refresh_from_db()
    assert (row.outcome, two.match().state) == (Outcome.REJECTED, PairingState.READY)


@pytest.mark.django_db
def test_a_noted_record_of_a_whole_match_needs_no_further_query(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page loads all records of a player: only second parts are looked at more closely."""
    a, b = sits(two)
    reported(two, b, 2, 5)
    assert hand_in(two, a, record(a, b, match())).outcome == Outcome.CONFIRMED
    players = [entry.player_id for entry in (two.match().a, two.match().b) if entry]
    by_file = played_records._load_matches_by_file

    def with_word(word: str, files: set[int | None]) -> dict[int | None, list[RecordMatch]]:
        found = by_file(files)
        for row in chain.from_iterable(found.values()):
            row.word = word
        return found

    asked = []
    for word in ("accepted", "noted"):
        monkeypatch.setattr(played_records, "_load_matches_by_file", partial(with_word, word))
        with CaptureQueriesContext(connection) as queries:
            [found] = played_records.list_played_records(players)
        asked.append(len(queries))
    assert asked[0] == asked[1]
    assert found.sha256 == RecordMatch.objects.get().file.sha256


@pytest.mark.django_db
def test_an_analysis_is_made_again_once_the_first_part_is_there(two: Two, now: datetime) -> None:
    first, second = parts("mat", CRAWFORD)
    a, _ = sits(two)
    send(two, a, second)
    [row] = RecordMatch.objects.all()
    analysing.request_record_analysis(key=row.key, now=now)
    [before] = Analysis.objects.all()

    send(two, a, first, second)

    after = Analysis.objects.get(record=row.key)
    found = match_hooks.RECORDS.get().find(row.key)
    assert before.pk != after.pk
    assert before.head_hash != after.head_hash == found.sha256
