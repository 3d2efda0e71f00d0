"""Events: the announcement, the current status and the helpers."""

from __future__ import annotations

import secrets
from datetime import datetime

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from draw.event import ReportingRule
from players.keys import new_key
from players.models.folded_names import SearchableModel
from runtime.rows import make_uid_field
from runtime.stream import TopicPositions
from tournaments.status import Status

LONGEST_MATCH = 25
SMALLEST_CAPACITY = 2
LARGEST_CAPACITY = 1024
SEED_BYTES = 16  # P05: 128 bits cannot be guessed from the commitment

STATUS_LABELS = (
    (Status.DRAFT.value, _("Draft")),
    (Status.PUBLISHED.value, _("Announced")),
    (Status.RUNNING.value, _("Running")),
    (Status.FINISHED.value, _("Finished")),
    (Status.CANCELLED.value, _("Cancelled")),
)


def new_seed() -> str:
    return secrets.token_hex(SEED_BYTES)


class ReportedBy(models.TextChoices):
    WINNER = ReportingRule.WINNER.value, _("Either player; the other one confirms")
    BOTH = ReportingRule.BOTH.value, _("Both, independently")
    DIRECTOR = ReportingRule.DIRECTOR.value, _("The director alone")
    OPEN = ReportingRule.OPEN.value, _("Either player; it stands at once")


class NoShowPolicy(models.TextChoices):
    """The consequence for a match if a player has not come in time."""

    CALL = "call", _("The director is called")
    FORFEIT = "forfeit", _("A missing player loses; if both are missing, the director is called")
    DOUBLE = "double", _("A missing player loses, even if both are missing")


class Tournament(SearchableModel):
    """One event of a club: an evening, a weekend, a league night."""

    club = models.ForeignKey("players.Club", on_delete=models.CASCADE, related_name="tournaments")
    uid = make_uid_field()
    key = models.CharField(max_length=10, unique=True, default=new_key, editable=False)
    name = models.CharField(_("name"), max_length=80)
    starts_at = models.DateTimeField(_("starts"))
    place = models.CharField(_("where"), max_length=120, blank=True)
    about = models.TextField(_("about"), max_length=2000, blank=True)
    # One match that two members agreed on (`Friendly`): it is in no list of events, and its places are no
    # titles.
    is_friendly = models.BooleanField(default=False, db_default=False, editable=False)
    # The director's description of the format; "" to show the formats in `played_as`.
    format_label = models.CharField(_("format"), max_length=60, blank=True)
    # [{"format": "swiss", "rounds": 5}, {"format": "single-elimination"}], stage by stage, as announced.
    played_as = models.JSONField(default=list, db_default=[], blank=True, editable=False)
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
    # Ended before all matches were played; the places are those of that time.
    ended_early_at = models.DateTimeField(_("ended early"), null=True, blank=True, editable=False)
    # Set at its start from the club's setting: the final order counts once a director has approved it.
    needs_approval = models.BooleanField(default=False, db_default=False, editable=False)
    # Everything is played, and the final order waits for approval.
    over_at = models.DateTimeField(_("waits for approval"), null=True, blank=True, editable=False)
    paused_at = models.DateTimeField(_("paused"), null=True, blank=True, editable=False)
    archived_at = models.DateTimeField(_("archived"), null=True, blank=True, editable=False)
    # From this time on a worker processes what follows from the last results, or from the draw.
    pairing_at = models.DateTimeField(null=True, blank=True, editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", editable=False
    )
    created_at = models.DateTimeField(_("created"), editable=False)
    # The last change that calendar subscribers need to know.
    changed_at = models.DateTimeField(_("changed"), editable=False)
    # Increased by every change: the version that requests and caches refer to.
    version = models.PositiveIntegerField(default=0, editable=False)
    # A new random value with every change. Unlike the version, it is not reused after a rollback.
    stamp = models.CharField(max_length=16, blank=True, editable=False)
    # The position of its stream before `access.load_event` read the row.
    stream_position: TopicPositions

    # ---- how it is entered

    entries_close_at = models.DateTimeField(_("entries close"), null=True, blank=True)
    needs_check_in = models.BooleanField(_("players check in"), default=False)
    has_waiting_list = models.BooleanField(_("with a waiting list"), default=False)

    # ---- how it is drawn

    # Secret until the draw is published; its commitment is public before.
    seed = models.CharField(max_length=64, default=new_seed, editable=False)
    # Players who are kept apart: [{"members": [entry numbers], "hard": true, "why": ""}].
    apart = models.JSONField(default=list, blank=True, editable=False)

    # ---- how it is played

    reporting = models.CharField(
        _("results"), max_length=10, choices=ReportedBy, default=ReportedBy.WINNER.value
    )
    # If not, a result can name the winner alone.
    scores_needed = models.BooleanField(_("scores are needed"), default=True)
    # Minutes until an unanswered report is confirmed automatically; empty: never.
    confirm_minutes = models.PositiveSmallIntegerField(_("confirmed after"), null=True, blank=True)
    # Penalty points by lateness: [[minutes, points], ...]; points null: the match is lost.
    lateness = models.JSONField(_("lateness"), default=list, blank=True)
    # Rules of play that differ from the default (`draw.rules_of_play.RulesOfPlay`); stages can override them for a
    # bracket or a round.
    play = models.JSONField(_("rules of play"), default=dict, blank=True)
    no_show_minutes = models.PositiveSmallIntegerField(_("no-show after"), null=True, blank=True)
    no_show_policy = models.CharField(
        _("no-shows"), max_length=8, choices=NoShowPolicy, default=NoShowPolicy.CALL
    )
    # Matches wait for a call to a table, and lateness counts from it; otherwise they are called when they are
    # opened.
    waits_for_call = models.BooleanField(default=False, db_default=False, editable=False)
    remind_minutes = models.PositiveSmallIntegerField(_("reminder before a deadline"), null=True, blank=True)

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
            models.CheckConstraint(
                condition=Q(reporting__in=ReportedBy.values), name="event_reporting_is_known"
            ),
            models.CheckConstraint(
                condition=Q(no_show_policy__in=NoShowPolicy.values), name="event_no_show_policy_is_known"
            ),
            models.CheckConstraint(
                condition=Q(paused_at__isnull=True) | Q(status=Status.RUNNING.value),
                name="event_paused_while_running",
            ),
            models.CheckConstraint(
                condition=Q(over_at__isnull=True) | Q(status=Status.RUNNING.value, needs_approval=True),
                name="event_waits_while_running",
            ),
            models.CheckConstraint(
                condition=Q(ended_early_at__isnull=True) | Q(status=Status.FINISHED.value),
                name="event_ended_early_is_finished",
            ),
            models.CheckConstraint(
                condition=Q(archived_at__isnull=True)
                | Q(status__in=[Status.FINISHED.value, Status.CANCELLED.value]),
                name="event_archived_is_over",
            ),
        )
        indexes = (
            models.Index(fields=["club", "starts_at"], name="event_by_club_and_start"),
            models.Index(fields=["status", "starts_at"], name="event_by_status_and_start"),
            models.Index(
                fields=["pairing_at"], name="event_by_pairing", condition=Q(pairing_at__isnull=False)
            ),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def status_words(self) -> str:
        """The translated status, or that the final order waits for approval."""
        return gettext("Waiting for approval") if self.over_at else self.get_status_display()

    @property
    def name_for_searches(self) -> str:
        return f"{self.name} {self.place}"

    def get_absolute_url(self) -> str:
        return reverse("tournaments:event", args=[self.key])


class Helper(models.Model):
    """A helper's link. It belongs to the first browser that accepts it."""

    tournament = models.ForeignKey("tournaments.Tournament", on_delete=models.CASCADE, related_name="helpers")
    name = models.CharField(_("name"), max_length=40)
    # Only the hash is stored: a leaked database contains no valid links.
    token_hash = models.CharField(max_length=64, unique=True, editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(_("created"))
    expires_at = models.DateTimeField(_("expires"))
    taken_up_at = models.DateTimeField(_("taken up"), null=True, blank=True)
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True)

    class Meta:
        verbose_name = _("helper")
        verbose_name_plural = _("helpers")
        constraints = (
            models.CheckConstraint(
                condition=Q(expires_at__gt=F("created_at")), name="helper_expires_after_creation"
            ),
        )

    def __str__(self) -> str:
        return f"{self.name} · {self.tournament}"

    @classmethod
    def filter_valid(cls, now: datetime) -> models.QuerySet[Helper]:
        return cls.objects.filter(revoked_at=None, expires_at__gt=now)
