"""Without a connection: the last event and the last match with their time, the offline page, and nothing of who signed out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.boards import match_of
from tests.browser.cable import Cable
from tests.browser.eyes import faults
from tests.browser.people import account, overflow, sign_in, sign_out, snap, wear
from tests.world import World

# Playwright does not await what a function answers that it waits for: this asks until it is so.
UNTIL = """async ([source, given]) => {
  const KEPT = async (kind) => (await caches.match("/", { cacheName: kind, ignoreVary: true }));
  // Not `controller`: a page that was on its way when the worker became active has none, the next one has.
  const ACTIVE = async () => (await navigator.serviceWorker.getRegistration())?.active;
  const isSo = { ready: async () => (await ACTIVE()) && (await KEPT("offline")),
    kept: async ([kind, url]) => (await KEPT(kind))?.headers.get("X-Kept-Url") === url,
    gone: async (kind) => !(await KEPT(kind)),
    speaks: async (language) => (await (await KEPT("offline"))?.text())?.includes(`<html lang="${language}"`),
  }[source];
  for (let tries = 0; tries < 600; tries += 1) {
    if (await isSo(given)) return true;
    await new Promise((done) => setTimeout(done, 50));
  }
  return false;
}"""
SIZES = [(width, theme) for width in (375, 1280) for theme in ("light", "dark")]


def until(page: Page, state: str, given: object = None) -> None:
    """Wait for a state of the service worker's caches."""
    assert page.evaluate(UNTIL, [state, given]), (state, given)


def keep(page: Page, kind: str, url: str) -> None:
    """Open a page and wait until the worker has a copy of it."""
    page.goto(url)
    until(page, "kept", [kind, url])


def keep_event(page: Page, cable: Cable, world: World) -> str:
    """Wait until the service worker has cached an event's page, and return its address."""
    event = cable.address + world.events["published"].get_absolute_url()
    page.goto("/clubs/")
    until(page, "ready")
    keep(page, "event", event)
    return event


@pytest.fixture
def cable(site: str) -> Iterator[Cable]:
    cable = Cable(site)
    yield cable
    cable.cut()


@pytest.fixture
def browser_context_args(browser_context_args: dict[str, Any], cable: Cable) -> dict[str, Any]:
    """Route browsers to the site through the cable, with a service worker."""
    return {**browser_context_args, "base_url": cable.address, "service_workers": "allow"}


def look(page: Page, name: str) -> None:
    """Look at the page in both sizes and colours."""
    for width, theme in SIZES:
        page.set_viewport_size({"width": width, "height": 812})
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
        snap(page, f"{name}-{width}-{theme}", full=False)
        assert overflow(page) <= 0, (width, theme)
        assert faults(page) == [], (width, theme)


@pytest.mark.long
def test_the_last_event_is_shown_with_its_time_and_for_all_else_the_offline_page(
    cable: Cable, world: World, page: Page
) -> None:
    event = keep_event(page, cable, world)
    cable.cut()
    page.reload()
    expect(page.get_by_role("heading", level=1, name="Published night")).to_be_visible()
    expect(page.get_by_text(re.compile(r"No connection\. This is as of \d\d:\d\d\."))).to_be_in_viewport()
    # With its styles: the bar has a colour.
    assert page.locator(".as-of").evaluate("each => getComputedStyle(each).textAlign") == "center"
    look(page, "offline-event")

    page.goto("/clubs/")
    expect(page.get_by_role("heading", level=1, name="No connection")).to_be_visible()
    look(page, "offline-page")
    last = page.get_by_role("listitem").filter(has_text=re.compile(r"\d\d:\d\d"))
    expect(last).to_have_count(1)
    last.get_by_role("link", name="Published night").click()
    expect(page).to_have_url(event)
    expect(page.get_by_text("No connection. This is as of")).to_be_visible()

    # Back in reach, the page comes again by itself, though the browser had a network all the time.
    cable.join()
    expect(page.locator(".as-of")).to_have_count(0)
    expect(page.get_by_role("heading", level=1, name="Published night")).to_be_visible()


@pytest.mark.long
def test_a_connection_that_came_back_before_the_script_did_brings_the_page_anew(
    cable: Cable, world: World, page: Page
) -> None:
    event = keep_event(page, cable, world)
    cable.cut()
    page.goto(event, wait_until="commit")
    cable.join()
    expect(page.locator(".as-of")).to_have_count(0)
    expect(page.get_by_role("heading", level=1, name="Published night")).to_be_visible()


@pytest.mark.long
def test_a_page_comes_anew_though_its_own_scripts_were_never_loaded(
    cable: Cable, world: World, page: Page
) -> None:
    keep_event(page, cable, world)
    page.route("**/js/main.js", lambda route: route.abort())
    cable.cut()
    page.reload()
    expect(page.locator(".as-of")).to_be_visible()
    cable.join()
    expect(page.locator(".as-of")).to_have_count(0)


@pytest.mark.long
def test_the_last_match_is_shown_and_only_the_last(cable: Cable, page: Page) -> None:
    ada, bo, cy = (account(name) for name in ("Ada Okafor", "Bo Lindqvist", "Cy Twombly"))
    # Another person's: their own would lead to the board that has begun.
    first, last = (
        f"{cable.address}/matches/{match_of(*two, length=3).key}/" for two in ((bo, cy), (ada, bo))
    )
    wear(page, cable.address, ada)
    page.goto("/clubs/")
    until(page, "ready")
    keep(page, "match", first)
    keep(page, "match", last)
    cable.cut()
    # This makes the browser report that it is offline; the connection itself is already cut.
    page.context.set_offline(True)
    page.reload()
    expect(page.get_by_text("No connection. This is as of")).to_be_in_viewport()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Bo Lindqvist")
    expect(page.locator("#line")).to_contain_text("You are offline")
    # The top of the page starts below the bar.
    page.wait_for_function("() => scrollY === 0")
    look(page, "offline-match")
    tab = page.context.new_page()
    tab.goto(first)
    expect(tab.get_by_role("heading", level=1, name="No connection")).to_be_visible()


@pytest.mark.long
def test_nothing_of_who_signed_out_is_left(cable: Cable, world: World, page: Page) -> None:
    event = cable.address + world.events["published"].get_absolute_url()
    sign_in(page, "member@example.org")
    until(page, "ready")
    keep(page, "event", event)
    sign_out(page)
    expect(page.get_by_role("link", name="Sign in").first).to_be_visible()
    until(page, "gone", "event")
    cable.cut()
    page.goto(event)
    expect(page.get_by_role("heading", level=1, name="No connection")).to_be_visible()
    expect(page.get_by_role("listitem")).to_have_count(0)


def test_who_comes_next_finds_nothing_though_nobody_signed_out(
    cable: Cable, world: World, page: Page
) -> None:
    event = cable.address + world.events["published"].get_absolute_url()
    wear(page, cable.address, world._user("member"))
    page.goto("/clubs/")
    until(page, "ready")
    keep(page, "event", event)
    page.context.clear_cookies()
    page.goto("/clubs/")
    until(page, "gone", "event")


def test_the_offline_page_speaks_the_language_of_the_last_page(
    cable: Cable, world: World, page: Page
) -> None:
    page.goto("/clubs/")
    until(page, "ready")
    page.context.add_cookies([{"name": "language", "value": "de", "url": cable.address}])
    page.goto("/clubs/")
    until(page, "speaks", "de")
