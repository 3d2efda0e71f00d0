"""Short codes: letters to type where a camera does not scan."""

from __future__ import annotations

from typing import Final

from django.db import models
from django.utils.translation import gettext_lazy as _

LETTERS_LENGTH: Final = 7


class ShortCode(models.Model):
    """Seven letters that stand for a code of `tournaments.base.codes`; the code says what they open."""

    letters = models.CharField(_("letters"), max_length=LETTERS_LENGTH, unique=True, editable=False)
    code = models.CharField(_("code"), max_length=160, unique=True, editable=False)
    until = models.DateTimeField(db_index=True, editable=False)

    class Meta:
        verbose_name = _("short code")
        verbose_name_plural = _("short codes")

    def __str__(self) -> str:
        return self.letters
