"""Shapes and serializers of auctions for the API."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from django.utils import timezone
from rest_framework import serializers

from money.auction.auction_account import HUNDREDTHS
from money.ledger.ledger_shapes import PERCENTS, make_percents_field, require_fields_of_act
from money.models import MOST, AuctionKind
from runtime.http.answer_schema import make_serializer
from runtime.http.answers import Answer, about
from runtime.http.strict_fields import StrictFields

if TYPE_CHECKING:
    from money.auction.auction_account import AuctionAccount


class AuctionTermsShape(StrictFields):
    """The terms of an auction; once a lot is sold only its visibility can change."""

    prizes = make_percents_field(help_text=f"Of all that lots are sold for, less the rake. {PERCENTS}")
    rake_percent = serializers.DecimalField(
        max_digits=5, decimal_places=2, min_value=0, max_value=100, default=Decimal(0)
    )
    is_public = serializers.BooleanField(
        default=False, help_text="Whether everyone sees lots, buyers and prices."
    )


class AuctionOwnerAnswer(Answer):
    """A holder of a share in a lot."""

    party: int = about("The number of the buyer.")
    percent: str = about(described=serializers.DecimalField(max_digits=5, decimal_places=2))
    cost: int = about("What of the price is theirs.")
    paid: int | None = about("For directors.")
    won: int = about("What of the winnings is theirs.")


class AuctionLotShape(StrictFields):
    """A lot: one player, or several who are sold together."""

    number = serializers.IntegerField(read_only=True)
    name = serializers.CharField(max_length=60, required=False, allow_blank=True, default="")
    players = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=10_000),
        min_length=1,
        max_length=1_000,
        help_text="The numbers of their entries.",
    )
    price = serializers.IntegerField(read_only=True, allow_null=True)
    owners = make_serializer(AuctionOwnerAnswer)(many=True, read_only=True, help_text="The buyer first.")


class AuctionPartyAnswer(Answer):
    """A buyer."""

    number: int
    entrant: int | None = about("Of a player of the event.")
    name: str
    to_pay: int | None = about("What they still owe. For directors.")
    due: int
    paid_out: int | None = about("For directors.")


class AuctionSumsAnswer(Answer):
    """The sums of an auction: the pool equals payouts, rake and carried money."""

    pool: int = about("All lots that are sold, paid or not.")
    rake: int
    payouts: int
    carried: int = about("Before the end: all that is still to be won.")


class AuctionAnswer(Answer):
    """The auction of an event; amounts are whole units of its currency."""

    terms: dict[str, Any] = about(described=AuctionTermsShape())
    lots: list[dict[str, Any]] = about(described=AuctionLotShape(many=True))
    parties: list[AuctionPartyAnswer]
    sums: AuctionSumsAnswer


class AuctionLineAnswer(Answer):
    """A line of an auction's ledger; it never changes."""

    number: int
    kind: AuctionKind
    lot: int = about("0 for a payout.")
    party: int
    amount: int
    note: str
    percent: str = about(
        source=lambda line: f"{line.percent:.2f}",
        described=serializers.DecimalField(
            max_digits=5, decimal_places=2, help_text="Of a share bought back."
        ),
    )
    takes_back: int | None = about(source=lambda line: line.corrects and line.corrects.number)
    at: datetime = about(source=lambda line: timezone.localtime(line.at))


class AuctionActShape(StrictFields):
    """An act to record in an auction."""

    act = serializers.ChoiceField(choices=("sell", "buy_back", "pay", "pay_out", "take_back"))
    lot = serializers.IntegerField(min_value=1, max_value=10_000, required=False)
    party = serializers.IntegerField(min_value=1, max_value=10_000, required=False)
    entrant = serializers.IntegerField(
        min_value=1,
        max_value=10_000,
        required=False,
        help_text="sell: a buyer who plays; buy_back: who does so.",
    )
    buyer = serializers.CharField(
        max_length=80,
        required=False,
        allow_blank=True,
        default="",
        help_text="sell: any other buyer, by name.",
    )
    amount = serializers.IntegerField(min_value=1, max_value=MOST**2, required=False)
    percent = serializers.DecimalField(max_digits=5, decimal_places=2, required=False)
    line = serializers.IntegerField(min_value=1, max_value=10**6, required=False)
    note = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")

    NEEDS: Final = {
        "sell": ("lot", "amount"),
        "buy_back": ("lot", "entrant", "percent"),
        "pay": ("lot", "party", "amount"),
        "pay_out": ("party", "amount"),
        "take_back": ("line", "note"),
    }

    MAY_HAVE: Final = {"sell": ("entrant", "buyer")}

    def validate(self, attrs: Any) -> Any:
        """Require the fields that the act needs, and no others."""
        require_fields_of_act(self, attrs, self.NEEDS, self.MAY_HAVE)
        return attrs


def serialize_auction(account: AuctionAccount, *, for_director: bool) -> AuctionAnswer:
    """Serialize an auction; payments and payouts only for directors."""
    result = account.settlement
    return AuctionAnswer(
        terms=AuctionTermsShape(account.auction).data,
        lots=[serialize_lot(account, row.number, for_director=for_director) for row in account.lots],
        parties=[
            AuctionPartyAnswer(
                number=number,
                entrant=party.entrant,
                name=account.party_name(number),
                to_pay=account.owes(number) if for_director else None,
                due=account.due(number),
                paid_out=account.had(number) if for_director else None,
            )
            for number, party in account.parties.items()
        ],
        sums=AuctionSumsAnswer.read(result, payouts=sum(result.payouts.values())),
    )


def serialize_lot(account: AuctionAccount, number: int, *, for_director: bool) -> dict[str, Any]:
    row = next(each for each in account.lots if each.number == number)
    sale = account.sales.get(number)
    return {
        "number": number,
        "name": row.name,
        "players": list(account.fields[number]),
        "price": sale.price if sale else None,
        "owners": [
            AuctionOwnerAnswer(
                party=party,
                percent=f"{Decimal(account.share(number, party)) / HUNDREDTHS:.2f}",
                cost=account.costs[number, party],
                paid=account.paid(number, party) if for_director else None,
                won=account.gains[number, party],
            )
            for party in (sale.owners if sale else ())
        ],
    }
