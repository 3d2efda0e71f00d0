"""The order of locks: what watches over it sees when it is broken."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.db import transaction

from matches.models import Match
from players import hooks
from players.accounts import accounts
from players.clubs import clubs, merging
from players.models import Player
from runtime.hooks import Hook
from tests.locks import WrongOrder
from tournaments.models import Tournament

if TYPE_CHECKING:
    from datetime import datetime

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
    hooks.LOCKS.add(hooks.LOCK_MATCHES, lambda leaving: asked.append(("matches", sorted(leaving))))
    hooks.LOCKS.add(hooks.LOCK_EVENTS, lambda leaving: asked.append(("events", sorted(leaving))))
    with transaction.atomic():
        merging.merge_players(kept=ann.player, dropped=guest, now=now)
    assert asked == [("events", [guest.pk]), ("matches", [guest.pk])]
