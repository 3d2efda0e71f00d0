"""What a page promises, the stream keeps: the token of every page opens every topic it names, to whoever got it."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape

import pytest
from django.db import transaction
from django.utils import timezone

from runtime.stream import rights, tokens
from runtime.stream.rights import Bearer, StreamCheck
from tests import access
from tests.world import World

META = re.compile(rb'<meta name="live" content="([^"]+)">')


@pytest.mark.long
@pytest.mark.share
@pytest.mark.django_db
@pytest.mark.parametrize("role", access.ROLES)
def test_the_token_of_every_page_opens_what_it_names(role: str) -> None:
    world = World(timezone.now() - timedelta(minutes=1))
    world.client(role)
    refused, families = [], set()
    for row in access.rows():
        if row.method != "GET" or row.address.startswith("admin") or row.meets[role] != "200":
            continue
        with transaction.atomic():
            client = world.client(role)
            found = META.search(client.get(world.path(row)).content)
            if found:
                grant = tokens.verify_token(unescape(found[1].decode()))
                session = client.cookies["session"].value if "session" in client.cookies else ""
                families |= {topic.partition(".")[0] for topic in grant.positions}
                (answer,) = rights.check_rights(
                    [StreamCheck(Bearer(grant.who, session), tuple(grant.positions))]
                )
                if not answer.is_allowed:
                    refused.append((row.address, row.case, list(grant.positions)))
            transaction.set_rollback(True)

    assert refused == []
    assert {"club", "event"} <= families
