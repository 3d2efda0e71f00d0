"""Each address that creates something does so once for an Idempotency-Key."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db.models import Model

from money.auction import auctions
from money.models import AuctionLine, AuctionLot, MoneyPool
from players.models import Membership, Webhook
from tests.world import World
from tournaments.models import Friendly, Series, Tournament
from tournaments.play import directing

EVENT = "/api/v1/events/pubpubpubp"


def build_requests(world: World) -> dict[type[Model], tuple[str, dict[str, Any]]]:
    """Return, by what it creates, an address and a request."""
    club, other = world.club.slug, world.users["director"]
    return {
        Tournament: (
            "/api/v1/events/",
            {"club": club, "name": "Friday", "starts_at": "2099-01-02T19:00:00Z"},
        ),
        Series: (
            "/api/v1/series/",
            {
                "club": club,
                "name": "Fridays",
                "weekday": 4,
                "at": "20:15",
                "days_before": 3,
                "like": "runrunrunr",
            },
        ),
        Friendly: ("/api/v1/friendlies/", {"club": club, "opponent": other.player.key, "length": 5}),
        Webhook: (f"/api/v1/clubs/{club}/webhooks/", {"url": "https://93.184.216.34/hook"}),
        Membership: (f"/api/v1/clubs/{club}/guests/", {"name": "Gus"}),
        MoneyPool: (f"{EVENT}/money/pools/", {"name": "Bar", "stake": 500}),
        AuctionLot: (f"{EVENT}/auction/lots/", {"players": [1]}),
        AuctionLine: (f"{EVENT}/auction/lines/", {"act": "sell", "lot": 1, "amount": 300, "buyer": "Greta"}),
    }


@pytest.mark.parametrize(
    "model", [Tournament, Series, Friendly, Webhook, Membership, MoneyPool, AuctionLot, AuctionLine]
)
def test_a_repeated_request_creates_nothing_more(world: World, model: type[Model]) -> None:
    client = world.client("owner")

    def send(path: str, body: dict[str, Any], key: str = "one of this test") -> Any:
        return client.post(
            path, json.dumps(body), content_type="application/json", headers={"Idempotency-Key": key}
        )

    published: dict[str, Any] = {
        "tournament_id": world.events["published"].pk,
        "by": world.users["owner"],
        "now": world.now,
    }
    directing.admit_guest(name="Ann", **published)
    if model is AuctionLine:
        auctions.add_lot(players=[1], **published)
    path, body = build_requests(world)[model]
    first = send(path, body)
    assert first.status_code == 201, first.content
    count = model._base_manager.count()

    again = send(path, body)

    assert (again.status_code, again.json()) == (201, first.json())
    assert model._base_manager.count() == count
