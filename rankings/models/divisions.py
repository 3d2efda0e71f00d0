"""The divisions of a season: their players, and promotion and relegation at its end."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from rankings.formulas import divisions
from rankings.models.seasons import Season


class SeasonMove(models.TextChoices):
    """The move of a player at the end of a season."""

    UP = divisions.UP, pgettext_lazy("division", "goes up")
    STAYS = divisions.STAYS, pgettext_lazy("division", "stays")
    DOWN = divisions.DOWN, pgettext_lazy("division", "goes down")
    OUT = "out", pgettext_lazy("division", "leaves the league")


class SeasonDivision(models.Model):
    """A division of a season; the first is the highest."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="divisions")
    number = models.PositiveSmallIntegerField(_("number"))
    name = models.CharField(_("name"), max_length=80)
    # Numbers of promoted and relegated players; ignored at the top and at the bottom, respectively.
    up = models.PositiveSmallIntegerField(_("Go up"), default=0)
    down = models.PositiveSmallIntegerField(_("Go down"), default=0)

    class Meta:
        verbose_name = _("division")
        verbose_name_plural = _("divisions")
        ordering = ("season", "number")
        constraints = (
            models.UniqueConstraint(fields=["season", "number"], name="one_division_per_season_and_number"),
            models.CheckConstraint(condition=Q(number__gte=1), name="divisions_count_from_one"),
        )

    def __str__(self) -> str:
        return self.name


class SeasonClosing(models.Model):
    """The end of a season: promotion and relegation into the next season, confirmed once by a director."""

    season = models.OneToOneField(Season, on_delete=models.CASCADE, related_name="closing")
    next = models.OneToOneField(Season, on_delete=models.CASCADE, related_name="opened_by")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(_("confirmed"))

    class Meta:
        verbose_name = _("end of a season")
        verbose_name_plural = _("ends of seasons")

    def __str__(self) -> str:
        return f"{self.season} > {self.next}"


class DivisionMember(models.Model):
    """A player of a division; at most one division in a season."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="division_members")
    division = models.ForeignKey(SeasonDivision, on_delete=models.RESTRICT, related_name="members")
    player = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="+")
    # The end of the previous season that placed them here; None if a director did.
    closing = models.ForeignKey(
        SeasonClosing, on_delete=models.CASCADE, null=True, blank=True, related_name="placed"
    )
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(_("placed"))

    class Meta:
        verbose_name = _("player of a division")
        verbose_name_plural = _("players of divisions")
        constraints = (
            models.UniqueConstraint(fields=["season", "player"], name="one_division_per_season_and_player"),
        )

    def __str__(self) -> str:
        return f"{self.player_id} {self.division_id}"


class ClosingMove(models.Model):
    """The move of a player at the end of a season: as proposed by the table, and as confirmed."""

    closing = models.ForeignKey(SeasonClosing, on_delete=models.CASCADE, related_name="moves")
    player = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="+")
    division = models.ForeignKey(SeasonDivision, on_delete=models.CASCADE, related_name="+")
    place = models.PositiveIntegerField(_("place"))
    points = models.DecimalField(_("points"), max_digits=14, decimal_places=2)
    events = models.PositiveSmallIntegerField(_("events"))
    why = models.CharField(_("why"), max_length=10)
    proposed = models.CharField(_("by the table"), max_length=5, choices=SeasonMove)
    goes = models.CharField(_("confirmed"), max_length=5, choices=SeasonMove)
    # The reason for a move that differs from the table.
    reason = models.CharField(_("reason"), max_length=200, blank=True)

    class Meta:
        verbose_name = _("move")
        verbose_name_plural = _("moves")
        constraints = (
            models.UniqueConstraint(fields=["closing", "player"], name="one_move_per_closing_and_player"),
            models.CheckConstraint(
                condition=Q(goes=F("proposed")) | ~Q(reason=""), name="another_move_has_a_reason"
            ),
        )

    def __str__(self) -> str:
        return f"{self.player_id} {self.goes}"
