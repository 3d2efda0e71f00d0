"""Player preferences: automatic actions and e-mails; and visitors without an account."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Habits(models.Model):
    """Automatic actions (R63, R64) and e-mails of a player."""

    player = models.OneToOneField("players.Player", on_delete=models.CASCADE, related_name="habits")
    auto_roll = models.BooleanField(_("roll for me where I cannot double"), default=True)
    auto_pass = models.BooleanField(_("pass for me where I cannot move"), default=True)
    auto_play = models.BooleanField(_("make the only play for me"), default=False)
    # Notices to send by e-mail as well, if the account allows e-mails; pages always show them.
    mails_turn = models.BooleanField(_("it is my turn"), default=False)
    mails_challenge = models.BooleanField(_("somebody challenges me or accepts"), default=False)
    mails_result = models.BooleanField(_("a match ended without me"), default=False)
    mails_call = models.BooleanField(_("my match is called"), default=False)

    class Meta:
        verbose_name = _("habits")
        verbose_name_plural = _("habits")

    def __str__(self) -> str:
        return f"{self.player_id}"


class Visitor(models.Model):
    """A player known only by a session, who plays only against bots."""

    player = models.OneToOneField(
        "players.Player", on_delete=models.CASCADE, primary_key=True, related_name="visitor"
    )
    created_at = models.DateTimeField(_("created"))

    class Meta:
        verbose_name = _("visitor")
        verbose_name_plural = _("visitors")

    def __str__(self) -> str:
        return f"{self.pk}"
