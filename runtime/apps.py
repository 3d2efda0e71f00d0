"""Django app configuration."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RuntimeConfig(AppConfig):
    name = "runtime"
    verbose_name = _("Machinery")

    def ready(self) -> None:
        from runtime import receivers  # noqa: F401
        from runtime.install import checks  # noqa: F401
