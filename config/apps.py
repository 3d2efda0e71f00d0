"""Where Django finds this package's commands."""

from django.apps import AppConfig


class CompositionConfig(AppConfig):
    """The config package as a Django app: it has commands and no models."""

    name = "config"
