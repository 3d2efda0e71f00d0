"""Answering a position on its own page: what is offered says nothing, and what an answer gives away is right."""

from __future__ import annotations

import re
from datetime import datetime
from html import unescape

import pytest
from django.test import Client
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from opinion.judging.oracle import CubeWorth
from opinion.judging.positions import Question
from opinion.models import DailyPosition
from opinion.positions import position_views, positions
from opinion.positions.positions import AnswerView
from players.clubs import clubs
from players.models import User
from tests.matches.support import Table, person
from tests.opinion.fakes import PipOracle
from tests.opinion.positions.test_daily_position import front
from tests.opinion.positions.test_positions import CRAWFORD, CUBE, PLAY, TAKE, answered, shown

pytestmark = [pytest.mark.django_db, pytest.mark.page]
OFFERED = re.compile(r'<a class="button" href="([^"]+choice=[^"]+)" rel="nofollow">([^<]+)</a>')


@pytest.fixture
def asker(db: None, now: datetime) -> User:
    return person("Carol", now)


def offered(page: str) -> dict[str, str]:
    """The offered answers and their addresses."""
    return {words: unescape(url) for url, words in OFFERED.findall(page)}


def followed(client: Client, url: str) -> str:
    return " ".join(client.get(url.partition("#")[0]).content.decode().split())


def test_the_best_plays_are_offered_and_nothing_tells_them_apart(
    client: Client, asker: User, now: datetime, analysed_here: PipOracle
) -> None:
    row = answered(PLAY, asker, now)
    ranked = [play for play, *_ in row.plays]
    found = offered(shown(client, PLAY))
    assert sorted(found) == sorted(ranked)
    assert [*found] != ranked
    assert [*found] == [*offered(shown(client, PLAY))]


def test_an_answer_is_told_what_it_gives_away(
    client: Client, asker: User, now: datetime, analysed_here: PipOracle
) -> None:
    row = answered(PLAY, asker, now)
    row.plays = [
        [play, 0.5 - 0.03 * place, chances, 3] for place, (play, _, chances, _) in enumerate(row.plays)
    ]
    row.plays[-1][3] = 1
    row.save()
    found = offered(shown(client, PLAY))
    words = ["Good", "An error", "An error", "A blunder", "Not among the best"]
    for place, (play, said) in enumerate(zip((play for play, *_ in row.plays), words, strict=True)):
        page = followed(client, found[play])
        assert f"<strong>{play}</strong>: {said}" in page
        given_away = re.findall(r'<dt>Given away</dt> <dd class="num">([^<]+)</dd>', page)
        assert given_away == ([f"{0.03 * place:.3f}"] if place < 4 else [])
        assert 'position__answer" open>' in page
        assert offered(page) == {}


def test_nothing_is_offered_where_the_answer_is_open_or_not_there(
    client: Client, asker: User, now: datetime, analysed_here: PipOracle
) -> None:
    assert offered(shown(client, PLAY)) == {}
    answered(PLAY, asker, now)
    assert offered(shown(client, PLAY, answer=1)) == {}
    answered(CRAWFORD, asker, now)
    assert offered(shown(client, CRAWFORD)) == {}
    # Other values in the address are no answer.
    page = shown(client, PLAY, choice="24/1")
    assert "Your answer" not in page
    assert 'position__answer" >' in page
    assert len(offered(page)) == 5


@pytest.mark.parametrize(("text", "words"), [(CUBE, ["no double", "double"]), (TAKE, ["take", "pass"])])
def test_a_cube_decision_has_two_answers_one_of_which_gives_nothing_away(
    client: Client, asker: User, now: datetime, analysed_here: PipOracle, text: str, words: list[str]
) -> None:
    answered(text, asker, now)
    found = offered(shown(client, text))
    assert [*found] == words
    losses = []
    for url in found.values():
        page = followed(client, url)
        losses += re.findall(r'<dt>Given away</dt> <dd class="num">([^<]+)</dd>', page)
    assert sorted(losses)[0] == "0.000"
    assert sorted(losses)[1] > "0.000"


EQUITY = st.floats(-3, 3, allow_nan=False)


@given(no_double=EQUITY, take=EQUITY)
def test_of_two_cube_answers_one_gives_nothing_away_and_the_other_what_lies_between(
    no_double: float, take: float
) -> None:
    answer = AnswerView("pips", "1", 3, (), CubeWorth(no_double, take, (0.5, 0.0, 0.0, 0.0, 0.0), 3), None)
    for question, between in ((Question.DOUBLE, no_double - min(take, 1)), (Question.TAKE, take - 1)):
        losses = sorted(
            positions.compute_choice_loss(answer, each) or 0.0 for each in positions.CUBE_CHOICES[question]
        )
        assert losses == pytest.approx([0, abs(between)], abs=1e-3)


# The position of the day


def test_at_the_head_of_the_front_page_a_cube_decision_is_answered_at_a_press(
    client: Client, asker: User, now: datetime, analysed_here: PipOracle, played: Table
) -> None:
    clubs.create(owner=asker, name="Here", now=now)
    row = answered(CUBE, asker, now)
    DailyPosition.objects.create(day=timezone.localdate(), asked=row, match=played.match)
    found = offered(front(client))
    assert [*found] == ["no double", "double"]
    for words, url in found.items():
        assert f"<strong>{words}</strong>: " in followed(client, url)


def test_plays_are_an_engines_and_stand_on_the_positions_page_alone(
    client: Client, asker: User, now: datetime, analysed_here: PipOracle, played: Table
) -> None:
    clubs.create(owner=asker, name="Here", now=now)
    row = answered(PLAY, asker, now)
    DailyPosition.objects.create(day=timezone.localdate(), asked=row, match=played.match)
    page = front(client)
    assert offered(page) == {}
    assert not any(play in page for play, *_ in row.plays)
    part = position_views.build_home_part(row.position)
    assert len(offered(followed(client, part.url))) == 5
