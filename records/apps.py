"""Where Django finds this package."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RecordsConfig(AppConfig):
    """The records package as a Django app."""

    name = "records"
    verbose_name = _("Records")
