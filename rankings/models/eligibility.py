"""Requirements of an event or a division, by a dated list."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from rankings.models.divisions import SeasonDivision
from rankings.models.lists import RatingList
from tournaments.models import EventPageRow


class Requirement(EventPageRow):
    """A requirement that an event or a division sets, by a dated list."""

    event = models.OneToOneField(
        "tournaments.Tournament", on_delete=models.CASCADE, null=True, blank=True, related_name="requirement"
    )
    division = models.OneToOneField(
        SeasonDivision, on_delete=models.CASCADE, null=True, blank=True, related_name="requirement"
    )
    list = models.ForeignKey(RatingList, on_delete=models.CASCADE, related_name="+")
    # The day of the dated list, which may be in the future.
    day = models.DateField(_("list of"))
    at_least = models.FloatField(_("rated at least"), null=True, blank=True)
    at_most = models.FloatField(_("rated at most"), null=True, blank=True)
    first = models.PositiveIntegerField(_("among the first"), null=True, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(_("said"))

    class Meta:
        verbose_name = _("requirement")
        verbose_name_plural = _("requirements")
        constraints = (
            models.CheckConstraint(
                condition=Q(event__isnull=True) ^ Q(division__isnull=True), name="requirement_of_one_thing"
            ),
            models.CheckConstraint(
                condition=Q(at_least__isnull=False) | Q(at_most__isnull=False) | Q(first__isnull=False),
                name="requirement_asks_something",
            ),
        )

    def __str__(self) -> str:
        return f"{self.list} {self.day}"


class Admission(EventPageRow):
    """A director's admission of a player who does not meet the requirement, with the reason."""

    EVENT = "requirement__event"

    requirement = models.ForeignKey(Requirement, on_delete=models.CASCADE, related_name="admissions")
    player = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="+")
    reason = models.CharField(_("reason"), max_length=200)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(_("admitted"))

    class Meta:
        verbose_name = _("admission")
        verbose_name_plural = _("admissions")
        constraints = (
            models.UniqueConstraint(fields=["requirement", "player"], name="one_admission_per_player"),
        )

    def __str__(self) -> str:
        return f"{self.player_id} {self.reason}"
