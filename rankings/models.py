"""Rating lists as rows: what is rated and how, what each match did, where everybody stands."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from players.keys import new_key

if TYPE_CHECKING:
    from datetime import datetime


class PlayedWhere(models.TextChoices):
    """Where a match has to be played to be rated."""

    ANYWHERE = "any", _("Over the board and live")
    BOARD = "board", _("Over the board")
    LIVE = "live", _("Live on this site")


class DatedEach(models.TextChoices):
    """How often a list is published with a date, beside the live one."""

    NEVER = "", _("Never")
    WEEK = "week", _("Each week, on Monday")
    MONTH = "month", _("Each month, on the 1st")


class RatingList(models.Model):
    """A list of ratings that a club keeps; its system and the parameters never change."""

    club = models.ForeignKey("players.Club", on_delete=models.CASCADE, related_name="rating_lists")
    key = models.CharField(max_length=10, unique=True, default=new_key, editable=False)
    name = models.CharField(_("name"), max_length=80)
    about = models.TextField(_("about"), max_length=2000, blank=True)
    # By its name in `formulas.systems`: whoever opens a list holds it to that table.
    system = models.CharField(_("system"), max_length=20)
    params = models.JSONField(_("parameters"), default=dict, blank=True)
    dated = models.CharField(
        _("dated lists"), max_length=5, choices=DatedEach, default=DatedEach.NEVER, blank=True
    )
    # When the next dated list is due: midnight by the club's clock. What is due is a column (ADR 42).
    dated_at = models.DateTimeField(_("next dated list"), null=True, blank=True, editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", editable=False
    )
    created_at = models.DateTimeField(_("created"), editable=False)
    # Counts how often what the list shows has become another: what was counted of it is kept for as long.
    version = models.PositiveIntegerField(default=0, db_default=0, editable=False)

    class Meta:
        verbose_name = _("rating list")
        verbose_name_plural = _("rating lists")
        ordering = ("club", "pk")
        constraints = (
            models.UniqueConstraint(fields=["club", "name"], name="one_rating_list_per_club_and_name"),
            models.CheckConstraint(
                condition=Q(dated="", dated_at__isnull=True)
                | Q(dated__in=("week", "month"), dated_at__isnull=False),
                name="rating_list_dated_when_due",
            ),
        )
        indexes = (
            models.Index(
                fields=["dated_at"], condition=Q(dated_at__isnull=False), name="rating_lists_due_for_a_date"
            ),
        )

    def __str__(self) -> str:
        return self.name


class Policy(models.Model):
    """What a list rates from some day on; it is replaced by the next version and never edited."""

    list = models.ForeignKey(RatingList, on_delete=models.CASCADE, related_name="policies")
    number = models.PositiveSmallIntegerField(_("version"))
    # It holds for matches that were opened from then on.
    from_at = models.DateTimeField(_("in force from"))
    shortest = models.PositiveSmallIntegerField(_("shortest match"), default=1)
    longest = models.PositiveSmallIntegerField(_("longest match"), default=25)
    played = models.CharField(_("played"), max_length=5, choices=PlayedWhere, default=PlayedWhere.ANYWHERE)
    # Also matches of no event that both members agreed on before.
    friendlies = models.BooleanField(_("friendlies count"), default=False, db_default=False)
    # Below so many points of experience a rating is marked as provisional.
    provisional_under = models.PositiveSmallIntegerField(_("provisional under"), default=100)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", editable=False
    )
    made_at = models.DateTimeField(_("made"), editable=False)

    class Meta:
        verbose_name = _("policy")
        verbose_name_plural = _("policies")
        ordering = ("list", "number")
        constraints = (
            models.UniqueConstraint(fields=["list", "number"], name="one_policy_per_list_and_number"),
            models.UniqueConstraint(fields=["list", "from_at"], name="one_policy_per_list_and_moment"),
            models.CheckConstraint(
                condition=Q(shortest__gte=1, shortest__lte=F("longest")), name="policy_rates_some_length"
            ),
            models.CheckConstraint(condition=Q(played__in=PlayedWhere.values), name="policy_played_is_known"),
        )

    def __str__(self) -> str:
        return f"{self.list} {self.number}"


class LedgerEntry(models.Model):
    """What a match did to one of its players in one list; an entry that is wrong is voided, and another written."""

    list = models.ForeignKey(RatingList, on_delete=models.CASCADE, related_name="entries")
    event = models.ForeignKey("tournaments.Tournament", on_delete=models.CASCADE, related_name="+")
    # The uid of the pairing: it may fall and come back, and is the same again.
    match = models.UUIDField(_("match"))
    # The order of the ledger: when the match was finished, then its uid.
    at = models.DateTimeField(_("finished"))
    player = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="+")
    opponent = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="+")
    is_a = models.BooleanField()
    won = models.BooleanField(_("won"))
    length = models.PositiveSmallIntegerField(_("length"))
    policy = models.ForeignKey(Policy, on_delete=models.RESTRICT, related_name="+")

    before = models.FloatField(_("before"))
    opponent_before = models.FloatField(_("opponent before"))
    expectancy = models.FloatField(_("expectancy"))
    weight = models.FloatField(_("weight"))
    k = models.FloatField(_("K"))
    change = models.FloatField(_("change"))
    after = models.FloatField(_("after"))
    experience = models.PositiveIntegerField(_("experience"))
    deviation = models.FloatField(_("deviation"))
    volatility = models.FloatField(_("volatility"))

    written_at = models.DateTimeField(_("written"))
    voided_at = models.DateTimeField(_("voided"), null=True, blank=True)

    class Meta:
        verbose_name = _("ledger entry")
        verbose_name_plural = _("ledger entries")
        constraints = (
            models.UniqueConstraint(
                fields=["list", "match", "player"],
                condition=Q(voided_at__isnull=True),
                name="one_entry_per_list_match_player",
            ),
            models.CheckConstraint(
                condition=~Q(player=F("opponent")), name="nobody_is_rated_against_themselves"
            ),
        )
        indexes = (
            models.Index(
                fields=["list", "at", "match"], condition=Q(voided_at__isnull=True), name="ledger_in_order"
            ),
            models.Index(
                fields=["list", "player", "at", "match"],
                condition=Q(voided_at__isnull=True),
                name="ledger_by_player",
            ),
            models.Index(
                fields=["list", "event"], condition=Q(voided_at__isnull=True), name="ledger_by_event"
            ),
        )

    def __str__(self) -> str:
        return f"{self.player_id} {self.change:+.2f}"


class PlayerRating(models.Model):
    """Where a player stands in a list: what their last entry says, kept for the page that shows all."""

    list = models.ForeignKey(RatingList, on_delete=models.CASCADE, related_name="ratings")
    player = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="ratings")
    last = models.ForeignKey(LedgerEntry, on_delete=models.CASCADE, related_name="+")
    rating = models.FloatField(_("rating"))
    matches = models.PositiveIntegerField(_("matches"))
    # As in the last entry, so that the list is read, filtered and counted along one index.
    experience = models.PositiveIntegerField(_("experience"))
    last_at = models.DateTimeField(_("last match"))

    class Meta:
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        constraints = (
            models.UniqueConstraint(fields=["list", "player"], name="one_rating_per_list_and_player"),
        )
        indexes = (
            models.Index(
                fields=["list", "-rating", "player", "experience", "last_at"], name="ratings_in_order"
            ),
        )

    def __str__(self) -> str:
        return f"{self.player} {self.rating:.2f}"


class DatedList(models.Model):
    """A list as it was published for a day: everything that was finished before it; none of it ever changes."""

    list = models.ForeignKey(RatingList, on_delete=models.CASCADE, related_name="dated_lists")
    day = models.DateField(_("day"))
    # The beginning of that day by the club's clock.
    at = models.DateTimeField(_("as of"))
    made_at = models.DateTimeField(_("made"))

    class Meta:
        verbose_name = _("dated list")
        verbose_name_plural = _("dated lists")
        ordering = ("list", "-at")
        constraints = (
            models.UniqueConstraint(fields=["list", "day"], name="one_dated_list_per_list_and_day"),
            models.UniqueConstraint(fields=["list", "at"], name="one_dated_list_per_list_and_moment"),
        )

    def __str__(self) -> str:
        return f"{self.list} {self.day}"


class DatedRating(models.Model):
    """Where a player stood in a dated list."""

    dated_list = models.ForeignKey(DatedList, on_delete=models.CASCADE, related_name="ratings")
    player = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="+")
    place = models.PositiveIntegerField(_("place"))
    # Where they stood in the dated list before; nothing where they are new.
    was_place = models.PositiveIntegerField(_("place before"), null=True, blank=True)
    is_provisional = models.BooleanField(_("provisional"))
    rating = models.FloatField(_("rating"))
    deviation = models.FloatField(_("deviation"))
    experience = models.PositiveIntegerField(_("experience"))
    matches = models.PositiveIntegerField(_("matches"))

    class Meta:
        verbose_name = _("dated rating")
        verbose_name_plural = _("dated ratings")
        constraints = (
            models.UniqueConstraint(fields=["dated_list", "player"], name="one_dated_rating_per_player"),
        )
        indexes = (
            models.Index(fields=["dated_list", "place", "-rating", "player"], name="dated_ratings_in_order"),
        )

    def __str__(self) -> str:
        return f"{self.place} {self.player_id} {self.rating:.2f}"


class DatedCorrection(models.Model):
    """A match from before the last dated list that counts otherwise since: the next dated list notes it."""

    dated_list = models.ForeignKey(DatedList, on_delete=models.CASCADE, related_name="corrections")
    event = models.ForeignKey("tournaments.Tournament", on_delete=models.CASCADE, related_name="+")
    match = models.UUIDField(_("match"))
    at = models.DateTimeField(_("finished"))
    a = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="+")
    b = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="+")
    # Who had won it when the last dated list was made, and who has now; nothing where it was, or is, not rated.
    was_won_by = models.ForeignKey("players.Player", on_delete=models.PROTECT, null=True, related_name="+")
    won_by = models.ForeignKey("players.Player", on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        verbose_name = _("correction")
        verbose_name_plural = _("corrections")
        ordering = ("at", "match")
        constraints = (
            models.UniqueConstraint(
                fields=["dated_list", "match"], name="one_correction_per_dated_list_and_match"
            ),
        )

    def __str__(self) -> str:
        return str(self.match)


class Rebuild(models.Model):
    """A list that is being computed again: its ledger is right before this place, and what it shows is from before."""

    list = models.OneToOneField(RatingList, on_delete=models.CASCADE, related_name="rebuild")
    # From where it is still to be computed; without a time, from the beginning.
    from_at = models.DateTimeField(null=True, blank=True)
    from_match = models.CharField(max_length=32, blank=True)
    # All of the list, because somebody asked for it.
    is_whole = models.BooleanField(default=False)
    # So many matches have been looked at, of so many.
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    asked_at = models.DateTimeField()
    # Who works on it, and until when nobody else does.
    lease = models.CharField(max_length=32, blank=True)
    leased_until = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.list} {self.done}/{self.total}"

    @property
    def place(self) -> tuple[datetime, str] | None:
        """Return the place in the ledger from where it is still to be computed."""
        return None if self.from_at is None else (self.from_at, self.from_match)


class Season(models.Model):
    """A series of a club's events with one table of points."""

    club = models.ForeignKey("players.Club", on_delete=models.CASCADE, related_name="seasons")
    key = models.CharField(max_length=10, unique=True, default=new_key, editable=False)
    name = models.CharField(_("name"), max_length=80)
    # Events that begin on one of these days, by the club's clock.
    from_day = models.DateField(_("first day"))
    to_day = models.DateField(_("last day"))
    # Only events whose name has these words; without them, every event of the club.
    series = models.CharField(_("series"), max_length=80, blank=True)
    # What differs from the usual (`formulas.season.SeasonRules`).
    rules = models.JSONField(_("rules"), default=dict, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", editable=False
    )
    created_at = models.DateTimeField(_("created"), editable=False)

    class Meta:
        verbose_name = _("season")
        verbose_name_plural = _("seasons")
        ordering = ("club", "-from_day", "pk")
        constraints = (
            models.UniqueConstraint(fields=["club", "name"], name="one_season_per_club_and_name"),
            models.CheckConstraint(
                condition=Q(from_day__lte=F("to_day")), name="season_begins_before_it_ends"
            ),
        )

    def __str__(self) -> str:
        return self.name


class SeasonPoints(models.Model):
    """What an event of a season gave to a player."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="points")
    event = models.ForeignKey("tournaments.Tournament", on_delete=models.CASCADE, related_name="+")
    player = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="+")
    # Nothing where they took part and were not placed.
    place = models.PositiveSmallIntegerField(_("place"), null=True, blank=True)
    for_place = models.DecimalField(_("points for the place"), max_digits=12, decimal_places=2)
    earned = models.DecimalField(_("points in all"), max_digits=12, decimal_places=2)
    # What time has left of them.
    points = models.DecimalField(_("points"), max_digits=12, decimal_places=2)
    counts = models.BooleanField(_("counts"))

    class Meta:
        verbose_name = _("points of an event")
        verbose_name_plural = _("points of events")
        constraints = (
            models.UniqueConstraint(
                fields=["season", "event", "player"], name="one_season_result_per_event_and_player"
            ),
        )
        indexes = (models.Index(fields=["season", "player"], name="season_points_by_player"),)

    def __str__(self) -> str:
        return f"{self.player_id} {self.points}"


class SeasonStanding(models.Model):
    """Where a player stands in a season: what their points add up to."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="standings")
    player = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="+")
    place = models.PositiveIntegerField(_("place"))
    points = models.DecimalField(_("points"), max_digits=14, decimal_places=2)
    events = models.PositiveSmallIntegerField(_("events"))

    class Meta:
        verbose_name = _("standing in a season")
        verbose_name_plural = _("standings in seasons")
        constraints = (
            models.UniqueConstraint(fields=["season", "player"], name="one_standing_per_season_and_player"),
        )
        indexes = (models.Index(fields=["season", "place", "player"], name="season_standings_in_order"),)

    def __str__(self) -> str:
        return f"{self.place} {self.player_id} {self.points}"


class OpeningImport(models.Model):
    """Old ratings that came in from elsewhere at one time: looked through, then saved, and undone as a whole."""

    list = models.ForeignKey(RatingList, on_delete=models.CASCADE, related_name="opening_imports")
    source = models.CharField(_("source"), max_length=120)
    # What was in the file, as rows of text; none once it is saved.
    table = models.JSONField(default=builtins.list)
    # The guests it brought in, by number.
    guests = models.JSONField(default=builtins.list)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(_("made"))
    saved_at = models.DateTimeField(_("saved"), null=True, blank=True)
    undone_at = models.DateTimeField(_("undone"), null=True, blank=True)

    class Meta:
        verbose_name = _("import of ratings")
        verbose_name_plural = _("imports of ratings")
        ordering = ("list", "-pk")
        constraints = (
            models.CheckConstraint(
                condition=Q(undone_at__isnull=True) | Q(saved_at__isnull=False),
                name="opening_import_undone_was_saved",
            ),
        )

    def __str__(self) -> str:
        return self.source


class Opening(models.Model):
    """The rating with which a player begins in a list: from elsewhere, and no match of ours."""

    list = models.ForeignKey(RatingList, on_delete=models.CASCADE, related_name="openings")
    opening_import = models.ForeignKey(OpeningImport, on_delete=models.CASCADE, related_name="openings")
    # As it was imported; a merge moves nothing, since it is read by who somebody is now.
    player = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="+")
    day = models.DateField(_("as of"))
    rating = models.FloatField(_("rating"))
    experience = models.PositiveIntegerField(_("experience"), default=0)
    # Nothing where the file said nothing: then it is that of a newcomer.
    deviation = models.FloatField(_("deviation"), null=True, blank=True)
    undone_at = models.DateTimeField(_("undone"), null=True, blank=True)

    class Meta:
        verbose_name = _("opening rating")
        verbose_name_plural = _("opening ratings")
        constraints = (
            models.UniqueConstraint(
                fields=["list", "player"],
                condition=Q(undone_at__isnull=True),
                name="one_opening_per_list_and_player",
            ),
        )

    def __str__(self) -> str:
        return f"{self.player} {self.rating:.2f}"


class TitleChances(models.Model):
    """How likely each is to win a running event, as a worker has last computed it; one row for each such event."""

    event = models.OneToOneField(
        "tournaments.Tournament", on_delete=models.CASCADE, related_name="title_chances"
    )
    # By whose ratings; none where no list may say, and then there are no shares.
    list = models.ForeignKey(RatingList, on_delete=models.CASCADE, null=True, related_name="title_chances")
    # What they were computed from: while it is the same, so are they.
    made_of = models.CharField(max_length=32, blank=True)
    # [[number of the entry, share between 0 and 1], ...], the likeliest first.
    shares = models.JSONField(default=builtins.list, blank=True)
    # So many finishes were played out; 0 where every way to end was looked at.
    runs = models.PositiveIntegerField(default=0)
    computed_at = models.DateTimeField(null=True, blank=True)
    # Since when they wait to be computed again; empty: they are of now.
    asked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("title chances")
        verbose_name_plural = _("title chances")
        indexes = (
            models.Index(
                fields=["asked_at"], name="title_chances_by_asked", condition=Q(asked_at__isnull=False)
            ),
        )

    def __str__(self) -> str:
        return f"{self.event_id}: {len(self.shares)}"
