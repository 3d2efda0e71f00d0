"""How likely each is to win a running event."""

from __future__ import annotations

import builtins

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from rankings.models.lists import RatingList
from tournaments.models import ShownOnEvent


class TitleChances(ShownOnEvent):
    """How likely each is to win a running event, as a worker has last computed it; one row for each such event."""

    event = models.OneToOneField(
        "tournaments.Tournament", on_delete=models.CASCADE, related_name="title_chances"
    )
    # By whose ratings; none where no list may say, and then there are no shares.
    list = models.ForeignKey(RatingList, on_delete=models.CASCADE, null=True, related_name="title_chances")
    # What they were computed from: while it is the same, so are they.
    made_of = models.CharField(max_length=32, blank=True)
    # [[number of the entry, share between 0 and 1], ...], the likeliest first.
    shares = models.JSONField(default=builtins.list, blank=True)
    # So many finishes were played out; 0 where every way to end was looked at.
    runs = models.PositiveIntegerField(default=0)
    computed_at = models.DateTimeField(null=True, blank=True)
    # Read by the previous release only: requests are in the outbox now.
    asked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("title chances")
        verbose_name_plural = _("title chances")
        indexes = (
            models.Index(
                fields=["asked_at"], name="title_chances_by_asked", condition=Q(asked_at__isnull=False)
            ),
        )

    def __str__(self) -> str:
        return f"{self.event_id}: {len(self.shares)}"
