"""Analyses in shares: resumed, repeated, dropped, given up, and never a word in a journal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.db import transaction

from engine.actions import TakenBack
from matches.journal import journal
from matches.journal.journal import Draft
from matches.journal.lifecycle import record
from matches.models import Match
from matches.play import automatic_facts
from matches.state.status import Status
from opinion.analyses import analyses, analysing, availability
from opinion.analyses.analyses import verify_analyses as problems
from opinion.analyses.analysis_api import AnalysisAnswer
from opinion.judging.oracle import NoOracle, OracleFailed
from opinion.models import DEEPEST, Analysis, Progress, Remark
from runtime import batched_exists
from tests.matches.support import Table
from tests.opinion.fakes import PipOracle

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper

pytestmark = pytest.mark.django_db


@contextmanager
def engine(oracle: PipOracle) -> Iterator[PipOracle]:
    yield oracle


def share(table: Table, oracle: PipOracle | None = None) -> int:
    with_engine = oracle or PipOracle()
    return analysing.sweep(now=table.now, opening=lambda: engine(with_engine))


def whole(table: Table) -> Analysis:
    for _ in range(20):
        if not share(table):
            break
    return Analysis.objects.get(match=table.match)


def list_remarks() -> list[dict[str, Any]]:
    return list(Remark.objects.order_by("number").values())


def without_pk(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: value for name, value in row.items() if name not in ("id", "analysis_id")} for row in rows]


class Killed(BaseException):
    """The process ends here."""


def take_back(table: Table, to: int) -> None:
    with transaction.atomic():
        draft = Draft.load(journal.lock(table.match.pk), now=table.now, with_past=True)
        draft.write(TakenBack(to), by="director")
        automatic_facts.write_automatic_facts(draft)
        record(draft)


@pytest.mark.long
def test_a_match_that_is_over_is_analysed_pass_by_pass(played: Table) -> None:
    found = whole(played)
    assert (found.progress, found.level, found.engine, found.version) == (Progress.DONE, DEEPEST, "pips", "1")
    assert found.total == Remark.objects.count() > 20
    assert not list(analyses.list_unanalysed(played.now))
    assert list(problems()) == []


@pytest.mark.long
def test_each_remark_names_its_line_of_the_journal(played: Table) -> None:
    whole(played)
    lines = {line.seq: line.fact for line in journal.list_lines(played.row)}
    for remark in Remark.objects.filter(kind="play"):
        assert type(lines[remark.seq]).__name__ == "Played"
        assert lines[remark.seq].side == remark.side


@pytest.mark.long
def test_a_value_of_money_play_is_no_chance_of_the_match(played: Table) -> None:
    whole(played)
    row = Remark.objects.filter(level__gt=0).exclude(chance=None).first()
    assert row is not None
    assert analyses.build_remark_view(row, is_match=True).chance is not None
    assert analyses.build_remark_view(row, is_match=False).chance is None


@pytest.mark.long
def test_no_journal_changes(played: Table) -> None:
    before = played.row.head_hash
    whole(played)
    assert played.row.head_hash == before
    assert list(journal.find_problems(played.row)) == []


@pytest.mark.long
def test_killed_in_the_middle_it_goes_on_where_it_was(played: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = without_pk((whole(played), list_remarks())[1])
    Analysis.objects.all().delete()
    real, left = analysing.judge, [2, 3]

    def judged(*given: Any, **more: Any) -> Any:
        left[0] -= 1
        if left[0] < 0:
            left[0] = left.pop() if len(left) > 1 else 1000
            raise Killed
        return real(*given, **more)

    monkeypatch.setattr(analysing, "judge", judged)
    for _ in range(2):
        with pytest.raises(Killed):
            share(played)
        done = Analysis.objects.get()
        assert Remark.objects.count() > 0
        assert (done.level, done.done) > (0, 0)
        # No other worker takes the dead one's share until its lease expires.
        assert share(played) == 0
        played.wait(seconds=61)
    whole(played)
    assert without_pk(list_remarks()) == expected


@pytest.mark.long
def test_a_batch_that_is_stored_twice_is_stored_once(played: Table) -> None:
    whole(played)
    before = list_remarks()
    Analysis.objects.update(progress=Progress.WAITING, level=1, done=0)
    whole(played)
    assert list_remarks() == before


def test_an_analysis_that_another_worker_takes_first_is_left_alone(
    played: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = analysing.uuid4

    def overtaken() -> Any:
        Analysis.objects.update(lease="another's", leased_until=played.now + timedelta(minutes=1))
        return real()

    monkeypatch.setattr(analysing, "uuid4", overtaken)
    # It is queued and not worked at.
    assert share(played) == 1
    assert Analysis.objects.get().attempts == 0


@pytest.mark.long
def test_of_two_workers_one_writes(played: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    real, once = analysing.judge, []

    def overtaken(*given: Any, **more: Any) -> Any:
        judged = real(*given, **more)
        if not once:
            once.append(True)
            # Another worker has taken over, because this one's lease has expired.
            Analysis.objects.update(lease="another's")
        return judged

    monkeypatch.setattr(analysing, "judge", overtaken)
    share(played)
    assert Remark.objects.count() == 0
    played.wait(seconds=61)
    assert whole(played).level == DEEPEST
    assert list(problems()) == []


@pytest.mark.long
def test_what_a_takeback_changes_is_dropped(played: Table) -> None:
    whole(played)
    last_roll = max(
        line.seq for line in journal.list_lines(played.row) if type(line.fact).__name__ == "Rolled"
    )
    facts = journal.replay(played.row).match.facts
    assert last_roll
    take_back(played, facts - 2)
    assert played.row.status != Status.FINISHED.value
    # The next load deletes it at once; the table's signal deletes it a little later.
    assert analyses.load_analysis(played.row, played.now) is None
    from opinion.receivers import drop_analysis

    drop_analysis(match_id=played.match.pk)
    assert not Analysis.objects.exists()
    assert share(played) == 0
    played.play_out()
    assert whole(played).head_hash == played.row.head_hash


@pytest.mark.long
def test_a_takeback_that_nobody_heard_of_is_found_by_the_sweep(played: Table) -> None:
    whole(played)
    facts = journal.replay(played.row).match.facts
    take_back(played, facts - 2)
    played.play_out()
    found = whole(played)
    assert found.head_hash == played.row.head_hash
    assert found.level == DEEPEST


@pytest.mark.long
def test_of_an_open_match_nothing_is_begun_and_nothing_goes_on(played: Table) -> None:
    share(played)
    Analysis.objects.update(progress=Progress.WAITING, level=1, done=0, leased_until=None)
    Match.objects.filter(pk=played.match.pk).update(
        status=Status.LIVE.value, finished_at=None, is_limited=False, is_timed=False
    )
    oracle = PipOracle()
    share(played, oracle)
    assert oracle.asked == []
    assert not Analysis.objects.exists()


def test_an_engine_that_fails_is_tried_again_and_given_up(
    played: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_given: Any, **_more: Any) -> Any:
        raise OracleFailed("the engine took longer than 15 seconds")

    monkeypatch.setattr(analysing, "judge", failing)
    for attempt in range(1, analysing.MOST_ATTEMPTS + 1):
        assert share(played) >= 1
        found = Analysis.objects.get()
        assert (found.attempts, "longer than" in found.why) == (attempt, True)
        assert share(played) == 0
        played.wait(seconds=60 * 2**attempt + 1)
    assert found.progress == Progress.FAILED
    shown = analyses.load_analysis(played.row, played.now)
    assert (shown.progress, shown.is_there) == ("failed", False)


def test_what_ends_every_worker_is_given_up(played: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(*_given: Any, **_more: Any) -> Any:
        raise Killed

    monkeypatch.setattr(analysing, "judge", killed)
    for _ in range(analysing.MOST_ATTEMPTS):
        with pytest.raises(Killed):
            share(played)
        played.wait(seconds=61)
    assert share(played) == 1
    found = Analysis.objects.get()
    assert (found.progress, found.level, found.done) == (Progress.FAILED, 0, 0)
    assert "was stopped before it finished" in found.why


def test_a_machine_on_which_the_engine_does_not_start_waits(played: Table) -> None:
    def none() -> Any:
        raise NoOracle("no analysis on this machine: the engine does not start")

    assert analysing.sweep(now=played.now, opening=none) == 2
    found = Analysis.objects.get()
    assert (found.progress, found.attempts) == (Progress.WAITING, 0)
    assert found.next_at == played.now + timedelta(hours=1)


@pytest.mark.long
def test_another_version_begins_again(played: Table) -> None:
    oracle = PipOracle()
    whole(played)
    Analysis.objects.update(progress=Progress.WAITING, level=1, done=0)
    oracle.version = "2"
    for _ in range(5):
        share(played, oracle)
    found = Analysis.objects.get()
    assert (found.version, found.level) == ("2", DEEPEST)
    assert "rolls" in oracle.asked


def test_switched_off_nothing_is_done_or_said(played: Table, settings: SettingsWrapper) -> None:
    settings.OPINION = False
    assert share(played) == 0
    assert not Analysis.objects.exists()


@pytest.mark.long
def test_the_poller_hears_of_what_waits_and_of_nothing_else(played: Table) -> None:
    def is_due() -> bool:
        return bool(batched_exists.find_true({"analyses": analyses.query_due}, now=played.now))

    assert is_due()
    whole(played)
    assert not is_due()
    Analysis.objects.update(progress=Progress.WAITING, level=1, done=0)
    assert is_due()
    Analysis.objects.update(leased_until=played.now + timedelta(seconds=60))
    assert not is_due()


def test_without_an_engine_one_line_says_so(played: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(availability, "explain_absence", lambda: "no analysis on this machine")
    assert share(played) == 0
    shown = analyses.load_analysis(played.row, played.now)
    assert shown.progress == analyses.ABSENT


@pytest.mark.long
def test_figures_of_the_page_are_those_of_the_command(played: Table) -> None:
    from engine.side import Side
    from matches.watch import exports
    from opinion.judging.decisions import list_decisions
    from opinion.judging.documents import serialize_analysis
    from opinion.judging.passes import judge

    whole(played)
    shown = analyses.load_analysis(played.row, played.now)
    assert shown is not None
    told = serialize_analysis(
        "pips", "1", 3, judge(PipOracle(), list_decisions(exports.build_record(played.row)), 3)
    )
    for side in Side:
        mine, theirs = shown.sides[side], told["sides"][side]
        assert (mine.pr, mine.totals.counted) == (theirs["pr"], theirs["counted"])
        assert round(mine.totals.error, 4) == theirs["error"]
        assert round(mine.totals.luck, 4) == theirs["luck"]
    by_program = AnalysisAnswer.read(shown)["decisions"]
    assert [(each["error"], each["best"], each["luck"]) for each in by_program] == [
        (each["error"], each["best"], each["luck"]) for each in told["decisions"]
    ]


@pytest.mark.long
def test_verify_tells_what_is_missing(played: Table) -> None:
    whole(played)
    Remark.objects.filter(number=3).delete()
    Remark.objects.filter(number=0).update(seq=played.row.head + 1)
    sentences = list(problems())
    # A decision is missing, so the sums are of one more, there is a gap, and a line is none of the journal's.
    assert len(sentences) == 4
    assert all(played.match.key in each for each in sentences)
