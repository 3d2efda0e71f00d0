"""The Django app of this package."""

from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TournamentsConfig(AppConfig):
    name = "tournaments"
    verbose_name = _("Events")

    def ready(self) -> None:
        import_module("tournaments.receivers")
