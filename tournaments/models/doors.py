"""Who is at the door, or has come after the start, and waits for a director."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from players.keys import new_key


class DoorAnswer(models.TextChoices):
    """What a director said."""

    OPEN = "open", _("waits")
    IN = "in", _("let in")
    AWAY = "away", _("turned away")


class DoorRequest(models.Model):
    """Somebody at the door: a name they gave, or a player who is known. Forgotten after two days."""

    tournament = models.ForeignKey(
        "tournaments.Tournament", on_delete=models.CASCADE, related_name="door_requests"
    )
    key = models.CharField(max_length=10, unique=True, default=new_key, editable=False)
    name = models.CharField(_("name"), max_length=80)
    # Who it is, by key: the player of an account, or of an entry. Nothing where somebody only gave a name.
    player_key = models.CharField(max_length=10, blank=True)
    asked_at = models.DateTimeField(_("asked"))
    answer = models.CharField(_("answer"), max_length=4, choices=DoorAnswer.choices, default=DoorAnswer.OPEN)
    answered_at = models.DateTimeField(_("answered"), null=True, blank=True)
    # What a director says to who is turned away.
    said = models.CharField(_("what is said"), max_length=200, blank=True)

    class Meta:
        verbose_name = _("request at the door")
        verbose_name_plural = _("requests at the door")
        indexes = (models.Index(fields=["asked_at"], name="door_requests_by_age"),)
        constraints = (
            models.UniqueConstraint(
                fields=["tournament", "player_key"],
                condition=Q(answer="open") & ~Q(player_key=""),
                name="one_open_door_request_per_player",
            ),
            models.CheckConstraint(condition=Q(answer__in=DoorAnswer.values), name="door_answer_is_known"),
        )

    def __str__(self) -> str:
        return self.name
