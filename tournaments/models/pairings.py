"""Pairings and the reports of their results."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from draw.event import From, Kind, State
from matches.state.rule_words import cap_score
from runtime.rows import make_uid_field


class PairingState(models.TextChoices):
    """`State` as choices."""

    WAITING = State.WAITING.value, _("Waiting")
    READY = State.READY.value, _("To be played")
    DECIDED = State.DECIDED.value, _("Decided")
    BYE = State.BYE.value, _("Bye")
    VACANT = State.VACANT.value, _("Not needed")


class ResultKind(models.TextChoices):
    """`Kind` as choices (P10)."""

    PLAYED = Kind.PLAYED.value, _("Played")
    DRAWN = Kind.DRAWN.value, _("Drawn")
    WALKOVER = Kind.WALKOVER.value, _("Walkover")
    FORFEIT = Kind.FORFEIT.value, _("Forfeit")
    DOUBLE_FORFEIT = Kind.DOUBLE_FORFEIT.value, _("Double forfeit")
    NO_SHOW = Kind.NO_SHOW.value, _("No-show")
    WITHDRAWAL = Kind.WITHDRAWAL.value, _("Withdrawal")
    VOID = Kind.VOID.value, _("Void")


class SeatOrigin(models.TextChoices):
    """`From` as choices: the source of a seat."""

    DRAW = From.DRAW.value, _("Draw")
    WINNER = From.WINNER.value, _("Winner")
    LOSER = From.LOSER.value, _("Loser")
    PAIRED = From.PAIRED.value, _("Paired")
    LATE = From.LATE.value, _("Let in late")
    RANK = From.RANK.value, _("Rank")
    NOBODY = From.NOBODY.value, _("Nobody")


class ReportStatus(models.TextChoices):
    OPEN = "open", _("Open")
    CONFIRMED = "confirmed", _("Confirmed")
    DISPUTED = "disputed", _("Disputed")
    DROPPED = "dropped", _("Dropped")


class Pairing(models.Model):
    """A place of the event. It is a fact once it is opened; before that it is only proposed."""

    uid = make_uid_field()
    tournament = models.ForeignKey(
        "tournaments.Tournament", on_delete=models.CASCADE, related_name="pairings"
    )
    stage = models.ForeignKey("tournaments.Stage", on_delete=models.CASCADE, related_name="pairings")
    round = models.ForeignKey("tournaments.Round", on_delete=models.CASCADE, related_name="pairings")
    # "main/2.1", "swiss/r3.4"; never changes.
    key = models.CharField(max_length=80)
    bracket = models.CharField(max_length=40, blank=True)
    number = models.PositiveSmallIntegerField(_("number"))
    # The position among the places of the stage, from 1.
    position = models.PositiveIntegerField(default=0)

    a = models.ForeignKey(
        "tournaments.Entry", on_delete=models.PROTECT, null=True, blank=True, related_name="pairings_as_a"
    )
    a_from = models.CharField(max_length=8, choices=SeatOrigin)
    a_key = models.CharField(max_length=80, blank=True)
    a_number = models.PositiveSmallIntegerField(default=0)
    b = models.ForeignKey(
        "tournaments.Entry", on_delete=models.PROTECT, null=True, blank=True, related_name="pairings_as_b"
    )
    b_from = models.CharField(max_length=8, choices=SeatOrigin)
    b_key = models.CharField(max_length=80, blank=True)
    b_number = models.PositiveSmallIntegerField(default=0)
    state = models.CharField(_("state"), max_length=8, choices=PairingState)

    length = models.PositiveSmallIntegerField(_("length"))
    # The rest of the match rules: reporting, and clock, ruleset, days and play if they differ from the usual.
    rules = models.JSONField(default=dict, blank=True)

    # The reasons of the pairing or bye when it was made: [{"code": "again", "figures": {...}}]. Empty for
    # places of a bracket, whose reasons are computed (ADR 8).
    why = models.JSONField(default=list, db_default=[], blank=True)

    # ---- how it ended

    kind = models.CharField(_("ended"), max_length=14, choices=ResultKind, blank=True)
    winner = models.ForeignKey(
        "tournaments.Entry", on_delete=models.PROTECT, null=True, blank=True, related_name="pairings_won"
    )
    score_a = models.PositiveSmallIntegerField(null=True, blank=True)
    score_b = models.PositiveSmallIntegerField(null=True, blank=True)
    # Game by game: [{"winner": "a", "points": 4, "cube": 2, "end": "gammon"}].
    games = models.JSONField(default=list, blank=True)
    # The points won so far on a score sheet, without penalty points: {"seats": [a, b], "score": [3, 1]}, with
    # the primary keys of the entries, so that it does not apply to other players. Optional: "adjourned" (a
    # time), "turn", "flag" and "waits" (it has lost its table and is to be called again).
    running = models.JSONField(default=dict, db_default={}, blank=True)
    # The result by which the players advanced, if it was corrected without dropping later results (P39):
    # {"kind": "played", "winner": 3, "score": [5, 2]}, the winner by number.
    stands = models.JSONField(default=dict, blank=True)
    # Not recorded by a person: it follows from a player having left.
    is_derived = models.BooleanField(default=False)
    # The recorded result does not count, because a player left too early (P79).
    is_cancelled = models.BooleanField(default=False)
    decided_at = models.DateTimeField(_("decided"), null=True, blank=True)

    # ---- while it is played

    # Since then the match can be played; before, it is only proposed.
    opened_at = models.DateTimeField(_("opened"), null=True, blank=True)
    # From this time on both players are expected at the board.
    called_at = models.DateTimeField(_("called"), null=True, blank=True)
    deadline_at = models.DateTimeField(_("to be played by"), null=True, blank=True)
    # The time of the next step: lateness, no-show, deadline or reminder.
    due_at = models.DateTimeField(null=True, blank=True)
    reminded_at = models.DateTimeField(null=True, blank=True)
    # Why it needs the director, "" if it does not.
    needs_director = models.CharField(max_length=20, blank=True)
    table = models.CharField(_("table"), max_length=12, blank=True)
    a_here_at = models.DateTimeField(null=True, blank=True)
    b_here_at = models.DateTimeField(null=True, blank=True)
    # Penalty points for lateness, credited to the opponent before the first game.
    a_late = models.PositiveSmallIntegerField(default=0)
    b_late = models.PositiveSmallIntegerField(default=0)
    # The board on which it is played live.
    match = models.OneToOneField(
        "matches.Match", on_delete=models.PROTECT, null=True, blank=True, related_name="pairing"
    )
    # The head of the board's journal when its end was followed; 0 while it is played.
    match_head = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("pairing")
        verbose_name_plural = _("pairings")
        ordering = ("stage", "position")
        constraints = (
            models.UniqueConstraint(fields=["tournament", "key"], name="one_pairing_per_event_and_key"),
            # A player can have several open matches in a league, but only one in each round.
            models.UniqueConstraint(
                fields=["round", "a"],
                condition=Q(state=PairingState.READY),
                name="one_open_pairing_per_round_and_a",
            ),
            models.UniqueConstraint(
                fields=["round", "b"],
                condition=Q(state=PairingState.READY),
                name="one_open_pairing_per_round_and_b",
            ),
            models.CheckConstraint(
                condition=Q(a__isnull=True) | Q(b__isnull=True) | ~Q(a=F("b")), name="nobody_meets_himself"
            ),
            models.CheckConstraint(condition=Q(state__in=PairingState.values), name="pairing_state_is_known"),
            models.CheckConstraint(
                condition=Q(kind="") | Q(kind__in=ResultKind.values), name="pairing_kind_is_known"
            ),
            models.CheckConstraint(
                condition=Q(winner__isnull=True) | Q(winner=F("a")) | Q(winner=F("b")),
                name="pairing_won_by_one_of_two",
            ),
            models.CheckConstraint(
                condition=~Q(state=PairingState.DECIDED) | (~Q(kind="") & Q(decided_at__isnull=False)),
                name="pairing_decided_says_how",
            ),
            models.CheckConstraint(
                condition=~Q(state=PairingState.READY) | Q(a__isnull=False, b__isnull=False),
                name="pairing_ready_has_two",
            ),
            models.CheckConstraint(
                condition=Q(opened_at__isnull=True) | Q(a__isnull=False, b__isnull=False),
                name="pairing_opened_has_two",
            ),
            models.CheckConstraint(
                condition=Q(score_a__isnull=True, score_b__isnull=True)
                | Q(score_a__isnull=False, score_b__isnull=False),
                name="pairing_score_of_both",
            ),
            models.CheckConstraint(
                condition=Q(due_at__isnull=True) | Q(state=PairingState.READY, opened_at__isnull=False),
                name="pairing_due_is_open",
            ),
        )
        indexes = (
            models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="pairing_due"),
            models.Index(fields=["tournament", "state"], name="pairing_by_state"),
            # Ratings are computed in this order.
            models.Index(
                fields=["decided_at", "uid"], condition=Q(decided_at__isnull=False), name="pairing_by_end"
            ),
        )

    def __str__(self) -> str:
        return self.key

    @property
    def sheet_score(self) -> tuple[int, int] | None:
        """The score on the score sheet of the current players with penalty points; None without a sheet."""
        if self.running.get("seats") != [self.a_id, self.b_id]:
            return None
        a, b = self.running["score"]
        return cap_score((a + self.b_late, b + self.a_late), self.length)

    @property
    def is_over_on_sheet(self) -> bool:
        return self.sheet_score is not None and max(self.sheet_score) >= self.length


# A result that is reported and not confirmed.
OPEN_REPORTS = (ReportStatus.OPEN.value, ReportStatus.DISPUTED.value)


class Report(models.Model):
    uid = make_uid_field()
    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="reports")
    by = models.ForeignKey("tournaments.Entry", on_delete=models.CASCADE, related_name="reports")
    score_a = models.PositiveSmallIntegerField(null=True, blank=True)
    score_b = models.PositiveSmallIntegerField(null=True, blank=True)
    # The winner, if no score was reported.
    winner = models.ForeignKey(
        "tournaments.Entry", on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    games = models.JSONField(default=list, blank=True)
    # The ID in the browser's cookie: with the match's code, the browser cannot confirm its own report.
    device = models.CharField(max_length=22, blank=True, db_default="", editable=False)
    status = models.CharField(_("status"), max_length=9, choices=ReportStatus, default=ReportStatus.OPEN)
    at = models.DateTimeField(_("when"))
    # When it is confirmed if it is not disputed.
    confirms_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        ordering = ("at", "pk")
        constraints = (
            models.UniqueConstraint(
                fields=["pairing", "by"],
                condition=Q(status__in=[ReportStatus.OPEN, ReportStatus.DISPUTED]),
                name="one_open_report_per_pairing_and_entry",
            ),
            models.UniqueConstraint(
                fields=["pairing"],
                condition=Q(status=ReportStatus.CONFIRMED),
                name="one_confirmed_report_per_pairing",
            ),
            models.CheckConstraint(
                condition=Q(status__in=ReportStatus.values), name="report_status_is_known"
            ),
            models.CheckConstraint(
                condition=Q(confirms_at__isnull=True) | Q(status=ReportStatus.OPEN),
                name="report_confirms_while_open",
            ),
            models.CheckConstraint(
                condition=Q(score_a__isnull=False, score_b__isnull=False, winner__isnull=True)
                | Q(score_a__isnull=True, score_b__isnull=True, winner__isnull=False),
                name="report_says_score_or_winner",
            ),
        )
        indexes = (
            models.Index(fields=["confirms_at"], condition=Q(confirms_at__isnull=False), name="report_due"),
        )

    def __str__(self) -> str:
        result = self.winner_id if self.score_a is None else f"{self.score_a}:{self.score_b}"
        return f"{self.pairing_id} {result}"
