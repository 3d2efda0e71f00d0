"""Where Django finds this package."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class MoneyConfig(AppConfig):
    """The money package as a Django app."""

    name = "money"
    verbose_name = _("Money")
