"""Accepted records are analysed like matches, without positions of running matches between people."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from django.utils import timezone

from engine.formats import xgid
from engine.verdict import judge
from matches import hooks as match_hooks
from matches.journal import positions_in_play
from opinion.analyses import analyses, analysing
from opinion.analyses.analyses import verify_analyses as problems
from opinion.judging.figures import Line, compute_figures
from opinion.models import DEEPEST, Analysis, Progress
from players.models import User
from records.models import RecordMatch
from records.submissions import submissions
from records.submissions.submissions import SentFile
from tests.deliveries import deliver
from tests.opinion.analyses.test_analysing import engine
from tests.opinion.engine_here import between_people, put_in
from tests.opinion.fakes import PipOracle
from tests.records.conftest import CLEAN, WRONG, club, otis, owner, stranger

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper

__all__ = ["club", "otis", "owner", "stranger"]
pytestmark = [pytest.mark.django_db, pytest.mark.page]


@pytest.fixture
def handed_in(request: pytest.FixtureRequest, now: datetime, settings: SettingsWrapper) -> RecordMatch:
    """A record without fault and one with a fault, judged, where there is an engine."""
    put_in(PipOracle(), settings, request.getfixturevalue("monkeypatch"))
    by, here = request.getfixturevalue("otis"), request.getfixturevalue("club")
    files = [SentFile("clean.mat", CLEAN), SentFile("wrong.mat", WRONG)]
    submissions.hand_in(club=here, by=by, files=files, now=now)
    deliver(now)
    return RecordMatch.objects.get(word="accepted")


def whole(now: datetime) -> Analysis:
    for _ in range(20):
        if not analysing.sweep(now=now, opening=lambda: engine(PipOracle())):
            break
    return Analysis.objects.get()


def address(row: RecordMatch) -> str:
    handed = row.file.submissions.get()
    return f"/records/{handed.club.slug}/{handed.key}/{row.number}/replay/"


def page(client: Client, row: RecordMatch) -> str:
    return " ".join(client.get(address(row)).content.decode().split())


def asked(client: Client, row: RecordMatch) -> dict[str, Any]:
    answer = client.get(f"/api/v1/recorded-matches/{row.key}/analysis/")
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
    return found


@pytest.mark.long
def test_a_record_that_stands_is_analysed_and_one_that_was_rejected_is_not(
    handed_in: RecordMatch, now: datetime
) -> None:
    assert RecordMatch.objects.count() == 2
    found = whole(now)
    assert (found.record, found.match, found.head_hash) == (handed_in.key, None, handed_in.file.sha256)
    assert (found.progress, found.level) == (Progress.DONE, DEEPEST)
    assert found.total == found.remarks.count() > 20
    assert list(problems()) == []
    assert not list(analyses.list_unanalysed_records(now))
    # Each remark names its fact.
    [verdict] = judge(CLEAN)
    for remark in found.remarks.filter(kind="play"):
        assert type(verdict.record.actions[remark.seq - 1]).__name__ == "Played"


@pytest.mark.long
def test_the_replay_of_a_record_shows_what_that_of_a_match_shows(
    handed_in: RecordMatch, otis: User, now: datetime, client: Client
) -> None:
    client.force_login(otis)
    assert "Not analysed so far" in page(client, handed_in)
    found = whole(now)
    told = page(client, handed_in)
    assert 'id="analysis"' in told
    assert "pips 1, 3 ply" in told
    assert 'class="graph__line"' in told
    worst = found.remarks.order_by("-error").first()
    assert worst.error >= 0.08
    assert f'href="{address(handed_in)}?at=g{worst.game}m' in told


@pytest.mark.long
def test_programs_are_told_the_same_by_the_same_rules(
    handed_in: RecordMatch, otis: User, now: datetime, client: Client
) -> None:
    client.force_login(otis)
    assert asked(client, handed_in)["progress"] == "none"
    found = whole(now)
    told = asked(client, handed_in)
    assert (told["progress"], told["engine"], told["version"], told["level"]) == ("done", "pips", "1", 3)
    assert len(told["decisions"]) == found.total
    for number, side in enumerate(told["sides"]):
        rows = found.remarks.filter(side=number)
        assert side["counted"] == rows.filter(counted=True).count()
        assert (side["pr"] is None) is (side["counted"] < 50)
        assert (side["interval"] is None) is (side["pr"] is None)
    Analysis.objects.update(level=1, progress=Progress.WAITING)
    assert [side["pr"] for side in asked(client, handed_in)["sides"]] == [None, None]


def test_it_is_told_to_those_who_may_see_the_verdict(
    handed_in: RecordMatch, owner: User, stranger: User, client: Client
) -> None:
    where = f"/api/v1/recorded-matches/{handed_in.key}/analysis/"
    assert client.get(where).status_code == 401
    client.force_login(stranger)
    assert client.get(where).status_code == 404
    client.force_login(owner)
    assert client.get(where).status_code == 200
    rejected = RecordMatch.objects.get(word="rejected")
    assert client.get(f"/api/v1/recorded-matches/{rejected.key}/analysis/").status_code == 404


@pytest.mark.long
def test_what_stands_in_a_match_between_people_is_neither_told_nor_counted(
    handed_in: RecordMatch, otis: User, now: datetime, client: Client
) -> None:
    found = whole(now)
    client.force_login(otis)
    assert asked(client, handed_in)["left_out"] == 0
    # A person writes down the position that they are playing, and hands it in.
    middle = found.remarks.filter(kind="play", ply__gte=12).order_by("-error").first()
    between_people(xgid.decode(middle.position).board, now)
    told = asked(client, handed_in)
    positions = [each["position"] for each in told["decisions"]]
    assert middle.position not in positions
    assert told["left_out"] == found.total - len(positions) > 0
    for position in positions:
        assert not positions_in_play.is_in_play(xgid.decode(position).board)
    # The figures cover only the displayed errors and rolls.
    for number, side in enumerate(told["sides"]):
        lines = [
            Line(
                each["error"], each["cost"], each["counted"], each["fault"], each["luck"], None,
                each["kind"] == "play" and each["level"] > 0,
            )
            for each in told["decisions"]
            if each["side"] == ("white", "black")[number]
        ]  # fmt: skip
        sums = compute_figures(lines).totals
        assert (side["counted"], side["blunders"]) == (sums.counted, sums.blunders)
        assert side["error"] == pytest.approx(sums.error, abs=1e-4)
        assert side["luck_adjusted"] is None
    shown = page(client, handed_in)
    assert "left out for now" in shown
    assert middle.position.replace(">", "&gt;") not in shown


def test_one_that_was_accepted_long_ago_waits_until_somebody_asks(
    handed_in: RecordMatch, now: datetime
) -> None:
    later = now + analyses.FRESH + timedelta(hours=1)
    assert analysing.queue_new(now=later) == 0
    call_command("analyse", handed_in.key)
    assert Analysis.objects.get().record == handed_in.key
    call_command("analyse", all=True)
    assert Analysis.objects.count() == 1
    with pytest.raises(CommandError):
        call_command("analyse", "nowhere")


@pytest.mark.long
def test_a_record_that_is_gone_takes_its_analysis_along(handed_in: RecordMatch, now: datetime) -> None:
    analysing.request_record_analysis(key="gone", now=now)
    assert not Analysis.objects.exists()
    Analysis.objects.create(record="gone", head_hash="0" * 64, asked_at=now, next_at=now)
    analysing.sweep(now=now, opening=lambda: engine(PipOracle()))
    assert not Analysis.objects.filter(record="gone").exists()


def test_twice_asked_for_it_is_one(handed_in: RecordMatch, now: datetime) -> None:
    for _ in range(2):
        analysing.request_record_analysis(key=handed_in.key, now=now)
    assert Analysis.objects.count() == 1
    found = analyses.load_record_analysis(_found(handed_in.key), timezone.now())
    assert (found.progress, found.is_there) == ("waiting", False)


def _found(key: str) -> Any:
    return match_hooks.RECORDS.get().find(key)
