"""The house style of names: on event pages and papers, whole where two would be called the same, never of an alias."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as some

from players import names
from players.models import NameStyle, Player, ShownAs
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import text, url
from tournaments.base import event_lines, event_view
from tournaments.desk import papers
from tournaments.models import Entry, Tournament
from tournaments.plan import drawing

WORDS = some.sampled_from(["Ada", "Anna", "Meyer", "M.", "van", "Okafor", "7", "Ångström", "A"])
PEOPLE = some.lists(some.lists(WORDS, min_size=1, max_size=3).map(" ".join), max_size=8)


@pytest.fixture
def desk(desk: Desk) -> Desk:
    desk.announce(a_plan("single-elimination"), 4)
    called = ("Anna Meyer", "Anna Maier", "Jan van Dijk", "Bob")
    for entry, name in zip(Entry.objects.order_by("number"), called, strict=True):
        Player.objects.filter(pk=entry.player_id).update(name=name)
    return desk


def choose(desk: Desk, style: NameStyle) -> None:
    desk.event.club.name_style = style
    desk.event.club.save(update_fields=["name_style"])


@given(PEOPLE, some.sampled_from(NameStyle.values))
def test_nobody_is_called_what_somebody_else_is_called(people: list[str], style: str) -> None:
    said = names.style_names(people, style)
    for one, called in zip(people, said, strict=True):
        others = [name for name, word in zip(people, said, strict=True) if word == called]
        assert set(others) == {one}
        # The styled name has only characters of the full name.
        assert set(called) <= set(one) | set(",. ")


def test_every_style_but_the_whole_name_has_its_words() -> None:
    assert set(NameStyle.values) - set(names.STYLES) == {NameStyle.WHOLE}


@pytest.mark.parametrize(
    ("style", "called"),
    [
        (NameStyle.WHOLE, ["Anna Maier", "Anna Meyer", "Bob", "Jan van Dijk"]),
        (NameStyle.LAST_FIRST, ["Bob", "Dijk, Jan van", "Maier, Anna", "Meyer, Anna"]),
        (NameStyle.FIRST_INITIAL, ["A. Maier", "A. Meyer", "Bob", "J. van Dijk"]),
        (NameStyle.LAST_INITIAL, ["Anna Maier", "Anna Meyer", "Bob", "Jan van D."]),
    ],
)
def test_pages_and_papers_of_an_event_follow_it(
    desk: Desk, client: Client, style: NameStyle, called: list[str]
) -> None:
    choose(desk, style)

    page = text(client.get(url("event", desk.event.key)))
    assert [name for name in called if name in page] == called
    assert sorted(who.name for who in event_view.load_view(desk.event).people.values()) == called
    assert [row.name for row in papers.list_entries(desk.event, by_rating=False)] == called


def test_where_there_is_little_room_everybody_is_called_the_same_in_every_style(desk: Desk) -> None:
    short = [*event_view.load_view(desk.event).short_names.values()]
    choose(desk, NameStyle.LAST_FIRST)
    assert [*event_view.load_view(desk.event).short_names.values()] == short


@pytest.mark.parametrize(
    ("style", "called"), [(NameStyle.LAST_FIRST, "Meyer, Anna"), (NameStyle.LAST_INITIAL, "Anna Meyer")]
)
def test_lists_of_events_call_a_winner_as_the_event_does(desk: Desk, style: NameStyle, called: str) -> None:
    desk.do(drawing.publish)
    desk.play_out()
    choose(desk, style)
    winner = desk.event.entries.get(place=1).player
    # Without the other Anna her initial would do.
    assert winner.name == "Anna Meyer"

    events = Tournament.objects.filter(pk=desk.pk)
    (line,) = event_lines.load_lines(events, AnonymousUser(), now=desk.now)
    assert line.winners == (called,)


def test_an_alias_stays_as_it_is(desk: Desk) -> None:
    choose(desk, NameStyle.LAST_FIRST)
    shown = {"alias": "The Duke", "shown_as": ShownAs.ALIAS}
    Player.objects.filter(name="Anna Meyer").update(**shown)
    assert "The Duke" in {who.name for who in event_view.load_view(desk.event).people.values()}


def test_a_page_that_is_kept_is_made_again(desk: Desk, client: Client) -> None:
    assert "Meyer, Anna" not in text(client.get(url("event", desk.event.key)))
    choose(desk, NameStyle.LAST_FIRST)
    assert "Meyer, Anna" in text(client.get(url("event", desk.event.key)))


def test_an_owner_chooses_it(desk: Desk, client: Client) -> None:
    club = desk.event.club
    client.force_login(desk.director)
    address = reverse("players:club_settings", args=[club.slug])
    form = client.get(address).context["form"]
    sent = {name: form.get_initial_for_field(field, name) or "" for name, field in form.fields.items()}
    assert (
        client.post(address, {**sent, "name_style": "last-first", "approves_orders": ""}).status_code == 302
    )
    club.refresh_from_db()
    assert club.name_style == NameStyle.LAST_FIRST
