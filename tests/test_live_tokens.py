"""The stream accepts the token of every page for every topic that the token names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from players.models import Club
from runtime import stream
from runtime.stream import rights, tokens
from runtime.stream.rights import Bearer, StreamCheck
from tests import access
from tests.world import World
from tournaments.models import Tournament

META = re.compile(rb'<meta name="live" content="([^"]+)">')
# Rows that change with an event.
ROWS = re.compile(r'^SELECT.* FROM "((?:tournaments_(?!tournament)|venue_|records_|money_)\w+)"')


def open_pages(world: World, role: str) -> Iterator[tuple[access.Row, Client]]:
    """Yield each page that the role may see, with a browser; what happens there is undone."""
    world.client(role)
    for row in access.rows():
        if row.method == "GET" and not row.address.startswith("admin") and row.meets[role] == "200":
            with transaction.atomic():
                yield row, world.client(role)
                transaction.set_rollback(True)


@pytest.mark.long
@pytest.mark.share
@pytest.mark.django_db
@pytest.mark.parametrize("role", access.ROLES)
def test_the_token_of_every_page_opens_what_it_names(role: str) -> None:
    world = World(timezone.now() - timedelta(minutes=1))
    refused, families = [], set()
    for row, client in open_pages(world, role):
        found = META.search(client.get(world.path(row)).content)
        if found:
            grant = tokens.verify_token(unescape(found[1].decode()))
            session = client.cookies["session"].value if "session" in client.cookies else ""
            families |= {topic.partition(".")[0] for topic in grant.positions}
            (answer,) = rights.check_rights([StreamCheck(Bearer(grant.who, session), tuple(grant.positions))])
            if not answer.is_allowed:
                refused.append((row.address, row.case, list(grant.positions)))

    assert refused == []
    assert {"club", "event"} <= families


@dataclass
class Publishing:
    """Publishes to topics after each statement, so that a topic's number says how many were executed before."""

    topics: list[str]
    statements: list[str] = field(default_factory=list)
    is_busy: bool = False

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        found = execute(sql, params, many, context)
        if not self.is_busy:
            self.is_busy = True
            self.statements.append(sql)
            for topic in self.topics:
                stream.publish(topic, "changed", {}, now=timezone.now())
            self.is_busy = False
        return found

    def list_tables(self, number: int) -> list[str]:
        """List the tables that the first statements read."""
        return [found[1] for sql in self.statements[:number] if (found := ROWS.match(sql))]


@pytest.mark.long
@pytest.mark.django_db
@pytest.mark.parametrize("role", access.ROLES)
def test_the_stream_of_every_page_begins_before_its_data_was_read(role: str) -> None:
    world = World(timezone.now() - timedelta(minutes=1))
    events = Tournament.objects.values_list("key", flat=True)
    clubs = Club.objects.values_list("slug", flat=True)
    topics = [*(f"event.{key}" for key in events), *(f"club.{slug}" for slug in clubs)]
    late, looked = [], 0
    for row, client in open_pages(world, role):
        before = dict(stream.record_positions(*topics).positions)
        publishing = Publishing(topics)
        with connection.execute_wrapper(publishing):
            found = META.search(client.get(world.path(row)).content)
        grant = tokens.verify_token(unescape(found[1].decode())).positions if found else {}
        for topic, position in grant.items():
            if topic in before:
                looked += 1
                tables = publishing.list_tables(position - before[topic])
                # Which events are followed is read from the player's entries.
                if tables and (row.address, tables) != ("careers:me", ["tournaments_entry"]):
                    late.append((row.address, topic, tables))

    assert late == []
    assert looked > 10
