"""Refusals of money, with code, sentence and help section."""

from __future__ import annotations

from functools import partial

from django.utils.translation import gettext_lazy as _

from tournaments.base.errors import TournamentError


class MoneyError(TournamentError):
    """A refused request about an event's money; str() is the sentence for the user."""

    code = "money_refused"
    anchor = "running#money"


# A refusal that fits into 130 characters is one line.
# fmt: off
refusal = partial(MoneyError.define, anchor="running#money")
NoMoney = refusal("no_money", _("This event is played without money."))
TermsFixed = refusal("terms_fixed", _("Fees, pools and prizes are fixed once the event has begun."))
LinesThere = refusal("lines_there", _("Money has been taken by these terms. Take those lines back first."))
BadTerms = refusal("bad_terms", _("These terms are not possible: %(why)s"), status=400)
PaidAlready = refusal("paid_already", _("This is paid already."))
NothingToPay = refusal("nothing_to_pay", _("There is nothing to pay here."))
TooLate = refusal("too_late", _("The event is over. No one can join now."))
NotSettled = refusal("not_settled", _("Prizes are paid out when the event is finished."))
DueChanged = refusal("due_changed", _("The amount due has changed to %(due)s."))
BadSplit = refusal("bad_split", _("The split must add up to %(due)s, the total of these players."))
UnknownLine = refusal("unknown_line", _("There is no such line to take back."))

refusal = partial(MoneyError.define, anchor="running#auction")
NoAuction = refusal("no_auction", _("There is no auction in this event."))
UnknownLot = refusal("unknown_lot", _("There is no such lot."))
BadLot = refusal("bad_lot", _("Choose players of this event who are in no other lot."))
LotSold = refusal("lot_sold", _("This lot is sold. Take its sale back first."))
NotSold = refusal("not_sold", _("This lot is not sold, or not to this buyer."))
BadBuyer = refusal("bad_buyer", _("Enter the buyer: a player of this event, or a name."))
BadPrice = refusal("bad_price", _("The price of a lot must be above zero."))
BadShare = refusal(
    "bad_share",
    _("A player of the lot can buy back a share above zero; all shares together are at most 100 percent."),
)
PaysFirst = refusal("pays_first", _("%(name)s still has to pay %(amount)s. That comes before the payout."))
