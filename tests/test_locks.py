"""The checks of locks: a wrong order and a missing lock are seen."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

import pytest
from django.db import transaction

from matches.models import Match
from matches.watch import player_matches
from players import hooks
from players.accounts import accounts, tokens
from players.clubs import clubs, merging
from players.models import Player, Scope
from runtime.hooks import Hook
from tests.locks import NotLocked, WrongOrder
from tournaments.models import Tournament
from tournaments.play import merging as event_merging

pytestmark = pytest.mark.django_db


def lock(*models: type) -> None:
    for model in models:
        list(model.objects.select_for_update())  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "models", [(Tournament, Match, Player), (Tournament, Player), (Player, Player), (Match,)]
)
def test_the_lock_order_passes(models: tuple[type, ...]) -> None:
    with transaction.atomic():
        lock(*models)


@pytest.mark.parametrize("models", [(Player, Tournament), (Match, Tournament), (Tournament, Player, Match)])
def test_any_other_order_is_seen(models: tuple[type, ...]) -> None:
    with pytest.raises(WrongOrder), transaction.atomic():
        lock(*models)


def test_each_transaction_begins_anew() -> None:
    for models in ((Player,), (Match,), (Tournament,)):
        with transaction.atomic():
            lock(*models)


def test_events_and_matches_are_held_before_the_players_they_belong_to(
    now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = accounts.register(email="ann@example.org", password=None, name="Ann", now=now)
    guest = clubs.add_guest(club=clubs.create(owner=ann, name="Here", now=now), name="Gus", by=ann, now=now)
    asked: list[tuple[str, list[int]]] = []
    monkeypatch.setattr(hooks, "LOCKS", Hook())

    def lock_matches(leaving: Collection[int]) -> None:
        asked.append(("matches", sorted(leaving)))
        player_matches.lock_matches(leaving)

    def lock_events(leaving: Collection[int]) -> None:
        asked.append(("events", sorted(leaving)))
        event_merging.lock_events(leaving)

    hooks.LOCKS.add(hooks.LOCK_MATCHES, lock_matches)
    hooks.LOCKS.add(hooks.LOCK_EVENTS, lock_events)
    with transaction.atomic():
        merging.merge_players(kept=ann.player, dropped=guest, by=None, now=now)
    assert asked == [("events", [guest.pk]), ("matches", [guest.pk])]


def test_a_write_without_its_lock_is_seen(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = accounts.register(email="ann@example.org", password=None, name="Ann", now=now)
    tokens.create(user=ann, name="One", scope=Scope.READ, now=now)
    monkeypatch.setattr(tokens, "_lock_player", lambda _user: None)
    with pytest.raises(NotLocked):
        tokens.create(user=ann, name="Another", scope=Scope.READ, now=now)
