"""Where an analysis is shown: on the page of a match that is over and in the API; of a match that is live nowhere."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.utils import timezone

from matches.models import Match
from matches.state.status import Status
from opinion.analyses import analysing, availability
from opinion.models import Analysis, Progress
from tests import prepared
from tests.matches.support import PASSWORD, Table
from tests.opinion.analyses.test_analysing import whole
from tests.opinion.fakes import PipOracle

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper

pytestmark = [pytest.mark.django_db, pytest.mark.page]


def page(client: Client, table: Table) -> str:
    answer = client.get(f"/matches/{table.match.key}/")
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def asked(client: Client, table: Table) -> tuple[int, dict[str, Any]]:
    answer = client.get(f"/api/v1/matches/{table.match.key}/analysis/")
    return answer.status_code, answer.json()


@pytest.mark.long
def test_the_page_of_a_match_that_is_over_has_its_analysis(played: Table, client: Client) -> None:
    found = whole(played)
    told = page(client, played)
    assert "pips 1, 3 ply" in told
    assert "Blunders" in told
    assert 'class="graph__line"' in told
    assert (
        "style="
        not in told[told.index('id="analysis"') : told.index("</section>", told.index('id="analysis"'))]
    )
    worst = found.remarks.order_by("-error").first()
    assert worst.error >= 0.08
    assert worst.position.replace(">", "&gt;") in told


@pytest.mark.long
def test_the_api_tells_the_same(played: Table, client: Client) -> None:
    found = whole(played)
    status, told = asked(client, played)
    assert status == 200
    assert (told["progress"], told["engine"], told["level"]) == ("done", "pips", 3)
    assert [side["counted"] for side in told["sides"]] == [
        found.remarks.filter(counted=True, side=side).count() for side in (0, 1)
    ]
    for side in told["sides"]:
        assert (side["pr"] is None) is (side["counted"] < 50)
        assert (side["interval"] is None) is (side["pr"] is None)
    assert len(told["decisions"]) == found.total


def test_until_the_first_pass_is_done_the_page_says_so(played: Table, client: Client) -> None:
    # The match ended long ago, and no analysis was requested.
    told = page(client, played)
    assert "Not analysed so far" in told
    assert "The analysis is under way" not in told
    assert asked(client, played)[1]["progress"] == "none"
    analysing.queue_new(now=played.now)
    assert "The analysis is under way" in page(client, played)
    assert asked(client, played)[1]["progress"] == "waiting"


def test_a_match_that_has_just_ended_is_not_said_to_be_forgotten(played: Table, client: Client) -> None:
    Match.objects.filter(pk=played.match.pk).update(moved_at=timezone.now())
    told = page(client, played)
    assert "The analysis is under way" in told
    assert "Not analysed so far" not in told


@pytest.mark.long
def test_from_one_ply_no_pr_is_published(played: Table, client: Client) -> None:
    whole(played)
    Analysis.objects.update(level=1, progress=Progress.WAITING)
    told = page(client, played)
    assert "From 1 ply no PR is shown" in told
    assert "A deeper pass is under way" in told
    assert [side["pr"] for side in asked(client, played)[1]["sides"]] == [None, None]


def test_without_an_engine_the_page_says_so_in_one_line(
    played: Table, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(availability, "explain_absence", lambda: "no analysis on this machine")
    assert "There is no analysis on this machine" in page(client, played)
    assert asked(client, played)[1]["progress"] == "absent"


def test_of_a_match_that_is_not_analysed_the_page_says_why(played: Table, client: Client) -> None:
    Analysis.objects.create(
        match=played.match, head_hash=played.row.head_hash, asked_at=played.now, next_at=played.now,
        progress=Progress.UNJUDGED, why="The engine does not know beavers.",
    )  # fmt: skip
    assert "The engine cannot analyse matches of this kind." in page(client, played)
    Analysis.objects.update(why=analysing.NO_DECISION)
    assert "There is no decision in this match." in page(client, played)
    Match.objects.filter(pk=played.match.pk).update(status=Status.VOID, winner="")
    told = page(client, played)
    assert "The match is declared void." in told[told.index('id="analysis"') :]
    assert "matches of this kind" not in told


@pytest.mark.long
def test_switched_off_no_page_speaks_of_it(played: Table, client: Client, settings: SettingsWrapper) -> None:
    whole(played)
    settings.OPINION = False
    assert 'id="analysis"' not in page(client, played)
    assert asked(client, played)[1]["decisions"] == []


# -- the hard rule --------------------------------------------------------------------------------


def live(now: datetime) -> Table:
    table = Table(now)
    table.begin()
    return table


@pytest.mark.parametrize("who", ["ann@example.org", "ben@example.org", None])
def test_about_a_live_match_nobody_is_told_anything(
    now: datetime, client: Client, analysed_here: PipOracle, who: str | None
) -> None:
    table = prepared.begin("a live match to ask about", now, lambda: live(now))
    if who:
        assert client.login(email=who, password=PASSWORD)
    # Whether by a bug or by hand in the database: an analysis of a running match is not shown.
    Analysis.objects.create(
        match=table.match, head_hash=table.row.head_hash, asked_at=now, next_at=now, level=3,
        progress=Progress.DONE, engine="pips", version="1",
    )  # fmt: skip
    assert 'id="analysis"' not in page(client, table)
    status, told = asked(client, table)
    assert (status, told["code"]) == (409, "not-finished")
    Analysis.objects.all().delete()
    assert analysing.sweep(now=now) == 0
    assert analysed_here.asked == []
    assert not Analysis.objects.exists()


@pytest.mark.long
@pytest.mark.parametrize("status", [Status.LIVE, Status.PAUSED, Status.WAITING])
def test_a_match_that_is_open_again_is_not_spoken_of(played: Table, client: Client, status: Status) -> None:
    whole(played)
    Match.objects.filter(pk=played.match.pk).update(
        status=status.value, finished_at=None, is_limited=False, is_timed=False
    )
    assert 'id="analysis"' not in page(client, played)
    assert asked(client, played)[0] == 409


@pytest.mark.long
def test_of_a_private_match_nobody_else_is_told(played: Table, client: Client) -> None:
    whole(played)
    Match.objects.filter(pk=played.match.pk).update(is_private=True)
    assert asked(client, played)[0] == 404
    assert client.login(email="ann@example.org", password=PASSWORD)
    assert asked(client, played)[0] == 200
