"""Where Django finds this package."""

from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RankingsConfig(AppConfig):
    """The rankings package as a Django app."""

    name = "rankings"
    verbose_name = _("Rankings")

    def ready(self) -> None:
        """Connect the receivers."""
        import_module("rankings.receivers")
