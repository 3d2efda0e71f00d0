"""Shapes of seasons for the API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers

from players.people.player_shapes import build_player_field
from rankings.formulas.season import SCHEMES, SHARING, season_rules
from rankings.seasons.season_pages import format_plain_points
from runtime.http.answers import Answer, about
from runtime.http.strict_fields import StrictFields
from tournaments.base import local_times

if TYPE_CHECKING:
    from rankings.models import Season


class SeasonRulesShape(StrictFields):
    """The rules by which a season's points are counted; a missing rule has its default."""

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


class SeasonChange(StrictFields):
    """The settings of a season; the rules are given in full."""

    name = serializers.CharField(max_length=80)
    from_day = serializers.DateField(
        validators=[local_times.validate_moment],
        help_text="Events that begin on this day or later, by the club's clock.",
    )
    to_day = serializers.DateField(
        validators=[local_times.validate_moment], help_text="The last day, within two years."
    )
    series = serializers.CharField(
        max_length=80, required=False, allow_blank=True, help_text="Only events whose name has these words."
    )
    rules = SeasonRulesShape(required=False)


class SeasonShape(SeasonChange):
    """A series of a club's events with one table of points."""

    key = serializers.CharField(read_only=True)
    club = serializers.SlugField(help_text="The club's address.")


class SeasonStandingAnswer(Answer):
    """A player's place in a season."""

    place: int = about("Players with the same points share it.")
    events: int = about("How many they took part in.")
    points: str = about("With two decimals.", source=lambda row: f"{row.points:.2f}")
    player: dict[str, Any] = build_player_field()


class SeasonResultAnswer(Answer):
    """A player's points from an event of a season."""

    for_place: str = about(source=lambda row: f"{row.for_place:.2f}")
    earned: str = about("For the place and for taking part.", source=lambda row: f"{row.earned:.2f}")
    points: str = about("What time has left of them.", source=lambda row: f"{row.points:.2f}")
    place: int | None
    counts: bool = about("Whether it is among their best.")
    event: str = about("The event's key.", source="event.key")
    player: str = about("The player's key.", source="player.key")


def serialize_season(row: Season) -> dict[str, Any]:
    rules = season_rules(row.rules)
    return {
        **{name: getattr(row, name) for name in ("key", "name", "from_day", "to_day", "series")},
        "club": row.club.slug,
        "rules": {
            **{name: getattr(rules, name) for name in ("scheme", "sharing", "by_field", "best", "decay")},
            "places": [format_plain_points(points) for points in rules.places],
            "attendance": format_plain_points(rules.attendance),
        },
    }
