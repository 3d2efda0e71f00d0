"""Rounds and their byes."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

LONGEST_POINTS = 12


class RoundStatus(models.TextChoices):
    DRAFT = "draft", _("Draft")
    PUBLISHED = "published", _("Published")


class Round(models.Model):
    """One round of a stage; in brackets, the places with the same number in all brackets."""

    stage = models.ForeignKey("tournaments.Stage", on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField(_("number"))
    status = models.CharField(
        _("status"), max_length=9, choices=RoundStatus, default=RoundStatus.PUBLISHED.value
    )
    published_at = models.DateTimeField(_("published"), null=True, blank=True)
    # Unused: each match has its deadline (`Pairing.deadline_at`). A column takes two releases to remove.
    deadline_at = models.DateTimeField(_("to be played by"), null=True, blank=True)
    # Numbers of the entries that were away when it was paired.
    absent = models.JSONField(default=list, blank=True)

    class Meta:
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        ordering = ("stage", "number")
        constraints = (
            models.UniqueConstraint(fields=["stage", "number"], name="one_round_per_stage_and_number"),
            models.CheckConstraint(condition=Q(status__in=RoundStatus.values), name="round_status_is_known"),
            models.CheckConstraint(
                condition=Q(status=RoundStatus.DRAFT, published_at__isnull=True)
                | Q(status=RoundStatus.PUBLISHED, published_at__isnull=False),
                name="round_published_says_when",
            ),
        )

    def __str__(self) -> str:
        return f"{self.stage} {self.number}"


class Bye(models.Model):
    """A bye in a format with rounds. In brackets a bye is a pairing with that state."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="byes")
    entry = models.ForeignKey("tournaments.Entry", on_delete=models.CASCADE, related_name="byes")
    points = models.CharField(_("points"), max_length=LONGEST_POINTS, default="1")
    asked = models.BooleanField(_("asked for"), default=False)

    class Meta:
        verbose_name = _("bye")
        verbose_name_plural = _("byes")
        constraints = (
            models.UniqueConstraint(fields=["round", "entry"], name="one_bye_per_round_and_entry"),
        )

    def __str__(self) -> str:
        return f"{self.entry_id} {self.points}"
