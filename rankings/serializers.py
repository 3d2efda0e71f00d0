"""What the API tells of rating lists, and how it is described."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rest_framework import serializers

from players.serializers import PlayerSerializer
from rankings.selectors.page import params
from runtime import uids

if TYPE_CHECKING:
    from datetime import datetime

    from rankings.models import LedgerEntry, PlayerRating, Policy, RatingList

Shape = serializers.Serializer[Any]
TAG: Final = "rankings"


class PolicyShape(Shape):
    """A version of what a list rates."""

    number = serializers.IntegerField()
    from_at = serializers.DateTimeField(help_text="It holds for matches that were opened from then on.")
    shortest = serializers.IntegerField()
    longest = serializers.IntegerField()
    played = serializers.CharField(help_text="any, board or live.")
    provisional_under = serializers.IntegerField(help_text="Points of experience.")


class ListShape(Shape):
    """A rating list."""

    key = serializers.CharField()
    club = serializers.CharField(help_text="The club's address.")
    name = serializers.CharField()
    about = serializers.CharField()
    system = serializers.CharField(help_text="fibs, elo or glicko2.")
    params = serializers.DictField(help_text="All parameters, also those that are as usual.")
    policies = PolicyShape(many=True, help_text="Every version, the first first.")


class RatingShape(Shape):
    """Where a player stands in a list."""

    list = serializers.CharField(help_text="The list's key.")
    place = serializers.IntegerField(help_text="Whoever shows the same figure shares it.")
    provisional = serializers.BooleanField(help_text="It stands below all that are not.")
    player = PlayerSerializer()
    rating = serializers.FloatField()
    deviation = serializers.FloatField(help_text="0 where the system has none.")
    volatility = serializers.FloatField(help_text="0 where the system has none.")
    experience = serializers.IntegerField(help_text="The lengths of all rated matches added up.")
    matches = serializers.IntegerField()
    last_at = serializers.DateTimeField(help_text="When their last rated match was finished.")


class LedgerEntryShape(Shape):
    """What a match did to one of its players: `change` is `k` x `weight` x (1 or 0 - `expectancy`)."""

    match = serializers.UUIDField(help_text=uids.ABOUT)
    event = serializers.CharField(help_text="The event's key.")
    at = serializers.DateTimeField(help_text="When the match was finished.")
    player = serializers.CharField(help_text="The player's key.")
    opponent = serializers.CharField(help_text="The opponent's key.")
    won = serializers.BooleanField()
    length = serializers.IntegerField()
    policy = serializers.IntegerField(help_text="The number of the version that rated it.")
    before = serializers.FloatField()
    opponent_before = serializers.FloatField()
    expectancy = serializers.FloatField()
    weight = serializers.FloatField()
    k = serializers.FloatField()
    change = serializers.FloatField()
    after = serializers.FloatField()
    experience = serializers.IntegerField()
    deviation = serializers.FloatField()
    volatility = serializers.FloatField()


def policy(row: Policy) -> dict[str, Any]:
    """Tell a version of a policy."""
    return _plain(row, PolicyShape())


def rating_list(row: RatingList) -> dict[str, Any]:
    """Tell a list; its policies are there already."""
    return {
        **{name: getattr(row, name) for name in ("key", "name", "about", "system")},
        "club": row.club.slug,
        "params": dict(params(row)),
        "policies": [policy(each) for each in row.policies.all()],
    }


def rating(row: PlayerRating, place: int, least: int) -> dict[str, Any]:
    """Tell where a player stands."""
    last_at: datetime = row.last.at
    return {
        "list": row.list.key,
        "place": place,
        "provisional": row.last.experience < least,
        "player": PlayerSerializer(row.player).data,
        "rating": row.rating,
        "deviation": row.last.deviation,
        "volatility": row.last.volatility,
        "experience": row.last.experience,
        "matches": row.matches,
        "last_at": last_at,
    }


def entry(row: LedgerEntry) -> dict[str, Any]:
    """Tell an entry of the ledger."""
    names = {"player": row.player.key, "opponent": row.opponent.key, "event": row.event.key}
    return {**_plain(row, LedgerEntryShape()), **names, "policy": row.policy.number}


def _plain(row: Policy | LedgerEntry, shape: Shape) -> dict[str, Any]:
    return {str(name): getattr(row, str(name)) for name in shape.fields}
