"""Model of transcriptions: matches entered line by line until they are submitted."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from players.keys import new_key
from runtime.rows import make_uid_field

# Relations that the page of a transcription reads.
SHOWN: Final = ("club", "pairing__tournament", "mends__club", "handed_in__club", "by")


class Transcription(models.Model):
    """A match as lines of `engine.formats.transcript`, with the last edits for idempotency and undo."""

    uid = make_uid_field()
    key = models.CharField(max_length=10, unique=True, default=new_key, editable=False)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="transcriptions",
    )
    # Instead of an account: the player and opponent of a transcription with the match's code.
    entry = models.ForeignKey(
        "tournaments.Entry", on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    opponent = models.ForeignKey(
        "tournaments.Entry", on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    club = models.ForeignKey("players.Club", on_delete=models.CASCADE, related_name="transcriptions")
    pairing = models.ForeignKey(
        "tournaments.Pairing", on_delete=models.SET_NULL, null=True, blank=True, related_name="transcriptions"
    )
    # The record that it corrects, and its last submission.
    mends = models.ForeignKey(
        "records.Submission", on_delete=models.SET_NULL, null=True, blank=True, related_name="mending"
    )
    handed_in = models.ForeignKey(
        "records.Submission", on_delete=models.SET_NULL, null=True, blank=True, related_name="transcribed"
    )
    # Names, length, tags and agreements.
    head = models.JSONField()
    lines = models.JSONField(default=list)
    # The last edits: {"key", "request", "at", "out", "in"}, without the lines for an undo or one that was undone.
    edits = models.JSONField(default=list)
    # Incremented by each change, for optimistic locking.
    version = models.PositiveIntegerField(default=0)
    begun_at = models.DateTimeField(_("begun"))
    changed_at = models.DateTimeField(_("changed"))

    class Meta:
        verbose_name = _("transcription")
        verbose_name_plural = _("transcriptions")
        ordering = ("-changed_at", "-pk")
        constraints = (
            models.CheckConstraint(
                condition=Q(by__isnull=False, entry__isnull=True, opponent__isnull=True)
                | Q(by__isnull=True, entry__isnull=False, opponent__isnull=False),
                name="transcribed_by_an_account_or_at_a_table",
            ),
            models.UniqueConstraint(
                fields=["pairing", "entry", "opponent"],
                condition=Q(entry__isnull=False),
                name="one_transcription_per_match_and_side",
            ),
        )
        indexes = (models.Index(fields=["by", "-changed_at"], name="transcriptions_of_somebody"),)

    def __str__(self) -> str:
        return self.key
