"""Ratings that came in from elsewhere."""

from __future__ import annotations

import builtins

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from rankings.models.lists import RatingList


class OpeningImport(models.Model):
    """Old ratings that came in from elsewhere at one time: looked through, then saved, and undone as a whole."""

    list = models.ForeignKey(RatingList, on_delete=models.CASCADE, related_name="opening_imports")
    source = models.CharField(_("source"), max_length=120)
    # What was in the file, as rows of text; none once it is saved.
    table = models.JSONField(default=builtins.list)
    # The guests it brought in, by number.
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
    """The rating with which a player begins in a list: from elsewhere, and no match of ours."""

    list = models.ForeignKey(RatingList, on_delete=models.CASCADE, related_name="openings")
    opening_import = models.ForeignKey(OpeningImport, on_delete=models.CASCADE, related_name="openings")
    # As it was imported; a merge moves nothing, since it is read by who somebody is now.
    player = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="+")
    day = models.DateField(_("as of"))
    rating = models.FloatField(_("rating"))
    experience = models.PositiveIntegerField(_("experience"), default=0)
    # Nothing where the file said nothing: then it is that of a newcomer.
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
