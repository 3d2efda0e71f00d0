"""Where Django finds this package."""

from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class OpinionConfig(AppConfig):
    """The opinion package as a Django app."""

    name = "opinion"
    verbose_name = _("Analysis")

    def ready(self) -> None:
        """Connect the receivers."""
        import_module("opinion.receivers")
