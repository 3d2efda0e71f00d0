"""A message waits for the page that it was written for."""

from __future__ import annotations

import pytest
from django.urls import reverse

from players.models import Club, User
from tests.clients import signed_in

pytestmark = pytest.mark.django_db

SAID = "Gus has been added."


def test_a_part_that_is_fetched_meanwhile_leaves_the_message_to_the_page(club: Club, ada: User) -> None:
    browser = signed_in(ada)
    browser.post(reverse("players:add_guest", args=[club.slug]), {"name": "Gus"})
    members = reverse("players:members", args=[club.slug])

    # After an event on the stream, the previous page fetches its parts while the next page loads.
    for part in (members, reverse("players:notices")):
        assert SAID not in browser.get(part, headers={"HX-Request": "true"}).text

    assert SAID in browser.get(members).text
    assert SAID not in browser.get(members).text


def test_a_page_that_htmx_shows_whole_reads_the_message(club: Club, ada: User) -> None:
    browser = signed_in(ada)
    browser.post(reverse("players:add_guest", args=[club.slug]), {"name": "Gus"})
    boosted = {"HX-Request": "true", "HX-Boosted": "true"}

    assert SAID in browser.get(reverse("players:members", args=[club.slug]), headers=boosted).text
