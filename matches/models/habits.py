"""How a player likes to play: what the server may do for them."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Habits(models.Model):
    """What the server does without being asked (R63, R64)."""

    player = models.OneToOneField("players.Player", on_delete=models.CASCADE, related_name="habits")
    auto_roll = models.BooleanField(_("roll for me where I cannot double"), default=True)
    auto_pass = models.BooleanField(_("pass for me where I cannot move"), default=True)
    auto_play = models.BooleanField(_("make the only play for me"), default=False)

    class Meta:
        verbose_name = _("habits")
        verbose_name_plural = _("habits")

    def __str__(self) -> str:
        return f"{self.player_id}"
