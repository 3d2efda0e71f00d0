"""Title chances: right by the list's own formula, shown where the list may say, and of now after each result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from players.services import clubs
from rankings.formulas.fibs import Fibs
from rankings.models import TitleChances
from rankings.selectors import calibration
from rankings.selectors import titles as selected
from rankings.services import titles
from tests.rankings.test_chances import history
from tests.tournaments.desk import a_plan
from tests.tournaments.support import text

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from rankings.models import RatingList
    from tests.tournaments.desk import Desk


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """A list may predict after six results."""
    monkeypatch.setattr(calibration, "ENOUGH", 6)


def rated(
    desk: Desk, keep: Callable[..., RatingList], deliver: Any, form: str = "single-elimination"
) -> RatingList:
    """A list that knows four players, and an event of these four."""
    kept = history(desk, keep, deliver)
    players = [desk.player(number) for number in range(1, 5)]
    event = desk.start(a_plan(form), 4)
    for number, player in enumerate(players, 1):
        event.entries.filter(number=number).update(player=player)
    return kept


def shares(desk: Desk, deliver: Any) -> dict[int, float]:
    """What the event's row says when everything has followed."""
    deliver(desk.now)
    titles.sweep(desk.now)
    row = TitleChances.objects.filter(event=desk.event).first()
    return {} if row is None else dict(row.shares)


def shown(desk: Desk) -> str:
    return text(Client().get(desk.event.get_absolute_url()))


@pytest.mark.long
@pytest.mark.usefixtures("soon")
def test_they_are_the_list_s_own_expectancies_multiplied(
    desk: Desk, keep: Callable[..., RatingList], deliver: Callable[[datetime], int]
) -> None:
    kept = rated(desk, keep, deliver)
    found = shares(desk, deliver)
    at = {
        number: selected._last(kept, {desk.player(number).pk}, now=desk.now)[desk.player(number).pk]
        for number in range(1, 5)
    }

    def wins(one: int, other: int) -> float:
        return Fibs().chance(at[one], at[other], desk.event.match_length)

    pairs = list(desk.pairs().values())
    for mine, theirs in ((pairs[0], pairs[1]), (pairs[1], pairs[0])):
        for one, beaten in (mine, mine[::-1]):
            final = sum(wins(other, third) * wins(one, other) for other, third in (theirs, theirs[::-1]))
            assert found[one] == pytest.approx(wins(one, beaten) * final, abs=1e-4)
    assert sum(found.values()) == pytest.approx(1, abs=1e-3)
    assert TitleChances.objects.get().runs == 0, "with three matches every way is looked at"
    assert found[1] > found[4], "who has won most is likeliest"


@pytest.mark.long
@pytest.mark.usefixtures("soon")
def test_the_page_shows_them_and_follows_each_result(
    desk: Desk, keep: Callable[..., RatingList], deliver: Callable[[datetime], int]
) -> None:
    kept = rated(desk, keep, deliver)
    # Kept for visitors before anything is known.
    assert "Chances to win" not in shown(desk)
    before = shares(desk, deliver)
    page = shown(desk)
    assert "Chances to win, by rating" in page
    assert reverse("rankings:calibration", args=[desk.club.slug, kept.key]) in page
    assert f"{round(100 * before[1])} %" in page

    first = desk.open()[0]
    assert first.a
    assert first.b
    loser = max(first.a.number, first.b.number)
    desk.play(first.key)
    after = shares(desk, deliver)
    assert loser not in after
    assert sum(after.values()) == pytest.approx(1, abs=1e-3)
    assert f"{round(100 * after[1])} %" in shown(desk)

    desk.play_out()
    assert shares(desk, deliver) == {}
    assert not TitleChances.objects.exists()
    assert "Chances to win" not in shown(desk)


@pytest.mark.long
@pytest.mark.usefixtures("soon")
def test_what_has_not_changed_is_neither_computed_nor_told(
    desk: Desk,
    keep: Callable[..., RatingList],
    deliver: Callable[[datetime], int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rated(desk, keep, deliver)
    assert shares(desk, deliver)
    stamp = desk.fresh().stamp
    monkeypatch.setattr(selected, "compute", None)
    # Writing them has touched the event, which asks for them once more.
    shares(desk, deliver)
    assert desk.fresh().stamp == stamp
    assert not TitleChances.objects.filter(asked_at__isnull=False).exists()
    assert titles.sweep(desk.now) == 0


@pytest.mark.long
def test_a_list_that_has_not_proved_itself_says_nothing(
    desk: Desk, keep: Callable[..., RatingList], deliver: Callable[[datetime], int]
) -> None:
    rated(desk, keep, deliver)
    assert shares(desk, deliver) == {}
    assert "Chances to win" not in shown(desk)


@pytest.mark.long
@pytest.mark.usefixtures("soon")
def test_where_somebody_is_not_rated_nothing_is_said(
    desk: Desk, keep: Callable[..., RatingList], deliver: Callable[[datetime], int]
) -> None:
    rated(desk, keep, deliver)
    new = clubs.add_guest(club=desk.club, name="New", by=desk.director, now=desk.now)
    desk.event.entries.filter(number=4).update(player=new)
    assert shares(desk, deliver) == {}


@pytest.mark.long
@pytest.mark.usefixtures("soon")
def test_programs_are_told_the_same(
    desk: Desk, keep: Callable[..., RatingList], deliver: Callable[[datetime], int]
) -> None:
    kept = rated(desk, keep, deliver)
    address = f"/api/v1/events/{desk.event.key}/title-chances/"
    nothing = {"list": None, "computed_at": None, "runs": 0, "margin": 0.0, "chances": []}
    assert APIClient().get(address).json() == nothing
    found = shares(desk, deliver)
    told = APIClient().get(address).json()
    assert told["list"] == kept.key
    assert {each["entry"]: each["chance"] for each in told["chances"]} == found
    assert [each["chance"] for each in told["chances"]] == sorted(found.values(), reverse=True)
    assert APIClient().get("/api/v1/events/nothing2nt/title-chances/").status_code == 404


@pytest.mark.long
@pytest.mark.usefixtures("soon")
def test_whoever_asks_while_they_are_computed_is_not_forgotten(
    desk: Desk,
    keep: Callable[..., RatingList],
    deliver: Callable[[datetime], int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rated(desk, keep, deliver)
    deliver(desk.now)
    real = selected.compute

    def meanwhile(basis: Any) -> Any:
        TitleChances.objects.update(asked_at=desk.now.replace(year=desk.now.year - 1))
        return real(basis)

    monkeypatch.setattr(selected, "compute", meanwhile)
    titles.sweep(desk.now)
    row = TitleChances.objects.get()
    assert row.asked_at is not None
    assert row.shares == []
    monkeypatch.setattr(selected, "compute", real)
    assert shares(desk, deliver)


@pytest.mark.long
@pytest.mark.usefixtures("soon")
def test_an_event_that_cannot_be_computed_holds_up_no_other_and_shows_nothing(
    desk: Desk,
    keep: Callable[..., RatingList],
    deliver: Callable[[datetime], int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rated(desk, keep, deliver)
    assert shares(desk, deliver)
    assert "Chances to win" in shown(desk)
    desk.play(desk.open()[0].key)
    deliver(desk.now)
    real = selected.compute

    def broken(basis: Any) -> Any:
        raise ArithmeticError

    monkeypatch.setattr(selected, "compute", broken)
    assert titles.sweep(desk.now) == 1
    assert not TitleChances.objects.filter(asked_at__isnull=False).exists()
    assert "Chances to win" not in shown(desk)
    # The next change asks again.
    monkeypatch.setattr(selected, "compute", real)
    desk.play(desk.open()[0].key)
    assert shares(desk, deliver)


@pytest.mark.long
@pytest.mark.usefixtures("soon")
def test_an_estimate_says_how_sure_it_is(
    desk: Desk, keep: Callable[..., RatingList], deliver: Callable[[datetime], int]
) -> None:
    rated(desk, keep, deliver)
    assert shares(desk, deliver)
    TitleChances.objects.update(runs=1_000, shares=[[1, 0.5], [2, 0.3], [3, 0.2]])
    seen = selected.of_event(desk.event.key)
    assert seen is not None
    assert (round(seen.margin, 3), seen.margin_percent) == (0.031, 4)
    assert "An estimate from 1,000 random finishes" in shown(desk).replace("1000", "1,000")
    assert "within 4 percentage points" in shown(desk)
    told = APIClient().get(f"/api/v1/events/{desk.event.key}/title-chances/").json()
    assert told["margin"] == pytest.approx(seen.margin)
