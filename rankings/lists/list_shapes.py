"""Shapes of rating lists for the API, live and dated, of their calibration, of title chances and of rated matches."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.utils import timezone
from rest_framework import serializers

from players.people.players_api import ApiNameField, build_player_field
from rankings.lists.list_pages import list_params
from rankings.lists.lists import LONGEST_AWAY
from rankings.models import DatedInterval, PlayMedium, Reach, RulesOfPlay
from runtime.http.answers import Answer, about
from runtime.http.strict_fields import StrictFields
from runtime.rows import ABOUT_UID
from tournaments.base import local_times
from tournaments.models import LONGEST_MATCH


class PolicyAnswer(Answer):
    """A version of a list's policy."""

    number: int
    from_at: datetime = about("It holds for matches that were opened from then on.")
    shortest: int
    longest: int
    played: str = about("any, board or live.")
    rules: str = about(
        "any, or usual: for points, with cube, Crawford, gammons and backgammons, without Jacoby."
    )
    friendlies: bool = about("Whether matches of no event count that two members agreed on before.")
    provisional_under: int = about("Points of experience.")
    inactive_after: int = about("Months without a rated match after which somebody is inactive; 0: never.")


class ListAnswer(Answer):
    """A rating list."""

    key: str
    name: str
    description: str = about(name="about", source="about")
    reach: Reach = about(
        "Whose matches it rates: of its club, of the clubs of its group, or of the whole site."
    )
    system: str = about("fibs, elo or glicko2.")
    dated: DatedInterval = about("How often it is published with a date: week, month or never.")
    dated_at: datetime | None = about("When the next dated list is due: midnight by the club's clock.")
    club: str = about("The club's address.", source="club.slug")
    params: dict[str, Any] = about(
        "All parameters, also those that are as usual.", source=lambda row: dict(list_params(row))
    )
    policies: list[PolicyAnswer] = about(
        "Every version, the first first.", source=lambda row: row.policies.all()
    )


class DatedChange(StrictFields):
    """A change of a list: the interval at which it is published."""

    dated = serializers.ChoiceField(choices=DatedInterval.choices, help_text="Empty for: no longer.")


class PolicyTerms(StrictFields):
    """The settings of a list; a missing field is not changed, in a new list it has its default."""

    shortest = serializers.IntegerField(
        required=False, min_value=1, max_value=LONGEST_MATCH, help_text="The shortest rated match; usually 1."
    )
    longest = serializers.IntegerField(
        required=False, min_value=1, max_value=LONGEST_MATCH, help_text="The longest rated match; usually 25."
    )
    played = serializers.ChoiceField(
        required=False, choices=PlayMedium.choices, help_text="Which matches count; usually any."
    )
    rules = serializers.ChoiceField(
        required=False, choices=RulesOfPlay.choices, help_text="By which rules of play; usually any."
    )
    friendlies = serializers.BooleanField(
        required=False,
        help_text="Whether matches of no event count that two members agreed on before; usually not.",
    )
    provisional_under = serializers.IntegerField(
        required=False, min_value=0, max_value=10_000, help_text="Points of experience; usually 100."
    )
    inactive_after = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=LONGEST_AWAY,
        help_text="Months without a rated match; 0: never; usually 12.",
    )


class PolicyChange(PolicyTerms):
    """The next version of a list's policy."""

    from_at = serializers.DateTimeField(
        required=False,
        allow_null=True,
        validators=[local_times.validate_moment],
        help_text="It holds for matches that are opened from then on; left out: from now on.",
    )


class ListOpening(StrictFields):
    """A new list. Its system and reach never change."""

    club = serializers.SlugField(help_text="The address of the club that keeps it.")
    name = ApiNameField(max_length=80)
    about = serializers.CharField(
        required=False, allow_blank=True, max_length=2000, help_text="Words of its own, on its page."
    )
    system = serializers.CharField(max_length=20, help_text="fibs, elo or glicko2.")
    params = serializers.DictField(
        required=False, help_text='Parameters that are not as published, such as {"tau": 0.3}.'
    )
    reach = serializers.ChoiceField(
        choices=Reach.choices,
        default=Reach.CLUB,
        help_text="Whose matches: of the club, of the group of clubs that it leads, or, for administrators, of the whole site.",
    )
    dated = serializers.ChoiceField(
        choices=DatedInterval.choices,
        default=DatedInterval.NEVER,
        help_text="How often it is published with a date.",
    )
    has_past = serializers.BooleanField(
        default=True, help_text="Whether matches are rated that have been played already."
    )
    policy = PolicyTerms(required=False, help_text="What it rates; left out: everything, as is usual.")


class RatingAnswer(Answer):
    """A player's place in a list."""

    list: str = about("The list's key.", source="list.key")
    place: int = about("Whoever shows the same figure shares it.")
    provisional: bool = about("It stands below all that are not.")
    player: dict[str, Any] = build_player_field()
    rating: float
    deviation: float = about("At the end of this month; 0 where the system has none.")
    volatility: float = about("0 where the system has none.", source="last.volatility")
    experience: int = about("The lengths of all rated matches added up.")
    matches: int
    last_at: datetime = about("When their last rated match was finished.")


class DatedListAnswer(Answer):
    """A list published for a day; it never changes."""

    list: str = about("The list's key.")
    day: date
    at: datetime = about("What was finished before then counts.")
    made_at: datetime
    players: int
    corrections: int = about(
        "Matches from before the last dated list that were corrected since.", source="corrected"
    )


class DatedRatingAnswer(Answer):
    """A player's place in a dated list."""

    place: int = about("Whoever shows the same figure shares it.")
    was_place: int | None = about("In the dated list before; null: new.")
    rating: float
    deviation: float = about("0 where the system has none.")
    experience: int
    matches: int
    provisional: bool = about(source="is_provisional")
    player: dict[str, Any] = build_player_field()


class DatedCorrectionAnswer(Answer):
    """A match from before the previous dated list whose result has changed since."""

    match: UUID = about(ABOUT_UID)
    event: str = about("The event's key.", source="event.key")
    at: datetime = about("When the match was finished.")
    a: str = about("A player's key.", source="a.key")
    b: str = about("The other's key.", source="b.key")
    was_won_by: str | None = about(
        "The winner's key, in the list before; null: it was not rated.", source="was_won_by.key"
    )
    won_by: str | None = about("The winner's key; null: it is not rated.", source="won_by.key")


class CalibrationBinAnswer(Answer):
    """Matches with about the same expectancy of the favourite."""

    low: int = about("The favourite's chance in per cent, from here ...")
    high: int = about("... to below here.")
    matches: int
    expected: float = about("The mean chance, between 0 and 1.")
    won: float = about("The share of these matches that the favourite won.")


class CalibrationAnswer(Answer):
    """The predictions of a list, compared with the results."""

    matches: int = about(source="score.matches")
    brier: float | None = about(
        "The mean of (chance - 1 or 0) squared; null: no match yet.", source="score.brier"
    )
    shows_chances: bool = about(
        "Whether chances are shown: 200 results with a Brier score under 0.25.", source="score.is_good"
    )
    bins: list[CalibrationBinAnswer]


class TitleChanceAnswer(Answer):
    """A player's chance to win the event."""

    entry: int = about("The number of the entry.", source="number")
    player: str = about("The player's key.", source="key")
    name: str
    chance: float = about("Between 0 and 1; a shared first place counts for each.", source="share")


class TitleChancesAnswer(Answer):
    """The title chances of a running event."""

    list: str | None = about("The key of the list by whose ratings; null: nobody may say.", source="list_key")
    computed_at: datetime | None = about(source=lambda seen: timezone.localtime(seen.at))
    runs: int = about("Finishes that were played out; 0: every way was looked at.")
    margin: float = about("How far a chance may be off, 19 times in 20; 0: every way was looked at.")
    chances: tuple[TitleChanceAnswer, ...] = about("The likeliest first.")


class LedgerEntryAnswer(Answer):
    """The effect of a match on one of its players: `change` is `k` x `weight` x (1 or 0 - `expectancy`)."""

    match: UUID = about(ABOUT_UID)
    event: str = about("The event's key.", source="event.key")
    at: datetime = about("When the match was finished.")
    player: str = about("The player's key.", source="player.key")
    opponent: str = about("The opponent's key.", source="opponent.key")
    won: bool
    length: int
    policy: int = about("The number of the version that rated it.", source="policy.number")
    before: float
    opponent_before: float
    expectancy: float
    weight: float
    k: float
    change: float
    after: float
    experience: int
    deviation: float
    volatility: float
