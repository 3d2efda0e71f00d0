"""What an engine thinks of finished matches. All of it may be dropped at any time: it can be made again."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from engine.side import Side

DEEPEST = 3


class Progress(models.TextChoices):
    """How far an analysis is."""

    WAITING = "waiting", _("Being analysed")
    DONE = "done", _("Analysed")
    # The engine does not know such rules, or there is no decision in the match.
    UNJUDGED = "unjudged", _("Not analysed")
    FAILED = "failed", _("The analysis failed")


class SideChoice(models.IntegerChoices):
    """The two sides, as the engine numbers them."""

    WHITE = Side.WHITE.value, _("White")
    BLACK = Side.BLACK.value, _("Black")


class Silence(models.TextChoices):
    """Why the tutor says nothing about a play."""

    ENGINE = "engine", _("The engine did not answer")
    IN_PLAY = "in-play", _("The position is being played elsewhere")


class Response(models.TextChoices):
    """What became of a hint."""

    NONE = "none", _("Open")
    TAKEN_BACK = "taken-back", _("Taken back")
    PLAYED_ON = "played-on", _("Played on")


class Analysis(models.Model):
    """One match as one version of an engine sees it, pass by pass."""

    # A match of ours, or one that was handed in as a record: that one by its key, for its table is another wing's.
    match = models.OneToOneField(
        "matches.Match", on_delete=models.CASCADE, null=True, blank=True, related_name="analysis"
    )
    record = models.CharField(_("record"), max_length=10, blank=True, db_default="")
    # Of the journal it is about, or the hash of the record's bytes: where there is another one, this is about what is no more.
    head_hash = models.CharField(max_length=64)
    engine = models.CharField(_("engine"), max_length=20, blank=True)
    version = models.CharField(_("version"), max_length=30, blank=True)
    progress = models.CharField(_("progress"), max_length=10, choices=Progress, default=Progress.WAITING)
    # The deepest pass that is done, and how many decisions the next one has behind it.
    level = models.PositiveSmallIntegerField(_("level"), default=0)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(_("decisions"), default=0)
    # Why there is none, or why the last attempt failed.
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
    """A position that somebody asked about, and what one version of an engine thinks of it."""

    # Its XGID, turned so that the side on roll is the player below (`opinion.judging.positions.key`).
    position = models.CharField(_("position"), max_length=80)
    engine = models.CharField(_("engine"), max_length=20)
    version = models.CharField(_("version"), max_length=30)
    # As deep as it is looked at where that matters.
    level = models.PositiveSmallIntegerField(_("level"))
    progress = models.CharField(_("progress"), max_length=10, choices=Progress, default=Progress.WAITING)
    why = models.CharField(max_length=300, blank=True)
    # The plays as in a remark, or what the cube is worth.
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
    """The position of a day: one that was hard to play in a match of this installation."""

    day = models.DateField(_("day"), unique=True)
    asked = models.ForeignKey(AskedPosition, on_delete=models.CASCADE, related_name="days")
    # Where it was met; shown while everybody may see that match.
    match = models.ForeignKey("matches.Match", on_delete=models.CASCADE, related_name="daily_positions")

    class Meta:
        verbose_name = _("position of the day")
        verbose_name_plural = _("positions of the day")

    def __str__(self) -> str:
        return str(self.day)


class GivenAnswer(models.Model):
    """What somebody answered first about a position that was one of the day: a member, or a browser."""

    # As in `AskedPosition`.
    position = models.CharField(_("position"), max_length=80)
    choice = models.CharField(_("answer"), max_length=60)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="given_answers"
    )
    # A digest of what its cookie holds; "" where somebody was signed in.
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
    """A decision of a bot that our own took in its place, because the engine did not answer."""

    match = models.ForeignKey("matches.Match", on_delete=models.CASCADE, related_name="stand_ins")
    # The line of the journal on which it was to decide.
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
    """A practice match with the tutor. It counts for nothing, and its own player alone is told anything."""

    match = models.OneToOneField("matches.Match", on_delete=models.CASCADE, related_name="lesson")
    # A play that gives away as much, of the cube's value, is pointed out.
    limit = models.FloatField(_("limit"))
    # Up to which line of the journal the plays have been looked at.
    looked = models.PositiveIntegerField(default=0)
    # Why nothing was said about the last play: no answer, or a position that is being played elsewhere.
    silence = models.CharField(max_length=10, choices=Silence, blank=True)
    # While the player is asked whether to take a play back, the last line of the journal as it was then: the bot waits.
    waits_at = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        verbose_name = _("practice match with the tutor")
        verbose_name_plural = _("practice matches with the tutor")
        constraints = (models.CheckConstraint(condition=Q(limit__gt=0), name="lesson_limit_is_above_nought"),)

    def __str__(self) -> str:
        return f"{self.match_id} {self.limit}"


class Hint(models.Model):
    """A play that the tutor pointed out."""

    lesson = models.ForeignKey(Lesson, on_delete=models.CASCADE, related_name="hints")
    # The line of the journal with the play.
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
    """One decision, or one roll, and what is thought of it."""

    analysis = models.ForeignKey(Analysis, on_delete=models.CASCADE, related_name="remarks")
    number = models.PositiveIntegerField()
    # The line of the journal.
    seq = models.PositiveIntegerField()
    game = models.PositiveSmallIntegerField()
    ply = models.PositiveSmallIntegerField()
    side = models.PositiveSmallIntegerField(choices=SideChoice)
    kind = models.CharField(max_length=6)
    dice = models.CharField(max_length=2, blank=True)
    position = models.CharField(max_length=120)
    decided = models.CharField(max_length=60, blank=True)
    best = models.CharField(max_length=60, blank=True)
    # 0 where there was nothing to decide.
    level = models.PositiveSmallIntegerField(default=0)
    counted = models.BooleanField(default=False)
    # Of the cube's value; and of the match's chance, or points.
    error = models.FloatField(default=0)
    cost = models.FloatField(default=0)
    fault = models.CharField(max_length=20, blank=True)
    luck = models.FloatField(null=True, blank=True)
    luck_cost = models.FloatField(null=True, blank=True)
    # The chance of the match of the side that decided, had it decided best.
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
    """What the decisions of one side of a match come to, those of each kind of error by themselves."""

    analysis = models.ForeignKey(Analysis, on_delete=models.CASCADE, related_name="sums")
    side = models.PositiveSmallIntegerField(choices=SideChoice)
    # Blank: the decisions that were no error, and the rolls.
    fault = models.CharField(max_length=20, blank=True)
    number = models.PositiveIntegerField()
    counted = models.PositiveIntegerField()
    plays = models.PositiveIntegerField()
    errors = models.PositiveIntegerField()
    blunders = models.PositiveIntegerField()
    error = models.FloatField()
    # The sum of the squares of the errors that count.
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
    """A card of the deck that has been answered: an error of one's own, and when it comes again."""

    remark = models.OneToOneField(Remark, on_delete=models.CASCADE, related_name="card")
    # As `opinion.judging.leitner` numbers them.
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
