"""Models of clubs: memberships, invitations and webhooks."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from players.keys import new_key
from players.models.folded_names import SearchableModel
from runtime.rows import make_uid_field

# Characters, for each of a club's texts.
LONGEST_TEXT = 20_000


class Joining(models.TextChoices):
    OPEN = "open", _("Anyone may join")
    INVITATION = "invitation", _("By invitation only")


class Felt(models.TextChoices):
    """The colours of clubs, defined in `static/css/tokens-felt.css`."""

    GREEN = "green", _("Green")
    BLUE = "blue", _("Blue")
    RED = "red", _("Red")
    PLUM = "plum", _("Plum")
    SLATE = "slate", _("Slate")


class NameStyle(models.TextChoices):
    """The style of names in a club's events; all but the first are keys of `players.names.STYLES`."""

    WHOLE = "whole", "Anna Meyer"
    LAST_FIRST = "last-first", "Meyer, Anna"
    FIRST_INITIAL = "first-initial", "A. Meyer"
    LAST_INITIAL = "last-initial", "Anna M."


class RealClubs(models.Manager["Club"]):
    """Manager of all clubs except rehearsal clubs, whose events are not part of a club's records (ADR 126)."""

    def get_queryset(self) -> models.QuerySet[Club]:
        return super().get_queryset().filter(rehearses__isnull=True)


class Club(SearchableModel):
    uid = make_uid_field()
    name = models.CharField(_("name"), max_length=80)
    slug = models.SlugField(_("address"), max_length=60, unique=True)
    city = models.CharField(_("town"), max_length=80, blank=True)
    country = models.CharField(_("country"), max_length=60, blank=True)
    about = models.TextField(_("about"), max_length=2000, blank=True)
    time_zone = models.CharField(_("time zone"), max_length=64, default="UTC")
    joining = models.CharField(_("joining"), max_length=12, choices=Joining, default=Joining.OPEN)
    # The colour of its pages and of its events' pages.
    felt = models.CharField(
        _("colour"), max_length=8, choices=Felt, default=Felt.GREEN, db_default=Felt.GREEN.value
    )
    # On pages, screens and printouts of its events.
    name_style = models.CharField(
        _("names"),
        max_length=16,
        choices=NameStyle,
        default=NameStyle.WHOLE,
        db_default=NameStyle.WHOLE.value,
    )
    # The hash of its logo, part of the logo's URL; "": the initials are shown.
    logo_hash = models.CharField(max_length=64, blank=True, default="", db_default="", editable=False)
    # For visitors whose browser requests no supported language; "": the installation's.
    language = models.CharField(
        _("language"), max_length=8, blank=True, choices=settings.LANGUAGES, default="", db_default=""
    )
    # For events that begin from now on: their final order counts once a director has approved it.
    approves_orders = models.BooleanField(_("final orders are approved"), default=False, db_default=False)
    # Directors may see engine analysis of their players beside their ratings, as evidence.
    shows_evidence = models.BooleanField(_("evidence for directors"), default=False, db_default=False)
    # In Markdown; if the last two are empty, the default texts of the help apply.
    house_rules = models.TextField(
        _("house rules"), max_length=LONGEST_TEXT, blank=True, default="", db_default=""
    )
    terms = models.TextField(
        _("terms of use"), max_length=LONGEST_TEXT, blank=True, default="", db_default=""
    )
    privacy = models.TextField(
        _("privacy notice"), max_length=LONGEST_TEXT, blank=True, default="", db_default=""
    )
    # Set for a rehearsal club: the real club, whose directors direct here; others cannot see it.
    rehearses = models.ForeignKey(
        "self", on_delete=models.CASCADE, null=True, blank=True, editable=False, related_name="stand_ins"
    )
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)  # noqa: TID251

    objects = RealClubs()
    # Including rehearsal clubs.
    every = models.Manager["Club"]()

    class Meta:
        verbose_name = _("club")
        verbose_name_plural = _("clubs")
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name

    @property
    def name_for_searches(self) -> str:
        return f"{self.name} {self.city} {self.country}"

    def get_absolute_url(self) -> str:
        """Return the URL of the club's page; for a rehearsal club that of the real club."""
        real = self if self.rehearses is None else self.rehearses
        return reverse("players:club", args=[real.slug])

    @property
    def place(self) -> str:
        """The club's place as "Town, Country", as far as given."""
        return ", ".join(part for part in (self.city, self.country) if part)

    @property
    def crest(self) -> str:
        """The initials shown if there is no logo."""
        return "".join(word[0] for word in self.name.split()[:2]).upper()

    @property
    def logo_url(self) -> str:
        """The URL of the logo; "" if there is none."""
        return reverse("players:logo", args=[self.slug, self.logo_hash]) if self.logo_hash else ""


class ClubLogo(models.Model):
    """A club's logo, re-encoded from the uploaded file (`runtime.pictures`)."""

    club = models.OneToOneField(Club, on_delete=models.CASCADE, related_name="logo")
    content = models.BinaryField()
    changed_at = models.DateTimeField(_("changed"))

    class Meta:
        verbose_name = _("logo of a club")
        verbose_name_plural = _("logos of clubs")

    def __str__(self) -> str:
        return str(self.club)


class Role(models.TextChoices):
    """The role of a member; each includes the permissions of those after it."""

    OWNER = "owner", _("Owner")
    DIRECTOR = "director", _("Director")
    MEMBER = "member", _("Member")


class Membership(models.Model):
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="memberships")
    player = models.ForeignKey("players.Player", on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(_("role"), max_length=10, choices=Role, default=Role.MEMBER)
    joined_at = models.DateTimeField(_("joined"))

    class Meta:
        verbose_name = _("membership")
        verbose_name_plural = _("memberships")
        constraints = (
            models.UniqueConstraint(fields=["club", "player"], name="one_membership_per_club_and_player"),
        )

    def __str__(self) -> str:
        return f"{self.player} · {self.club}"


class Invitation(models.Model):
    """An invitation link with a role; it may transfer a guest's history."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="invitations")
    # Only the digest is stored, so that a leaked database reveals no link.
    token_hash = models.CharField(max_length=64, unique=True, editable=False)
    role = models.CharField(_("role"), max_length=10, choices=Role, default=Role.MEMBER)
    guest = models.ForeignKey(
        "players.Player", on_delete=models.CASCADE, null=True, blank=True, related_name="invitations"
    )
    note = models.CharField(_("note"), max_length=80, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(_("created"))
    expires_at = models.DateTimeField(_("expires"))
    uses_left = models.PositiveSmallIntegerField(_("uses left"), default=1)
    uses = models.PositiveSmallIntegerField(_("uses"), default=0)
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True)

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        constraints = (
            models.CheckConstraint(
                condition=Q(expires_at__gt=F("created_at")), name="invitation_expires_after_creation"
            ),
            models.CheckConstraint(
                condition=Q(guest__isnull=True) | Q(uses_left__lte=1), name="a_guest_is_claimed_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.club} · {self.get_role_display()}"


def new_secret() -> str:
    """Create a secret of 256 bits for signing calls."""
    return secrets.token_hex(32)


class Webhook(models.Model):
    """A webhook of a club. Unlike a token, its secret is stored readable, as calls are signed with it."""

    club = models.ForeignKey("players.Club", on_delete=models.CASCADE, related_name="webhooks")
    key = models.CharField(max_length=10, unique=True, default=new_key, editable=False)
    url = models.CharField(_("address"), max_length=300)
    secret = models.CharField(max_length=64, default=new_secret, editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", editable=False
    )
    created_at = models.DateTimeField(_("created"))
    # The time of the last call and its error, blank if it succeeded.
    called_at = models.DateTimeField(_("last called"), null=True, blank=True)
    last_error = models.CharField(_("last error"), max_length=200, blank=True)
    # Since when all calls have failed; after some days the webhook is stopped.
    failing_since = models.DateTimeField(_("failing since"), null=True, blank=True)
    stopped_at = models.DateTimeField(_("stopped"), null=True, blank=True)

    class Meta:
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")
        constraints = (
            models.UniqueConstraint(fields=["club", "url"], name="one_webhook_per_club_and_address"),
        )

    def __str__(self) -> str:
        return self.url
