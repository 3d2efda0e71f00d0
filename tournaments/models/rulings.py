"""Rulings: the log of the directors' acts with their reasons."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from runtime.rows import make_uid_field


class RulingKind(models.TextChoices):
    ANNOUNCED = "ANNOUNCED", _("Announced")
    EDITED = "EDITED", _("Changed the announcement")
    ADMITTED = "ADMITTED", _("Entered players")
    REMOVED = "REMOVED", _("Took a player out")
    STARTED = "STARTED", _("Started")
    FINISHED = "FINISHED", _("Recorded the result")
    REOPENED = "REOPENED", _("Reopened")
    CANCELLED = "CANCELLED", _("Cancelled")
    CHECKED_IN = "CHECKED_IN", _("Checked players in")
    DREW = "DREW", _("Drew")
    DREW_AGAIN = "DREW_AGAIN", _("Drew again")
    SWAPPED = "SWAPPED", _("Exchanged two lines of the draw")
    PUBLISHED_DRAW = "PUBLISHED_DRAW", _("Published the draw")
    PUBLISHED_ROUND = "PUBLISHED_ROUND", _("Published a round")
    ENTERED_RESULT = "ENTERED_RESULT", _("Entered a result")
    RULED = "RULED", _("Ruled on a disputed result")
    LATE_ENTRY = "LATE_ENTRY", _("Let a latecomer in")
    NOTED_LATE = "NOTED_LATE", _("Noted a latecomer")
    WITHDREW = "WITHDREW", _("Withdrew a player")
    NO_SHOW = "NO_SHOW", _("No-show")
    WALKOVER = "WALKOVER", _("Walkover")
    FORFEIT = "FORFEIT", _("Forfeit")
    DOUBLE_FORFEIT = "DOUBLE_FORFEIT", _("Double forfeit")
    VOIDED = "VOIDED", _("Declared void")
    DISQUALIFIED = "DISQUALIFIED", _("Disqualified")
    PENALISED = "PENALISED", _("Penalty points for lateness")
    CORRECTED = "CORRECTED", _("Corrected a result")
    RESTORED = "RESTORED", _("Took an action back")
    EXCHANGED = "EXCHANGED", _("Exchanged two players")
    SUBSTITUTED = "SUBSTITUTED", _("Put a substitute in")
    MARKED_AWAY = "MARKED_AWAY", _("Marked who is away")
    GAVE_BYE = "GAVE_BYE", _("Agreed to a bye")
    PAUSED = "PAUSED", _("Paused")
    RESUMED = "RESUMED", _("Went on")
    ADDED_ROUND = "ADDED_ROUND", _("Added a round")
    ENDED_EARLY = "ENDED_EARLY", _("Ended early")
    ARCHIVED = "ARCHIVED", _("Archived")
    CALLED = "CALLED", _("Called a match")
    TOOK_BYE_BACK = "TOOK_BYE_BACK", _("Took a bye back")
    KEPT_APART = "KEPT_APART", _("Keeps players apart")
    RELEASED = "RELEASED", _("No longer keeps players apart")
    BREAKS_TIES = "BREAKS_TIES", _("Changed how ties are broken")
    APPROVED = "APPROVED", _("Approved the final order")


class Decision(models.TextChoices):
    ACCEPT = "accept", _("One of the two reports is right")
    RESULT = "result", _("Another result")
    PLAY_ON = "play-on", _("They play on")
    FORFEIT = "forfeit", _("Forfeit")
    DOUBLE_FORFEIT = "double-forfeit", _("Double forfeit: both lose")
    VOID = "void", _("Void: it does not count")


# Kinds that undo or override something need a reason.
REASONED = (
    RulingKind.REOPENED,
    RulingKind.CANCELLED,
    RulingKind.DREW_AGAIN,
    RulingKind.CORRECTED,
    RulingKind.RESTORED,
    RulingKind.DISQUALIFIED,
    RulingKind.VOIDED,
    RulingKind.EXCHANGED,
    RulingKind.SUBSTITUTED,
    RulingKind.ENDED_EARLY,
    RulingKind.BREAKS_TIES,
)


# The reason for undoing a result at once, which no director wrote: shown in each reader's language.
UNDONE_AT_ONCE = gettext_noop("Taken back at once")


class Ruling(models.Model):
    """One act of a director, or of a sweep on the director's behalf."""

    uid = make_uid_field()
    tournament = models.ForeignKey("tournaments.Tournament", on_delete=models.CASCADE, related_name="rulings")
    # None for acts of sweeps, which follow from the event's settings.
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    # The helper who did it, with a link and no account.
    helper = models.ForeignKey(
        "tournaments.Helper", on_delete=models.SET_NULL, null=True, blank=True, related_name="rulings"
    )
    act = models.CharField(_("act"), max_length=16, choices=RulingKind)
    reason = models.CharField(_("reason"), max_length=300, blank=True)
    data = models.JSONField(_("details"), default=dict)
    # The changed rows before the act; None if it cannot be undone.
    before = models.JSONField(null=True, blank=True, editable=False)
    at = models.DateTimeField(_("when"))
    # The ruling that undid this one.
    restored_by = models.OneToOneField(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="restores"
    )

    class Meta:
        verbose_name = _("ruling")
        verbose_name_plural = _("rulings")
        ordering = ("-at", "-pk")
        indexes = (
            # A player's matches are looked for where they were replaced, too.
            models.Index(
                fields=["tournament"], condition=Q(act=RulingKind.SUBSTITUTED), name="substitutions_by_event"
            ),
        )
        constraints = (
            models.CheckConstraint(condition=Q(act__in=list(RulingKind.values)), name="ruling_act_is_known"),
            models.CheckConstraint(
                condition=~Q(act__in=[act.value for act in REASONED]) | ~Q(reason=""),
                name="ruling_that_undoes_has_a_reason",
            ),
        )

    def __str__(self) -> str:
        return f"{self.get_act_display()} · {self.tournament}"

    @property
    def reason_text(self) -> str:
        """The reason to show: what a director wrote, or our own in the reader's language."""
        return gettext(UNDONE_AT_ONCE) if self.reason == UNDONE_AT_ONCE else self.reason
