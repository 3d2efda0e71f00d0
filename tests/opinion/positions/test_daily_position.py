"""The position of the day: chosen by date from public matches, and on the front page once it is answered."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from django.test import Client
from django.utils import timezone

from matches.hooks import HOME_HERO
from matches.models import Match
from opinion.judging import positions as judging
from opinion.models import Analysis, AskedPosition, DailyPosition, Progress, Remark
from opinion.positions import daily_position, evaluation_requests
from opinion.positions.positions import parse_position
from opinion.receivers import daily_positions
from tests.matches.support import PASSWORD, Table

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper


pytestmark = [pytest.mark.django_db, pytest.mark.page]
TITLE = "Position of the day"


@pytest.fixture
def today() -> datetime:
    """The front page reads the clock itself."""
    return timezone.now()


def front(client: Client) -> str:
    answer = client.get("/")
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def test_it_is_shown_when_its_answer_is_there_and_leads_to_it(
    analysed: Table, client: Client, today: datetime
) -> None:
    assert TITLE not in front(client)
    assert daily_position.sweep(now=today) == 1
    # Asked, and not answered yet.
    assert TITLE not in front(client)
    assert evaluation_requests.sweep(now=today) == 1
    page = front(client)
    card = page[page.index(TITLE) : page.index("</section>", page.index(TITLE))]
    assert 'class="board"' in card
    assert "<title" in card
    assert "What would you play?" in card
    assert not any(name in card for name in (analysed.white.name, analysed.black.name))
    where = card[card.index('href="/position/') + 6 :].split('"')[0]
    shown = " ".join(client.get(where).content.decode().split())
    assert 'position__answer" >' in shown
    assert "pips 1, " in shown
    assert client.login(email="ann@example.org", password=PASSWORD)
    page = front(client)
    card = page[page.index(TITLE) : page.index("</section>", page.index(TITLE))]
    assert 'class="mini"' in card
    assert f'href="{where}"' in card


def test_somebody_erred_there_or_it_was_close(analysed: Table, today: datetime) -> None:
    found = daily_position.choose_position(timezone.localdate(today))
    position, match_id = found
    assert match_id == analysed.match.pk
    met = [row for row in Remark.objects.all() if _key(row) == position]
    assert met
    assert all(row.level >= 2 and row.ply > daily_position.OPENING_ROLLS for row in met)
    assert any(row.error >= 0.08 or _gap(row) < daily_position.CLOSE for row in met)


def _key(row: Remark) -> str:
    return judging.compute_key(parse_position(row.position)) if row.level else ""


def _gap(row: Remark) -> float:
    if row.cube is not None:
        return min(abs(row.cube[0] - min(row.cube[1], 1)), abs(row.cube[1] - 1))
    same = [equity for _, equity, _, level in row.plays if level == row.level]
    return float(same[0] - same[1])


def test_the_date_alone_decides(analysed: Table, today: datetime) -> None:
    days = [timezone.localdate(today) + timedelta(days=number) for number in range(12)]
    chosen = [daily_position.choose_position(day) for day in days]
    assert chosen == [daily_position.choose_position(day) for day in days]
    assert None not in chosen
    assert len(set(chosen)) > 3


def test_a_day_has_one_and_no_position_comes_again_soon(analysed: Table, today: datetime) -> None:
    for number in range(5):
        then = today + timedelta(days=number)
        assert daily_position.sweep(now=then) == 1
        assert daily_position.sweep(now=then) == 0
    assert DailyPosition.objects.count() == 5
    assert len(set(DailyPosition.objects.values_list("asked__position", flat=True))) == 5


@pytest.mark.parametrize(
    "changes", [{"is_private": True}, {"has_bot": True}, {"status": "void", "winner": ""}]
)
def test_only_a_public_match_between_people_that_was_played_out_is_drawn_from(
    analysed: Table, today: datetime, changes: dict[str, object]
) -> None:
    Match.objects.filter(pk=analysed.match.pk).update(**changes)
    assert daily_position.sweep(now=today) == 0


def test_only_what_was_looked_at_deeply_is(analysed: Table, today: datetime) -> None:
    Analysis.objects.update(level=1)
    assert daily_position.choose_position(timezone.localdate(today)) is None
    Analysis.objects.update(level=2)
    Remark.objects.update(level=1)
    assert daily_position.choose_position(timezone.localdate(today)) is None


def test_an_analysis_of_another_journal_is_not(analysed: Table, today: datetime) -> None:
    Analysis.objects.update(head_hash="0" * 64)
    assert daily_position.choose_position(timezone.localdate(today)) is None


def test_a_match_that_is_private_now_takes_its_position_along(
    analysed: Table, client: Client, today: datetime
) -> None:
    daily_position.sweep(now=today)
    evaluation_requests.sweep(now=today)
    assert TITLE in front(client)
    Match.objects.update(is_private=True)
    assert TITLE not in front(client)


def test_yesterdays_stands_until_todays_is_there_and_no_longer(
    analysed: Table, client: Client, today: datetime
) -> None:
    daily_position.sweep(now=today - timedelta(days=1))
    evaluation_requests.sweep(now=today)
    assert TITLE in front(client)
    daily_position.sweep(now=today)
    assert AskedPosition.objects.filter(progress=Progress.WAITING).count() == 1
    assert TITLE in front(client)
    DailyPosition.objects.all().delete()
    daily_position.sweep(now=today - timedelta(days=2))
    assert TITLE not in front(client)


def test_switched_off_there_is_none(
    analysed: Table, client: Client, today: datetime, settings: SettingsWrapper
) -> None:
    daily_position.sweep(now=today)
    evaluation_requests.sweep(now=today)
    settings.OPINION = False
    assert TITLE not in front(client)


def test_the_mark_of_a_kept_page_is_that_of_the_day(analysed: Table, today: datetime) -> None:
    assert HOME_HERO.cache_keys() == (None,)
    daily_position.sweep(now=today)
    evaluation_requests.sweep(now=today)
    (mark,) = HOME_HERO.cache_keys()
    assert mark == daily_positions.compute_version_key()
    assert mark == (timezone.localdate(today), DailyPosition.objects.get().asked.position)
