"""A player switches calls on this device on, tries them, and switches them off again; the push service is played."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from runtime.models import Outbox
from tests.browser.eyes import faults
from tests.browser.people import account, overflow, snap, wear
from tests.runtime.test_web_push import AUTH, THEIR_POINT
from venue.calls import seats
from venue.models import PushSubscription

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper

pytestmark = pytest.mark.browser_context_args(service_workers="allow")

# What a push service and a person who allows it would do; the worker and its registration are the browser's own.
PLAYED = f"""
  const keys = {{ p256dh: "{THEIR_POINT}", auth: "{AUTH}" }};
  const made = {{
    toJSON: () => ({{ endpoint: "https://push.example.net/send/abc", keys }}),
    unsubscribe: async () => {{ sessionStorage.removeItem("bound"); return true; }},
  }};
  Object.defineProperty(Notification, "permission", {{ get: () => sessionStorage.getItem("answer") ?? "default" }});
  Notification.requestPermission = async () => {{ sessionStorage.setItem("answer", "granted"); return "granted"; }};
  PushManager.prototype.getSubscription = async () => (sessionStorage.getItem("bound") ? made : null);
  PushManager.prototype.subscribe = async ({{ applicationServerKey, userVisibleOnly }}) => {{
    sessionStorage.setItem("bound", `${{applicationServerKey.length}} ${{userVisibleOnly}}`);
    return made;
  }};
"""


@pytest.fixture
def https(settings: SettingsWrapper) -> None:
    """Take localhost, which browsers trust, for a site with HTTPS."""
    settings.IS_PUBLIC = True


@pytest.mark.long
def test_a_player_switches_it_on_tries_it_and_switches_it_off(site: str, page: Page, https: None) -> None:
    ada = account("Ada Okafor")
    wear(page, site, ada)
    page.add_init_script(PLAYED)
    page.goto(reverse("venue:push"))
    page.get_by_role("button", name="Switch on").click()
    expect(page.get_by_text("This browser notifies you of your calls")).to_be_visible()
    # 65 bytes are an uncompressed point; the worker has the whole site.
    assert page.evaluate("sessionStorage.getItem('bound')") == "65 true"
    assert page.evaluate("navigator.serviceWorker.ready.then(({ scope }) => scope)") == f"{site}/"
    assert PushSubscription.objects.get().user == ada
    page.get_by_role("button", name="Send a test").click()
    expect(page.get_by_text("A test is on its way.")).to_be_visible()
    assert Outbox.objects.filter(kind=seats.PUSH).count() == 1
    for width in (375, 1280):
        page.set_viewport_size({"width": width, "height": 812})
        assert overflow(page) == 0
        assert faults(page) == []
        snap(page, f"push-on-{width}")
    page.reload()
    page.get_by_role("button", name="Switch off").click()
    expect(page.get_by_role("button", name="Switch on")).to_be_visible()
    assert not PushSubscription.objects.exists()
    snap(page, "push-off")


def test_who_has_forbidden_it_is_told_how_to_allow_it(site: str, page: Page, https: None) -> None:
    wear(page, site, account("Ada Okafor"))
    page.add_init_script(PLAYED + 'sessionStorage.setItem("answer", "denied");')
    page.goto(reverse("venue:push"))
    expect(page.get_by_text("You have blocked notifications")).to_be_visible()
    expect(page.get_by_role("button", name="Switch on")).to_be_hidden()


def test_under_plain_http_the_page_says_what_works(site: str, page: Page) -> None:
    wear(page, site, account("Ada Okafor"))
    page.goto(reverse("venue:push"))
    expect(page.get_by_text("only over HTTPS")).to_be_visible()
    expect(page.get_by_role("button", name="Switch on")).to_have_count(0)
    assert faults(page) == []
    snap(page, "push-http")
