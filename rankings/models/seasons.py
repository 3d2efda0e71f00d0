"""Series of events with one table of points."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from players.keys import new_key


class Season(models.Model):
    club = models.ForeignKey("players.Club", on_delete=models.CASCADE, related_name="seasons")
    key = models.CharField(max_length=10, unique=True, default=new_key, editable=False)
    name = models.CharField(_("name"), max_length=80)
    # Events that begin on one of these days, in the club's time zone.
    from_day = models.DateField(_("first day"))
    to_day = models.DateField(_("last day"))
    # Only events whose name has these words; if empty, every event of the club.
    series = models.CharField(_("series"), max_length=80, blank=True)
    # Differences from the defaults (`formulas.season.SeasonRules`).
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
    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="points")
    event = models.ForeignKey("tournaments.Tournament", on_delete=models.CASCADE, related_name="+")
    player = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="+")
    # None if the player took part and was not placed.
    place = models.PositiveSmallIntegerField(_("place"), null=True, blank=True)
    for_place = models.DecimalField(_("points for the place"), max_digits=12, decimal_places=2)
    earned = models.DecimalField(_("points in all"), max_digits=12, decimal_places=2)
    # After decay.
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
