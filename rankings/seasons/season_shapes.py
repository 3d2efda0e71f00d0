"""What the API says of seasons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers

from players.people.player_shapes import PlayerSerializer
from rankings.formulas.season import SCHEMES, SHARING, season_rules
from rankings.ledger.ledger_shapes import Shape
from rankings.seasons.season_pages import plain

if TYPE_CHECKING:
    from rankings.models import Season, SeasonPoints, SeasonStanding


class SeasonRulesShape(Shape):
    """How a season's points are counted; what is not given is as usual."""

    places = serializers.ListField(
        child=serializers.CharField(max_length=8),
        max_length=64,
        required=False,
        help_text='Points from first place down, with at most two decimals: ["10", "7.5"].',
    )
    attendance = serializers.CharField(
        max_length=8, required=False, help_text="Points for having taken part, whatever the place."
    )
    scheme = serializers.ChoiceField(
        choices=[(name, name) for name in SCHEMES],
        required=False,
        help_text="table: points by place as given. master: master points for each match won and for the place.",
    )
    sharing = serializers.ChoiceField(
        choices=[(name, name) for name in SHARING],
        required=False,
        help_text="Those who share a place: the average of the places they take up, or the points of the highest.",
    )
    by_field = serializers.BooleanField(
        required=False, help_text="Whether the points for a place are multiplied by the number of players."
    )
    best = serializers.IntegerField(
        min_value=0, max_value=366, required=False, help_text="So many events of each player count; 0: all."
    )
    decay = serializers.IntegerField(
        min_value=0,
        max_value=100,
        required=False,
        help_text="Per cent lost with each month between an event and the last one of the season.",
    )


class SeasonChange(Shape):
    """What a season counts; the rules are given in full."""

    name = serializers.CharField(max_length=80)
    from_day = serializers.DateField(help_text="Events that begin on this day or later, by the club's clock.")
    to_day = serializers.DateField(help_text="The last day, within two years.")
    series = serializers.CharField(
        max_length=80, required=False, allow_blank=True, help_text="Only events whose name has these words."
    )
    rules = SeasonRulesShape(required=False)


class SeasonShape(SeasonChange):
    """A series of a club's events with one table of points."""

    key = serializers.CharField(read_only=True)
    club = serializers.SlugField(help_text="The club's address.")


class SeasonStandingShape(Shape):
    """Where a player stands in a season."""

    place = serializers.IntegerField(help_text="Players with the same points share it.")
    player = PlayerSerializer()
    points = serializers.CharField(help_text="With two decimals.")
    events = serializers.IntegerField(help_text="How many they took part in.")


class SeasonResultShape(Shape):
    """What an event of a season gave to a player."""

    event = serializers.CharField(help_text="The event's key.")
    player = serializers.CharField(help_text="The player's key.")
    place = serializers.IntegerField(allow_null=True)
    for_place = serializers.CharField()
    earned = serializers.CharField(help_text="For the place and for taking part.")
    points = serializers.CharField(help_text="What time has left of them.")
    counts = serializers.BooleanField(help_text="Whether it is among their best.")


def season(row: Season) -> dict[str, Any]:
    """Tell what a season counts."""
    rules = season_rules(row.rules)
    return {
        **{name: getattr(row, name) for name in ("key", "name", "from_day", "to_day", "series")},
        "club": row.club.slug,
        "rules": {
            **{name: getattr(rules, name) for name in ("scheme", "sharing", "by_field", "best", "decay")},
            "places": [plain(points) for points in rules.places],
            "attendance": plain(rules.attendance),
        },
    }


def season_standing(row: SeasonStanding) -> dict[str, Any]:
    """Tell where a player stands."""
    return {
        **{name: getattr(row, name) for name in ("place", "events")},
        "points": f"{row.points:.2f}",
        "player": PlayerSerializer(row.player).data,
    }


def season_result(row: SeasonPoints) -> dict[str, Any]:
    """Tell what an event gave."""
    return {
        **{name: f"{getattr(row, name):.2f}" for name in ("for_place", "earned", "points")},
        **{name: getattr(row, name) for name in ("place", "counts")},
        "event": row.event.key,
        "player": row.player.key,
    }
