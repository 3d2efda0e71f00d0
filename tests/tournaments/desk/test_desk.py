"""An evening at the director's desk, in the browser."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.test import Client
from django.urls import reverse

from players.keys import new_key
from players.models import Club, User
from tests.tournaments.support import Browser, text, url
from tournaments.models import Entry, Tournament
from tournaments.play import directing
from tournaments.status import Status

pytestmark = pytest.mark.today


@pytest.mark.long
def test_a_whole_evening_at_the_desk(club: Club, greta: User, otis: User, runa: User, now: datetime) -> None:
    browser = Browser(greta)
    form = {
        "key": new_key(),
        "name": "Thursday <b>night</b>",
        "starts_at": "2031-03-06T19:30",
        "format_label": "Swiss, 5 rounds",
        "match_length": "7",
        "capacity": "",
        "place": "",
        "about": "Line one\n\n<script>alert(1)</script>",
    }
    assert "Announce an event" in text(browser.get(url("create", club.slug)))
    response = browser.post(url("create", club.slug), form)
    made = Tournament.objects.get()
    assert response.url == made.get_absolute_url()
    # 19:30 in Berlin, in winter.
    assert made.starts_at == datetime(2031, 3, 6, 18, 30, tzinfo=UTC)
    assert made.status == Status.DRAFT

    browser.post(url("publish", made.key))
    browser.post(url("admit", made.key), {"player": [otis.player.key, runa.player.key]})
    browser.post(url("admit_guest", made.key), {"name": "Uncle Bob"})
    browser.post(url("take_out", made.key), {"player": runa.player.key})
    browser.post(url("start", made.key))
    made.refresh_from_db()
    assert made.status == Status.RUNNING
    page = text(browser.get(made.get_absolute_url()))
    assert "<script>alert" not in page
    assert "<b>night" not in page

    bob = Entry.objects.get(player__name="Uncle Bob").player
    wrong = browser.post(url("finish", made.key), {f"place-{otis.player.key}": "3", f"place-{bob.key}": "1"})
    assert wrong.status_code == 409
    # The browser would have stopped a 3 among two; the page says why and keeps what was typed.
    assert 'value="3"' in wrong.content.decode()
    browser.post(url("finish", made.key), {f"place-{otis.player.key}": "2", f"place-{bob.key}": "1"})
    made.refresh_from_db()
    assert made.status == Status.FINISHED
    assert "Winner" in text(browser.get(made.get_absolute_url()))

    assert browser.post(url("reopen", made.key), {"reason": ""}).status_code == 422
    made.refresh_from_db()
    assert made.status == Status.FINISHED
    browser.post(url("reopen", made.key), {"reason": "Swapped"})
    browser.post(url("cancel", made.key), {"reason": "Fire alarm"})
    made.refresh_from_db()
    assert made.status == Status.CANCELLED
    assert "Fire alarm" in text(browser.get(made.get_absolute_url()))

    key = new_key()
    again = browser.post(url("clone", made.key), {"key": key})
    assert again.url == reverse("tournaments:event", args=[key])
    assert browser.post(url("clone", made.key), {"key": key}).url == again.url
    assert Tournament.objects.count() == 2
    browser.post(url("discard", key))
    assert Tournament.objects.count() == 1


def test_who_came_in_after_the_form_was_opened_is_not_forgotten(
    event: Callable[..., Tournament], greta: User, otis: User, runa: User, director: User, now: datetime
) -> None:
    made = event(Status.RUNNING, players=(otis, runa))
    directing.admit_members(tournament_id=made.pk, player_keys=[director.player.key], by=greta, now=now)

    page = Browser(greta).post(
        url("finish", made.key), {f"place-{otis.player.key}": "1", f"place-{runa.player.key}": "2"}
    )

    assert page.status_code == 409
    assert "New entries in the meantime: Pavel Dorn" in page.content.decode()


@pytest.mark.parametrize(
    "bad",
    [
        {"name": "Night\u202etrap"},
        {"name": ""},
        {"match_length": "0"},
        {"match_length": "26"},
        {"capacity": "1"},
        {"starts_at": "soon"},
        # In the night when summer time begins this hour does not exist.
        {"starts_at": "2031-03-30T02:30"},
        {"key": "../../etc"},
    ],
)
def test_a_form_that_cannot_be_kept_says_so(club: Club, greta: User, bad: dict[str, str]) -> None:
    form = {"key": new_key(), "name": "Night", "starts_at": "2031-03-06T19:30", "match_length": "7"} | bad

    response = Browser(greta).post(url("create", club.slug), form)

    assert response.status_code == 422
    assert not Tournament.objects.exists()


ACTS = [
    "edit",
    "publish",
    "discard",
    "clone",
    "admit",
    "admit_guest",
    "take_out",
    "start",
    "finish",
    "cancel",
    "reopen",
]


@pytest.mark.parametrize("name", ACTS)
def test_only_directors_act(
    event: Callable[..., Tournament], otis: User, runa: User, client: Client, name: str
) -> None:
    made = event(players=(otis, runa))

    assert client.post(url(name, made.key)).status_code == 302
    client.force_login(otis)
    assert client.post(url(name, made.key), {"reason": "x", "name": "x"}).status_code == 403

    made.refresh_from_db()
    assert made.status == Status.PUBLISHED
    assert made.entries.count() == 2


@pytest.mark.parametrize("name", [*ACTS[1:], "enter", "cancel_entry"])
def test_looking_changes_nothing(event: Callable[..., Tournament], greta: User, name: str) -> None:
    made = event()

    response = Browser(greta).get(url(name, made.key))

    assert (response.status_code, response.url) == (302, made.get_absolute_url())
    made.refresh_from_db()
    assert made.status == Status.PUBLISHED
    assert made.rulings.count() == 1


def test_a_refusal_is_said_and_leads_back(event: Callable[..., Tournament], greta: User) -> None:
    made = event()

    response = Browser(greta).post(url("start", made.key), follow=True)

    assert response.redirect_chain == [(made.get_absolute_url(), 302)]
    assert "At least two players must have entered." in text(response)


@pytest.mark.parametrize(
    ("name", "status"),
    [("cancel", Status.PUBLISHED), ("reopen", Status.FINISHED), ("reopen", Status.CANCELLED)],
)
def test_a_refused_reason_stays_in_its_field(
    event: Callable[..., Tournament], greta: User, otis: User, runa: User, name: str, status: Status
) -> None:
    made = event(status, players=(otis, runa))

    response = Browser(greta).post(url(name, made.key), {"reason": "Wet\u202e cellar"})

    page = response.content.decode()
    assert response.status_code == 422
    dialog = page[page.index(f'id="ask-{name}"') :]
    dialog = dialog[: dialog.index("</dialog>")]
    assert dialog.split(">")[0].endswith(" open")
    assert 'value="Wet\u202e cellar"' in dialog
    assert 'aria-invalid="true"' in dialog
    assert f'id="{name}-reason_error"' in dialog
    made.refresh_from_db()
    assert made.status == status


def test_a_reason_for_what_cannot_be_undone_is_answered_with_where_it_stands(
    event: Callable[..., Tournament], greta: User
) -> None:
    made = event(Status.PUBLISHED)

    response = Browser(greta).post(url("reopen", made.key), {"reason": ""}, follow=True)

    assert response.redirect_chain == [(made.get_absolute_url(), 302)]
