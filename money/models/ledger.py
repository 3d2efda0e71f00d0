"""Models of an event's money: its terms, and an append-only ledger."""

from __future__ import annotations

from decimal import Decimal

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from draw.prizes import SidePoolRule
from tournaments.models import EventPageRow

DECIMALS = (0, 2, 3)
MOST = 10**12


class LineKind(models.TextChoices):
    FEE = "fee", _("Entry fee")
    REGISTRATION = "registration", _("Registration fee")
    STAKE = "stake", _("Side pool")
    EXPENSE = "expense", _("Expense")
    PAYOUT = "payout", pgettext_lazy("money", "Payout")
    SPLIT = "split", _("Agreed split")


class ReadingChoice(models.TextChoices):
    """The rule by which the winner of a side pool is determined (P107)."""

    MAIN = SidePoolRule.MAIN.value, _("Best in the main draw")
    MAIN_FIRST = SidePoolRule.MAIN_FIRST.value, _("Best in the main draw, then in the consolation")
    CONSOLATION_FIRST = (
        SidePoolRule.CONSOLATION_FIRST.value,
        _("Best in the consolation, then in the main draw"),
    )


# The kinds of lines that belong to one player.
OF_PLAYERS = (LineKind.FEE, LineKind.REGISTRATION, LineKind.STAKE, LineKind.PAYOUT, LineKind.SPLIT)


class EventMoney(EventPageRow):
    """The terms agreed before the start (P100). An event without this row is played without money."""

    event = models.OneToOneField("tournaments.Tournament", on_delete=models.CASCADE, related_name="money")
    currency = models.CharField(_("currency"), max_length=3)
    decimals = models.PositiveSmallIntegerField(_("decimals"), default=2)
    # All amounts are whole units: cents, yen, fils.
    fee = models.BigIntegerField(_("entry fee"), default=0)
    registration = models.BigIntegerField(_("registration fee"), default=0)
    added = models.BigIntegerField(_("added money"), default=0)
    rake_percent = models.DecimalField(_("rake"), max_digits=5, decimal_places=2, default=Decimal(0))
    # Percents by place of each part, as texts: {"main": ["50", "25"], "consolation": ["25"]}.
    prizes = models.JSONField(_("prizes"), default=dict, blank=True)
    # Other prizes from so many entries on: [{"entries": 16, "prizes": {"main": ["45", "30", "25"]}}], fewest
    # first.
    steps = models.JSONField(_("prizes by entries"), default=list, db_default=[], blank=True)
    # Reduced fees: [{"reason": "Junior", "fee": 1000, "registration": 0}].
    reduced = models.JSONField(_("reduced fees"), default=list, db_default=[], blank=True)
    opened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", editable=False
    )
    opened_at = models.DateTimeField(_("opened"), editable=False)

    class Meta:
        verbose_name = _("money of an event")
        verbose_name_plural = _("money of events")
        constraints = (
            # Not decimals__in: Django cannot introspect a constraint with a list of numbers on SQLite.
            models.CheckConstraint(
                condition=Q(decimals=0) | Q(decimals=2) | Q(decimals=3), name="money_decimals_are_known"
            ),
            models.CheckConstraint(
                condition=Q(fee__range=(0, MOST), registration__range=(0, MOST), added__range=(0, MOST)),
                name="money_terms_not_below_nought",
            ),
            models.CheckConstraint(
                condition=Q(rake_percent__gte=0, rake_percent__lte=100), name="money_rake_is_a_percent"
            ),
        )

    def __str__(self) -> str:
        return f"{self.event} · {self.currency}"

    def prizes_for(self, entries: int) -> dict[str, list[str]]:
        """Return the percents by part and place for this number of entries."""
        found: dict[str, list[str]] = self.prizes
        for step in self.steps:
            if step["entries"] <= entries:
                found = step["prizes"]
        return found


class MoneyPool(models.Model):
    """A side pool of an event: only those who pay into it can win it."""

    money = models.ForeignKey(EventMoney, on_delete=models.CASCADE, related_name="pools")
    number = models.PositiveSmallIntegerField(_("number"))
    name = models.CharField(_("name"), max_length=60)
    stake = models.BigIntegerField(_("stake"))
    rake_percent = models.DecimalField(_("rake"), max_digits=5, decimal_places=2, default=Decimal(0))
    prizes = models.JSONField(_("prizes"), default=list)
    reading = models.CharField(
        _("who wins"), max_length=20, choices=ReadingChoice, default=ReadingChoice.MAIN
    )

    class Meta:
        verbose_name = _("side pool")
        verbose_name_plural = _("side pools")
        ordering = ("money", "number")
        constraints = (
            models.UniqueConstraint(fields=["money", "number"], name="one_pool_per_number"),
            models.CheckConstraint(condition=Q(stake__gt=0, stake__lte=MOST), name="pool_has_a_stake"),
            models.CheckConstraint(
                condition=Q(rake_percent__gte=0, rake_percent__lte=100), name="pool_rake_is_a_percent"
            ),
            models.CheckConstraint(condition=Q(reading__in=ReadingChoice.values), name="pool_reading_known"),
        )

    def __str__(self) -> str:
        return self.name


class MoneyLine(models.Model):
    """A line of an event's ledger: never changed or deleted, only cancelled by a counter-entry."""

    money = models.ForeignKey(EventMoney, on_delete=models.CASCADE, related_name="lines")
    number = models.PositiveIntegerField(_("number"))
    kind = models.CharField(_("kind"), max_length=12, choices=LineKind)
    # The entry number, which stays the same if another player takes the seat.
    entrant = models.PositiveSmallIntegerField(_("entry"), null=True, blank=True)
    # For fees the number of the entry (2 is the first re-entry), for stakes the pool, for splits the split.
    item = models.PositiveSmallIntegerField(_("item"), default=0)
    # The number of earlier lines with this entrant, kind and item: two requests cannot write the same line.
    turn = models.PositiveSmallIntegerField(_("turn"), default=0)
    amount = models.BigIntegerField(_("amount"))
    note = models.CharField(_("note"), max_length=200, blank=True)
    # For a split, by entry number: each player's prize by results, and their share.
    agreed = models.JSONField(null=True, blank=True, default=None, editable=False)
    corrects = models.OneToOneField(
        "self", on_delete=models.CASCADE, null=True, blank=True, related_name="corrected_by"
    )
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    # The helper who wrote it with a link, without an account.
    helper = models.ForeignKey(
        "tournaments.Helper", on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    at = models.DateTimeField(_("when"))

    class Meta:
        verbose_name = _("line of a ledger")
        verbose_name_plural = _("lines of ledgers")
        ordering = ("money", "number")
        constraints = (
            models.UniqueConstraint(fields=["money", "number"], name="one_money_line_per_number"),
            models.UniqueConstraint(
                fields=["money", "entrant", "kind", "item", "turn"], name="one_money_line_per_turn"
            ),
            models.CheckConstraint(condition=Q(kind__in=LineKind.values), name="money_line_kind_is_known"),
            models.CheckConstraint(
                condition=Q(entrant__isnull=False, kind__in=[kind.value for kind in OF_PLAYERS])
                | Q(entrant__isnull=True, kind=LineKind.EXPENSE.value),
                name="money_line_of_a_player_or_an_expense",
            ),
            # Only counter-entries are negative; a split moves money between players.
            models.CheckConstraint(
                condition=Q(amount__gt=0, corrects__isnull=True)
                | Q(amount__lt=0, corrects__isnull=False)
                | (Q(kind=LineKind.SPLIT.value) & ~Q(amount=0)),
                name="money_line_amount_fits",
            ),
            models.CheckConstraint(
                condition=Q(corrects__isnull=True) | (~Q(corrects=F("pk")) & ~Q(note="")),
                name="money_counter_entry_says_why",
            ),
        )

    def __str__(self) -> str:
        return f"{self.number} {self.kind} {self.amount}"
