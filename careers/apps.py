from importlib import import_module

from django.apps import AppConfig


class CareersConfig(AppConfig):
    """The careers package as a Django app. Its tables are those of `tournaments.models`."""

    name = "careers"

    def ready(self) -> None:
        import_module("careers.receivers")
