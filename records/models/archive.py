"""Models of the archive: every finished match, online or not, in one searchable table.

All of it is derived from online matches, results and records, and can be rebuilt (`manage.py fill_archive
--again`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from players.models.folded_names import FoldedName

if TYPE_CHECKING:
    BigIntegerField = models.BigIntegerField[int, int]
else:
    BigIntegerField = models.BigIntegerField


class RecordedName(models.Model):
    """A player's or event's name as written in the records of a club."""

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
        return self.name


class ArchivedMatch(models.Model):
    """A played match: online, in an event, or from a record."""

    # At least one of these; an event's match that was played online has both.
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
    # The event's name in a record.
    event_name = models.ForeignKey(
        RecordedName, on_delete=models.SET_NULL, null=True, blank=True, related_name="events"
    )
    length = models.PositiveIntegerField(_("length"))
    played_at = models.DateTimeField(_("played"))
    white_score = models.BigIntegerField(default=0)
    black_score = models.BigIntegerField(default=0)
    # 0 for White, 1 for Black.
    winner = models.PositiveSmallIntegerField(_("winner"), null=True, blank=True)
    # How the last game ended, or why none was played.
    ending = models.CharField(_("ending"), max_length=14, blank=True)
    # Whether the facts have been read, and whether there are any. With facts there are games, statistics and
    # positions.
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
    """A side of a match: the player, and statistics if there are facts."""

    archived = models.ForeignKey(ArchivedMatch, on_delete=models.CASCADE, related_name="sides")
    # 0 for White, 1 for Black.
    side = models.PositiveSmallIntegerField()
    player = models.ForeignKey(
        "players.Player", on_delete=models.CASCADE, null=True, blank=True, related_name="archived_sides"
    )
    # For records that only contain a name.
    name = models.ForeignKey(
        RecordedName, on_delete=models.CASCADE, null=True, blank=True, related_name="archived_sides"
    )
    doubled = models.PositiveIntegerField(default=0)
    took = models.PositiveIntegerField(default=0)
    dropped = models.PositiveIntegerField(default=0)
    rolls = models.PositiveIntegerField(default=0)
    hits = models.PositiveIntegerField(default=0)
    dances = models.PositiveIntegerField(default=0)
    # Only of online matches with a clock.
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
    archived = models.ForeignKey(ArchivedMatch, on_delete=models.CASCADE, related_name="games")
    number = models.PositiveSmallIntegerField(_("number"))
    # Winner of the opening roll, the roll (31, 42, ...) and its play; blank for games that began in another
    # position.
    opener = models.PositiveSmallIntegerField(null=True, blank=True)
    roll = models.PositiveSmallIntegerField(_("opening roll"), null=True, blank=True)
    play = models.CharField(_("opening play"), max_length=40, blank=True)
    winner = models.PositiveSmallIntegerField(_("winner"), null=True, blank=True)
    points = models.PositiveIntegerField(default=0)
    # 1, 2 or 3: single game, gammon, backgammon.
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
    """The positions of a match before a roll or double, in order (`records.archive.sightings`)."""

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
    """A 63-bit primary key that is SQLite's rowid.

    With another type SQLite stores each number twice, in the table and in an index.
    """

    def db_type(self, connection: BaseDatabaseWrapper) -> str | None:
        # Only a column declared exactly `integer PRIMARY KEY` is the 64-bit rowid.
        return "integer" if connection.vendor == "sqlite" else super().db_type(connection)


class PositionIndex(models.Model):
    """A position and a match in which it occurred, as one number to save space (`records.archive.sightings`)."""

    id = RowNumber(primary_key=True)

    class Meta:
        verbose_name = _("position index")
        verbose_name_plural = _("position index")

    def __str__(self) -> str:
        return str(self.pk)


class ArchiveMark(models.Model):
    """Progress of the archive for one source of matches."""

    source = models.CharField(max_length=8, primary_key=True)
    at = models.DateTimeField()
    row = models.BigIntegerField(default=0)

    class Meta:
        verbose_name = _("archive mark")
        verbose_name_plural = _("archive marks")

    def __str__(self) -> str:
        return self.source
