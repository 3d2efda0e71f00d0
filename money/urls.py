from django.urls import path

from money import event_views as parts
from money.auction import auction_views as auction
from money.ledger import account_views as accounts

app_name = "money"

urlpatterns = [
    path("events/<str:key>/prizes/", parts.prizes, name="prizes"),
    path("events/<str:key>/money/", accounts.account, name="account"),
    path("events/<str:key>/money/entries/", accounts.paid_sheet, name="paid_sheet"),
    path("events/<str:key>/money/payouts/", accounts.payouts, name="payouts"),
    path("events/<str:key>/money/receipts/<int:entrant>/", accounts.receipt, name="receipt"),
    path("events/<str:key>/money/terms/", accounts.agree, name="terms"),
    path("events/<str:key>/money/drop/", accounts.drop, name="drop"),
    path("events/<str:key>/money/pools/", accounts.open_pool, name="open_pool"),
    path("events/<str:key>/money/pools/close/", accounts.close_pool, name="close_pool"),
    path("events/<str:key>/money/pay/", accounts.pay, name="pay"),
    path("events/<str:key>/money/helping/", parts.mark_as_paid, name="mark_as_paid"),
    path("events/<str:key>/money/stake/", accounts.stake, name="stake"),
    path("events/<str:key>/money/spend/", accounts.spend, name="spend"),
    path("events/<str:key>/money/take-back/", accounts.take_back, name="take_back"),
    path("events/<str:key>/money/pay-out/", accounts.pay_out, name="pay_out"),
    path("events/<str:key>/money/split/", accounts.split, name="split"),
    path("events/<str:key>/auction/", auction.auction, name="auction"),
    path("events/<str:key>/auction/sheet/", auction.sheet, name="auction_sheet"),
    path("events/<str:key>/auction/lots.csv", auction.file, name="auction_file"),
    path("events/<str:key>/auction/terms/", auction.terms, name="auction_terms"),
    path("events/<str:key>/auction/call-off/", auction.call_off, name="auction_call_off"),
    path("events/<str:key>/auction/lots/", auction.put_up, name="auction_put_up"),
    path("events/<str:key>/auction/lots/take-down/", auction.take_down, name="auction_take_down"),
    path("events/<str:key>/auction/sell/", auction.sell, name="auction_sell"),
    path("events/<str:key>/auction/buy-back/", auction.buy_back, name="auction_buy_back"),
    path("events/<str:key>/auction/pay/", auction.pay, name="auction_pay"),
    path("events/<str:key>/auction/pay-out/", auction.pay_out, name="auction_pay_out"),
    path("events/<str:key>/auction/take-back/", auction.take_back, name="auction_take_back"),
]
