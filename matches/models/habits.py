"""How a player likes to play: what the server may do for them, and of what it writes to them."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Habits(models.Model):
    """What the server does without being asked (R63, R64)."""

    player = models.OneToOneField("players.Player", on_delete=models.CASCADE, related_name="habits")
    auto_roll = models.BooleanField(_("roll for me where I cannot double"), default=True)
    auto_pass = models.BooleanField(_("pass for me where I cannot move"), default=True)
    auto_play = models.BooleanField(_("make the only play for me"), default=False)
    # What comes by mail too, where the account wants e-mails at all; the page says it in any case.
    mails_turn = models.BooleanField(_("it is my turn"), default=False)
    mails_challenge = models.BooleanField(_("somebody challenges me or accepts"), default=False)
    mails_result = models.BooleanField(_("a match ended without me"), default=False)
    mails_call = models.BooleanField(_("my match is called"), default=False)

    class Meta:
        verbose_name = _("habits")
        verbose_name_plural = _("habits")

    def __str__(self) -> str:
        return f"{self.player_id}"
