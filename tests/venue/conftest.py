from __future__ import annotations

import pytest
from django.test import Client

from tests.tournaments.event_desk import Desk, a_plan
from venue.models import Room
from venue.rooms import rooms


@pytest.fixture
def room(desk: Desk, client: Client) -> Room:
    """A room of two tables, an event of eight in it, and its director at the desk."""
    found = rooms.open_room(club=desk.club, by=desk.director, name="Lamp Room", labels="1-2", now=desk.now)
    desk.announce(a_plan("single-elimination"), 8)
    client.force_login(desk.director)
    return found
