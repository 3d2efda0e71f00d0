"""Tokens: how a program signs in as the person who made it."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


class Scope(models.TextChoices):
    """What a program may do in its owner's name."""

    PLAY = "play", _("Everything I may do")
    READ = "read", _("Only read")


class ApiToken(models.Model):
    """A key to `/api/v1/`; revoking deletes the row."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(_("name"), max_length=60)
    # Only the digest is kept: a leaked database lets nobody in.
    token_hash = models.CharField(max_length=64, unique=True, editable=False)
    scope = models.CharField(_("scope"), max_length=8, choices=Scope, default=Scope.PLAY)
    created_at = models.DateTimeField(_("created"))
    # To the minute, so that a program that asks often does not write often.
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True)
    expires_at = models.DateTimeField(_("expires"), null=True, blank=True)

    class Meta:
        verbose_name = _("API token")
        verbose_name_plural = _("API tokens")
        constraints = (
            models.CheckConstraint(
                condition=Q(expires_at__isnull=True) | Q(expires_at__gt=F("created_at")),
                name="token_expires_after_creation",
            ),
        )

    def __str__(self) -> str:
        return self.name
