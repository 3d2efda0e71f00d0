"""Models of submitted files and their verdicts. Database triggers make both immutable."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from players.keys import new_key
from players.models.folded_names import FoldedName
from records.evidence import Outcome
from runtime.rows import make_uid_field

# Outbox topic: judge a file.
ADJUDICATE = "records.adjudicate"
# Outbox topic: apply a record to its match.
DECIDE = "records.decide"


class VerdictWord(models.TextChoices):
    """The referee's verdict on a record, best first."""

    ACCEPTED = "accepted", _("Accepted")
    NOTED = "noted", _("Noted")
    REJECTED = "rejected", _("Rejected")
    UNREADABLE = "unreadable", _("Unreadable")


# Verdicts of records that count; a rejected record proves nothing about its match.
STANDS: Final = (VerdictWord.ACCEPTED, VerdictWord.NOTED)


class RecordAlias(models.Model):
    """A player's name in the records of a club."""

    club = models.ForeignKey("players.Club", on_delete=models.CASCADE, related_name="record_aliases")
    # Folded by `players.names.fold`.
    folded = models.CharField(max_length=200)
    player = models.ForeignKey("players.Player", on_delete=models.CASCADE, related_name="record_aliases")

    class Meta:
        verbose_name = _("name in records")
        verbose_name_plural = _("names in records")
        constraints = (
            models.UniqueConstraint(
                fields=["club", "folded"], name="one_player_per_club_and_name_in_records"
            ),
        )

    def __str__(self) -> str:
        return self.folded


class RecordFile(models.Model):
    """A file's content, stored once per club, and the state of its verdict."""

    club = models.ForeignKey("players.Club", on_delete=models.CASCADE, related_name="record_files")
    sha256 = models.CharField(max_length=64)
    size = models.PositiveIntegerField(_("bytes"))
    content = models.BinaryField()
    kept_at = models.DateTimeField(_("kept since"))
    # The fields from here on are the verdict; `word` is that of the worst match, blank while waiting.
    word = models.CharField(_("verdict"), max_length=10, choices=VerdictWord, blank=True)
    judged_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)

    class Meta:
        verbose_name = _("record file")
        verbose_name_plural = _("record files")
        constraints = (
            models.UniqueConstraint(fields=["club", "sha256"], name="one_record_file_per_club_and_hash"),
            models.CheckConstraint(
                condition=Q(word="", judged_at__isnull=True)
                | Q(word__in=VerdictWord.values, judged_at__isnull=False),
                name="record_file_judged_says_so",
            ),
        )
        # For the sums of a club's storage quota.
        indexes = (models.Index(fields=["club", "kept_at", "size"], name="record_bytes_by_club_and_day"),)

    def __str__(self) -> str:
        return self.sha256[:12]


class Submission(models.Model):
    """A submitted file: for a club, optionally for a match of an event."""

    uid = make_uid_field()
    key = models.CharField(max_length=10, unique=True, default=new_key, editable=False)
    club = models.ForeignKey("players.Club", on_delete=models.CASCADE, related_name="submissions")
    # Files of one request have the same batch.
    batch = models.CharField(max_length=10, db_index=True)
    name = models.CharField(_("file"), max_length=200)
    file = models.ForeignKey(
        RecordFile, on_delete=models.CASCADE, null=True, blank=True, related_name="submissions"
    )
    # Code of the refusal; blank if the file was stored.
    refusal = models.CharField(max_length=20, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="submissions"
    )
    pairing = models.ForeignKey(
        "tournaments.Pairing", on_delete=models.SET_NULL, null=True, blank=True, related_name="submissions"
    )
    # The record that this one corrects.
    mends = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="mended_by"
    )
    # Instead of an account: the player, opponent and browser of a submission with the match's code.
    entry = models.ForeignKey(
        "tournaments.Entry", on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    opponent = models.ForeignKey(
        "tournaments.Entry", on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    device = models.CharField(max_length=22, blank=True, db_default="", editable=False)
    at = models.DateTimeField(_("when"))
    # The effect on the match; blank without a match, or while waiting.
    outcome = models.CharField(max_length=10, choices=Outcome, blank=True, db_default="", editable=False)

    class Meta:
        verbose_name = _("submission")
        verbose_name_plural = _("submissions")
        ordering = ("at", "pk")
        constraints = (
            models.CheckConstraint(
                condition=Q(refusal="", file__isnull=False) | (~Q(refusal="") & Q(file__isnull=True)),
                name="submission_is_kept_or_refused",
            ),
        )

    def __str__(self) -> str:
        return self.name


class RecordMatch(models.Model):
    """The verdict on one match of a file: written once, by the engine version it names."""

    uid = make_uid_field()
    key = models.CharField(max_length=10, unique=True, default=new_key, editable=False)
    file = models.ForeignKey(RecordFile, on_delete=models.CASCADE, related_name="matches")
    # Position in the file, from 1.
    number = models.PositiveSmallIntegerField(_("number"))
    word = models.CharField(_("verdict"), max_length=10, choices=VerdictWord)
    white = models.TextField(_("White"), blank=True)
    black = models.TextField(_("Black"), blank=True)
    folded_name = FoldedName()
    length = models.BigIntegerField(_("length"), null=True, blank=True)
    white_score = models.BigIntegerField(default=0)
    black_score = models.BigIntegerField(default=0)
    # 0 for White, 1 for Black.
    winner = models.PositiveSmallIntegerField(_("winner"), null=True, blank=True)
    findings = models.PositiveIntegerField(_("findings"), default=0)
    # The whole verdict, in the format of `python -m engine adjudicate --jsonl`.
    verdict = models.JSONField()
    engine = models.CharField(_("engine"), max_length=20)
    judged_at = models.DateTimeField()

    class Meta:
        verbose_name = _("recorded match")
        verbose_name_plural = _("recorded matches")
        ordering = ("file", "number")
        constraints = (
            models.UniqueConstraint(fields=["file", "number"], name="one_verdict_per_file_and_number"),
            # Not winner__in: Django cannot introspect a list of numbers in a constraint on SQLite.
            models.CheckConstraint(
                condition=Q(winner__isnull=True) | Q(winner=0) | Q(winner=1), name="record_won_by_one_of_two"
            ),
        )
        indexes = (models.Index(F("word"), F("judged_at").desc(), name="recorded_matches_by_word"),)

    def __str__(self) -> str:
        return f"{self.key} {self.word}"

    @property
    def name_for_searches(self) -> str:
        return f"{self.white} {self.black}"


class RecordFacts(models.Model):
    """The facts of a match as read by the referee, so that pages need not parse the file.

    Missing for matches that were judged before this table existed, imported from a folder, or too long.
    """

    match = models.OneToOneField(
        RecordMatch, on_delete=models.CASCADE, primary_key=True, related_name="facts"
    )
    # A document of `engine.formats.json_record`, compressed with zlib.
    document = models.BinaryField()

    class Meta:
        verbose_name = _("facts of a record")
        verbose_name_plural = _("facts of records")

    def __str__(self) -> str:
        return str(self.match_id)
