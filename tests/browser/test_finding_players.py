"""A player looks a person up in a long list, finds themselves, and reads their record, all of it by
keyboard."""

from __future__ import annotations

import random
import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from players.accounts import accounts
from rankings.ledger import order
from rankings.lists import lists
from rankings.models import PlayerRating
from tests.browser.people import PICTURES, snap, wear
from tests.browser.test_pages import EVERY_VIEW, look_at
from tests.rankings.standing_rows import stand
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.models import Entry

pytestmark = pytest.mark.long


def pictures(page: Page, name: str) -> None:
    """Keep what a page looks like on a phone and on a desk, where pictures are requested."""
    for size, themes in EVERY_VIEW if PICTURES else ():
        page.set_viewport_size(size)
        for theme in themes:
            page.emulate_media(color_scheme=theme, reduced_motion="reduce")
            snap(page, f"{name}-{size['width']}-{theme}", full=True)


def test_a_player_finds_others_themselves_and_their_record(site: str, page: Page) -> None:
    desk = Desk(timezone.now().replace(microsecond=0) - timedelta(hours=3))
    for _evening in range(3):
        desk.start(a_plan("round-robin"), 4)
        desk.play_out()
    user = accounts.register(email="mina@example.org", password=None, name="Mina Meise", now=desk.now)
    Entry.objects.filter(number=1).update(player=user.player)
    kept = lists.open_list(club=desk.club, by=desk.director, name="Long list", system="fibs", now=desk.now)
    rng = random.Random(5)
    stand(
        kept, [(1500 + rng.gauss(0, 90), 400, 20 if number % 4 else 800) for number in range(120)], desk.now
    )
    middle = order.load_whole_list(kept, 100)[70]
    PlayerRating.objects.filter(pk=middle.pk).update(player=user.player, last_at=desk.now)
    wear(page, site, user)

    # By name, as one types; the address says it, too.
    page.goto(f"{site}/clubs/{desk.club.slug}/rankings/?list={kept.key}")
    main = page.get_by_role("main")
    expect(main).to_contain_text("120 players")
    page.get_by_role("searchbox", name="Name").focus()
    page.keyboard.type("player 11")
    expect(main).to_contain_text(re.compile(r"\d+ of 120 players"))
    expect(page).to_have_url(re.compile("q=player"))
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(page).to_have_url(re.compile("active=1"))
    found = main.get_by_role("row").filter(has_text="Player")
    expect(found.first).to_be_visible()

    # "Find me" leads to the page with one's row.
    page.get_by_role("link", name="Find me").focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("page=2.*#me$"))
    mine = page.locator("#me")
    expect(mine).to_contain_text("Mina Meise")
    expect(mine).to_be_in_viewport()
    wrong = look_at(page, "find-me", EVERY_VIEW)
    pictures(page, "find-me")

    # From there to the profile, and on to the record.
    mine.get_by_role("link", name="Mina Meise").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Mina Meise")
    page.get_by_role("link", name="The whole record").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Record")
    expect(main).to_contain_text("9–0")  # noqa: RUF001 - the page writes an en dash
    expect(main).to_contain_text("Won an event with 3 matches and lost none")
    wrong += look_at(page, "record", EVERY_VIEW)
    pictures(page, "record")
    page.get_by_role("link", name=re.compile("3.0$")).first.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Head-to-head")).to_be_visible()
    assert not wrong, "\n".join(wrong)
