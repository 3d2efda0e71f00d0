"""Requests to be let into an event, at its door or after its start."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from players.keys import new_key


class DoorAnswer(models.TextChoices):
    """The director's answer."""

    OPEN = "open", _("waits")
    IN = "in", _("let in")
    AWAY = "away", _("turned away")


class DoorRequest(models.Model):
    """A request from a known player or under a given name. Deleted after two days."""

    tournament = models.ForeignKey(
        "tournaments.Tournament", on_delete=models.CASCADE, related_name="door_requests"
    )
    key = models.CharField(max_length=10, unique=True, default=new_key, editable=False)
    name = models.CharField(_("name"), max_length=80)
    # The key of the player, from an account or an entry; "" if only a name was given.
    player_key = models.CharField(max_length=10, blank=True)
    asked_at = models.DateTimeField(_("asked"))
    answer = models.CharField(_("answer"), max_length=4, choices=DoorAnswer.choices, default=DoorAnswer.OPEN)
    answered_at = models.DateTimeField(_("answered"), null=True, blank=True)
    # The director's message to a person who is turned away.
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
