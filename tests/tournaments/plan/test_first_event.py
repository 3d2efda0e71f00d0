"""The first night of a club: pasted names, and a draw that the director previews before it is published."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from players.keys import new_key
from tests.tournaments.desk.test_pages_director import settings_form, text, url
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.base import event_view
from tournaments.models import Draw, Entry, Tournament
from tournaments.pages import standings_tables
from tournaments.plan import drawing

pytestmark = pytest.mark.today


def test_a_rating_in_brackets_reaches_the_roster(desk: Desk, window: Client) -> None:
    said = {"name": "Club night", "template": "club-night", "key": new_key()}
    names = "Ann Able (1720)\nBob Best, 1650\nCy Cole 1500\nDee\n"
    window.post(reverse("tournaments:first_night", args=[desk.club.slug]), said | {"names": names})
    event = Tournament.objects.get(key=said["key"])
    entries = Entry.objects.filter(tournament=event).values_list("player__name", "rating")
    assert dict(entries) == {"Ann Able": 1720, "Bob Best": 1650, "Cy Cole": 1500, "Dee": None}
    page = text(window.get(url("roster", event.key)))
    assert page.count("rating 1") == 3
    assert "rating 1720" in page


@pytest.mark.long
def test_a_draw_that_was_looked_at_is_not_dropped_without_a_word(desk: Desk, window: Client) -> None:
    event = desk.announce(a_plan("single-elimination"), 4)
    address = url("arrange", event.key)
    assert "You have an unpublished draw" not in text(window.get(address))
    desk.do(drawing.preview)
    shown = text(window.get(address))
    assert "any other change deletes it, and you have to draw again." in shown

    said = settings_form(window, event.key, entries_close_at="2031-01-01T10:00")
    page = text(window.post(address, said, follow=True))
    assert "Saved. The unpublished draw is deleted: draw again before you publish." in page
    assert not Draw.objects.filter(stage__tournament=event).exists()
    assert "You have an unpublished draw" not in page


@pytest.mark.parametrize("form", ["single-elimination", "progressive-consolation"])
def test_a_draw_that_was_looked_at_stays_where_only_the_length_changes(
    desk: Desk, window: Client, form: str
) -> None:
    event = desk.announce(a_plan(form), 5)
    before = desk.do(drawing.preview)
    said = settings_form(window, event.key, match_length="7", **{"stage-1-final": "9"})
    page = text(window.post(url("arrange", event.key), said, follow=True))

    assert "Saved. This is how it will be played." in page
    assert "You have an unpublished draw" in page
    after = Draw.objects.get(stage__tournament=event)
    assert (after.pk, after.lines, after.attempt) == (before.pk, before.lines, before.attempt)
    assert desk.fresh().seed == "7"
    # The lines are those that a draw at this length gives.
    desk.do(drawing.publish)
    assert Draw.objects.get(stage__tournament=event).lines == before.lines
    assert {row.length for row in desk.open()} == {7}
    assert {row.length for row in event.pairings.filter(key="main/3.1")} == {9}


@pytest.mark.long
def test_nobody_of_the_consolation_is_in_the_lead(desk: Desk) -> None:
    """The two who are left in the main draw lead, and none of those who lost there."""
    event = desk.start(a_plan("progressive-consolation"), 8)
    for key in ("main/1.1", "main/1.2", "main/1.3", "main/1.4", "main/2.1", "main/2.2"):
        desk.play(key)
    view = event_view.load_view(event)
    (table,) = standings_tables.build_tables(view)
    assert len(table.rows) == 8
    final = next(play for play in view.by_key.values() if play.key == "main/3.1")
    assert {row.who.pk for row in table.front} == {final.a_id, final.b_id}

    swiss = desk.start(a_plan("swiss", rounds=3), 8)
    for row in desk.open():
        desk.play(row.key)
    assert len(standings_tables.build_tables(event_view.load_view(swiss))[0].front) == 5
