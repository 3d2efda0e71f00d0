"""Where Django finds this package."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PlayersConfig(AppConfig):
    """People and clubs as a Django app."""

    name = "players"
    verbose_name = _("People and clubs")

    def ready(self) -> None:
        """Register what carries out our outbox rows."""
        from players import receivers  # noqa: F401
