"""Where Django finds this package."""

from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class VenueConfig(AppConfig):
    """The venue package as a Django app."""

    name = "venue"
    verbose_name = _("Venue")

    def ready(self) -> None:
        """Connect the receivers."""
        import_module("venue.receivers")
