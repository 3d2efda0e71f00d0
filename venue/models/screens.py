"""Models of screens: browsers on a wall, each with a name and a programme; and stream overlays."""

from __future__ import annotations

import secrets
from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from players.keys import new_key
from venue.models.rooms import Room, Table

CODE_LENGTH = 4


class Show(models.TextChoices):
    """The parts of a screen's programme, in the order in which they are shown."""

    CALLS = "calls", _("Calls")
    TABLES = "tables", _("Tables")
    BRACKET = "bracket", _("Bracket")
    ROUND = "round", _("Round and pairings")
    STANDINGS = "standings", _("Standings")
    CLOCK = "clock", _("Clock and expected end")
    BOARD = "board", _("Live board")
    ANNOUNCEMENT = "announcement", _("Announcement")
    PICTURE = "picture", _("Picture of the club")


class Screen(models.Model):
    """A browser on a wall: it shows a code until a director binds it, then the programme of the club."""

    key = models.CharField(max_length=10, unique=True, default=new_key, editable=False)
    # Hash of the browser's cookie, which is not stored.
    token_hash = models.CharField(max_length=64, unique=True, editable=False)
    code = models.CharField(_("letters"), max_length=CODE_LENGTH, blank=True)
    code_until = models.DateTimeField(null=True)
    created_at = models.DateTimeField(_("created"), editable=False)

    club = models.ForeignKey("players.Club", on_delete=models.CASCADE, null=True, related_name="screens")
    name = models.CharField(_("name"), max_length=80, blank=True)
    room = models.ForeignKey(
        Room, on_delete=models.SET_NULL, null=True, blank=True, related_name="screens", verbose_name=_("room")
    )
    # None shows the club's current event.
    event = models.ForeignKey(
        "tournaments.Tournament", on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    programme = models.JSONField(default=list)
    # Seconds per page.
    seconds = models.PositiveSmallIntegerField(_("seconds a page"), default=15)
    # The only thing shown; "" for the whole programme.
    held = models.CharField(_("hold"), max_length=12, blank=True, choices=Show)
    announcement = models.CharField(_("announcement"), max_length=160, blank=True)
    announced_until = models.DateTimeField(null=True, blank=True)
    # Announce each call by voice, in the club's language.
    speaks = models.BooleanField(_("calls by voice"), default=False, db_default=False)
    bound_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", editable=False
    )
    bound_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        verbose_name = _("screen")
        verbose_name_plural = _("screens")
        ordering = ("club", "name")
        constraints = (
            models.UniqueConstraint(fields=["club", "name"], name="one_screen_per_club_and_name"),
            models.UniqueConstraint(fields=["code"], condition=~Q(code=""), name="letters_are_one_screens"),
            models.CheckConstraint(
                condition=(Q(club__isnull=True, code_until__isnull=False) & ~Q(code=""))
                | Q(club__isnull=False, code="", code_until__isnull=True),
                name="a_screen_waits_or_is_bound",
            ),
        )

    def __str__(self) -> str:
        return self.name or self.key

    @property
    def topic(self) -> str:
        return f"screen.{self.key}"

    @property
    def shows(self) -> tuple[str, ...]:
        return tuple(str(Show(each).label) for each in self.programme)


LONGEST_DELAY: Final = 120


def new_secret() -> str:
    return secrets.token_urlsafe(24)


class Layout(models.TextChoices):
    BAR = "bar", _("A bar along the foot")
    CORNER = "corner", _("A box in the corner")
    SIDES = "sides", _("One player on each side")


class Overlay(models.Model):
    table = models.OneToOneField(Table, on_delete=models.CASCADE, related_name="overlay")
    # Stored in plain text, since directors copy the address again; it only shows what is public in the hall.
    secret = models.CharField(max_length=40, unique=True, default=new_secret, editable=False)
    layout = models.CharField(_("layout"), max_length=6, choices=Layout, default=Layout.BAR)
    # Delay of the stream's picture in seconds.
    delay = models.PositiveSmallIntegerField(_("delay"), default=0)

    class Meta:
        verbose_name = _("overlay")
        verbose_name_plural = _("overlays")
        constraints = (
            models.CheckConstraint(condition=Q(delay__lte=LONGEST_DELAY), name="overlay_delay_is_bounded"),
            models.CheckConstraint(condition=Q(layout__in=Layout.values), name="overlay_layout_is_known"),
        )

    def __str__(self) -> str:
        return str(self.table)

    @property
    def topic(self) -> str:
        return f"overlay.{self.table.key}"
