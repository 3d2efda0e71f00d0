"""The archive: every match that was played to its end, wherever it was played, in one table that can be searched.

All of it is computed from boards, results and records, and can be dropped and made again (`manage.py fill_archive --again`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from players.models.folded import FoldedName

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper

    BigIntegerField = models.BigIntegerField[int, int]
else:
    BigIntegerField = models.BigIntegerField


class RecordedName(models.Model):
    """A name as the records of a club write it, of a player or an event."""

    club = models.ForeignKey("players.Club", on_delete=models.CASCADE, related_name="recorded_names")
    name = models.TextField(_("name"))
    folded_name = FoldedName()

    class Meta:
        verbose_name = _("recorded name")
        verbose_name_plural = _("recorded names")
        constraints = (models.UniqueConstraint(fields=["club", "name"], name="one_recorded_name_per_club"),)

    def __str__(self) -> str:
        return self.name

    @property
    def name_for_searches(self) -> str:
        """What a search compares."""
        return self.name


class ArchivedMatch(models.Model):
    """A match that was played: on a board of ours, in an event, or as a record tells of it."""

    # One of these at least; a match of an event that was played on a board of ours has both.
    match = models.OneToOneField(
        "matches.Match", on_delete=models.CASCADE, null=True, blank=True, related_name="archived"
    )
    pairing = models.OneToOneField(
        "tournaments.Pairing", on_delete=models.CASCADE, null=True, blank=True, related_name="archived"
    )
    record = models.OneToOneField(
        "records.RecordMatch", on_delete=models.CASCADE, null=True, blank=True, related_name="archived"
    )
    club = models.ForeignKey(
        "players.Club", on_delete=models.CASCADE, null=True, blank=True, related_name="archived_matches"
    )
    event = models.ForeignKey(
        "tournaments.Tournament",
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="archived_matches",
    )
    # The event as a record names it.
    event_name = models.ForeignKey(
        RecordedName, on_delete=models.SET_NULL, null=True, blank=True, related_name="events"
    )
    length = models.PositiveIntegerField(_("length"))
    played_at = models.DateTimeField(_("played"))
    white_score = models.BigIntegerField(default=0)
    black_score = models.BigIntegerField(default=0)
    # 0 for White, 1 for Black.
    winner = models.PositiveSmallIntegerField(_("winner"), null=True, blank=True)
    # How the last game ended, or why there was none.
    ending = models.CharField(_("ending"), max_length=14, blank=True)
    # Have the facts been read, if there are any? Then there are games, figures and positions.
    is_read = models.BooleanField(default=False)
    has_facts = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("archived match")
        verbose_name_plural = _("archived matches")
        constraints = (
            models.CheckConstraint(
                condition=Q(match__isnull=False) | Q(pairing__isnull=False) | Q(record__isnull=False),
                name="archived_match_was_played_somewhere",
            ),
            models.CheckConstraint(
                condition=Q(winner__isnull=True) | Q(winner=0) | Q(winner=1),
                name="archived_won_by_one_of_two",
            ),
        )
        indexes = (
            models.Index(F("played_at").desc(), F("id").desc(), name="archived_by_day"),
            models.Index(F("club"), F("played_at").desc(), F("id").desc(), name="archived_by_club_and_day"),
            models.Index(fields=["id"], condition=Q(is_read=False), name="archived_to_read"),
        )

    def __str__(self) -> str:
        return f"{self.pk} {self.white_score}-{self.black_score}/{self.length}"


class ArchivedSide(models.Model):
    """One of the two in a match: who, and what they did, as far as there are facts."""

    archived = models.ForeignKey(ArchivedMatch, on_delete=models.CASCADE, related_name="sides")
    # 0 for White, 1 for Black.
    side = models.PositiveSmallIntegerField()
    player = models.ForeignKey(
        "players.Player", on_delete=models.CASCADE, null=True, blank=True, related_name="archived_sides"
    )
    # Where only a record says who it was.
    name = models.ForeignKey(
        RecordedName, on_delete=models.CASCADE, null=True, blank=True, related_name="archived_sides"
    )
    doubled = models.PositiveIntegerField(default=0)
    took = models.PositiveIntegerField(default=0)
    dropped = models.PositiveIntegerField(default=0)
    rolls = models.PositiveIntegerField(default=0)
    hits = models.PositiveIntegerField(default=0)
    dances = models.PositiveIntegerField(default=0)
    # Only where a board of ours kept the time.
    milliseconds = models.BigIntegerField(null=True, blank=True)

    class Meta:
        verbose_name = _("archived side")
        verbose_name_plural = _("archived sides")
        constraints = (
            models.UniqueConstraint(fields=["archived", "side"], name="one_archived_side_each"),
            models.CheckConstraint(condition=Q(side=0) | Q(side=1), name="archived_side_is_one_of_two"),
        )

    def __str__(self) -> str:
        return f"{self.archived_id} {self.side}"


class ArchivedGame(models.Model):
    """One game of a match with facts: how it began and how it ended."""

    archived = models.ForeignKey(ArchivedMatch, on_delete=models.CASCADE, related_name="games")
    number = models.PositiveSmallIntegerField(_("number"))
    # Who won the opening roll, what it was (31, 42, ...), and how it was played; blank where a game began otherwise.
    opener = models.PositiveSmallIntegerField(null=True, blank=True)
    roll = models.PositiveSmallIntegerField(_("opening roll"), null=True, blank=True)
    play = models.CharField(_("opening play"), max_length=40, blank=True)
    winner = models.PositiveSmallIntegerField(_("winner"), null=True, blank=True)
    points = models.PositiveIntegerField(default=0)
    # 1, 2 or 3: a single game, a gammon, a backgammon.
    kind = models.PositiveSmallIntegerField(default=1)
    how = models.CharField(_("ending"), max_length=12)

    class Meta:
        verbose_name = _("archived game")
        verbose_name_plural = _("archived games")
        constraints = (
            models.UniqueConstraint(fields=["archived", "number"], name="one_archived_game_per_number"),
        )
        indexes = (models.Index(fields=["roll", "play"], name="archived_games_by_opening"),)

    def __str__(self) -> str:
        return f"{self.archived_id} {self.number}"


class ArchivedPositions(models.Model):
    """Every position of a match in which somebody was to roll or double, in its order (`records.archive.sightings`)."""

    archived = models.OneToOneField(
        ArchivedMatch, on_delete=models.CASCADE, primary_key=True, related_name="positions"
    )
    packed = models.BinaryField()

    class Meta:
        verbose_name = _("archived positions")
        verbose_name_plural = _("archived positions")

    def __str__(self) -> str:
        return str(self.archived_id)


class RowNumber(BigIntegerField):
    """A primary key of 63 bits that SQLite keeps its rows by: with any other it keeps each number twice, in the table and in an index."""

    def db_type(self, connection: BaseDatabaseWrapper) -> str | None:
        """Return the type of the column."""
        # `integer PRIMARY KEY`, by these very words, is the row's own number, and as wide.
        return "integer" if connection.vendor == "sqlite" else super().db_type(connection)


class PositionIndex(models.Model):
    """Which match a position occurred in: both in one number, so that a million matches fit (`records.archive.sightings`)."""

    id = RowNumber(primary_key=True)

    class Meta:
        verbose_name = _("position index")
        verbose_name_plural = _("position index")

    def __str__(self) -> str:
        return str(self.pk)


class ArchiveMark(models.Model):
    """How far the archive has come with one kind of match."""

    source = models.CharField(max_length=8, primary_key=True)
    at = models.DateTimeField()
    row = models.BigIntegerField(default=0)

    class Meta:
        verbose_name = _("archive mark")
        verbose_name_plural = _("archive marks")

    def __str__(self) -> str:
        return self.source
