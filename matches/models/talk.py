"""Chat lines, mutes and reports."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from matches.models.matches import Match
from players.keys import new_key

LONGEST_LINE = 300


class Room(models.TextChoices):
    PLAYERS = "players", _("Players")
    GALLERY = "gallery", _("Spectators")


class ChatLine(models.Model):
    key = models.CharField(max_length=10, unique=True, default=new_key, editable=False)
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="talk")
    room = models.CharField(_("room"), max_length=7, choices=Room)
    author = models.ForeignKey("players.Player", on_delete=models.CASCADE, related_name="chat_lines")
    text = models.CharField(_("text"), max_length=LONGEST_LINE)
    at = models.DateTimeField(_("said"))
    # Chosen by the client, so that a line sent twice is stored once.
    client_key = models.CharField(max_length=80)
    hidden_at = models.DateTimeField(_("hidden"), null=True, blank=True)
    hidden_by = models.ForeignKey(
        "players.Player", on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        verbose_name = _("chat line")
        verbose_name_plural = _("chat lines")
        constraints = (
            models.UniqueConstraint(fields=["match", "author", "client_key"], name="one_line_per_client_key"),
            models.CheckConstraint(condition=Q(room__in=Room.values), name="chat_room_is_known"),
        )
        indexes = (
            models.Index(fields=["match", "room", "at"], name="chat_match_room_at"),
            models.Index(fields=["author", "at"], name="chat_author_at"),
        )

    def __str__(self) -> str:
        return f"{self.match_id} {self.key}"


class Mute(models.Model):
    """A player whose chat another player hides, at all boards."""

    player = models.ForeignKey("players.Player", on_delete=models.CASCADE, related_name="mutes")
    muted = models.ForeignKey("players.Player", on_delete=models.CASCADE, related_name="muted_by")

    class Meta:
        verbose_name = _("mute")
        verbose_name_plural = _("mutes")
        constraints = (
            models.UniqueConstraint(fields=["player", "muted"], name="one_mute_per_pair"),
            models.CheckConstraint(condition=~Q(player=F("muted")), name="nobody_mutes_themselves"),
        )

    def __str__(self) -> str:
        return f"{self.player_id} {self.muted_id}"


class Report(models.Model):
    line = models.ForeignKey(ChatLine, on_delete=models.CASCADE, related_name="reports")
    by = models.ForeignKey("players.Player", on_delete=models.CASCADE, related_name="reports")
    reason = models.CharField(_("reason"), max_length=LONGEST_LINE, blank=True)
    at = models.DateTimeField(_("reported"))

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        constraints = (models.UniqueConstraint(fields=["line", "by"], name="one_report_per_line_and_player"),)

    def __str__(self) -> str:
        return f"{self.line_id} {self.by_id}"
