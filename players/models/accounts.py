"""Models of accounts: users, their tokens, notices and follows."""

from __future__ import annotations

from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models, transaction
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from players.models.people import Player


class UserManager(BaseUserManager["User"]):
    def create_user(self, email: str, password: str | None = None, *, name: str = "", **fields: Any) -> User:
        """Create an account with its player; if *password* is None, no password can be used."""
        user = self.model(email=self.normalize_email(email).lower(), **fields)
        user.set_password(password)
        with transaction.atomic(using=self._db):
            user.save(using=self._db)
            Player.objects.using(self._db).create(user=user, name=name or user.email.partition("@")[0])
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> User:
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)

    def get_by_natural_key(self, username: str | None) -> User:
        """Find an account by its address, ignoring case."""
        return self.get(email__iexact=username)


class Theme(models.TextChoices):
    AUTO = "auto", _("As my device")
    LIGHT = "light", _("Light")
    DARK = "dark", _("Dark")


class User(AbstractBaseUser, PermissionsMixin):
    """An account. The person who plays is a `Player`."""

    email = models.EmailField(_("e-mail address"), unique=True)
    is_staff = models.BooleanField(_("back office"), default=False)
    is_active = models.BooleanField(_("active"), default=True)
    joined_at = models.DateTimeField(_("joined"), default=timezone.now, editable=False)
    # Empty: the browser's language.
    language = models.CharField(_("language"), max_length=8, blank=True, choices=settings.LANGUAGES)
    # The language of the pages at the last sign-in, for e-mails to accounts without a chosen language.
    sign_in_language = models.CharField(
        _("language of the last sign-in"), max_length=8, blank=True, default="", db_default="", editable=False
    )
    time_zone = models.CharField(_("time zone"), max_length=64, blank=True)
    theme = models.CharField(_("theme"), max_length=8, choices=Theme, default=Theme.AUTO)
    high_contrast = models.BooleanField(_("high contrast"), default=False)
    mails_notices = models.BooleanField(_("notices by e-mail"), default=True)

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    objects = UserManager()

    # The reverse of Player.user; every account has one, as both are created together.
    player: Player

    class Meta:
        verbose_name = _("account")
        verbose_name_plural = _("accounts")
        constraints = (models.UniqueConstraint(Lower("email"), name="one_account_per_email"),)

    def __str__(self) -> str:
        return self.email

    @property
    def written_language(self) -> str:
        """The language of notices and e-mails to this account."""
        return self.language or self.sign_in_language or settings.LANGUAGE_CODE


class FirstDirector(models.Model):
    """A record that the welcome link was used; the constraint allows one row only."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    user = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    entered_at = models.DateTimeField()

    class Meta:
        verbose_name = _("first director")
        verbose_name_plural = _("first directors")
        constraints = (models.CheckConstraint(condition=Q(id=1), name="one_first_director"),)

    def __str__(self) -> str:
        return f"{self.entered_at:%Y-%m-%d}"


class Follow(models.Model):
    """A player whom an account follows; visible to the account only."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="follows")
    player = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="followers")
    since = models.DateTimeField(_("since"))

    class Meta:
        verbose_name = _("follow")
        verbose_name_plural = _("follows")
        ordering = ("since", "pk")
        constraints = (
            models.UniqueConstraint(fields=["user", "player"], name="one_follow_per_user_and_player"),
        )

    def __str__(self) -> str:
        return f"{self.user} → {self.player}"


class Notice(models.Model):
    """A notice for one account: a sentence and a URL."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices")
    # The same event creates one notice only.
    dedupe_key = models.CharField(max_length=120)
    text = models.CharField(_("text"), max_length=1000)
    url = models.CharField(_("address"), max_length=200, blank=True)
    created_at = models.DateTimeField(_("created"))
    read_at = models.DateTimeField(_("read"), null=True, blank=True)

    class Meta:
        verbose_name = _("notice")
        verbose_name_plural = _("notices")
        ordering = ("-created_at", "-pk")
        constraints = (
            models.UniqueConstraint(fields=["user", "dedupe_key"], name="one_notice_per_user_and_key"),
        )
        indexes = (
            models.Index(fields=["user"], condition=models.Q(read_at__isnull=True), name="unread_notices"),
        )

    def __str__(self) -> str:
        return self.text


class Scope(models.TextChoices):
    PLAY = "play", _("Everything I may do")
    READ = "read", _("Only read")


class ApiToken(models.Model):
    """A token for `/api/v1/`; revoking it deletes the row."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(_("name"), max_length=60)
    # Only the digest is stored, so that a leaked database reveals no token.
    token_hash = models.CharField(max_length=64, unique=True, editable=False)
    scope = models.CharField(_("scope"), max_length=8, choices=Scope, default=Scope.PLAY)
    created_at = models.DateTimeField(_("created"))
    # To the minute, so that frequent requests do not write each time.
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True)
    expires_at = models.DateTimeField(_("expires"), null=True, blank=True)

    class Meta:
        verbose_name = _("API token")
        verbose_name_plural = _("API tokens")
        constraints = (
            models.CheckConstraint(
                condition=Q(expires_at__isnull=True) | Q(expires_at__gt=F("created_at")),
                name="token_expires_after_creation",
            ),
        )

    def __str__(self) -> str:
        return self.name
