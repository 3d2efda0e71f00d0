"""Players: the people who play, with or without an account."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from players.keys import new_key
from players.models.folded_names import SearchableModel
from runtime.rows import make_uid_field


class ShownAs(models.TextChoices):
    NAME = "name", _("My name")
    ALIAS = "alias", _("My alias")


class Player(SearchableModel):
    """A person who plays. A guest has no account until the row is claimed."""

    uid = make_uid_field()
    key = models.CharField(max_length=10, unique=True, default=new_key, editable=False)
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="player"
    )
    # Blank once erased; results stay without the name.
    name = models.CharField(_("name"), max_length=80, blank=True)
    alias = models.CharField(_("alias"), max_length=40, blank=True)
    shown_as = models.CharField(_("shown as"), max_length=8, choices=ShownAs, default=ShownAs.NAME)
    hidden_from_search = models.BooleanField(_("hidden from search"), default=False)
    # A merged duplicate stays as a row, so that old links and results still resolve.
    merged_into = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="merged"
    )
    erased_at = models.DateTimeField(_("erased"), null=True, blank=True)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)  # noqa: TID251

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        constraints = (
            models.CheckConstraint(
                condition=Q(merged_into__isnull=True) | ~Q(merged_into=F("pk")),
                name="player_not_merged_into_itself",
            ),
            models.CheckConstraint(
                condition=Q(merged_into__isnull=True) | Q(user__isnull=True),
                name="merged_player_has_no_account",
            ),
            models.CheckConstraint(
                condition=~Q(shown_as=ShownAs.ALIAS) | ~Q(alias=""), name="player_shown_by_alias_has_one"
            ),
            models.CheckConstraint(
                condition=Q(erased_at__isnull=True) | Q(user__isnull=True, name="", alias=""),
                name="erased_player_has_no_name",
            ),
            models.CheckConstraint(
                condition=Q(erased_at__isnull=False) | ~Q(name=""), name="player_has_a_name"
            ),
        )
        indexes = (models.Index(fields=["name"]),)

    def __str__(self) -> str:
        return self.public_name

    def get_absolute_url(self) -> str:
        return reverse("players:player", args=[self.key])

    @property
    def name_for_searches(self) -> str:
        """The public name; empty once erased."""
        return self.alias if self.shown_as == ShownAs.ALIAS else self.name

    @property
    def public_name(self) -> str:
        return choose_public_name(self.name, self.alias, self.shown_as, is_erased=self.erased_at is not None)


def choose_public_name(name: str, alias: str, shown_as: str, *, is_erased: bool) -> str:
    """Return the public name from a player's columns."""
    if is_erased:
        return gettext("Former player")
    return alias if shown_as == ShownAs.ALIAS else name


class Export(models.Model):
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="exports")
    asked_at = models.DateTimeField()
    ready_at = models.DateTimeField(null=True, blank=True)
    content = models.BinaryField(default=b"")

    class Meta:
        verbose_name = _("data export")
        verbose_name_plural = _("data exports")
        constraints = (
            models.UniqueConstraint(
                fields=["user"], condition=Q(ready_at__isnull=True), name="one_open_export_per_user"
            ),
        )

    def __str__(self) -> str:
        return f"{self.user_id} {self.asked_at:%Y-%m-%d}"
