"""Browsers that are told of a call even where no page of ours is open in them (Web Push)."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

LONGEST_ENDPOINT = 1000


class PushKey(models.Model):
    """The key by which push services know this installation: made once and kept, since browsers are bound to it."""

    private = models.CharField(max_length=44, editable=False)
    made_at = models.DateTimeField()

    class Meta:
        verbose_name = _("push key")
        verbose_name_plural = _("push keys")
        constraints = (models.CheckConstraint(condition=Q(pk=1), name="one_push_key"),)

    def __str__(self) -> str:
        return str(self.made_at)


class PushSubscription(models.Model):
    """One browser of one player: the address it is told at, and the keys only it can read with."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="pushes")
    endpoint = models.CharField(max_length=LONGEST_ENDPOINT, unique=True)
    public = models.CharField(max_length=100)
    auth = models.CharField(max_length=32)
    created_at = models.DateTimeField(_("created"))
    told_at = models.DateTimeField(_("last told"), null=True, blank=True)
    last_error = models.CharField(_("last error"), max_length=200, blank=True, default="")

    class Meta:
        verbose_name = _("browser that is told of calls")
        verbose_name_plural = _("browsers that are told of calls")
        ordering = ("created_at", "pk")

    def __str__(self) -> str:
        return f"{self.user_id} {self.created_at}"
