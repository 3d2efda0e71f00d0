"""Events as rows: what was announced, who entered, what the director did."""

from __future__ import annotations

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from players.keys import new_key
from tournaments.status import Status

LONGEST_MATCH = 25
SMALLEST_CAPACITY = 2
LARGEST_CAPACITY = 512

STATUS_LABELS = (
    (Status.DRAFT.value, _("Draft")),
    (Status.PUBLISHED.value, _("Announced")),
    (Status.RUNNING.value, _("Running")),
    (Status.FINISHED.value, _("Finished")),
    (Status.CANCELLED.value, _("Cancelled")),
)


class Tournament(models.Model):
    """One event of a club: an evening, a weekend, a league night."""

    club = models.ForeignKey("players.Club", on_delete=models.CASCADE, related_name="tournaments")
    key = models.CharField(max_length=10, unique=True, default=new_key, editable=False)
    name = models.CharField(_("name"), max_length=80)
    starts_at = models.DateTimeField(_("starts"))
    place = models.CharField(_("where"), max_length=120, blank=True)
    about = models.TextField(_("about"), max_length=2000, blank=True)
    format_label = models.CharField(_("format"), max_length=60, blank=True)
    match_length = models.PositiveSmallIntegerField(
        _("match length"), default=5, validators=[MinValueValidator(1), MaxValueValidator(LONGEST_MATCH)]
    )
    capacity = models.PositiveSmallIntegerField(
        _("places"),
        null=True,
        blank=True,
        validators=[MinValueValidator(SMALLEST_CAPACITY), MaxValueValidator(LARGEST_CAPACITY)],
    )
    status = models.CharField(
        _("status"), max_length=10, choices=STATUS_LABELS, default=Status.DRAFT.value, editable=False
    )
    started_at = models.DateTimeField(_("started"), null=True, blank=True, editable=False)
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True, editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", editable=False
    )
    created_at = models.DateTimeField(_("created"), editable=False)
    # What subscribers of a calendar are told: this entry is newer than the one you have.
    changed_at = models.DateTimeField(_("changed"), editable=False)

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        constraints = (
            models.CheckConstraint(
                condition=Q(status__in=[status.value for status in Status]), name="event_status_is_known"
            ),
            models.CheckConstraint(
                condition=Q(status=Status.FINISHED.value, finished_at__isnull=False)
                | (~Q(status=Status.FINISHED.value) & Q(finished_at__isnull=True)),
                name="event_finished_iff_finished_at",
            ),
            models.CheckConstraint(
                condition=Q(
                    status__in=[Status.RUNNING.value, Status.FINISHED.value], started_at__isnull=False
                )
                | Q(status__in=[Status.DRAFT.value, Status.PUBLISHED.value], started_at__isnull=True)
                | Q(status=Status.CANCELLED.value),
                name="event_started_at_fits_status",
            ),
            models.CheckConstraint(
                condition=Q(match_length__gte=1, match_length__lte=LONGEST_MATCH),
                name="event_match_length_in_range",
            ),
            models.CheckConstraint(
                condition=Q(capacity__isnull=True) | Q(capacity__gte=SMALLEST_CAPACITY),
                name="event_holds_two_or_more",
            ),
        )
        indexes = (
            models.Index(fields=["club", "starts_at"], name="event_by_club_and_start"),
            models.Index(fields=["status", "starts_at"], name="event_by_status_and_start"),
        )

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """Return the event's own page."""
        return reverse("tournaments:event", args=[self.key])


class Entry(models.Model):
    """One player in one event, and where he came in."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entries")
    player = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="entries")
    entered_at = models.DateTimeField(_("entered"))
    # Shared places are ordinary: both losing semi-finalists are third.
    place = models.PositiveSmallIntegerField(_("place"), null=True, blank=True)
    withdrawn_at = models.DateTimeField(_("withdrawn"), null=True, blank=True)

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        constraints = (
            models.UniqueConstraint(fields=["tournament", "player"], name="one_entry_per_event_and_player"),
            models.CheckConstraint(
                condition=Q(place__isnull=True) | Q(place__gte=1), name="entry_place_counts_from_one"
            ),
            models.CheckConstraint(
                condition=Q(place__isnull=True) | Q(withdrawn_at__isnull=True),
                name="entry_withdrawn_has_no_place",
            ),
        )

    def __str__(self) -> str:
        return f"{self.player} · {self.tournament}"


class Act(models.TextChoices):
    """What a director can do to an event."""

    ANNOUNCED = "ANNOUNCED", _("Announced")
    EDITED = "EDITED", _("Changed the announcement")
    ADMITTED = "ADMITTED", _("Entered players")
    REMOVED = "REMOVED", _("Took a player out")
    STARTED = "STARTED", _("Started")
    FINISHED = "FINISHED", _("Recorded the result")
    REOPENED = "REOPENED", _("Reopened")
    CANCELLED = "CANCELLED", _("Cancelled")


class Ruling(models.Model):
    """One act of a director: what, when, and why."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="rulings")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    act = models.CharField(_("act"), max_length=12, choices=Act)
    reason = models.CharField(_("reason"), max_length=300, blank=True)
    data = models.JSONField(_("details"), default=dict)
    at = models.DateTimeField(_("when"))

    class Meta:
        verbose_name = _("ruling")
        verbose_name_plural = _("rulings")
        ordering = ("-at", "-pk")
        constraints = (
            models.CheckConstraint(condition=Q(act__in=list(Act.values)), name="ruling_act_is_known"),
            models.CheckConstraint(
                condition=~Q(act__in=["REOPENED", "CANCELLED"]) | ~Q(reason=""),
                name="ruling_that_undoes_has_a_reason",
            ),
        )

    def __str__(self) -> str:
        return f"{self.get_act_display()} · {self.tournament}"
