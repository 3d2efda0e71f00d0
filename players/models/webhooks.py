"""Addresses that a club wants to be told at when something changes."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from players.keys import new_key


def new_secret() -> str:
    """Return what calls are signed with: 256 bits."""
    return secrets.token_hex(32)


class Webhook(models.Model):
    """One address of one club. Unlike a token, its secret is kept readable: we sign with it."""

    club = models.ForeignKey("players.Club", on_delete=models.CASCADE, related_name="webhooks")
    key = models.CharField(max_length=10, unique=True, default=new_key, editable=False)
    url = models.CharField(_("address"), max_length=300)
    secret = models.CharField(max_length=64, default=new_secret, editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", editable=False
    )
    created_at = models.DateTimeField(_("created"))
    # How the last call went: when, and what was wrong with it, blank if nothing was.
    called_at = models.DateTimeField(_("last called"), null=True, blank=True)
    last_error = models.CharField(_("last error"), max_length=200, blank=True)
    # Since when no call has come through; after some days we stop calling.
    failing_since = models.DateTimeField(_("failing since"), null=True, blank=True)
    stopped_at = models.DateTimeField(_("stopped"), null=True, blank=True)

    class Meta:
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")
        constraints = (
            models.UniqueConstraint(fields=["club", "url"], name="one_webhook_per_club_and_address"),
        )

    def __str__(self) -> str:
        return self.url
