"""Models of matches at tables: calls, chairs, and push subscriptions (Web Push)."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from runtime.rows import make_uid_field
from venue.models.rooms import Table


class Assignment(models.Model):
    """A match at a table, from the call until the table is free again; kept as history."""

    uid = make_uid_field()
    # None only if the table was deleted since.
    table = models.ForeignKey(Table, on_delete=models.SET_NULL, null=True, related_name="assignments")
    pairing = models.ForeignKey("tournaments.Pairing", on_delete=models.CASCADE, related_name="assignments")
    called_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", editable=False
    )
    called_at = models.DateTimeField(_("called"))
    # Why the queue called it (`venue.queue.Reason`); empty if a director chose it.
    why = models.JSONField(default=dict, blank=True)
    # The queue run it comes from; None if a director chose it.
    run = models.ForeignKey(
        "venue.QueueRun", on_delete=models.SET_NULL, null=True, blank=True, related_name="assignments"
    )
    # When the desk was notified that the call is unseen.
    unseen_at = models.DateTimeField(null=True, blank=True, editable=False)
    # When the code of the match or its table was first opened: a player is there.
    heard_at = models.DateTimeField(null=True, blank=True, editable=False)
    # When both players were at the table.
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)

    class Meta:
        verbose_name = _("assignment")
        verbose_name_plural = _("assignments")
        ordering = ("called_at", "pk")
        constraints = (
            models.UniqueConstraint(
                fields=["table"], condition=Q(ended_at__isnull=True), name="one_open_assignment_per_table"
            ),
            models.UniqueConstraint(
                fields=["pairing"], condition=Q(ended_at__isnull=True), name="one_open_assignment_per_pairing"
            ),
        )
        indexes = (
            models.Index(
                fields=["called_at"],
                condition=Q(ended_at__isnull=True, started_at__isnull=True, unseen_at__isnull=True),
                name="assignment_to_be_seen",
            ),
        )

    def __str__(self) -> str:
        return f"{self.table_id} {self.pairing_id}"


class Chair(models.Model):
    """One of the two players at a table.

    A separate row, so that a constraint keeps players from two tables at once (V2).
    """

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="chairs")
    player = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="chairs")
    seen_at = models.DateTimeField(_("seen"), null=True, blank=True)
    here_at = models.DateTimeField(_("here"), null=True, blank=True)
    # Copied from the assignment, because a partial index cannot use another table.
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)

    class Meta:
        verbose_name = _("chair")
        verbose_name_plural = _("chairs")
        ordering = ("assignment", "pk")
        constraints = (
            models.UniqueConstraint(
                fields=["player"], condition=Q(ended_at__isnull=True), name="one_open_chair_per_player"
            ),
            models.UniqueConstraint(fields=["assignment", "player"], name="two_chairs_two_players"),
        )

    def __str__(self) -> str:
        return f"{self.assignment_id} {self.player_id}"


LONGEST_ENDPOINT = 1000


class PushKey(models.Model):
    """This installation's Web Push key; never replaced, since subscriptions are bound to it."""

    private = models.CharField(max_length=44, editable=False)
    made_at = models.DateTimeField()

    class Meta:
        verbose_name = _("push key")
        verbose_name_plural = _("push keys")
        constraints = (models.CheckConstraint(condition=Q(pk=1), name="one_push_key"),)

    def __str__(self) -> str:
        return str(self.made_at)


class PushSubscription(models.Model):
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="pushes")
    endpoint = models.CharField(max_length=LONGEST_ENDPOINT, unique=True)
    public = models.CharField(max_length=100)
    auth = models.CharField(max_length=32)
    created_at = models.DateTimeField(_("created"))
    told_at = models.DateTimeField(_("last told"), null=True, blank=True)
    last_error = models.CharField(_("last error"), max_length=200, blank=True, default="")

    class Meta:
        verbose_name = _("browser that is told of calls")
        verbose_name_plural = _("browsers that are told of calls")
        ordering = ("created_at", "pk")

    def __str__(self) -> str:
        return f"{self.user_id} {self.created_at}"
