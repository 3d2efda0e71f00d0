"""Notices: what a person should know, in the page and, if they like, by mail."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Notice(models.Model):
    """One sentence for one person, with somewhere to go."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices")
    # The same news twice is one notice.
    dedupe_key = models.CharField(max_length=120)
    text = models.CharField(_("text"), max_length=300)
    url = models.CharField(_("address"), max_length=200, blank=True)
    created_at = models.DateTimeField(_("created"))
    read_at = models.DateTimeField(_("read"), null=True, blank=True)

    class Meta:
        verbose_name = _("notice")
        verbose_name_plural = _("notices")
        ordering = ("-created_at", "-pk")
        constraints = (
            models.UniqueConstraint(fields=["user", "dedupe_key"], name="one_notice_per_user_and_key"),
        )
        indexes = (
            models.Index(fields=["user"], condition=models.Q(read_at__isnull=True), name="unread_notices"),
        )

    def __str__(self) -> str:
        return self.text
