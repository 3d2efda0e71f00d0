"""A director asks at the desk, phone in hand, what would move the end of the evening."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from players.keys import new_key
from tests.browser.eyes import faults
from tests.browser.people import PHONE, account, club_of, listening, overflow, snap, wear
from tests.tournaments.event_desk import a_plan
from tournaments.models import Pairing
from tournaments.plan import drawing, setup
from tournaments.play import directing, results
from venue.models import CallMode
from venue.rooms import room_settings, rooms

Others = Callable[..., Page]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_range_moves_before_anything_is_done(site: str, another: Others, scheme: str) -> None:
    now = timezone.now()
    dora = account("Dora Desk")
    club = club_of(dora)
    room = rooms.open_room(club=club, by=dora, name="Lamp Room", labels="1-4", now=now)
    event = setup.announce(
        club=club,
        by=dora,
        key=new_key(),
        details=setup.Details(name="Saturday Swiss", starts_at=now, match_length=5),
        now=now,
        plan=a_plan("swiss", rounds=4),
    )
    who = {"tournament_id": event.pk, "by": dora, "now": now}
    directing.admit_named(**who, names=[f"Guest {number:02}" for number in range(1, 15)])
    room_settings.set_room(event=event, room=room, mode=CallMode.AUTOMATIC, by=dora, now=now)
    drawing.publish(**who)

    page = another(**PHONE, color_scheme=scheme)
    wear(page, site, dora)
    page.goto(f"/events/{event.key}/desk/")
    listening(page)
    told = page.locator("#ending-span")
    expect(told).to_contain_text("Ends ")
    snap(page, f"what-if-shut-{scheme}")
    page.locator("#ending > summary").click()
    page.get_by_label("Tables").fill("7")
    page.get_by_label("Matches to come").select_option("-2")
    page.locator("#ending").get_by_role("button", name="What if?").click()
    answer = page.locator("#ending-answer")
    expect(answer).to_contain_text("h earlier.")
    # The range before is the one of the heading, which came with the answer: it moves on with the clock.
    assert page.evaluate(
        """() => document.querySelector("#ending-span").textContent.includes(
            document.querySelector(".ending__spans > span").textContent.trim())"""
    )
    expect(page.get_by_label("Tables")).to_have_value("7")
    assert overflow(page) == 0
    assert faults(page) == []
    snap(page, f"what-if-{scheme}")

    page.get_by_label("Tables").fill("0")
    page.locator("#ending").get_by_role("button", name="What if?").click()
    expect(page.locator("#ending .errorlist")).to_contain_text("greater than or equal to 1")
    expect(answer).to_contain_text("correct the marked fields")
    snap(page, f"what-if-wrong-{scheme}")

    # What is typed stays when the news come, and the times follow them.
    page.get_by_label("Tables").fill("6")
    first = Pairing.objects.filter(tournament=event, state="ready").order_by("position")[0]
    with page.expect_response(lambda response: "what-if" in response.url):
        results.enter_result(
            tournament_id=event.pk, key=first.key, score=(5, 2), winner=None, by=dora, now=timezone.now()
        )
    expect(told).to_contain_text("Ends ")
    expect(page.get_by_label("Tables")).to_have_value("6")
    page.set_viewport_size({"width": 1280, "height": 900})
    page.locator("#ending").get_by_role("button", name="What if?").click()
    expect(answer).to_contain_text("h earlier.")
    assert overflow(page) == 0
    snap(page, f"what-if-wide-{scheme}")
