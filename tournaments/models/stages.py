"""The stages of an event and their draws."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class PairingMode(models.TextChoices):
    AUTO = "auto", _("At once")
    DRAFT = "draft", _("After the director has looked at it")


class DeadlinePolicy(models.TextChoices):
    """The consequence for a match that was not played in time."""

    CALL = "call", _("The director is called")
    FORFEIT = (
        "forfeit",
        _("A missing player loses; if it is not clear who was missing, the director is called"),
    )
    DOUBLE = "double", _("A player who was missing loses, even if both were")


class Stage(models.Model):
    """One stage as announced: a format, its options, and the players it takes."""

    tournament = models.ForeignKey("tournaments.Tournament", on_delete=models.CASCADE, related_name="stages")
    number = models.PositiveSmallIntegerField(_("number"))
    # Blank if the event has one stage.
    name = models.CharField(_("name"), max_length=40, blank=True)
    format = models.CharField(_("format"), max_length=40)
    options = models.JSONField(_("options"), default=dict, blank=True)
    # [{"stage": "groups", "first": 1, "last": 2, "each_group": true}]; empty: all entrants.
    takes = models.JSONField(_("takes"), default=list, blank=True)
    # Match rules of brackets and rounds, all keys optional: bracket, round (-1: the last), length,
    # minutes_a_point, delay_seconds, ruleset, days, play (what differs from the event's rules of play).
    rules = models.JSONField(_("match rules"), default=list, blank=True)
    pairs = models.CharField(_("new rounds"), max_length=5, choices=PairingMode, default=PairingMode.AUTO)
    # The time limit of a match from its opening, in minutes or in days; a league counts days from its start.
    round_minutes = models.PositiveSmallIntegerField(_("minutes a round"), null=True, blank=True)
    round_days = models.PositiveSmallIntegerField(_("days a round"), null=True, blank=True)
    deadline_policy = models.CharField(
        _("after the deadline"), max_length=7, choices=DeadlinePolicy, default=DeadlinePolicy.CALL
    )

    class Meta:
        verbose_name = _("stage")
        verbose_name_plural = _("stages")
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=["tournament", "number"], name="one_stage_per_event_and_number"),
            models.UniqueConstraint(fields=["tournament", "name"], name="one_stage_per_event_and_name"),
            models.CheckConstraint(condition=Q(pairs__in=PairingMode.values), name="stage_pairs_is_known"),
            models.CheckConstraint(
                condition=Q(deadline_policy__in=DeadlinePolicy.values), name="stage_deadline_policy_is_known"
            ),
            models.CheckConstraint(
                condition=Q(round_minutes__isnull=True) | Q(round_days__isnull=True),
                name="stage_rounds_in_minutes_or_days",
            ),
        )

    def __str__(self) -> str:
        return self.name or self.format


class Draw(models.Model):
    """The lines of a stage at its start. Once published it is final (P05)."""

    stage = models.OneToOneField(Stage, on_delete=models.CASCADE, related_name="draw")
    # Numbers of entries from top to bottom, null for an empty line; without a bracket, the starting order.
    lines = models.JSONField(default=list)
    method = models.CharField(_("method"), max_length=20)
    # Each preview has its own seed: the event's, and from the second on "/" and this number.
    attempt = models.PositiveSmallIntegerField(_("attempt"), default=1)
    # [[line, number of the entry]]: byes taken by latecomers, without a new draw (P14).
    late = models.JSONField(default=list, blank=True)
    # The reasons of the draw when it was made: [{"code": "lots", "figures": {}}].
    why = models.JSONField(default=list, db_default=[], blank=True)
    commitment = models.CharField(_("commitment"), max_length=64, blank=True)
    witnesses = models.JSONField(_("witnesses"), default=list, blank=True)
    note = models.CharField(_("note"), max_length=300, blank=True)
    made_at = models.DateTimeField(_("made"))
    # Null: a preview that only directors see.
    published_at = models.DateTimeField(_("published"), null=True, blank=True)

    class Meta:
        verbose_name = _("draw")
        verbose_name_plural = _("draws")

    def __str__(self) -> str:
        return f"{self.stage} · {self.method}"
