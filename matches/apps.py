"""Where Django finds this package."""

from importlib import import_module

from django.apps import AppConfig


class MatchesConfig(AppConfig):
    """The matches package as a Django app."""

    name = "matches"

    def ready(self) -> None:
        """Connect the receivers."""
        import_module("matches.receivers")
