"""Entries: the players of an event, and requests to be let in."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from draw.event import LeaveTime
from players.keys import new_key
from runtime.rows import make_uid_field


class Leaving(models.TextChoices):
    NO = "", _("Is there")
    NOW = "now", _("At once")
    AFTER = "after", _("After the current match")


LEAVES = {Leaving.NOW.value: LeaveTime.NOW, Leaving.AFTER.value: LeaveTime.AFTER}


class Entry(models.Model):
    """A player in an event, with the final place."""

    uid = make_uid_field()
    tournament = models.ForeignKey("tournaments.Tournament", on_delete=models.CASCADE, related_name="entries")
    player = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="entries")
    # The order of entry: it breaks the last ties, and identifies the entry in draws.
    number = models.PositiveSmallIntegerField(_("number"))
    entered_at = models.DateTimeField(_("entered"))
    waits = models.BooleanField(_("on the waiting list"), default=False)
    checked_in_at = models.DateTimeField(_("checked in"), null=True, blank=True)
    # Out before the draw. A player who leaves later has `left`, and keeps a place in the ranking.
    withdrawn_at = models.DateTimeField(_("withdrawn"), null=True, blank=True)
    # Places can be shared: both losing semi-finalists are third.
    place = models.PositiveSmallIntegerField(_("place"), null=True, blank=True)

    # ---- frozen at the draw

    rating = models.FloatField(_("rating"), null=True, blank=True)
    club = models.CharField(_("club"), max_length=80, blank=True)
    family = models.CharField(_("family"), max_length=80, blank=True)
    seed = models.PositiveSmallIntegerField(_("seed"), null=True, blank=True)
    pot = models.PositiveSmallIntegerField(_("pot"), null=True, blank=True)

    # ---- while it is played

    # The first round for a latecomer; the points for the rounds before.
    arrived = models.PositiveSmallIntegerField(_("arrived"), default=1)
    head_start = models.CharField(_("head start"), max_length=12, default="0")
    # The seat of a latecomer in a side bracket, "consolation/1.2/b" (P16).
    joins = models.CharField(_("joins at"), max_length=90, blank=True)
    # Requested byes: [[round, "1/2"]].
    asked = models.JSONField(_("byes asked for"), default=list, blank=True)
    # Replaces the sum of the rounds (P13).
    score = models.CharField(_("given score"), max_length=12, blank=True)
    left = models.CharField(_("left"), max_length=5, choices=Leaving, blank=True)
    left_at = models.DateTimeField(_("left at"), null=True, blank=True)
    # The order of leaving: if both players of a match left, the one who left first loses.
    left_as = models.PositiveSmallIntegerField(_("turn of leaving"), default=0)
    is_disqualified = models.BooleanField(_("disqualified"), default=False)
    # Not paired for now, but still in the event.
    is_absent = models.BooleanField(_("away"), default=False)

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        constraints = (
            models.UniqueConstraint(fields=["tournament", "player"], name="one_entry_per_event_and_player"),
            models.UniqueConstraint(fields=["tournament", "number"], name="one_entry_per_event_and_number"),
            models.CheckConstraint(
                condition=Q(place__isnull=True) | Q(place__gte=1), name="entry_place_counts_from_one"
            ),
            models.CheckConstraint(
                condition=Q(place__isnull=True) | Q(withdrawn_at__isnull=True),
                name="entry_withdrawn_has_no_place",
            ),
            models.CheckConstraint(
                condition=Q(left__in=Leaving.values) & (Q(left="") | Q(left_at__isnull=False)),
                name="entry_left_says_when",
            ),
            models.CheckConstraint(
                condition=Q(is_disqualified=False) | ~Q(left=""), name="entry_disqualified_has_left"
            ),
        )

    def __str__(self) -> str:
        return f"{self.player} · {self.tournament}"


class DoorAnswer(models.TextChoices):
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
    # The key of the player: from an account or an entry, or who was let in; "" if only a name was given.
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
