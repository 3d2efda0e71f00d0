"""Answers to the position of the day: each player's first answer counts, and shows those of others."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from django.utils import timezone

from opinion.models import DailyPosition, GivenAnswer
from opinion.positions import daily_position, evaluation_requests
from tests.matches.support import PASSWORD, Table

pytestmark = [pytest.mark.django_db, pytest.mark.page]


@pytest.fixture
def choices(analysed: Table) -> list[tuple[str, str]]:
    """The address of the position of the day, with each choice that its page offers."""
    now = timezone.now()
    assert daily_position.sweep(now=now) == 1
    assert evaluation_requests.sweep(now=now) == 1
    front = Client().get("/").content.decode()
    where = "/position/" + front.split('href="/position/', 1)[1].split('"')[0].split("?")[0]
    page = Client().get(where).content.decode()
    links = [part.split('"')[0].replace("&amp;", "&") for part in page.split('href="')[1:]]
    return [(where, parse_qs(urlsplit(link).query)["choice"][0]) for link in links if "?choice=" in link]


def give(client: Client, where: str, choice: str) -> str:
    answer = client.post(f"{where}answers/", {"choice": choice}, headers={"HX-Request": "true"})
    return f"{answer.status_code} " + " ".join(answer.content.decode().split())


def test_each_browser_and_each_member_counts_once_with_the_first_answer(
    choices: list[tuple[str, str]],
    analysed: Table,
    client: Client,
) -> None:
    (where, first), (_, second), *_more = choices
    assert "1 answer so far" in give(client, where, first)
    assert "1 answer so far" in give(client, where, second)
    assert "2 answers so far" in give(Client(), where, second)
    member = Client()
    assert member.login(email="ann@example.org", password=PASSWORD)
    assert "3 answers so far" in give(member, where, second)
    assert "3 answers so far" in give(member, where, first)
    assert sorted(GivenAnswer.objects.values_list("choice", flat=True)) == sorted([first, second, second])
    page = " ".join(client.get(f"{where}?choice={first}").content.decode().split())
    assert "3 answers so far" in page
    assert "67 %" in page
    assert page.count(">yours<") == 1
    assert ">best<" in page


def test_nobody_sees_them_before_their_own_is_counted(choices: list[tuple[str, str]], client: Client) -> None:
    (where, first), *_ = choices
    give(Client(), where, first)
    assert "so far" not in client.get(where).content.decode()
    before = client.get(f"{where}?choice={first}").content.decode()
    assert "so far" not in before
    assert "Show what others answered" in before
    # Without script the button sends a form and comes back to the page.
    sent = client.post(f"{where}answers/", {"choice": first})
    assert sent.status_code == 302
    assert "2 answers so far" in client.get(sent["Location"].split("#")[0]).content.decode()
    cookie = client.cookies["answers"]
    assert (cookie["path"], cookie["httponly"], cookie["samesite"]) == ("/position/", True, "Lax")
    assert cookie.value not in set(GivenAnswer.objects.values_list("browser", flat=True))


def test_what_is_no_choice_or_no_position_of_a_day_is_not_counted(
    choices: list[tuple[str, str]], client: Client
) -> None:
    (where, first), *_ = choices
    assert give(client, where, "<b>none").startswith("400")
    assert give(client, where, "").startswith("400")
    DailyPosition.objects.all().delete()
    assert "only for positions of the day" in give(client, where, first)
    assert "Show what others answered" not in client.get(f"{where}?choice={first}").content.decode()
    assert not GivenAnswer.objects.exists()


def test_the_figures_add_up_whoever_answers(choices: list[tuple[str, str]]) -> None:
    where = choices[0][0]
    for number in range(12):
        page = give(Client(), where, choices[number % 3 % len(choices)][1])
        assert f"{number + 1} answer" in page
        counts = [int(part.split(",")[0]) for part in page.split('<span class="num">')[1:]]
        assert sum(counts) == number + 1
        assert counts == sorted(counts, reverse=True)


def test_one_network_cannot_flood_it(choices: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch) -> None:
    where, first = choices[0]
    monkeypatch.setattr(daily_position, "PACE", daily_position.attempts.RateLimit(free=2, first=5, most=60))
    for _number in range(3):
        assert give(Client(), where, first).startswith("200")
    assert give(Client(), where, first).startswith("429")


def test_who_leaves_takes_their_answers_along(choices: list[tuple[str, str]], analysed: Table) -> None:
    where, first = choices[0]
    member = Client()
    assert member.login(email="ann@example.org", password=PASSWORD)
    give(member, where, first)
    assert [each["choice"] for each in daily_position.export_answers(analysed.white)] == [first]
    daily_position.delete_answers(player=analysed.white)
    assert not GivenAnswer.objects.exists()
