"""Models of stream overlays."""

from __future__ import annotations

import secrets
from typing import Final

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from venue.models.rooms import Table

LONGEST_DELAY: Final = 120


def new_secret() -> str:
    return secrets.token_urlsafe(24)


class Layout(models.TextChoices):
    """Position of names and score."""

    BAR = "bar", _("A bar along the foot")
    CORNER = "corner", _("A box in the corner")
    SIDES = "sides", _("One player on each side")


class Overlay(models.Model):
    """The overlay of a table: its secret address and its display settings."""

    table = models.OneToOneField(Table, on_delete=models.CASCADE, related_name="overlay")
    # Stored in plain text, since directors copy the address again; it only shows what is public in the hall.
    secret = models.CharField(max_length=40, unique=True, default=new_secret, editable=False)
    layout = models.CharField(_("layout"), max_length=6, choices=Layout, default=Layout.BAR)
    # Delay of the stream's picture in seconds.
    delay = models.PositiveSmallIntegerField(_("delay"), default=0)

    class Meta:
        verbose_name = _("overlay")
        verbose_name_plural = _("overlays")
        constraints = (
            models.CheckConstraint(condition=Q(delay__lte=LONGEST_DELAY), name="overlay_delay_is_bounded"),
            models.CheckConstraint(condition=Q(layout__in=Layout.values), name="overlay_layout_is_known"),
        )

    def __str__(self) -> str:
        return str(self.table)

    @property
    def topic(self) -> str:
        """The stream topic for changes of the overlay."""
        return f"overlay.{self.table.key}"
