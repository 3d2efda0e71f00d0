"""Matches and their journals. All state in a match's row is computed from its journal."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from matches.state.status import Status
from players.keys import new_key
from runtime.rows import make_uid_field


class State(models.TextChoices):
    """`Status`, for forms and lists."""

    WAITING = Status.WAITING.value, _("Waiting for the players")
    LIVE = Status.LIVE.value, _("Being played")
    PAUSED = Status.PAUSED.value, _("Paused")
    FINISHED = Status.FINISHED.value, _("Finished")
    VOID = Status.VOID.value, _("Void")


class Due(models.TextChoices):
    """Sides: for the ones to act, and for the winner."""

    NOBODY = "", _("Nobody")
    WHITE = "white", _("White")
    BLACK = "black", _("Black")
    BOTH = "both", _("Both")


class Match(models.Model):
    """A match between two players. The columns below the line are computed from its journal."""

    uid = make_uid_field()
    key = models.CharField(max_length=10, unique=True, default=new_key, editable=False)
    white = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="matches_as_white")
    black = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="matches_as_black")
    # The players' keys at the start. Dice commitments include them, so they stay when players are merged.
    white_key = models.CharField(max_length=10, editable=False)
    black_key = models.CharField(max_length=10, editable=False)
    # The club whose directors may rule, if any.
    club = models.ForeignKey(
        "players.Club", on_delete=models.PROTECT, null=True, blank=True, related_name="matches"
    )
    terms = models.JSONField()
    length = models.PositiveSmallIntegerField(_("length"))
    is_timed = models.BooleanField(_("with a clock"))
    # True with a clock or a limit in days: a live match then has a deadline.
    is_limited = models.BooleanField(_("with a deadline"))
    is_rated = models.BooleanField(_("rated"), default=False)
    is_private = models.BooleanField(_("without spectators"), default=False)
    # True if a player is a built-in bot, which is woken when it has to act.
    has_bot = models.BooleanField(_("with a bot"), default=False)
    created_at = models.DateTimeField(_("created"))
    # Both players must have joined by then, or the match is void.
    waits_until = models.DateTimeField(null=True, blank=True)
    # Salts of the server's chains, one per set; useless without the secret key of this installation.
    salts = models.JSONField(default=list)
    # Shares deposited before their roll is due: {"A": {"17": "…"}}.
    deposits = models.JSONField(default=dict)

    # ---- computed from the journal

    status = models.CharField(_("status"), max_length=10, choices=State, default=State.WAITING)
    cache = models.JSONField()
    head = models.PositiveIntegerField(default=0)
    head_hash = models.CharField(max_length=64)
    white_score = models.BigIntegerField(default=0)
    black_score = models.BigIntegerField(default=0)
    winner = models.CharField(_("winner"), max_length=5, choices=Due, blank=True)
    due = models.CharField(_("waits for"), max_length=5, choices=Due, blank=True)
    deadline_at = models.DateTimeField(null=True, blank=True)
    moved_at = models.DateTimeField(_("last action"))
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        constraints = (
            models.CheckConstraint(condition=~Q(white=F("black")), name="nobody_plays_against_themselves"),
            models.CheckConstraint(condition=Q(status__in=State.values), name="match_status_is_known"),
            models.CheckConstraint(
                condition=Q(deadline_at__isnull=True) | Q(status__in=[State.WAITING, State.LIVE]),
                name="only_open_matches_have_deadlines",
            ),
            models.CheckConstraint(
                condition=~Q(status=State.LIVE)
                | Q(deadline_at__isnull=False, is_limited=True)
                | Q(deadline_at__isnull=True, is_limited=False),
                name="live_and_limited_has_a_deadline",
            ),
            models.CheckConstraint(
                condition=Q(is_limited=True) | Q(is_timed=False), name="what_is_timed_is_limited"
            ),
            models.CheckConstraint(
                condition=Q(finished_at__isnull=False, status__in=[State.FINISHED, State.VOID])
                | Q(finished_at__isnull=True, status__in=[State.WAITING, State.LIVE, State.PAUSED]),
                name="ended_matches_say_when",
            ),
            models.CheckConstraint(
                condition=~Q(winner="") | ~Q(status=State.FINISHED), name="finished_matches_are_won"
            ),
        )
        indexes = (
            models.Index(
                fields=["deadline_at"], condition=Q(deadline_at__isnull=False), name="match_deadline"
            ),
            models.Index(fields=["white", "due"], condition=~Q(due=""), name="match_due_white"),
            models.Index(fields=["black", "due"], condition=~Q(due=""), name="match_due_black"),
            models.Index(fields=["status", "-moved_at"], name="match_status_moved"),
            # For public lists: there may be a thousand times as many practice matches.
            models.Index(
                fields=["status", "-moved_at"],
                condition=Q(has_bot=False, is_private=False),
                name="match_shown_moved",
            ),
            models.Index(fields=["due"], condition=Q(has_bot=True), name="match_with_bot_due"),
        )

    def __str__(self) -> str:
        return f"{self.key} {self.white_score}-{self.black_score}/{self.length}"

    @property
    def is_practice(self) -> bool:
        """True for unrated matches against a bot outside clubs."""
        return self.has_bot and not self.is_rated and self.club_id is None


class JournalEntry(models.Model):
    """A journal line: never changed, never deleted (enforced by triggers)."""

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="journal")
    seq = models.PositiveIntegerField()
    # In milliseconds since 1970.
    at = models.BigIntegerField()
    by = models.CharField(max_length=8)
    who = models.CharField(max_length=10, blank=True)
    fact = models.JSONField()
    lag = models.PositiveIntegerField(default=0)
    thrown = models.JSONField(null=True, blank=True)
    hash = models.CharField(max_length=64)
    # The command, on its first line: actor, idempotency key, digest and number of lines.
    actor = models.CharField(max_length=24, blank=True)
    key = models.CharField(max_length=80, blank=True)
    request = models.CharField(max_length=16, blank=True)
    lines = models.PositiveSmallIntegerField(default=0)

    class Meta:
        verbose_name = _("journal entry")
        verbose_name_plural = _("journal")
        constraints = (
            models.UniqueConstraint(fields=["match", "seq"], name="one_journal_entry_per_number"),
            models.UniqueConstraint(
                fields=["match", "actor", "key"],
                condition=~Q(key=""),
                name="one_command_per_actor_and_key",
            ),
        )

    def __str__(self) -> str:
        return f"{self.match_id} {self.seq}"


class Absence(models.Model):
    """A side whose connection was lost; deleted when it is back or acts."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="absences")
    side = models.CharField(_("side"), max_length=5, choices=Due)
    since = models.DateTimeField(_("since"))

    class Meta:
        verbose_name = _("absence")
        verbose_name_plural = _("absences")
        constraints = (
            models.UniqueConstraint(fields=["match", "side"], name="one_absence_per_side"),
            models.CheckConstraint(condition=Q(side__in=[Due.WHITE, Due.BLACK]), name="a_side_is_absent"),
        )

    def __str__(self) -> str:
        return f"{self.match_id} {self.side}"


class Audience(models.Model):
    """The number of spectators last published."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="audience")
    watching = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("audience")
        verbose_name_plural = _("audiences")

    def __str__(self) -> str:
        return f"{self.match_id} {self.watching}"


class DiceTally(models.Model):
    """Dice counts of a match. Computed from its journal; may be deleted and recomputed."""

    match = models.OneToOneField(
        "matches.Match", on_delete=models.CASCADE, primary_key=True, related_name="dice_tally"
    )
    # Last line counted.
    head = models.PositiveIntegerField()
    strict = models.PositiveIntegerField(default=0)
    sealed = models.PositiveIntegerField(default=0)
    weaker = models.PositiveIntegerField(default=0)
    # Frequencies of the 36 throws, 1-1, 1-2 to 6-6 as thrown: by one player, and of opening rolls.
    throws = models.JSONField()
    openings = models.JSONField()
    # Number of runs of doubles by length.
    runs = models.JSONField()

    class Meta:
        verbose_name = _("tally of dice")
        verbose_name_plural = _("tallies of dice")

    def __str__(self) -> str:
        return f"{self.match_id}"
