"""Where Django finds this package."""

from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RecordsConfig(AppConfig):
    """The records package as a Django app."""

    name = "records"
    verbose_name = _("Records")

    def ready(self) -> None:
        """Connect the receivers."""
        import_module("records.receivers")
