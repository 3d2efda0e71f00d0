"""A player requests the analysis of a finished match, by a button or over the API."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import pytest
from django.test import Client

from matches.models import Match
from opinion.analyses import analyses
from opinion.models import Analysis
from players.models import User
from records.models import RecordMatch
from tests.matches.support import Table, person
from tests.opinion.analyses.test_recorded import address, handed_in
from tests.opinion.engine_here import put_in
from tests.opinion.fakes import PipOracle
from tests.records.conftest import club, otis, owner, stranger

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper

__all__ = ["club", "handed_in", "otis", "owner", "stranger"]
pytestmark = [pytest.mark.django_db, pytest.mark.page]
BUTTON = "Request the analysis"


@pytest.fixture
def over(played: Table, settings: SettingsWrapper, monkeypatch: pytest.MonkeyPatch) -> Match:
    """A match that ended too long ago to be analysed without a request."""
    put_in(PipOracle(), settings, monkeypatch)
    Match.objects.filter(pk=played.match.pk).update(moved_at=played.match.moved_at - 3 * analyses.FRESH)
    return Match.objects.get(pk=played.match.pk)


def test_one_of_the_two_has_their_match_analysed(over: Match, client: Client) -> None:
    user = over.white.user
    assert user is not None
    client.force_login(user)
    where = f"/matches/{over.key}/analyse/"
    for page in (f"/matches/{over.key}/", f"/matches/{over.key}/replay/"):
        told = client.get(page).content.decode()
        assert BUTTON in told
        assert f'action="{where}"' in told
    for origin, back in (
        ("replay", f"/matches/{over.key}/replay/#analysis"),
        ("", f"/matches/{over.key}/#analysis"),
    ):
        assert client.post(where, {"from": origin}).headers["Location"] == back
    assert Analysis.objects.get().match == over
    told = client.get(f"/matches/{over.key}/").content.decode()
    assert BUTTON not in told
    assert "The analysis is under way" in told


def test_others_have_no_button_and_are_refused(over: Match, now: datetime, client: Client) -> None:
    client.force_login(person("Eve", now))
    assert BUTTON not in client.get(f"/matches/{over.key}/").content.decode()
    assert client.post(f"/matches/{over.key}/analyse/").status_code == 403
    assert client.post(f"/api/v1/matches/{over.key}/analysis/").status_code == 403
    client.logout()
    assert client.post(f"/api/v1/matches/{over.key}/analysis/").status_code == 401
    assert not Analysis.objects.exists()


def test_by_program_it_is_the_same_and_twice_is_once(over: Match, client: Client) -> None:
    assert over.black.user is not None
    client.force_login(over.black.user)
    for _ in range(2):
        answer = client.post(f"/api/v1/matches/{over.key}/analysis/")
        assert (answer.status_code, answer.json()["progress"]) == (202, "waiting")
    assert Analysis.objects.count() == 1


def test_of_a_void_match_it_is_said_that_it_is_void(over: Match, client: Client) -> None:
    Match.objects.filter(pk=over.pk).update(status="void", winner="")
    assert over.white.user is not None
    client.force_login(over.white.user)
    answer = client.post(f"/api/v1/matches/{over.key}/analysis/")
    assert (answer.status_code, answer.json()["code"]) == (409, "void")
    assert answer.json()["title"] == "The match is declared void."


@pytest.mark.parametrize("status", ["live", "paused"])
def test_of_a_match_that_is_played_nobody_has_anything_analysed(
    over: Match, status: str, client: Client
) -> None:
    Match.objects.filter(pk=over.pk).update(
        status=status, finished_at=None, deadline_at=over.moved_at if status == "live" else None
    )
    assert over.white.user is not None
    client.force_login(over.white.user)
    assert BUTTON not in client.get(f"/matches/{over.key}/").content.decode()
    answer = client.post(f"/api/v1/matches/{over.key}/analysis/")
    assert (answer.status_code, answer.json()["code"]) == (409, "not-finished")
    client.post(f"/matches/{over.key}/analyse/")
    assert not Analysis.objects.exists()


def test_without_an_engine_nobody_is_offered_one(
    over: Match, settings: SettingsWrapper, client: Client
) -> None:
    settings.OPINION = False
    assert over.white.user is not None
    client.force_login(over.white.user)
    assert BUTTON not in client.get(f"/matches/{over.key}/").content.decode()
    answer = client.post(f"/api/v1/matches/{over.key}/analysis/")
    assert (answer.status_code, answer.json()["code"]) == (409, "no-engine")


def test_a_record_is_analysed_for_those_who_may_see_its_verdict(
    handed_in: RecordMatch, owner: User, stranger: User, client: Client
) -> None:
    where = f"/recorded-matches/{handed_in.key}/analyse/"
    client.force_login(stranger)
    assert client.post(where).status_code == 404
    assert client.post(f"/api/v1/recorded-matches/{handed_in.key}/analysis/").status_code == 404
    client.force_login(owner)
    assert BUTTON in client.get(address(handed_in)).content.decode()
    assert client.post(where).headers["Location"] == f"{address(handed_in)}#analysis"
    assert client.post(f"/api/v1/recorded-matches/{handed_in.key}/analysis/").status_code == 202
    assert Analysis.objects.get().record == handed_in.key
