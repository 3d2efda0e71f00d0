"""Rating lists: their systems, policies and reach; and title chances by them."""

from __future__ import annotations

import builtins

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from players.keys import new_key
from tournaments.models import EventPageRow


class PlayMedium(models.TextChoices):
    ANYWHERE = "any", _("Over the board and live")
    BOARD = "board", _("Over the board")
    LIVE = "live", _("Live on this site")


class RulesOfPlay(models.TextChoices):
    ANY = "any", _("Any rules")
    USUAL = (
        "usual",
        _("Only the usual rules: for points, with cube, Crawford, gammons and backgammons, without Jacoby"),
    )


class DatedInterval(models.TextChoices):
    NEVER = "", _("Never")
    WEEK = "week", _("Each week, on Monday")
    MONTH = "month", _("Each month, on the 1st")


class Reach(models.TextChoices):
    CLUB = "club", _("This club")
    GROUP = "group", _("This club and the clubs of its group")
    SITE = "site", _("Every club of this site")


class RatingList(models.Model):
    """A club's list of ratings; its system, parameters and reach never change."""

    club = models.ForeignKey("players.Club", on_delete=models.CASCADE, related_name="rating_lists")
    key = models.CharField(max_length=10, unique=True, default=new_key, editable=False)
    name = models.CharField(_("name"), max_length=80)
    about = models.TextField(_("about"), max_length=2000, blank=True)
    # The name in `formulas.systems`, validated when a list is opened.
    system = models.CharField(_("system"), max_length=20)
    params = models.JSONField(_("parameters"), default=dict, blank=True)
    reach = models.CharField(
        _("whose matches"), max_length=5, choices=Reach, default=Reach.CLUB, db_default=Reach.CLUB.value
    )
    dated = models.CharField(
        _("dated lists"), max_length=5, choices=DatedInterval, default=DatedInterval.NEVER, blank=True
    )
    # When the next dated list is due: midnight in the club's time zone. Indexed, so that the sweep finds it
    # (ADR 5).
    dated_at = models.DateTimeField(_("next dated list"), null=True, blank=True, editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", editable=False
    )
    created_at = models.DateTimeField(_("created"), editable=False)
    # Incremented whenever the displayed ratings change; the version key of cached counts.
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
    """A version of a list's rules for what it rates; it is never edited, only followed by another."""

    list = models.ForeignKey(RatingList, on_delete=models.CASCADE, related_name="policies")
    number = models.PositiveSmallIntegerField(_("version"))
    # Applies to matches opened from then on.
    from_at = models.DateTimeField(_("in force from"))
    shortest = models.PositiveSmallIntegerField(_("shortest match"), default=1)
    longest = models.PositiveSmallIntegerField(_("longest match"), default=25)
    played = models.CharField(_("played"), max_length=5, choices=PlayMedium, default=PlayMedium.ANYWHERE)
    # True if friendlies count: matches outside events that both members agreed on in advance.
    friendlies = models.BooleanField(_("friendlies count"), default=False, db_default=False)
    rules = models.CharField(
        _("rules of play"), max_length=5, choices=RulesOfPlay, default=RulesOfPlay.ANY, db_default="any"
    )
    # Months without a rated match after which a player is marked as inactive; 0: never.
    inactive_after = models.PositiveSmallIntegerField(_("inactive after"), default=12, db_default=12)
    # Below this many points of experience a rating is marked as provisional.
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
            models.CheckConstraint(condition=Q(played__in=PlayMedium.values), name="policy_played_is_known"),
            models.CheckConstraint(condition=Q(rules__in=RulesOfPlay.values), name="policy_rules_are_known"),
        )

    def __str__(self) -> str:
        return f"{self.list} {self.number}"


class GroupMember(models.Model):
    """A club's invitation to, or membership in, the group of another club; past ones are kept."""

    lead = models.ForeignKey("players.Club", on_delete=models.CASCADE, related_name="group_members")
    club = models.ForeignKey("players.Club", on_delete=models.CASCADE, related_name="groups_joined")
    asked_at = models.DateTimeField(_("asked"))
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", editable=False
    )
    # Matches opened between joining and leaving are rated by the lists of the group.
    joined_at = models.DateTimeField(_("joined"), null=True, blank=True)
    joined_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", editable=False
    )
    # Left, declined, or the invitation was withdrawn.
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


class TitleChances(EventPageRow):
    """The title chances of a running event, as last computed by a worker; one row for each such event."""

    event = models.OneToOneField(
        "tournaments.Tournament", on_delete=models.CASCADE, related_name="title_chances"
    )
    # The list whose ratings were used; None, with no shares, if no list may predict.
    list = models.ForeignKey(RatingList, on_delete=models.CASCADE, null=True, related_name="title_chances")
    # The version key: the shares are valid while it is the same.
    made_of = models.CharField(max_length=32, blank=True)
    # [[number of the entry, share between 0 and 1], ...], the likeliest first.
    shares = models.JSONField(default=builtins.list, blank=True)
    # The number of simulated finishes; 0 if every possible outcome was counted.
    runs = models.PositiveIntegerField(default=0)
    computed_at = models.DateTimeField(null=True, blank=True)
    # Read by the previous release only: requests are in the outbox now.
    asked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("title chances")
        verbose_name_plural = _("title chances")
        indexes = (
            models.Index(
                fields=["asked_at"], name="title_chances_by_asked", condition=Q(asked_at__isnull=False)
            ),
        )

    def __str__(self) -> str:
        return f"{self.event_id}: {len(self.shares)}"
