"""Where Django finds this package."""

from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TournamentsConfig(AppConfig):
    """The tournaments package as a Django app."""

    name = "tournaments"
    verbose_name = _("Events")

    def ready(self) -> None:
        """Connect the receivers."""
        import_module("tournaments.receivers")
