"""Challenges and the built-in bots."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from players.keys import new_key


class Offer(models.TextChoices):
    OPEN = "open", _("Open")
    ACCEPTED = "accepted", _("Accepted")
    DECLINED = "declined", _("Declined")
    WITHDRAWN = "withdrawn", _("Withdrawn")
    EXPIRED = "expired", _("Expired")


class WantedSide(models.TextChoices):
    WHITE = "white", _("White")
    BLACK = "black", _("Black")
    RANDOM = "random", _("By lot")


class Challenge(models.Model):
    """An offer to play, to one player or as an open seat."""

    key = models.CharField(max_length=10, unique=True, default=new_key, editable=False)
    challenger = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="challenges_made")
    # Null for an open seat; set when it is taken.
    opponent = models.ForeignKey(
        "players.Player", on_delete=models.PROTECT, null=True, blank=True, related_name="challenges_received"
    )
    # Only its members may take the seat, and its directors rule. Null: any player may take the seat.
    club = models.ForeignKey(
        "players.Club", on_delete=models.CASCADE, null=True, blank=True, related_name="challenges"
    )
    terms = models.JSONField()
    is_rated = models.BooleanField(_("rated"), default=False)
    is_private = models.BooleanField(_("without spectators"), default=False)
    side = models.CharField(_("side"), max_length=6, choices=WantedSide, default=WantedSide.RANDOM)
    created_at = models.DateTimeField(_("created"))
    expires_at = models.DateTimeField(_("expires"))
    status = models.CharField(_("status"), max_length=9, choices=Offer, default=Offer.OPEN)
    match = models.OneToOneField(
        "matches.Match", on_delete=models.PROTECT, null=True, blank=True, related_name="challenge"
    )
    rematch_of = models.ForeignKey(
        "matches.Match", on_delete=models.PROTECT, null=True, blank=True, related_name="rematches"
    )

    class Meta:
        verbose_name = _("challenge")
        verbose_name_plural = _("challenges")
        constraints = (
            models.CheckConstraint(condition=Q(status__in=Offer.values), name="challenge_status_is_known"),
            models.CheckConstraint(
                condition=Q(opponent__isnull=True) | ~Q(opponent=F("challenger")),
                name="nobody_challenges_themselves",
            ),
            models.CheckConstraint(
                condition=Q(status=Offer.ACCEPTED, match__isnull=False, opponent__isnull=False)
                | (~Q(status=Offer.ACCEPTED) & Q(match__isnull=True)),
                name="accepted_challenges_have_a_match",
            ),
            models.UniqueConstraint(
                fields=["rematch_of"],
                condition=Q(rematch_of__isnull=False, status__in=[Offer.OPEN, Offer.ACCEPTED]),
                name="one_rematch_per_match",
            ),
        )
        indexes = (models.Index(fields=["expires_at"], condition=Q(status="open"), name="open_challenges"),)

    def __str__(self) -> str:
        return f"{self.key} {self.status}"


class Bot(models.Model):
    """A bot of this server: anyone may challenge it, and it accepts at once."""

    player = models.OneToOneField("players.Player", on_delete=models.PROTECT, related_name="bot")
    slug = models.SlugField(max_length=40, unique=True)
    # Name of its mind (`matches.bots.minds`).
    mind = models.CharField(max_length=40, default="club")
    is_active = models.BooleanField(_("may be challenged"), default=True)

    class Meta:
        verbose_name = _("bot")
        verbose_name_plural = _("bots")

    def __str__(self) -> str:
        return self.slug
