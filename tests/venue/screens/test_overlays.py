"""Overlays: a secret address each, what is at the table, and as late as a director says."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from players.accounts import accounts
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.base.errors import NotDirector
from tournaments.models import Pairing
from venue.calls import calling
from venue.errors import BadDelay
from venue.models import Layout, Table
from venue.rooms import rooms
from venue.screens import overlays


@pytest.fixture
def table(desk: Desk) -> Table:
    desk.start(a_plan("single-elimination"), 4)
    room = rooms.open_room(club=desk.club, by=desk.director, name="Lamp Room", labels="1-3", now=desk.now)
    found = room.tables.get(label="2")
    calling.call(table=found, event=desk.event, key=desk.open()[0].key, by=desk.director, now=desk.now)
    return found


def test_an_overlay_names_the_two_at_its_table_and_follows_their_score(desk: Desk, table: Table) -> None:
    overlay = overlays.load_overlay(table=table, by=desk.director)
    seen = overlays.build_view(overlay, now=desk.now)
    row = desk.open()[0]
    assert [seat.score for seat in seen.seats] == [0, 0]
    assert (seen.length, seen.label) == (row.length, "Thursday")
    Pairing.objects.filter(pk=row.pk).update(b_late=1)
    assert [seat.score for seat in overlays.build_view(overlay, now=desk.now).seats] == [1, 0]
    Pairing.objects.filter(pk=row.pk).update(b_late=0)
    running = {"seats": [row.a_id, row.b_id], "score": [3, 1]}
    Pairing.objects.filter(pk=row.pk).update(running=running)
    assert [seat.score for seat in overlays.build_view(overlay, now=desk.now).seats] == [3, 1]
    assert {overlay.topic, f"event.{desk.event.key}"} <= set(seen.topics)
    desk.play(row.key)
    assert overlays.build_view(overlay, now=desk.now).seats == ()


def test_its_address_is_secret_and_a_new_one_ends_the_old(desk: Desk, table: Table, client: Client) -> None:
    overlay = overlays.load_overlay(table=table, by=desk.director)
    old = overlay.secret
    for name in ("venue:overlay", "venue:overlay_state"):
        address = reverse(name, args=[table.key])
        assert client.get(address).status_code == 404
        assert client.get(address, {"secret": old[:-1] + "é"}).status_code == 404
        assert client.get(address, {"secret": old}).status_code == 200
    assert reverse("venue:overlay", args=[table.key]) == f"/overlay/{table.key}"
    overlays.renew_secret(overlay=overlay, by=desk.director, now=desk.now)
    assert client.get(f"/overlay/{table.key}", {"secret": old}).status_code == 404
    assert client.get(f"/overlay/{table.key}", {"secret": overlay.secret}).status_code == 200


def test_a_director_says_how_it_looks_and_how_late_it_is(desk: Desk, table: Table, client: Client) -> None:
    client.force_login(desk.director)
    page = reverse("venue:table_overlay", args=[desk.club.slug, table.key])
    assert f"/overlay/{table.key}?secret=" in client.get(page).content.decode()
    assert client.post(page, {"layout": "sides", "delay": "121"}).status_code == 422
    client.post(page, {"layout": "sides", "delay": "120"})
    table.overlay.refresh_from_db()
    assert (table.overlay.layout, table.overlay.delay) == ("sides", 120)
    with pytest.raises(BadDelay):
        overlays.change_settings(
            overlay=table.overlay, by=desk.director, layout=Layout.BAR, delay=121, now=desk.now
        )
    before = table.overlay.secret
    client.post(page, {"renew": "1"})
    table.overlay.refresh_from_db()
    assert table.overlay.secret != before


def test_only_directors_set_an_overlay_up(desk: Desk, table: Table) -> None:
    guest = accounts.register(email="g@example.org", password=None, name="Gus", now=desk.now)
    overlay = overlays.load_overlay(table=table, by=desk.director)
    for act in (
        lambda: overlays.load_overlay(table=table, by=guest),
        lambda: overlays.change_settings(overlay=overlay, by=guest, layout=Layout.BAR, delay=0, now=desk.now),
        lambda: overlays.renew_secret(overlay=overlay, by=guest, now=desk.now),
    ):
        with pytest.raises(NotDirector):
            act()
