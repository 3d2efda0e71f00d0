"""Refusals: each has a stable code for programs and a sentence for people."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments.base.errors import TournamentError


class MoneyError(TournamentError):
    """Something that this event's money does not allow; str() is the sentence to show."""

    code = "money_refused"


class NoMoney(MoneyError):
    """The event is played without money; this is how every event begins."""

    code = "no_money"
    sentence = _("This event is played without money.")


class TermsFixed(MoneyError):
    """Nothing in play changes a fee (R57)."""

    code = "terms_fixed"
    sentence = _("Fees, pools and prizes are fixed once the event has begun.")


class LinesThere(MoneyError):
    """What was written down does not fit other fees."""

    code = "lines_there"
    sentence = _("Money has been taken by these terms. Take those lines back first.")


class BadTerms(MoneyError):
    """No event could be settled like that."""

    code = "bad_terms"
    sentence = _("These terms cannot be: %(why)s")


class PaidAlready(MoneyError):
    """Somebody was faster."""

    code = "paid_already"
    sentence = _("This is paid already.")


class NothingToPay(MoneyError):
    """There is no such fee, stake or prize."""

    code = "nothing_to_pay"
    sentence = _("There is nothing to pay here.")


class TooLate(MoneyError):
    """The matches that decide a pool are played."""

    code = "too_late"
    sentence = _("The event is over. Nobody can join now.")


class NotSettled(MoneyError):
    """Nobody is paid before the order stands."""

    code = "not_settled"
    sentence = _("Prizes are paid out when the event is finished.")


class DueChanged(MoneyError):
    """What is due is not what the page showed."""

    code = "due_changed"
    sentence = _("What is due has changed: it is %(due)s now.")


class BadSplit(MoneyError):
    """A split moves money only among those who agreed."""

    code = "bad_split"
    sentence = _("The split must come to %(due)s, which is what these players get together.")


class UnknownLine(MoneyError):
    """There is no such line, or it is itself a counter-entry."""

    code = "unknown_line"
    sentence = _("There is no such line to take back.")


class NoAuction(MoneyError):
    """There is none, as with most events; or what was asked for is not shown."""

    code = "no_auction"
    sentence = _("There is no auction in this event.")


class UnknownLot(MoneyError):
    """No lot has this number."""

    code = "unknown_lot"
    sentence = _("There is no such lot.")


class BadLot(MoneyError):
    """Nobody could be sold like that."""

    code = "bad_lot"
    sentence = _("A lot has players of this event who are in no other lot.")


class LotSold(MoneyError):
    """Somebody has it."""

    code = "lot_sold"
    sentence = _("This lot is sold. Take its sale back first.")


class NotSold(MoneyError):
    """Nobody has it, or not this buyer."""

    code = "not_sold"
    sentence = _("This lot is not sold, or not to this buyer.")


class BadBuyer(MoneyError):
    """A lot goes to a player of the event or to a name."""

    code = "bad_buyer"
    sentence = _("Say who buys: a player of this event, or a name.")


class BadPrice(MoneyError):
    """A lot costs something."""

    code = "bad_price"
    sentence = _("A lot has a price above nought.")


class BadShare(MoneyError):
    """The buyer has sold more than there is."""

    code = "bad_share"
    sentence = _(
        "A player of the lot buys back a share above nought; all shares together are at most 100 percent."
    )


class PaysFirst(MoneyError):
    """What somebody still owes is not handed out to them."""

    code = "pays_first"
    sentence = _("%(name)s still has to pay %(amount)s. That comes before the payout.")
