"""Appointments for matches that are played over days."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from runtime.rows import make_uid_field


class AppointmentStatus(models.TextChoices):
    PROPOSED = "proposed", pgettext_lazy("times", "Proposed")
    AGREED = "agreed", pgettext_lazy("times", "Agreed")
    DECLINED = "declined", pgettext_lazy("times", "Declined")
    REPLACED = "replaced", pgettext_lazy("times", "Other times instead")
    TAKEN_BACK = "taken-back", pgettext_lazy("times", "Taken back")
    CANCELLED = "cancelled", pgettext_lazy("times", "Called off")
    # The match has ended, or its players have changed.
    OVER = "over", pgettext_lazy("times", "Over")


STANDING = (AppointmentStatus.PROPOSED.value, AppointmentStatus.AGREED.value)


class Appointment(models.Model):
    """Up to three times that one player proposes to the other, with the answer and the agreed time."""

    uid = make_uid_field()
    pairing = models.ForeignKey("tournaments.Pairing", on_delete=models.CASCADE, related_name="appointments")
    by = models.ForeignKey("tournaments.Entry", on_delete=models.CASCADE, related_name="+")
    to = models.ForeignKey("tournaments.Entry", on_delete=models.CASCADE, related_name="+")
    # The times in ISO format, in UTC, the earliest first.
    times = models.JSONField(_("times"), default=list)
    place = models.CharField(_("place"), max_length=80, blank=True)
    words = models.CharField(_("words"), max_length=200, blank=True)
    status = models.CharField(
        _("status"), max_length=10, choices=AppointmentStatus, default=AppointmentStatus.PROPOSED
    )
    proposed_at = models.DateTimeField(_("proposed"))
    # The player who accepted, declined, replaced or cancelled; the time; and the message.
    answered_by = models.ForeignKey(
        "tournaments.Entry", on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    answered_at = models.DateTimeField(_("answered"), null=True, blank=True)
    answer = models.CharField(_("answer"), max_length=200, blank=True)
    starts_at = models.DateTimeField(_("agreed time"), null=True, blank=True)
    # The time of the next reminder to both.
    remind_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("appointment")
        verbose_name_plural = _("appointments")
        ordering = ("proposed_at", "pk")
        constraints = (
            models.UniqueConstraint(
                fields=["pairing"],
                condition=Q(status=AppointmentStatus.PROPOSED),
                name="one_open_proposal_per_pairing",
            ),
            models.UniqueConstraint(
                fields=["pairing"],
                condition=Q(status=AppointmentStatus.AGREED),
                name="one_agreed_time_per_pairing",
            ),
            models.CheckConstraint(
                condition=Q(status__in=AppointmentStatus.values), name="appointment_status_is_known"
            ),
            models.CheckConstraint(
                condition=~Q(status=AppointmentStatus.AGREED) | Q(starts_at__isnull=False),
                name="appointment_agreed_says_when",
            ),
            models.CheckConstraint(
                condition=Q(remind_at__isnull=True) | Q(status=AppointmentStatus.AGREED),
                name="appointment_reminds_while_agreed",
            ),
            models.CheckConstraint(condition=~Q(by=F("to")), name="appointment_is_between_two"),
        )
        indexes = (
            models.Index(
                fields=["remind_at"], condition=Q(remind_at__isnull=False), name="appointment_reminds"
            ),
            models.Index(fields=["pairing"], condition=Q(status__in=STANDING), name="appointment_stands"),
        )

    def __str__(self) -> str:
        return f"{self.pairing_id} {self.status}"
