"""Models of an auction of the players (Calcutta): lots, buyers, and an append-only ledger."""

from __future__ import annotations

from decimal import Decimal

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from money.models.ledger import EventMoney
from tournaments.models import EventPageRow


class AuctionKind(models.TextChoices):
    SALE = "sale", pgettext_lazy("auction", "Sold")
    BACK = "back", _("Share bought back")
    PAID = "paid", _("Paid for a lot")
    PAYOUT = "payout", pgettext_lazy("money", "Payout")


class EventAuction(EventPageRow):
    """The terms of an auction, agreed before the first lot was sold. Without this row there is no auction."""

    EVENT = "money__event"

    money = models.OneToOneField(EventMoney, on_delete=models.CASCADE, related_name="auction")
    rake_percent = models.DecimalField(_("rake"), max_digits=5, decimal_places=2, default=Decimal(0))
    # Percents by place, as texts: ["50", "30", "20"].
    prizes = models.JSONField(_("prizes"), default=list)
    is_public = models.BooleanField(_("shown to everyone"), default=False)
    opened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", editable=False
    )
    opened_at = models.DateTimeField(_("opened"), editable=False)

    class Meta:
        verbose_name = _("auction of an event")
        verbose_name_plural = _("auctions of events")
        constraints = (
            models.CheckConstraint(
                condition=Q(rake_percent__gte=0, rake_percent__lte=100), name="auction_rake_is_a_percent"
            ),
        )

    def __str__(self) -> str:
        return f"{self.money}"


class AuctionLot(models.Model):
    """A lot: one player, or several as a field."""

    auction = models.ForeignKey(EventAuction, on_delete=models.CASCADE, related_name="lots")
    number = models.PositiveSmallIntegerField(_("number"))
    name = models.CharField(_("name"), max_length=60, blank=True)

    class Meta:
        verbose_name = _("lot of an auction")
        verbose_name_plural = _("lots of auctions")
        ordering = ("auction", "number")
        constraints = (
            models.UniqueConstraint(fields=["auction", "number"], name="one_auction_lot_per_number"),
        )

    def __str__(self) -> str:
        return f"{self.number} {self.name}"


class AuctionPlayer(models.Model):
    """A player in a lot, by entry number; each player is in one lot at most."""

    auction = models.ForeignKey(EventAuction, on_delete=models.CASCADE, related_name="players")
    lot = models.ForeignKey(AuctionLot, on_delete=models.CASCADE, related_name="players")
    entrant = models.PositiveSmallIntegerField(_("entry"))

    class Meta:
        verbose_name = _("player in a lot")
        verbose_name_plural = _("players in lots")
        constraints = (
            models.UniqueConstraint(fields=["auction", "entrant"], name="one_auction_lot_per_player"),
        )

    def __str__(self) -> str:
        return f"{self.lot} {self.entrant}"


class AuctionParty(models.Model):
    """A buyer: a player of the event, or any other person by name."""

    auction = models.ForeignKey(EventAuction, on_delete=models.CASCADE, related_name="parties")
    number = models.PositiveSmallIntegerField(_("number"))
    entrant = models.PositiveSmallIntegerField(_("entry"), null=True, blank=True)
    name = models.CharField(_("name"), max_length=80, blank=True)

    class Meta:
        verbose_name = _("buyer in an auction")
        verbose_name_plural = _("buyers in auctions")
        ordering = ("auction", "number")
        constraints = (
            models.UniqueConstraint(fields=["auction", "number"], name="one_auction_party_per_number"),
            models.UniqueConstraint(
                fields=["auction", "entrant"],
                condition=Q(entrant__isnull=False),
                name="one_auction_party_per_player",
            ),
            models.UniqueConstraint(
                fields=["auction", "name"],
                condition=Q(entrant__isnull=True),
                name="one_auction_party_per_name",
            ),
            models.CheckConstraint(
                condition=Q(entrant__isnull=False, name="") | (Q(entrant__isnull=True) & ~Q(name="")),
                name="auction_party_is_a_player_or_a_name",
            ),
        )

    def __str__(self) -> str:
        return f"{self.number} {self.name}"


class AuctionLine(models.Model):
    """A line of an auction's ledger: never changed or deleted, only cancelled by a counter-entry."""

    auction = models.ForeignKey(EventAuction, on_delete=models.CASCADE, related_name="lines")
    number = models.PositiveIntegerField(_("number"))
    kind = models.CharField(_("kind"), max_length=8, choices=AuctionKind)
    # The lot's number; 0 for a payout, which covers all lots.
    lot = models.PositiveSmallIntegerField(_("lot"), default=0)
    # The buyer's number.
    party = models.PositiveSmallIntegerField(_("buyer"))
    # The number of earlier lines: of sales of this lot, or of the same kind, lot and buyer.
    turn = models.PositiveSmallIntegerField(_("turn"), default=0)
    amount = models.BigIntegerField(_("amount"), default=0)
    # Of a share bought back, in place of an amount.
    percent = models.DecimalField(_("percent"), max_digits=5, decimal_places=2, default=Decimal(0))
    note = models.CharField(_("note"), max_length=200, blank=True)
    corrects = models.OneToOneField(
        "self", on_delete=models.CASCADE, null=True, blank=True, related_name="corrected_by"
    )
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(_("when"))

    class Meta:
        verbose_name = _("line of an auction's ledger")
        verbose_name_plural = _("lines of auctions' ledgers")
        ordering = ("auction", "number")
        constraints = (
            models.UniqueConstraint(fields=["auction", "number"], name="one_auction_line_per_number"),
            models.UniqueConstraint(
                fields=["auction", "kind", "lot", "party", "turn"], name="one_auction_line_per_turn"
            ),
            # Independent of the buyer: a lot has one sale at a time.
            models.UniqueConstraint(
                fields=["auction", "lot", "turn"],
                condition=Q(kind=AuctionKind.SALE.value),
                name="one_auction_sale_per_turn",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=AuctionKind.values), name="auction_line_kind_is_known"
            ),
            models.CheckConstraint(
                condition=Q(kind=AuctionKind.PAYOUT.value, lot=0)
                | (~Q(kind=AuctionKind.PAYOUT.value) & Q(lot__gt=0)),
                name="auction_line_of_a_lot_or_a_payout",
            ),
            # A share has a percent, all other lines an amount; only counter-entries are negative.
            models.CheckConstraint(
                condition=Q(kind=AuctionKind.BACK.value, amount=0, percent__gt=0, corrects__isnull=True)
                | Q(kind=AuctionKind.BACK.value, amount=0, percent__lt=0, corrects__isnull=False)
                | (
                    ~Q(kind=AuctionKind.BACK.value)
                    & Q(percent=0)
                    & (Q(amount__gt=0, corrects__isnull=True) | Q(amount__lt=0, corrects__isnull=False))
                ),
                name="auction_line_amount_fits",
            ),
            models.CheckConstraint(
                condition=Q(corrects__isnull=True) | (~Q(corrects=F("pk")) & ~Q(note="")),
                name="auction_counter_entry_says_why",
            ),
        )

    def __str__(self) -> str:
        return f"{self.number} {self.kind} {self.amount or self.percent}"
