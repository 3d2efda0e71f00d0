"""What the API says of rating lists, live and dated, and of how good their chances are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rest_framework import serializers

from players.people.player_shapes import PlayerSerializer
from rankings.ledger.ledger_shapes import Shape, fields_of
from rankings.lists.list_pages import params
from rankings.models import DatedEach, Reach
from runtime import uids

if TYPE_CHECKING:
    from rankings.chances.calibration import Calibration
    from rankings.models import DatedCorrection, DatedRating, PlayerRating, Policy, RatingList

LIST_FIELDS: Final = ("key", "name", "about", "reach", "system", "dated", "dated_at")


class PolicyShape(Shape):
    """A version of what a list rates."""

    number = serializers.IntegerField()
    from_at = serializers.DateTimeField(help_text="It holds for matches that were opened from then on.")
    shortest = serializers.IntegerField()
    longest = serializers.IntegerField()
    played = serializers.CharField(help_text="any, board or live.")
    rules = serializers.CharField(
        help_text="any, or usual: for points, with cube, Crawford, gammons and backgammons, without Jacoby."
    )
    friendlies = serializers.BooleanField(
        help_text="Whether matches of no event count that two members agreed on before."
    )
    provisional_under = serializers.IntegerField(help_text="Points of experience.")
    inactive_after = serializers.IntegerField(
        help_text="Months without a rated match after which somebody is inactive; 0: never."
    )


class ListShape(Shape):
    """A rating list."""

    key = serializers.CharField()
    club = serializers.CharField(help_text="The club's address.")
    name = serializers.CharField()
    about = serializers.CharField()
    reach = serializers.ChoiceField(
        choices=Reach.choices,
        help_text="Whose matches it rates: of its club, of the clubs of its group, or of the whole site.",
    )
    system = serializers.CharField(help_text="fibs, elo or glicko2.")
    params = serializers.DictField(help_text="All parameters, also those that are as usual.")
    policies = PolicyShape(many=True, help_text="Every version, the first first.")
    dated = serializers.ChoiceField(
        choices=DatedEach.choices, help_text="How often it is published with a date: week, month or never."
    )
    dated_at = serializers.DateTimeField(
        allow_null=True, help_text="When the next dated list is due: midnight by the club's clock."
    )


class DatedChange(Shape):
    """What can be changed of a list."""

    dated = serializers.ChoiceField(choices=DatedEach.choices, help_text="Empty for: no longer.")


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


class DatedListShape(Shape):
    """A list as it was published for a day; it never changes."""

    list = serializers.CharField(help_text="The list's key.")
    day = serializers.DateField()
    at = serializers.DateTimeField(help_text="What was finished before then counts.")
    made_at = serializers.DateTimeField()
    players = serializers.IntegerField()
    corrections = serializers.IntegerField(
        help_text="Matches from before the last dated list that were corrected since."
    )


class DatedRatingShape(Shape):
    """Where a player stood in a dated list."""

    place = serializers.IntegerField(help_text="Whoever shows the same figure shares it.")
    was_place = serializers.IntegerField(allow_null=True, help_text="In the dated list before; null: new.")
    provisional = serializers.BooleanField()
    player = PlayerSerializer()
    rating = serializers.FloatField()
    deviation = serializers.FloatField(help_text="0 where the system has none.")
    experience = serializers.IntegerField()
    matches = serializers.IntegerField()


class DatedCorrectionShape(Shape):
    """A match from before the last dated list that counts otherwise since."""

    match = serializers.UUIDField(help_text=uids.ABOUT)
    event = serializers.CharField(help_text="The event's key.")
    at = serializers.DateTimeField(help_text="When the match was finished.")
    a = serializers.CharField(help_text="A player's key.")
    b = serializers.CharField(help_text="The other's key.")
    was_won_by = serializers.CharField(
        allow_null=True, help_text="The winner's key, in the list before; null: it was not rated."
    )
    won_by = serializers.CharField(allow_null=True, help_text="The winner's key; null: it is not rated.")


def policy(row: Policy) -> dict[str, Any]:
    """Tell a version of a policy."""
    return fields_of(row, PolicyShape())


def rating_list(row: RatingList) -> dict[str, Any]:
    """Tell a list; its policies are there already."""
    return {
        **{name: getattr(row, name) for name in LIST_FIELDS},
        "club": row.club.slug,
        "params": dict(params(row)),
        "policies": [policy(each) for each in row.policies.all()],
    }


def rating(row: PlayerRating, place: int, least: int) -> dict[str, Any]:
    """Tell where a player stands."""
    return {
        "list": row.list.key,
        "place": place,
        "provisional": row.experience < least,
        "player": PlayerSerializer(row.player).data,
        "rating": row.rating,
        "deviation": row.last.deviation,
        "volatility": row.last.volatility,
        "experience": row.experience,
        "matches": row.matches,
        "last_at": row.last_at,
    }


def dated_list(row: Any, rating_list: RatingList) -> dict[str, Any]:
    """Tell of a dated list, as `selectors.dated.published` found it."""
    return {
        "list": rating_list.key,
        "day": row.day,
        "at": row.at,
        "made_at": row.made_at,
        "players": row.players,
        "corrections": row.corrected,
    }


def dated_rating(row: DatedRating) -> dict[str, Any]:
    """Tell where a player stood."""
    names = ("place", "was_place", "rating", "deviation", "experience", "matches")
    return {
        **{name: getattr(row, name) for name in names},
        "provisional": row.is_provisional,
        "player": PlayerSerializer(row.player).data,
    }


def dated_correction(row: DatedCorrection) -> dict[str, Any]:
    """Tell what was corrected."""
    return {
        "match": row.match,
        "event": row.event.key,
        "at": row.at,
        "a": row.a.key,
        "b": row.b.key,
        "was_won_by": row.was_won_by.key if row.was_won_by else None,
        "won_by": row.won_by.key if row.won_by else None,
    }


class CalibrationBinShape(Shape):
    """Matches with about the same favourite."""

    low = serializers.IntegerField(help_text="The favourite's chance in per cent, from here ...")
    high = serializers.IntegerField(help_text="... to below here.")
    matches = serializers.IntegerField()
    expected = serializers.FloatField(help_text="The mean chance, between 0 and 1.")
    won = serializers.FloatField(help_text="The share of these matches that the favourite won.")


class CalibrationShape(Shape):
    """What a list predicted and what happened."""

    matches = serializers.IntegerField()
    brier = serializers.FloatField(
        allow_null=True, help_text="The mean of (chance - 1 or 0) squared; null: no match yet."
    )
    shows_chances = serializers.BooleanField(
        help_text="Whether chances are shown: 200 results with a Brier score under 0.25."
    )
    bins = CalibrationBinShape(many=True)


def calibration(found: Calibration) -> dict[str, Any]:
    """Tell what was predicted and what happened."""
    names = ("low", "high", "matches", "expected", "won")
    return {
        "matches": found.score.matches,
        "brier": found.score.brier,
        "shows_chances": found.score.is_good,
        "bins": [{name: getattr(each, name) for name in names} for each in found.bins],
    }
