"""Where Django finds this package."""

from django.apps import AppConfig


class MatchesConfig(AppConfig):
    """The matches package as a Django app."""

    name = "matches"
