"""Back in the history and once more: the event that is there, not a second one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from players.keys import new_key
from players.models import Club, User
from tests.tournaments.support import Browser, text, url
from tournaments.models import Tournament
from tournaments.plan import setup
from tournaments.plan.templates import TEMPLATES
from tournaments.play import directing
from tournaments.status import Status

pytestmark = pytest.mark.today

SAID = "This event already exists"


def form(**changes: str) -> dict[str, str]:
    words = {"key": new_key(), "name": "Night", "starts_at": "2031-03-06T19:30", "match_length": "7"}
    return words | changes


def test_the_reloaded_form_leads_to_the_event_that_is_there(club: Club, greta: User) -> None:
    browser, address = Browser(greta), url("create", club.slug)
    first = browser.post(address, form(publish="yes"), follow=True)
    assert "Announced: members can enter now." in text(first)

    second = browser.post(address, form(publish="yes"), follow=True)

    assert second.redirect_chain == first.redirect_chain
    assert SAID in text(second)
    assert Tournament.objects.count() == 1


def test_the_same_key_with_other_words_does_not_pretend_to_have_changed_them(club: Club, greta: User) -> None:
    browser, address, key = Browser(greta), url("create", club.slug), new_key()
    browser.post(address, form(key=key, publish="yes"))

    said = text(browser.post(address, form(key=key, publish="yes", name="Late night"), follow=True))

    assert SAID in said
    assert Tournament.objects.get().name == "Night"


def test_a_draft_is_announced_by_the_second_press(club: Club, greta: User) -> None:
    browser, address = Browser(greta), url("create", club.slug)
    browser.post(address, form())

    said = text(browser.post(address, form(publish="yes"), follow=True))

    assert "Announced: members can enter now." in said
    assert Tournament.objects.get().status == Status.PUBLISHED


@pytest.mark.parametrize(
    "changes",
    [
        {"name": "Late night"},
        {"match_length": "9"},
        {"rounds": "4"},
        {"capacity": "8"},
        {"template": "groups"},
    ],
)
def test_a_draft_is_not_announced_without_what_was_changed_since(
    club: Club, greta: User, changes: dict[str, str]
) -> None:
    browser, address = Browser(greta), url("create", club.slug)
    drafted = form(template="swiss", rounds="3")
    first = browser.post(address, drafted)

    second = browser.post(address, drafted | changes | {"publish": "yes"}, follow=True)

    assert second.redirect_chain[-1][0] == first.url
    assert "already saved as a draft, with other details" in text(second)
    assert Tournament.objects.get().status == Status.DRAFT


@pytest.mark.parametrize("template", TEMPLATES)
def test_an_unchanged_draft_of_every_template_is_announced(club: Club, greta: User, template: str) -> None:
    browser, address = Browser(greta), url("create", club.slug)
    drafted = form(template=template, rounds="3", capacity="8", about="Two\nlines")
    browser.post(address, drafted)

    browser.post(address, drafted | {"publish": "yes"})

    assert Tournament.objects.get().status == Status.PUBLISHED


def test_a_draft_is_not_announced_in_another_room(club: Club, greta: User) -> None:
    browser, address = Browser(greta), url("create", club.slug)
    drafted = form(template="swiss", rounds="3")
    browser.post(address, drafted | {"tables": "4"})

    browser.post(address, drafted | {"room": "", "publish": "yes"})
    assert Tournament.objects.get().status == Status.DRAFT
    browser.post(address, drafted | {"tables": "4", "publish": "yes"})
    assert Tournament.objects.get().status == Status.PUBLISHED


@pytest.mark.parametrize("changes", [{"name": "Side event"}, {"starts_at": "2031-03-13T19:30"}])
def test_another_name_or_start_is_another_event(club: Club, greta: User, changes: dict[str, str]) -> None:
    browser, address = Browser(greta), url("create", club.slug)
    browser.post(address, form(publish="yes"))

    browser.post(address, form(publish="yes", **changes))

    assert Tournament.objects.count() == 2


def test_only_a_moment_ago_only_ones_own_and_not_what_was_called_off(
    club: Club, greta: User, director: User, now: datetime
) -> None:
    words = setup.Details(name="Night", starts_at=now + timedelta(days=1))
    made = setup.announce(club=club, by=greta, key=new_key(), details=words, now=now)

    def found(by: User, minutes: int = 1) -> Tournament | None:
        later = now + timedelta(minutes=minutes)
        return setup.find_submitted_event(club=club, by=by, key=new_key(), details=words, now=later)

    assert found(greta) == made
    assert found(greta, minutes=11) is None
    assert found(director) is None
    directing.cancel_event(tournament_id=made.pk, reason="Flood", by=greta, now=now)
    assert found(greta) is None


def test_the_same_again_pressed_again_is_one_draft(
    event: Callable[..., Tournament], greta: User, otis: User, runa: User
) -> None:
    made, browser = event(Status.FINISHED, players=(otis, runa)), Browser(greta)

    first = browser.post(url("clone", made.key), {"key": new_key()})
    second = browser.post(url("clone", made.key), {"key": new_key()})

    assert first.url == second.url
    again = Tournament.objects.exclude(pk=made.pk).get()
    browser.post(url("publish", again.key))
    assert SAID in text(browser.post(url("clone", made.key), {"key": new_key()}, follow=True))
