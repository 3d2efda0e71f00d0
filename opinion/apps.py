from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class OpinionConfig(AppConfig):
    name = "opinion"
    verbose_name = _("Analysis")

    def ready(self) -> None:
        import_module("opinion.receivers")
