"""A transcription: a match that somebody types, line by line, until it is handed in."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from players.keys import new_key
from runtime import uids


class Transcription(models.Model):
    """The lines so far, as `engine.formats.typed` has them, and the last edits, so that each counts once and can be undone."""

    uid = uids.field()
    key = models.CharField(max_length=10, unique=True, default=new_key, editable=False)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="transcriptions")
    club = models.ForeignKey("players.Club", on_delete=models.CASCADE, related_name="transcriptions")
    pairing = models.ForeignKey(
        "tournaments.Pairing", on_delete=models.SET_NULL, null=True, blank=True, related_name="transcriptions"
    )
    # The record that it mends, and the one that it was last handed in as.
    mends = models.ForeignKey(
        "records.Submission", on_delete=models.SET_NULL, null=True, blank=True, related_name="mending"
    )
    handed_in = models.ForeignKey(
        "records.Submission", on_delete=models.SET_NULL, null=True, blank=True, related_name="transcribed"
    )
    # Names, length, tags, and what was agreed.
    head = models.JSONField()
    lines = models.JSONField(default=list)
    # The last ones: {"key", "at", "out", "in"}, and {"key"} alone for one that was taken back.
    edits = models.JSONField(default=list)
    # Counts the edits: whoever has seen another one is refused.
    version = models.PositiveIntegerField(default=0)
    begun_at = models.DateTimeField(_("begun"))
    changed_at = models.DateTimeField(_("changed"))

    class Meta:
        verbose_name = _("transcription")
        verbose_name_plural = _("transcriptions")
        ordering = ("-changed_at", "-pk")
        indexes = (models.Index(fields=["by", "-changed_at"], name="transcriptions_of_somebody"),)

    def __str__(self) -> str:
        return self.key
