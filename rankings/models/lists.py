"""What a list is: its system, its policies, how often it is dated."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from players.keys import new_key


class PlayedWhere(models.TextChoices):
    """Where a match has to be played to be rated."""

    ANYWHERE = "any", _("Over the board and live")
    BOARD = "board", _("Over the board")
    LIVE = "live", _("Live on this site")


class PlayedBy(models.TextChoices):
    """By which rules a match has to be played to be rated."""

    ANY = "any", _("Any rules")
    USUAL = (
        "usual",
        _("Only the usual rules: for points, with cube, Crawford, gammons and backgammons, without Jacoby"),
    )


class DatedEach(models.TextChoices):
    """How often a list is published with a date, beside the live one."""

    NEVER = "", _("Never")
    WEEK = "week", _("Each week, on Monday")
    MONTH = "month", _("Each month, on the 1st")


class Reach(models.TextChoices):
    """Whose matches a list rates."""

    CLUB = "club", _("This club")
    GROUP = "group", _("This club and the clubs of its group")
    SITE = "site", _("Every club of this site")


class RatingList(models.Model):
    """A list of ratings that a club keeps; its system, its parameters and whose matches it rates never change."""

    club = models.ForeignKey("players.Club", on_delete=models.CASCADE, related_name="rating_lists")
    key = models.CharField(max_length=10, unique=True, default=new_key, editable=False)
    name = models.CharField(_("name"), max_length=80)
    about = models.TextField(_("about"), max_length=2000, blank=True)
    # By its name in `formulas.systems`: whoever opens a list holds it to that table.
    system = models.CharField(_("system"), max_length=20)
    params = models.JSONField(_("parameters"), default=dict, blank=True)
    reach = models.CharField(
        _("whose matches"), max_length=5, choices=Reach, default=Reach.CLUB, db_default=Reach.CLUB.value
    )
    dated = models.CharField(
        _("dated lists"), max_length=5, choices=DatedEach, default=DatedEach.NEVER, blank=True
    )
    # When the next dated list is due: midnight by the club's clock. What is due is a column (ADR 5).
    dated_at = models.DateTimeField(_("next dated list"), null=True, blank=True, editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", editable=False
    )
    created_at = models.DateTimeField(_("created"), editable=False)
    # Counts how often what the list shows has become another: what was counted of it is kept for as long.
    version = models.PositiveIntegerField(default=0, db_default=0, editable=False)

    class Meta:
        verbose_name = _("rating list")
        verbose_name_plural = _("rating lists")
        ordering = ("club", "pk")
        constraints = (
            models.UniqueConstraint(fields=["club", "name"], name="one_rating_list_per_club_and_name"),
            models.CheckConstraint(
                condition=Q(dated="", dated_at__isnull=True)
                | Q(dated__in=("week", "month"), dated_at__isnull=False),
                name="rating_list_dated_when_due",
            ),
            models.CheckConstraint(condition=Q(reach__in=Reach.values), name="rating_list_reach_is_known"),
        )
        indexes = (
            models.Index(
                fields=["dated_at"], condition=Q(dated_at__isnull=False), name="rating_lists_due_for_a_date"
            ),
        )

    def __str__(self) -> str:
        return self.name


class Policy(models.Model):
    """What a list rates from some day on; it is replaced by the next version and never edited."""

    list = models.ForeignKey(RatingList, on_delete=models.CASCADE, related_name="policies")
    number = models.PositiveSmallIntegerField(_("version"))
    # It holds for matches that were opened from then on.
    from_at = models.DateTimeField(_("in force from"))
    shortest = models.PositiveSmallIntegerField(_("shortest match"), default=1)
    longest = models.PositiveSmallIntegerField(_("longest match"), default=25)
    played = models.CharField(_("played"), max_length=5, choices=PlayedWhere, default=PlayedWhere.ANYWHERE)
    # Also matches of no event that both members agreed on before.
    friendlies = models.BooleanField(_("friendlies count"), default=False, db_default=False)
    rules = models.CharField(
        _("rules of play"), max_length=5, choices=PlayedBy, default=PlayedBy.ANY, db_default="any"
    )
    # Who has played no rated match for so many months is marked as inactive; 0: nobody is.
    inactive_after = models.PositiveSmallIntegerField(_("inactive after"), default=12, db_default=12)
    # Below so many points of experience a rating is marked as provisional.
    provisional_under = models.PositiveSmallIntegerField(_("provisional under"), default=100)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", editable=False
    )
    made_at = models.DateTimeField(_("made"), editable=False)

    class Meta:
        verbose_name = _("policy")
        verbose_name_plural = _("policies")
        ordering = ("list", "number")
        constraints = (
            models.UniqueConstraint(fields=["list", "number"], name="one_policy_per_list_and_number"),
            models.UniqueConstraint(fields=["list", "from_at"], name="one_policy_per_list_and_moment"),
            models.CheckConstraint(
                condition=Q(shortest__gte=1, shortest__lte=F("longest")), name="policy_rates_some_length"
            ),
            models.CheckConstraint(condition=Q(played__in=PlayedWhere.values), name="policy_played_is_known"),
            models.CheckConstraint(condition=Q(rules__in=PlayedBy.values), name="policy_rules_are_known"),
        )

    def __str__(self) -> str:
        return f"{self.list} {self.number}"


class GroupMember(models.Model):
    """A club that was asked to join the group another leads, by its own directors' consent; what was is kept."""

    lead = models.ForeignKey("players.Club", on_delete=models.CASCADE, related_name="group_members")
    club = models.ForeignKey("players.Club", on_delete=models.CASCADE, related_name="groups_joined")
    asked_at = models.DateTimeField(_("asked"))
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", editable=False
    )
    # Matches that were opened from then on, and before it left, are rated by the lists of the group.
    joined_at = models.DateTimeField(_("joined"), null=True, blank=True)
    joined_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", editable=False
    )
    # Left, or never joined: it said no, or was not asked any more.
    left_at = models.DateTimeField(_("left"), null=True, blank=True)
    left_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", editable=False
    )

    class Meta:
        verbose_name = _("club of a group")
        verbose_name_plural = _("clubs of groups")
        ordering = ("lead", "asked_at", "pk")
        constraints = (
            models.UniqueConstraint(
                fields=["lead", "club"],
                condition=Q(left_at__isnull=True),
                name="once_in_each_group",
            ),
            models.CheckConstraint(condition=~Q(lead=F("club")), name="no_club_joins_its_own_group"),
        )

    def __str__(self) -> str:
        return f"{self.lead_id} {self.club_id}"
