"""Lists published for a day."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from rankings.models.lists import RatingList


class DatedList(models.Model):
    """A list published for a day, from the matches finished before it; it never changes."""

    list = models.ForeignKey(RatingList, on_delete=models.CASCADE, related_name="dated_lists")
    day = models.DateField(_("day"))
    # The beginning of that day in the club's time zone.
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
    dated_list = models.ForeignKey(DatedList, on_delete=models.CASCADE, related_name="ratings")
    player = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="+")
    place = models.PositiveIntegerField(_("place"))
    # The place in the previous dated list; None if the player is new.
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
    """A match before the previous dated list whose result changed since; listed with the next dated list."""

    dated_list = models.ForeignKey(DatedList, on_delete=models.CASCADE, related_name="corrections")
    event = models.ForeignKey("tournaments.Tournament", on_delete=models.CASCADE, related_name="+")
    match = models.UUIDField(_("match"))
    at = models.DateTimeField(_("finished"))
    a = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="+")
    b = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="+")
    # The winner when the previous dated list was made, and now; None if the match was, or is, not rated.
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
