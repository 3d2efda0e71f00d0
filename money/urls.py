"""Addresses of money."""

from django.urls import path

from runtime.lazy_imports import Module

app_name = "money"

acting = Module("money.views.acting")
looking = Module("money.views.looking")

urlpatterns = [
    path("events/<str:key>/prizes/", looking.prizes, name="prizes"),
    path("events/<str:key>/money/", looking.account, name="account"),
    path("events/<str:key>/money/entries/", looking.paid_sheet, name="paid_sheet"),
    path("events/<str:key>/money/payouts/", looking.payouts, name="payouts"),
    path("events/<str:key>/money/receipts/<int:entrant>/", looking.receipt, name="receipt"),
    path("events/<str:key>/money/terms/", acting.agree, name="terms"),
    path("events/<str:key>/money/drop/", acting.drop, name="drop"),
    path("events/<str:key>/money/pools/", acting.open_pool, name="open_pool"),
    path("events/<str:key>/money/pools/close/", acting.close_pool, name="close_pool"),
    path("events/<str:key>/money/pay/", acting.pay, name="pay"),
    path("events/<str:key>/money/stake/", acting.stake, name="stake"),
    path("events/<str:key>/money/spend/", acting.spend, name="spend"),
    path("events/<str:key>/money/take-back/", acting.take_back, name="take_back"),
    path("events/<str:key>/money/pay-out/", acting.pay_out, name="pay_out"),
    path("events/<str:key>/money/split/", acting.split, name="split"),
]
