"""Engine analyses, and what builds on them: positions, the deck, lessons with the tutor.

Analyses and evaluations can be deleted and recomputed; answers to cards and positions cannot.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from engine.side import Side

DEEPEST = 3


class Progress(models.TextChoices):
    WAITING = "waiting", _("Being analysed")
    DONE = "done", _("Analysed")
    # The engine does not support the rules, or the match has no decisions.
    UNJUDGED = "unjudged", _("Not analysed")
    FAILED = "failed", _("The analysis failed")


class SideChoice(models.IntegerChoices):
    """The two sides, as the engine numbers them."""

    WHITE = Side.WHITE.value, _("White")
    BLACK = Side.BLACK.value, _("Black")


class Silence(models.TextChoices):
    """The reason why the tutor does not comment on a play."""

    ENGINE = "engine", _("The engine did not answer")
    IN_PLAY = "in-play", _("The position is being played elsewhere")


class Response(models.TextChoices):
    NONE = "none", _("Open")
    TAKEN_BACK = "taken-back", _("Taken back")
    PLAYED_ON = "played-on", _("Played on")


class Analysis(models.Model):
    """The analysis of a match by one version of an engine."""

    # Either a match, or the key of an uploaded record, whose table belongs to another app.
    match = models.OneToOneField(
        "matches.Match", on_delete=models.CASCADE, null=True, blank=True, related_name="analysis"
    )
    record = models.CharField(_("record"), max_length=10, blank=True, db_default="")
    # Version key: hash of the journal's head, or of what determines the facts of a record. If it differs,
    # the analysis is outdated.
    head_hash = models.CharField(max_length=64)
    engine = models.CharField(_("engine"), max_length=20, blank=True)
    version = models.CharField(_("version"), max_length=30, blank=True)
    progress = models.CharField(_("progress"), max_length=10, choices=Progress, default=Progress.WAITING)
    # The deepest finished pass, and the number of decisions done by the next.
    level = models.PositiveSmallIntegerField(_("level"), default=0)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(_("decisions"), default=0)
    # Why there is no analysis, or why the last attempt failed.
    why = models.CharField(max_length=300, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    asked_at = models.DateTimeField(_("asked for"))
    next_at = models.DateTimeField()
    lease = models.CharField(max_length=32, blank=True)
    leased_until = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)

    class Meta:
        verbose_name = _("analysis")
        verbose_name_plural = _("analyses")
        constraints = (
            models.CheckConstraint(
                condition=Q(progress__in=Progress.values), name="analysis_progress_is_known"
            ),
            models.CheckConstraint(condition=Q(level__lte=DEEPEST), name="analysis_level_is_known"),
            models.CheckConstraint(
                condition=Q(done__lte=models.F("total")), name="analysis_does_not_pass_its_end"
            ),
            models.CheckConstraint(
                condition=Q(match__isnull=False, record="") | (Q(match__isnull=True) & ~Q(record="")),
                name="analysis_of_a_match_or_a_record",
            ),
            models.UniqueConstraint(
                fields=["record"], condition=~Q(record=""), name="one_analysis_per_record"
            ),
        )
        indexes = (
            models.Index(fields=["next_at"], condition=Q(progress=Progress.WAITING), name="analysis_waiting"),
        )

    def __str__(self) -> str:
        return f"{self.match_id or self.record} {self.level}"


class AskedPosition(models.Model):
    """A position requested by a user, with the evaluation of one version of an engine."""

    # The XGID from the view of the side on roll (`opinion.judging.positions.compute_key`).
    position = models.CharField(_("position"), max_length=80)
    engine = models.CharField(_("engine"), max_length=20)
    version = models.CharField(_("version"), max_length=30)
    # The maximum depth of the evaluation.
    level = models.PositiveSmallIntegerField(_("level"))
    progress = models.CharField(_("progress"), max_length=10, choices=Progress, default=Progress.WAITING)
    why = models.CharField(max_length=300, blank=True)
    # The plays in the format of a remark, or the cube equities.
    plays = models.JSONField(default=list, blank=True)
    cube = models.JSONField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    asked_at = models.DateTimeField(_("asked for"))
    next_at = models.DateTimeField()
    lease = models.CharField(max_length=32, blank=True)
    leased_until = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)

    class Meta:
        verbose_name = _("position asked about")
        verbose_name_plural = _("positions asked about")
        constraints = (
            models.UniqueConstraint(
                fields=["position", "engine", "version", "level"], name="one_answer_per_position"
            ),
            models.CheckConstraint(
                condition=Q(progress__in=Progress.values), name="asked_position_progress_is_known"
            ),
            models.CheckConstraint(
                condition=Q(level__gte=1, level__lte=DEEPEST), name="asked_position_level_is_known"
            ),
        )
        indexes = (
            models.Index(
                fields=["next_at"], condition=Q(progress=Progress.WAITING), name="asked_position_waiting"
            ),
        )

    def __str__(self) -> str:
        return f"{self.position} {self.level}"


class DailyPosition(models.Model):
    """The position of the day: a difficult one from a match on this installation."""

    day = models.DateField(_("day"), unique=True)
    asked = models.ForeignKey(AskedPosition, on_delete=models.CASCADE, related_name="days")
    # The match that it comes from; the position is shown while that match is public.
    match = models.ForeignKey("matches.Match", on_delete=models.CASCADE, related_name="daily_positions")

    class Meta:
        verbose_name = _("position of the day")
        verbose_name_plural = _("positions of the day")

    def __str__(self) -> str:
        return str(self.day)


class GivenAnswer(models.Model):
    """The first answer of a user or a browser to a position of the day."""

    # As in `AskedPosition`.
    position = models.CharField(_("position"), max_length=80)
    choice = models.CharField(_("answer"), max_length=60)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="given_answers"
    )
    # Hash of the browser's cookie; "" for signed-in users.
    browser = models.CharField(max_length=64, blank=True)
    at = models.DateTimeField(_("when"))

    class Meta:
        verbose_name = _("answer to a position of the day")
        verbose_name_plural = _("answers to positions of the day")
        constraints = (
            models.UniqueConstraint(fields=["position", "user"], name="one_answer_per_position_and_user"),
            models.UniqueConstraint(
                fields=["position", "browser"],
                condition=~Q(browser=""),
                name="one_answer_per_position_and_browser",
            ),
            models.CheckConstraint(
                condition=Q(user=None, browser__gt="") | Q(user__isnull=False, browser=""),
                name="answer_given_by_a_user_or_a_browser",
            ),
        )
        indexes = (models.Index(fields=["position", "choice"], name="given_answers_by_choice"),)

    def __str__(self) -> str:
        return f"{self.position} {self.choice}"


class StandIn(models.Model):
    """A decision that the built-in bot made instead of an engine's bot, because the engine did not answer."""

    match = models.ForeignKey("matches.Match", on_delete=models.CASCADE, related_name="stand_ins")
    # The head of the journal at that decision.
    head = models.PositiveIntegerField()
    why = models.CharField(max_length=300)
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("decision without the engine")
        verbose_name_plural = _("decisions without the engine")
        constraints = (models.UniqueConstraint(fields=["match", "head"], name="one_stand_in_per_decision"),)

    def __str__(self) -> str:
        return f"{self.match_id} {self.head}"


class Lesson(models.Model):
    """A practice match with the tutor. It does not count, and only its player sees the tutor's comments."""

    match = models.OneToOneField("matches.Match", on_delete=models.CASCADE, related_name="lesson")
    # Plays with at least this loss get a hint.
    limit = models.FloatField(_("limit"))
    # The last journal line the tutor has evaluated.
    looked = models.PositiveIntegerField(default=0)
    # Why there is no comment on the last play: no answer, or a position being played elsewhere.
    silence = models.CharField(max_length=10, choices=Silence, blank=True)
    # While a hint is open: the journal's head at that time; the bot waits.
    waits_at = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        verbose_name = _("practice match with the tutor")
        verbose_name_plural = _("practice matches with the tutor")
        constraints = (models.CheckConstraint(condition=Q(limit__gt=0), name="lesson_limit_is_above_nought"),)

    def __str__(self) -> str:
        return f"{self.match_id} {self.limit}"


class Hint(models.Model):
    """A play that the tutor commented on."""

    lesson = models.ForeignKey(Lesson, on_delete=models.CASCADE, related_name="hints")
    # The journal line of the play.
    seq = models.PositiveIntegerField()
    position = models.CharField(max_length=120)
    played = models.CharField(max_length=60)
    best = models.CharField(max_length=60)
    loss = models.FloatField()
    level = models.PositiveSmallIntegerField()
    plays = models.JSONField(default=list)
    response = models.CharField(max_length=10, choices=Response, default=Response.NONE)

    class Meta:
        verbose_name = _("hint of the tutor")
        verbose_name_plural = _("hints of the tutor")
        constraints = (
            models.UniqueConstraint(fields=["lesson", "seq"], name="one_hint_per_play"),
            models.UniqueConstraint(
                fields=["lesson"], condition=Q(response="none"), name="one_open_hint_per_lesson"
            ),
            models.CheckConstraint(condition=Q(loss__gte=0), name="hint_losses_not_below_nought"),
        )

    def __str__(self) -> str:
        return f"{self.lesson_id} {self.seq}"


class Remark(models.Model):
    """The evaluation of a decision or a roll."""

    analysis = models.ForeignKey(Analysis, on_delete=models.CASCADE, related_name="remarks")
    number = models.PositiveIntegerField()
    # The line of the journal, or the number of the fact in a record, from 1.
    seq = models.PositiveIntegerField()
    game = models.PositiveSmallIntegerField()
    ply = models.PositiveSmallIntegerField()
    side = models.PositiveSmallIntegerField(choices=SideChoice)
    kind = models.CharField(max_length=6)
    dice = models.CharField(max_length=2, blank=True)
    position = models.CharField(max_length=120)
    decided = models.CharField(max_length=60, blank=True)
    best = models.CharField(max_length=60, blank=True)
    # 0 if there was nothing to decide.
    level = models.PositiveSmallIntegerField(default=0)
    counted = models.BooleanField(default=False)
    # The error in equity, and its cost in match winning chance (or points).
    error = models.FloatField(default=0)
    cost = models.FloatField(default=0)
    fault = models.CharField(max_length=20, blank=True)
    luck = models.FloatField(null=True, blank=True)
    luck_cost = models.FloatField(null=True, blank=True)
    # The side's match winning chance after the best decision; points in money play.
    chance = models.FloatField(null=True, blank=True)
    plays = models.JSONField(default=list, blank=True)
    cube = models.JSONField(null=True, blank=True)

    class Meta:
        verbose_name = _("remark")
        verbose_name_plural = _("remarks")
        constraints = (
            models.UniqueConstraint(fields=["analysis", "number"], name="one_remark_per_decision"),
            models.CheckConstraint(condition=Q(side=0) | Q(side=1), name="remark_side_is_known"),
            models.CheckConstraint(condition=Q(error__gte=0), name="remark_errors_not_below_nought"),
        )

    def __str__(self) -> str:
        return f"{self.analysis_id} {self.number}"


class SideSum(models.Model):
    """Sums of one side of a match, one row per kind of error."""

    analysis = models.ForeignKey(Analysis, on_delete=models.CASCADE, related_name="sums")
    side = models.PositiveSmallIntegerField(choices=SideChoice)
    # Blank: decisions without an error, and rolls.
    fault = models.CharField(max_length=20, blank=True)
    number = models.PositiveIntegerField()
    counted = models.PositiveIntegerField()
    plays = models.PositiveIntegerField()
    errors = models.PositiveIntegerField()
    blunders = models.PositiveIntegerField()
    error = models.FloatField()
    # Sum of the squared errors of counted decisions.
    squares = models.FloatField()
    cost = models.FloatField()
    luck = models.FloatField()
    luck_cost = models.FloatField()

    class Meta:
        verbose_name = _("sum of a side")
        verbose_name_plural = _("sums of the sides")
        constraints = (
            models.UniqueConstraint(fields=["analysis", "side", "fault"], name="one_sum_per_side_and_fault"),
            models.CheckConstraint(condition=Q(side=0) | Q(side=1), name="sum_side_is_known"),
            models.CheckConstraint(condition=Q(counted__lte=models.F("number")), name="sum_counts_its_own"),
        )

    def __str__(self) -> str:
        return f"{self.analysis_id} {self.side} {self.fault}"


class Card(models.Model):
    """An answered card of the deck, with its next repetition."""

    remark = models.OneToOneField(Remark, on_delete=models.CASCADE, related_name="card")
    # Numbered as in `opinion.judging.formulas`.
    box = models.PositiveSmallIntegerField()
    times = models.PositiveIntegerField()
    choice = models.CharField(max_length=60)
    loss = models.FloatField()
    answered_at = models.DateTimeField()
    due_at = models.DateTimeField()

    class Meta:
        verbose_name = _("card")
        verbose_name_plural = _("cards")
        constraints = (models.CheckConstraint(condition=Q(loss__gte=0), name="card_losses_not_below_nought"),)

    def __str__(self) -> str:
        return f"{self.remark_id} {self.box}"
