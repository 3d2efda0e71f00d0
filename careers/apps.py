"""Where Django finds this package."""

from importlib import import_module

from django.apps import AppConfig


class CareersConfig(AppConfig):
    """The careers package as a Django app. Its tables are those of `tournaments.models`."""

    name = "careers"

    def ready(self) -> None:
        """Connect the receivers."""
        import_module("careers.receivers")
