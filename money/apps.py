from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class MoneyConfig(AppConfig):
    name = "money"
    verbose_name = _("Money")

    def ready(self) -> None:
        import_module("money.receivers")
