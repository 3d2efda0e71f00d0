"""A club night that is played here: from a template to the final ranking, with players on phones and a visitor."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from players.keys import new_key
from players.models import User
from tests.browser.eyes import faults
from tests.browser.people import PHONE, account, club_of, listening, overflow, snap, toast, wear
from tournaments.models import Pairing, Tournament
from tournaments.plan import drawing, setup
from tournaments.plan.templates import Plan, StagePlan
from tournaments.play import directing, results


def fine(page: Page, name: str) -> None:
    """Nothing is wrong with the page, and nothing sticks out of it."""
    assert faults(page) == []
    assert overflow(page) <= 0
    snap(page, name)


@pytest.mark.long
def test_a_night_from_template_to_final_ranking(site: str, page: Page, another: Callable[..., Page]) -> None:
    ada, otis, runa = account("Ada Okafor"), account("Otis Fenn"), account("Runa Vik")
    club = club_of(ada, otis, runa)
    wear(page, site, ada)

    # A template, seen with what it comes to.
    page.goto(f"/clubs/{club.slug}/events/new/")
    page.get_by_role("button", name="Club night: knock-out and consolation").click()
    expect(page.locator("#outline")).to_contain_text("28 matches")
    page.get_by_label("Name").fill("Thursday cup")
    page.get_by_label("Starts").fill(timezone.now().strftime("%Y-%m-%dT23:30"))
    page.get_by_label("Matches to").fill("7")
    fine(page, "played-1-template")
    page.get_by_role("button", name="Announce it", exact=True).click()
    expect(toast(page, "Announced: members can enter now.")).to_be_visible()
    event = Tournament.objects.get()
    address = event.get_absolute_url()
    page.goto(f"{address}settings/")
    page.get_by_label("Drawn").select_option(label="As entered")
    fine(page, "played-2-format")
    page.get_by_role("button", name="Save").click()
    expect(toast(page, "Saved.")).to_be_visible()

    # Players come: the first by phone, two on the director's list, the last by phone.
    phones = {}
    for user in (otis, runa):
        phones[user.pk] = another(**PHONE)
        wear(phones[user.pk], site, user)
    enter(phones[otis.pk], address)
    page.goto(f"{address}roster/")
    page.get_by_label("Names").fill("Gita Rao\nHugo Lind")
    page.get_by_role("button", name="Enter them").click()
    expect(toast(page, "2 players are in.")).to_be_visible()
    listening(page)
    enter(phones[runa.pk], address)
    expect(page.locator("#event-roster").get_by_role("link", name="Runa Vik")).to_be_visible()
    phones[runa.pk].get_by_role("button", name="I am here").tap()
    expect(toast(phones[runa.pk], "You are checked in.")).to_be_visible()
    fine(phones[runa.pk], "played-3-phone-in")
    page.get_by_role("button", name="Everyone is here").click()
    fine(page, "played-3-roster")

    # The draw: looked at, then published.
    page.get_by_role("link", name="Go to the draw").click()
    page.get_by_role("button", name="Draw", exact=True).click()
    expect(page.locator(".drawn__pair")).to_have_count(2)
    fine(page, "played-4-draw")
    visitor = another(**PHONE)
    visitor.goto(f"{address}bracket/")
    expect(visitor.get_by_text("Nothing is drawn yet")).to_be_visible()
    listening(visitor)
    page.get_by_role("button", name="Publish", exact=True).click()
    expect(toast(page, "The draw is published.")).to_be_visible()
    expect(visitor.get_by_role("heading", name="Semi-finals")).to_be_visible()

    # Two report and confirm on their phones.
    for user in (otis, runa):
        listening((phones[user.pk].goto(address) and phones[user.pk]) or phones[user.pk])
    hand = phones[otis.pk]
    expect(hand.get_by_role("heading", name="against Runa Vik")).to_be_visible()
    fine(hand, "played-5-phone-next")
    hand.get_by_role("textbox", name="You").fill("7")
    hand.get_by_role("textbox", name="Runa Vik").fill("7")
    hand.get_by_role("button", name="Report", exact=True).tap()
    expect(hand.get_by_role("alert")).to_contain_text("A match to 7 ends when one has 7 points")
    expect(hand.get_by_role("textbox", name="Runa Vik")).to_have_value("7")
    hand.get_by_role("textbox", name="Runa Vik").fill("5")
    hand.get_by_role("button", name="Report", exact=True).tap()
    expect(hand.get_by_text("You have reported 7–5")).to_be_visible()  # noqa: RUF001
    other = phones[runa.pk]
    expect(other.get_by_text("Otis Fenn says: you 5, Otis Fenn 7.")).to_be_visible()
    fine(other, "played-6-phone-asked")
    other.get_by_role("button", name="Confirm").tap()
    expect(toast(other, "Confirmed: the result stands.")).to_be_visible()
    expect(page.get_by_text("1 of 4 played")).to_be_visible()

    # The director types the others as they come.
    page.goto(f"{address}desk/")
    listening(page)
    fine(page, "played-7-desk")
    for score in ("7 3", "7 0", "5 4"):
        page.locator("input[name=score]").first.fill(score)
        page.keyboard.press("Enter")
        expect(page.locator("#desk-said")).to_contain_text(f"{score.replace(' ', '–')} is entered.")  # noqa: RUF001
        page.goto(f"{address}desk/")
    event.refresh_from_db()
    assert event.status == "FINISHED"

    # Every visitor sees the final result.
    expect(hand.locator("#event-head .podium").first).to_be_visible()
    expect(hand.get_by_role("heading", name="Final standings")).to_be_visible()
    fine(hand, "played-8-phone-end")
    visitor.goto(f"{address}standings/")
    expect(visitor.locator("tbody tr")).to_have_count(4)
    expect(visitor.locator("tbody tr").first).to_contain_text(winner(event))
    fine(visitor, "played-9-standings")
    page.goto(f"{address}rulings/")
    fine(page, "played-9-rulings")


def enter(phone: Page, address: str) -> None:
    phone.goto(address)
    phone.get_by_role("button", name="Enter myself").tap()
    expect(toast(phone, "You are in. See you there!")).to_be_visible()


def winner(event: Tournament) -> str:
    final = Pairing.objects.get(tournament=event, key="main/2.1")
    return final.winner.player.public_name


def sixty_four(by: User) -> Tournament:
    """Return a running event with everything a bracket can have."""
    now = timezone.now()
    plan = Plan(stages=(StagePlan(format="last-chance"),), match_length=7)
    details = setup.Details(name="The open", starts_at=now - timedelta(hours=1))
    club = club_of(by)
    event = setup.announce(club=club, by=by, key=new_key(), details=details, now=now, plan=plan)
    names = [
        f"Player {chr(65 + number // 26)}{chr(65 + number % 26)} Number {number}" for number in range(60)
    ]
    directing.admit_named(tournament_id=event.pk, names=names, by=by, now=now)
    drawing.publish(tournament_id=event.pk, by=by, now=now)
    for _ in range(3):
        for row in Pairing.objects.filter(tournament=event, state="ready").order_by("position"):
            row.refresh_from_db()
            if row.state == "ready":
                results.enter_result(tournament_id=event.pk, key=row.key, score=(7, 2), by=by, now=now)
    return event


@pytest.mark.long
def test_a_large_bracket_on_a_desk_and_on_a_phone(
    site: str, page: Page, another: Callable[..., Page]
) -> None:
    ada = account("Ada Okafor")
    event = sixty_four(ada)
    address = f"{event.get_absolute_url()}bracket/"
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{address}?follow=3")
    listening(page)
    picture, lists = page.locator(".sheet-svg"), page.locator(".sheet-lists")
    expect(picture).to_be_visible()
    expect(lists).to_be_hidden()
    expect(picture.locator(".p.decided").first).to_be_visible()
    assert overflow(page) <= 0
    assert faults(page) == []
    snap(page, "bracket-64-desk")

    page.get_by_role("link", name="All brackets").click()
    for title in ("Main draw", "Consolation", "Last chance"):
        expect(picture.get_by_role("heading", name=title)).to_be_attached()
    assert picture.locator("[data-n='3'][data-f]").count() > 1
    listening(page)
    assert overflow(page) <= 0
    assert faults(page) == []

    # Pointing at a person lights the way, looking elsewhere puts it out.
    row = picture.locator(".p [data-n='9']").first
    row.scroll_into_view_if_needed()
    row.hover()
    expect(row).to_have_attribute("data-f", "pointed")
    page.mouse.move(5, 5)
    expect(row).not_to_have_attribute("data-f", "pointed")

    phone = another(**PHONE)
    phone.goto(address)
    expect(phone.locator(".sheet-svg")).to_be_hidden()
    expect(phone.locator(".sheet-lists")).to_be_visible()
    phone.get_by_role("link", name="Last chance").tap()
    expect(phone.locator(".brackets [aria-current]")).to_have_text("Last chance")
    listening(phone)
    assert overflow(phone) <= 0
    assert faults(phone) == []
    snap(phone, "bracket-64-phone")


def test_a_result_reaches_the_bracket_that_somebody_looks_at(
    site: str, page: Page, another: Callable[..., Page]
) -> None:
    ada = account("Ada Okafor")
    event = sixty_four(ada)
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{event.get_absolute_url()}bracket/?show=all")
    listening(page)
    page.locator(".sheet-pane").evaluate(
        "pane => { pane.scrollLeft = 200; pane.querySelector('.sheet-svg').dataset.old = 'yes' }"
    )
    ready = Pairing.objects.filter(tournament=event, state="ready", opened_at__isnull=False).count()
    expect(page.locator(".sheet-svg .p.ready")).to_have_count(ready)
    row = Pairing.objects.filter(tournament=event, state="ready").order_by("position").first()

    results.enter_result(tournament_id=event.pk, key=row.key, score=(7, 6), by=ada, now=timezone.now())

    now_ready = Pairing.objects.filter(tournament=event, state="ready", opened_at__isnull=False).count()
    expect(page.locator(".sheet-svg[data-old]")).to_have_count(0)
    expect(page.locator(".sheet-svg .p.ready")).to_have_count(now_ready)
    assert page.locator(".sheet-pane").evaluate("pane => pane.scrollLeft") == 200


def test_a_report_that_was_refused_stays_to_be_mended(site: str, page: Page) -> None:
    ada, otis = account("Ada Okafor"), account("Otis Fenn")
    now = timezone.now()
    event = setup.announce(
        club=club_of(ada, otis),
        by=ada,
        key=new_key(),
        details=setup.Details(name="Thursday cup", starts_at=now),
        now=now,
        plan=Plan(stages=(StagePlan(format="single-elimination"),), match_length=7),
    )
    who = {"tournament_id": event.pk, "by": ada, "now": now}
    directing.admit_members(**who, player_keys=[otis.player.key])
    directing.admit_named(**who, names=["Gita Rao", "Hugo Lind", "Ines Paz"])
    drawing.publish(**who)
    wear(page, site, otis)
    page.goto(event.get_absolute_url())
    for field in page.locator(".mine__scores input").all():
        field.fill("7")
    page.get_by_role("button", name="Report", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("A match to 7 ends when one has 7 points")
    listening(page)
    other = Pairing.objects.exclude(a__player=otis.player).exclude(b__player=otis.player)

    told_of(page, lambda: results.enter_result(**who, key=other.get(state="ready").key, score=(7, 6)))

    for field in page.locator(".mine__scores input").all():
        expect(field).to_have_value("7")


def told_of(page: Page, act: Callable[[], object]) -> None:
    """Do something, and wait until the page has dealt with the news of it."""
    page.evaluate(
        """() => {
          window.isTold = false;
          document.addEventListener("htmx:afterRequest", ({ detail }) => {
            if (["event-live", "desk-live"].includes(detail.elt.id)) window.isTold = true;
          });
        }"""
    )
    act()
    page.wait_for_function("() => window.isTold")


@pytest.mark.long
def test_what_one_is_typing_is_not_swept_away(site: str, page: Page) -> None:
    ada = account("Ada Okafor")
    event = sixty_four(ada)
    wear(page, site, ada)
    page.goto(f"{event.get_absolute_url()}desk/")
    listening(page)
    # By its own name: the row above it goes.
    name = page.locator("input[name=score]").nth(1).get_attribute("id")
    typed = page.locator(f"#{name}")
    typed.fill("7 ")
    row = Pairing.objects.filter(tournament=event, state="ready").order_by("position").first()
    assert row is not None

    told_of(
        page,
        lambda: results.enter_result(
            tournament_id=event.pk, key=row.key, score=(7, 6), by=ada, now=timezone.now()
        ),
    )

    expect(typed).to_have_value("7 ")
    expect(typed).to_be_focused()
