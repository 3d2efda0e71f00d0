"""A match written down game by game, with script and without; and players who are kept apart."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from players.keys import new_key
from players.models import User
from tests.browser.eyes import faults
from tests.browser.people import PHONE, account, club_of, overflow, snap, toast, wear
from tournaments.models import Pairing, Tournament
from tournaments.plan import drawing, setup
from tournaments.plan.templates import Plan, StagePlan
from tournaments.play import constraints, departures, directing, incidents

NAMES = ["Bartholomew Featherstonehaugh", "Mei Tanabe", "Otis Fenn", "Runa Vik", "Gita Rao", "Hugo Lind"]


def fine(page: Page, name: str) -> None:
    """Nothing is wrong with the page in either theme, and nothing sticks out of it."""
    for theme in ("dark", "light"):
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        assert faults(page) == []
        assert overflow(page) <= 0
        snap(page, f"{name}-{theme}")


@pytest.fixture
def ada() -> User:
    return account("Ada Okafor")


@pytest.fixture
def event(site: str, ada: User) -> Tournament:
    club, now = club_of(ada), timezone.now()
    plan = Plan(stages=(StagePlan(format="swiss", options={"rounds": 3}),), match_length=7)
    said = setup.Details(name="Thursday cup", starts_at=now + timedelta(hours=1))
    made = setup.announce(club=club, by=ada, key=new_key(), details=said, now=now, plan=plan)
    by = {"tournament_id": made.pk, "by": ada, "now": now}
    directing.admit_named(**by, names=NAMES)
    constraints.keep_apart(**by, members=[1, 4], reason="They came in one car")
    departures.give_bye(**by, entry=3, round=2, points="1/2")
    drawing.publish(**by)
    return made


def match_of(event: Tournament) -> Pairing:
    """Return the match of the one with the long name."""
    rows = Pairing.objects.filter(tournament=event).select_related("a__player", "b__player")
    return next(row for row in rows if row.a and row.b and 1 in {row.a.number, row.b.number})


def write(page: Page, number: int, side: str, cube: str, end: str) -> None:
    page.locator(f"input[name=g{number}-winner][value={side}]").check()
    page.locator(f"select[name=g{number}-cube]").select_option(cube)
    page.locator(f"select[name=g{number}-end]").select_option(end)


@pytest.mark.long
@pytest.mark.parametrize("width", [375, 1280])
def test_a_director_writes_a_match_down(
    site: str, page: Page, another: Callable[..., Page], ada: User, event: Tournament, width: int
) -> None:
    row = match_of(event)
    now = timezone.now()
    incidents.penalise_lateness(
        tournament_id=event.pk, key=row.key, entry=row.a.number, points=1, reason="", by=ada, now=now
    )
    page.set_viewport_size({"width": width, "height": 812})
    wear(page, site, ada)
    page.goto(f"{event.get_absolute_url()}matches/{row.key}/")
    page.get_by_role("link", name="Game by game").click()
    expect(page.get_by_text("the match begins at")).to_contain_text("0 – 1")  # noqa: RUF001

    # The score follows at once, and the next row waits.
    write(page, 1, "a", "2", "gammon")
    expect(page.locator("[data-score]").first).to_have_text("4 – 1")  # noqa: RUF001
    expect(page.locator("[data-game]")).to_have_count(2)
    write(page, 2, "b", "1", "drop")
    write(page, 3, "a", "2", "single")
    expect(page.locator("[data-game]").nth(3).get_by_text("Crawford")).to_be_visible()
    write(page, 4, "b", "2", "single")
    fine(page, f"games-1-writing-{width}")
    # The penalty may have come after a game with the cube: the Crawford game is still to be played.
    expect(page.locator("[data-game]").nth(4).get_by_text("Crawford")).to_be_visible()
    page.get_by_role("button", name="Save").last.click()
    expect(page.get_by_text("The match is not over")).to_be_visible()
    fine(page, f"games-2-wrong-{width}")

    # A game taken out of it: the rest stays unchanged.
    page.locator("select[name=g4-cube]").select_option("1")
    write(page, 5, "b", "2", "single")
    page.get_by_role("button", name="Remove the last game").click()
    expect(page.locator("[data-game]")).to_have_count(5)
    write(page, 5, "a", "1", "single")
    expect(page.locator("[data-total]")).to_have_text("7 – 3")  # noqa: RUF001
    expect(page.locator("[data-game]")).to_have_count(5)
    page.get_by_role("button", name="Save").last.click()
    expect(toast(page, "is entered.")).to_be_visible()

    row.refresh_from_db()
    assert (row.score_a, row.score_b) == (7, 3)
    assert [game["points"] for game in row.games] == [4, 1, 2, 1, 1]
    page.goto(f"{event.get_absolute_url()}matches/{row.key}/")
    fine(page, f"games-3-match-{width}")
    visitor = another(viewport={"width": width, "height": 812})
    visitor.goto(f"{event.get_absolute_url()}bracket/")
    visitor.locator(".match__games > summary").first.click()
    expect(visitor.locator(".told").first).to_be_visible()
    fine(visitor, f"games-4-round-{width}")
    visitor.goto(f"{event.get_absolute_url()}games/{row.key}/")
    fine(visitor, f"games-5-public-{width}")


def test_without_script(site: str, another: Callable[..., Page], ada: User, event: Tournament) -> None:
    page = another(java_script_enabled=False, **PHONE)
    wear(page, site, ada)
    row = match_of(event)
    page.goto(f"{event.get_absolute_url()}games/{row.key}/")
    write(page, 1, "a", "4", "gammon")
    page.get_by_role("button", name="Add a game").click()
    expect(page.locator("[data-total]")).to_have_text("7 – 0")  # noqa: RUF001
    expect(page.locator("[data-game]")).to_have_count(2)
    page.get_by_role("button", name="Save").last.click()

    row.refresh_from_db()
    assert (row.score_a, row.score_b) == (7, 0)


@pytest.mark.long
@pytest.mark.parametrize("width", [375, 1280])
def test_what_is_agreed_stands_on_the_roster(
    site: str, page: Page, ada: User, event: Tournament, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 812})
    wear(page, site, ada)
    page.goto(f"{event.get_absolute_url()}roster/")
    card = page.locator("#kept-apart")
    card.locator("summary").click()
    card.get_by_label("Mei Tanabe").check()
    card.get_by_label("Gita Rao").check()
    card.get_by_label("Not if possible").check()
    fine(page, f"agreed-1-roster-{width}")
    card.get_by_role("button", name="Keep them apart").click()
    expect(card).to_contain_text("Mei Tanabe, Gita Rao")
    page.locator("#byes-agreed").get_by_role("link", name="Agree to a bye").click()
    fine(page, f"agreed-2-bye-{width}")

    event.refresh_from_db()
    assert [one["members"] for one in event.apart] == [[1, 4], [2, 5]]
