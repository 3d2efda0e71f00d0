"""Everybody who looks at public pages: what they are given must be what would be made for them now."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import pytest
from django.http import HttpResponse
from django.test import Client

from players.access import context, public_pages
from players.models import Club, User
from runtime.stream import tokens
from tests.tournaments.support import url
from tournaments.models import Tournament
from tournaments.pages import page_cache

LANGUAGES: Final = ("en", "de")
SECRETS: Final = re.compile(r'(name="csrfmiddlewaretoken" value="|X-CSRFToken": ")(\w{32}(?:\w{32})?)"')
# What a director's form would make of the same event again.
NEW_KEY: Final = re.compile(r'(name="key" value=")\w+"')
LIVE: Final = re.compile(r'(?:<meta name="live" content|data-token)="([^"]*)"')
PART: Final = {"HX-Request": "true"}
# Said of a page beside its text; what differs in every answer is left out.
SAID: Final = ("Content-Type", "Cache-Control", "Content-Language", "ETag", "Location")


class Onlookers:
    """A visitor who comes again and again, and as many others as a person likes to sign in."""

    def __init__(self, club: Club, event: Tournament, **people: User) -> None:
        self.club, self.event = club, event
        self.visitor = Client()
        self.visitor.get("/clubs/")  # the cookie of forms
        self.people = {name: Client() for name in people}
        for name, user in people.items():
            self.people[name].force_login(user)
            # Which club they look at is remembered.
            self.people[name].get(f"/clubs/{club.slug}/")

    def addresses(self) -> Iterator[tuple[str, dict[str, str]]]:
        """Yield every public page, and the pieces of it that refresh it."""
        slug, key = self.club.slug, self.event.key
        for address in ("/", "/events/", "/events/?when=past", "/clubs/", f"/events/?club={slug}"):
            yield address, {}
        for address in (f"/clubs/{slug}/", url("club_events", slug)):
            yield address, {}
        yield url("club_events", slug), PART
        for name in ("event", "bracket", "standings", "players", "schedule"):
            yield url(name, key), {}
        yield f"{url('bracket', key)}?follow=1", {}
        yield f"{url('bracket', key)}?shows=lists", PART

    def visit(self, languages: tuple[str, ...] = LANGUAGES) -> None:
        """Request every page as the visitor, to fill the cache."""
        for address, headers in self.addresses():
            for language in languages:
                self.visitor.get(address, headers={**headers, "Accept-Language": language})

    def look(self, languages: tuple[str, ...] = LANGUAGES) -> None:
        """Hold every page against one that is made for this reader alone."""
        for address, headers in self.addresses():
            for language in languages:
                self.hold("visitor", self.visitor, address, {**headers, "Accept-Language": language})
            for name, client in self.people.items():
                self.hold(name, client, address, headers)

    def hold(self, name: str, client: Client, address: str, headers: dict[str, str]) -> None:
        """Hold one page of one reader against one that is made for them alone."""
        given, due = client.get(address, headers=headers), alone(client, address, headers)
        assert outside(given) == outside(due), (name, address, headers)
        assert inside(given) == inside(due), (name, address, headers)
        self.check_secrets(client, given, name)

    def check_secrets(self, client: Client, given: HttpResponse, name: str) -> None:
        """What is one reader's own is this one's."""
        assert context.SECRET not in given.text
        for grant in map(tokens.verify_token, filter(None, LIVE.findall(given.text))):
            assert bool(grant.who) == (name != "visitor")
        if SECRETS.search(given.text):
            assert "csrf" in client.cookies


def alone(client: Client, address: str, headers: dict[str, str]) -> HttpResponse:
    """Request the page without the page cache and without the shared pages of members."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(public_pages, "_build_cache_key", lambda *_: None)
        patch.setattr(page_cache, "get_or_compute", lambda *_key, make, **_how: make())
        return client.get(address, headers=headers)


def inside(response: HttpResponse) -> str:
    """The page without the values that differ in each response. The positions of the streams stay."""
    return without_secrets(response.text)


def without_secrets(page: str) -> str:
    text = NEW_KEY.sub(r"\1...", SECRETS.sub(r"\1...", page))
    return LIVE.sub(lambda found: str(tokens.verify_token(found[1])) if found[1] else "", text)


def outside(response: HttpResponse) -> dict[str, object]:
    said: dict[str, object] = {name: response.get(name) for name in SAID}
    vary = {name.strip() for name in response.get("Vary", "").split(",")}
    cookies = {name for name in response.cookies if name != "session"}
    return {**said, "status": response.status_code, "Vary": vary, "cookies": cookies}
