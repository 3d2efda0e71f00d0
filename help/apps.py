"""Where Django finds this package."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class HelpConfig(AppConfig):
    """The help package as a Django app."""

    name = "help"
    verbose_name = _("Help")
