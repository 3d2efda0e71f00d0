"""Opening ratings imported from elsewhere."""

from __future__ import annotations

import builtins

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from rankings.models.lists import RatingList


class OpeningImport(models.Model):
    """An import of ratings from elsewhere: a draft for review, then saved; undone as a whole."""

    list = models.ForeignKey(RatingList, on_delete=models.CASCADE, related_name="opening_imports")
    source = models.CharField(_("source"), max_length=120)
    # The rows of the file as text; empty once the import is saved.
    table = models.JSONField(default=builtins.list)
    # The guests it created, by primary key.
    guests = models.JSONField(default=builtins.list)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(_("made"))
    saved_at = models.DateTimeField(_("saved"), null=True, blank=True)
    undone_at = models.DateTimeField(_("undone"), null=True, blank=True)

    class Meta:
        verbose_name = _("import of ratings")
        verbose_name_plural = _("imports of ratings")
        ordering = ("list", "-pk")
        constraints = (
            models.CheckConstraint(
                condition=Q(undone_at__isnull=True) | Q(saved_at__isnull=False),
                name="opening_import_undone_was_saved",
            ),
        )

    def __str__(self) -> str:
        return self.source


class Opening(models.Model):
    """The rating with which a player starts in a list, imported from elsewhere."""

    list = models.ForeignKey(RatingList, on_delete=models.CASCADE, related_name="openings")
    opening_import = models.ForeignKey(OpeningImport, on_delete=models.CASCADE, related_name="openings")
    # The player as imported; a merge does not change it, as queries follow `merged_into`.
    player = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="+")
    day = models.DateField(_("as of"))
    rating = models.FloatField(_("rating"))
    experience = models.PositiveIntegerField(_("experience"), default=0)
    # None if the file has none: then the default applies.
    deviation = models.FloatField(_("deviation"), null=True, blank=True)
    undone_at = models.DateTimeField(_("undone"), null=True, blank=True)

    class Meta:
        verbose_name = _("opening rating")
        verbose_name_plural = _("opening ratings")
        constraints = (
            models.UniqueConstraint(
                fields=["list", "player"],
                condition=Q(undone_at__isnull=True),
                name="one_opening_per_list_and_player",
            ),
        )

    def __str__(self) -> str:
        return f"{self.player} {self.rating:.2f}"
