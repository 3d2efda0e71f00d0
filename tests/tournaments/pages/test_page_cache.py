"""The cache of pages shared by members and visitors: never stale, after any change at desks and boards."""

from __future__ import annotations

from datetime import datetime
from random import Random

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.translation import override

from matches.models import Match
from tests.matches.support import Table
from tests.tournaments.held import hold
from tests.tournaments.pages.test_shared_pages import Night
from tests.tournaments.support import text, url
from tournaments.base import event_view
from tournaments.models import Tournament
from tournaments.pages import event_parts, page_cache, page_versions

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("standing_clock")]


class AtTable(Table):
    """Two who play at a board that was laid out for them."""

    def __init__(self, match: Match, now: datetime, seed: int) -> None:
        self.match, self.white, self.black = match, match.white, match.black
        self.now, self.rng = now, Random(seed)
        self.chained, self.chains = frozenset(), {}
        self.given, self._seen = 0, None


@pytest.fixture
def night(db: None, now: datetime, monkeypatch: pytest.MonkeyPatch) -> Night:
    made = Night(now)
    monkeypatch.setattr(timezone, "now", lambda: made.desk.now)
    made.draw()
    return made


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_after_every_move_the_board_that_is_kept_is_the_one_that_would_be_drawn(
    night: Night, seed: int
) -> None:
    desk, chance = night.desk, Random(seed)
    match, _users = night.board()
    table = AtTable(match, desk.now, seed)
    seen = set()
    for _ in range(25):
        hold(desk)
        if table.state.match.is_over:
            break
        table.wait(seconds=chance.choice([1, 7, 200]))
        desk.now = table.now
        if chance.random() < 0.1 and desk.open():
            row = desk.open()[0]
            if row.match_id is None:
                desk.play(row.key)
                continue
        table.act()
        seen |= {tile.svg for tile in hold(desk).boards}
    assert len(seen) > 5, "nothing has moved"


@pytest.mark.long
def test_two_members_are_given_what_was_read_for_one(night: Night, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    whole = event_view.load_view
    monkeypatch.setattr(
        event_view, "load_view", lambda event, **how: read.append(event.key) or whole(event, **how)
    )
    key, slug = night.desk.event.key, night.desk.club.slug
    clients = [Client() for _ in range(2)]
    for client, name in zip(clients, ("Ann", "Ben"), strict=True):
        client.force_login(night.users[name])
        for address in (url("event", key), url("bracket", key), url("club_events", slug), "/"):
            assert client.get(address).status_code == 200
    assert read == [key]

    night.desk.play(night.desk.open()[0].key)
    assert "<strong>1 of " in text(clients[0].get(url("event", key)))
    assert read == [key, key]


def test_each_language_has_its_own(night: Night) -> None:
    titles = {}
    for language in ("en", "de"):
        with override(language):
            legs = event_parts.load_parts(night.desk.event.key, now=night.desk.now).progress.legs
            titles[language] = [leg.title for leg in legs]
    assert titles["en"] != titles["de"]


def test_without_the_mark_what_is_old_is_noticed(night: Night, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_versions, "compute_event_key", lambda key, *, now: (key,))
    hold(night.desk)
    night.desk.play(night.desk.open()[0].key)
    with pytest.raises(AssertionError):
        hold(night.desk)


def test_a_draft_is_not_kept(db: None, now: datetime) -> None:
    evening = Night(now)
    event_parts.load_parts(evening.desk.event.key, now=now)
    assert len(page_cache.CACHE) == 1
    page_cache.CACHE.clear()
    Tournament.objects.filter(pk=evening.desk.pk).update(status="DRAFT")
    event_parts.load_parts(evening.desk.event.key, now=now)
    assert len(page_cache.CACHE) == 0
