"""Models of the ledger: the effect of each match, and the current ratings."""

from __future__ import annotations

from datetime import datetime

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from rankings.models.lists import Policy, RatingList


class LedgerEntry(models.Model):
    """The effect of a match on one of its players in one list. A wrong entry is voided and replaced."""

    list = models.ForeignKey(RatingList, on_delete=models.CASCADE, related_name="entries")
    event = models.ForeignKey("tournaments.Tournament", on_delete=models.CASCADE, related_name="+")
    # The uid of the pairing: if the pairing is deleted and created again, it has the same uid.
    match = models.UUIDField(_("match"))
    # The order of the ledger: finish time, then uid.
    at = models.DateTimeField(_("finished"))
    player = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="+")
    opponent = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="+")
    is_a = models.BooleanField()
    won = models.BooleanField(_("won"))
    length = models.PositiveSmallIntegerField(_("length"))
    policy = models.ForeignKey(Policy, on_delete=models.RESTRICT, related_name="+")

    before = models.FloatField(_("before"))
    opponent_before = models.FloatField(_("opponent before"))
    expectancy = models.FloatField(_("expectancy"))
    weight = models.FloatField(_("weight"))
    k = models.FloatField(_("K"))
    change = models.FloatField(_("change"))
    after = models.FloatField(_("after"))
    experience = models.PositiveIntegerField(_("experience"))
    deviation = models.FloatField(_("deviation"))
    volatility = models.FloatField(_("volatility"))

    written_at = models.DateTimeField(_("written"))
    voided_at = models.DateTimeField(_("voided"), null=True, blank=True)

    class Meta:
        verbose_name = _("ledger entry")
        verbose_name_plural = _("ledger entries")
        constraints = (
            models.UniqueConstraint(
                fields=["list", "match", "player"],
                condition=Q(voided_at__isnull=True),
                name="one_entry_per_list_match_player",
            ),
            models.CheckConstraint(
                condition=~Q(player=F("opponent")), name="nobody_is_rated_against_themselves"
            ),
        )
        indexes = (
            models.Index(
                fields=["list", "at", "match"], condition=Q(voided_at__isnull=True), name="ledger_in_order"
            ),
            models.Index(
                fields=["list", "player", "at", "match"],
                condition=Q(voided_at__isnull=True),
                name="ledger_by_player",
            ),
            models.Index(
                fields=["list", "event"], condition=Q(voided_at__isnull=True), name="ledger_by_event"
            ),
        )

    def __str__(self) -> str:
        return f"{self.player_id} {self.change:+.2f}"


class PlayerRating(models.Model):
    """A player's current rating in a list: a copy of their last entry, for the page of the list."""

    list = models.ForeignKey(RatingList, on_delete=models.CASCADE, related_name="ratings")
    player = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="ratings")
    last = models.ForeignKey(LedgerEntry, on_delete=models.CASCADE, related_name="+")
    rating = models.FloatField(_("rating"))
    matches = models.PositiveIntegerField(_("matches"))
    # Copied from the last entry, so that one index serves reading, filtering and counting the list.
    experience = models.PositiveIntegerField(_("experience"))
    last_at = models.DateTimeField(_("last match"))

    class Meta:
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        constraints = (
            models.UniqueConstraint(fields=["list", "player"], name="one_rating_per_list_and_player"),
        )
        indexes = (
            models.Index(
                fields=["list", "-rating", "player", "experience", "last_at"], name="ratings_in_order"
            ),
        )

    def __str__(self) -> str:
        return f"{self.player} {self.rating:.2f}"


class Rebuild(models.Model):
    """A list under recomputation: its ledger is correct before this position; it shows the old ratings."""

    list = models.OneToOneField(RatingList, on_delete=models.CASCADE, related_name="rebuild")
    # The position from which entries are still to be computed; without a time, the beginning.
    from_at = models.DateTimeField(null=True, blank=True)
    from_match = models.CharField(max_length=32, blank=True)
    # A rebuild of the whole list was requested.
    is_whole = models.BooleanField(default=False)
    # Matches read so far, and in all.
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    asked_at = models.DateTimeField()
    # The worker's lease, and the time until which no other worker may take over.
    lease = models.CharField(max_length=32, blank=True)
    leased_until = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.list} {self.done}/{self.total}"

    @property
    def place(self) -> tuple[datetime, str] | None:
        """The position in the ledger from which entries are still to be computed."""
        return None if self.from_at is None else (self.from_at, self.from_match)
