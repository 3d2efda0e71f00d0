"""Where Django finds this package."""

from django.apps import AppConfig


class RuntimeConfig(AppConfig):
    """The runtime package as a Django app."""

    name = "runtime"

    def ready(self) -> None:
        """Register the house's own handlers, sweeps and checks."""
        from runtime import checks, receivers  # noqa: F401
