"""Accounts from signing up to the second lock: e-mails, passwords, codes and passkeys."""

from __future__ import annotations

import base64
import hashlib
import hmac
import time

import pytest
from playwright.sync_api import Page, expect

from players.models import User
from tests.browser.people import (
    PASSWORD,
    account,
    link_in_email_to,
    listening,
    sign_in,
    sign_out,
    snap,
    toast,
    wear,
)


def code_for(secret: str, *, steps: int = 0) -> str:
    """Compute the code that an authenticator app shows for *secret* (RFC 6238)."""
    counter = int(time.time()) // 30 + steps
    key = base64.b32decode(secret + "=" * (-len(secret) % 8))
    digest = hmac.new(key, counter.to_bytes(8, "big"), hashlib.sha1).digest()
    start = digest[-1] & 15
    return f"{(int.from_bytes(digest[start : start + 4], 'big') & 0x7FFFFFFF) % 1_000_000:06}"


def confirm_address(page: Page, email: str) -> None:
    """Follow the link in the e-mail."""
    page.goto(link_in_email_to(email))
    page.get_by_role("button", name="Yes, it is mine").click()
    expect(toast(page, "confirmed")).to_be_visible()


def prove_again(page: Page, password: str = PASSWORD) -> None:
    """Enter the password again, if a change requires it."""
    expect(page.get_by_role("heading", name="Please confirm it is you")).to_be_visible()
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Go on").click()


def test_signing_up_forgetting_the_password_and_choosing_another(site: str, page: Page) -> None:
    page.goto("/")
    page.get_by_role("link", name="Sign up").click()
    page.get_by_label("Your name").fill("Ada Okafor")
    page.get_by_label("E-mail address").fill("Ada@Example.org")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Make my account").click()
    expect(page.get_by_text("Good to see you, Ada Okafor")).to_be_visible()
    snap(page, "account-1-first-page")
    confirm_address(page, "ada@example.org")
    snap(page, "account-2-confirmed")

    sign_out(page)
    expect(toast(page, "You are signed out.")).to_be_visible()
    sign_in(page, "ada@example.org", "something else")
    expect(page.get_by_text("not correct")).to_be_visible()
    expect(page.get_by_label("E-mail address")).to_have_value("ada@example.org")
    snap(page, "account-3-wrong-password")

    page.get_by_role("link", name="Forgot").click()
    page.get_by_label("E-mail address").fill("ada@example.org")
    page.get_by_role("button", name="Send me the link").click()
    expect(page.get_by_role("heading", name="Check your e-mail")).to_be_visible()
    page.goto(link_in_email_to("ada@example.org"))
    page.get_by_label("New password", exact=True).fill("another old penny")
    page.get_by_label("New password again").fill("another old penny")
    snap(page, "account-4-new-password")
    page.get_by_role("button", name="Change the password").click()
    # Anyone who has the e-mail is in: there is nothing to type once more.
    expect(page.get_by_role("heading", name="Your evening")).to_be_visible()
    sign_out(page)
    sign_in(page, "ada@example.org", "another old penny")
    expect(page.get_by_role("heading", name="Your evening")).to_be_visible()


@pytest.mark.long
def test_a_code_from_an_app_and_the_codes_for_the_day_the_phone_is_lost(site: str, page: Page) -> None:
    user = account("Ada Okafor")
    sign_in(page, user.email)
    page.locator(".account-menu > summary").click()
    page.get_by_role("link", name="Security").click()
    page.get_by_role("link", name="Set up").click()
    prove_again(page)
    snap(page, "account-5-set-up")
    page.get_by_text("Cannot scan it?").click()
    secret = page.locator("#authenticator_secret").inner_text()
    page.get_by_label("Authenticator code").fill(code_for(secret))
    snap(page, "account-6-totp")
    page.get_by_role("button", name="Switch on").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    snap(page, "account-7-recovery-codes")
    expect(page.locator(".codes code")).to_have_count(10)
    recovery = page.locator(".codes code").all_inner_texts()

    sign_out(page)
    sign_in(page, user.email)
    expect(page.get_by_role("heading", name="One more step")).to_be_visible()
    page.get_by_label("Code").fill("000000")
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("Incorrect code")).to_be_visible()
    snap(page, "account-8-second-step")
    # The same figures are good for one use: those of the next half minute are accepted too.
    page.get_by_label("Code").fill(code_for(secret, steps=1))
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Your evening")).to_be_visible()

    sign_out(page)
    sign_in(page, user.email)
    page.get_by_label("Code").fill(recovery[0])
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Your evening")).to_be_visible()
    page.goto("/accounts/2fa/")
    expect(page.get_by_text("9 of 10 are still unused")).to_be_visible()
    snap(page, "account-9-security")


@pytest.mark.long
def test_a_passkey_is_added_and_signs_in_without_a_password(site: str, page: Page) -> None:
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    phone = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": phone})
    user = account("Ada Okafor")
    sign_in(page, user.email)
    page.goto("/accounts/2fa/")
    page.get_by_role("link", name="Add a passkey").click()
    prove_again(page)
    snap(page, "account-10-passkey")
    page.get_by_label("Name").fill("My telephone")
    expect(page.get_by_label("Sign in with it alone, without a password")).to_be_checked()
    listening(page)
    page.get_by_role("button", name="Add the passkey").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    page.goto("/accounts/2fa/webauthn/")
    expect(page.get_by_text("My telephone")).to_be_visible()
    snap(page, "account-11-keys")

    sign_out(page)
    page.goto("/accounts/login/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("heading", name="Your evening")).to_be_visible()


def test_changing_the_address_goes_by_an_email_to_the_new_one(site: str, page: Page) -> None:
    user = account("Ada Okafor")
    wear(page, site, user)
    page.goto("/accounts/email/")
    page.get_by_label("New e-mail address").fill("okafor@example.org")
    page.get_by_role("button", name="Change the address").click()
    prove_again(page)
    expect(page.get_by_text("We have sent an e-mail to")).to_be_visible()
    snap(page, "account-12-new-address")
    confirm_address(page, "okafor@example.org")
    assert User.objects.get().email == "okafor@example.org"
