"""Where the engine's wheel is not installed every page is whole and says what is missing in one line."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from django.test import Client

from opinion.analyses import analysing, availability
from opinion.judging import engine_process
from players.clubs import clubs
from players.models import Club
from tests.matches.support import PASSWORD, Table

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper

pytestmark = [pytest.mark.django_db, pytest.mark.page]
ABSENT = "There is no analysis on this machine"
NO_LEVELS = "The other levels need an analysis engine, and there is none here."
MISSING = re.compile(rf"{ABSENT}|{NO_LEVELS}")


@pytest.fixture
def no_wheel(played: Table, settings: SettingsWrapper, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    """A match that is over, in a club, where Python finds no bgsage."""
    owner = played.match.white.user
    assert owner is not None
    club = clubs.create(owner=owner, name="Here", now=played.now)
    Club.objects.filter(pk=club.pk).update(shows_evidence=True)
    monkeypatch.undo()
    settings.OPINION = True
    monkeypatch.setitem(sys.modules, "bgsage", None)
    availability.explain_absence.cache_clear()
    yield played
    availability.explain_absence.cache_clear()


def test_the_whole_installation_knows_it(no_wheel: Table) -> None:
    assert availability.explain_absence() == engine_process.NOT_INSTALLED
    assert analysing.sweep(now=no_wheel.now) == 0


@pytest.mark.long
@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("/matches/{match}/", ABSENT),
        ("/matches/{match}/replay/", ABSENT),
        ("/deck/", ABSENT),
        ("/players/{player}/", ABSENT),
        ("/players/{player}/analysis/", ABSENT),
        ("/clubs/here/evidence/{player}/", ABSENT),
        ("/position/-b----E-C---eE---c-e----B-_0_0_1_31_0_0_0_7_10/", ABSENT),
        ("/play/", NO_LEVELS),
    ],
)
def test_a_page_says_it_in_one_line(no_wheel: Table, client: Client, address: str, said: str) -> None:
    assert client.login(email="ann@example.org", password=PASSWORD)
    answer = client.get(address.format(match=no_wheel.match.key, player=no_wheel.match.white.key))
    assert answer.status_code == 200
    assert MISSING.findall(" ".join(answer.content.decode().split())) == [said]


def test_nobody_practises_with_a_tutor(no_wheel: Table, client: Client) -> None:
    assert client.login(email="ann@example.org", password=PASSWORD)
    page = client.get("/play/").content.decode()
    assert "/play/tutor/" not in page
