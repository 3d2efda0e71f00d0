"""Where Django finds this package."""

from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class MoneyConfig(AppConfig):
    """The money package as a Django app."""

    name = "money"
    verbose_name = _("Money")

    def ready(self) -> None:
        """Connect the receivers."""
        import_module("money.receivers")
