"""Friendlies: single matches that two members of a club agree on."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from players.keys import new_key


class FriendlyStatus(models.TextChoices):
    OPEN = "open", _("Open")
    AGREED = "agreed", _("Agreed")
    DECLINED = "declined", _("Declined")
    WITHDRAWN = "withdrawn", _("Withdrawn")


class FriendlyVenue(models.TextChoices):
    BOARD = "board", _("Over the board")
    LIVE = "live", _("Live on this site")


class Friendly(models.Model):
    """A proposal to play a friendly. Once it is agreed it has an event with one match (ADR 119)."""

    key = models.CharField(max_length=10, unique=True, default=new_key, editable=False)
    club = models.ForeignKey("players.Club", on_delete=models.CASCADE, related_name="friendlies")
    # The players as proposed. Once agreed, those of the event's entries count, because they follow a merge.
    proposer = models.ForeignKey(
        "players.Player", on_delete=models.PROTECT, related_name="friendlies_proposed"
    )
    opponent = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="friendlies_asked")
    length = models.PositiveSmallIntegerField(_("length"))
    where = models.CharField(_("where"), max_length=5, choices=FriendlyVenue, default=FriendlyVenue.BOARD)
    # The name of a clock for a board on this site; "" for none.
    clock = models.CharField(_("clock"), max_length=20, blank=True)
    status = models.CharField(
        _("status"), max_length=9, choices=FriendlyStatus, default=FriendlyStatus.OPEN, editable=False
    )
    created_at = models.DateTimeField(_("proposed"), editable=False)
    # The proposal can be accepted until then.
    expires_at = models.DateTimeField(_("expires"), editable=False)
    answered_at = models.DateTimeField(_("answered"), null=True, blank=True, editable=False)
    event = models.OneToOneField(
        "tournaments.Tournament", on_delete=models.CASCADE, null=True, blank=True, related_name="friendly"
    )

    class Meta:
        verbose_name = _("friendly")
        verbose_name_plural = _("friendlies")
        constraints = (
            models.CheckConstraint(
                condition=~Q(proposer=F("opponent")), name="friendly_is_between_two_people"
            ),
            models.CheckConstraint(
                condition=Q(status__in=FriendlyStatus.values), name="friendly_status_is_known"
            ),
            models.CheckConstraint(
                condition=Q(status="agreed", event__isnull=False)
                | (~Q(status="agreed") & Q(event__isnull=True)),
                name="friendly_agreed_has_an_event",
            ),
        )
        indexes = (
            models.Index(fields=["opponent"], condition=Q(status="open"), name="friendlies_to_answer"),
            models.Index(fields=["proposer"], condition=Q(status="open"), name="friendlies_waiting"),
        )

    def __str__(self) -> str:
        return f"{self.key} {self.status}"
