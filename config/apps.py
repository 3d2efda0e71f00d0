"""Django app configuration, and the selection of static files."""

from django.apps import AppConfig
from django.conf import settings
from django.contrib.staticfiles.apps import StaticFilesConfig

from config.translations import compile_translations


class CompositionConfig(AppConfig):
    """The config package as an app: it has commands but no models."""

    name = "config"
    default = True

    def ready(self) -> None:
        """Compile translations that are missing or out of date."""
        compile_translations(settings.SITE_DIR / "locale")


class UsedStaticFiles(StaticFilesConfig):
    """Static files without those of other packages that no page uses."""

    # Glob patterns; they exclude half of all bytes.
    ignore_patterns = (
        *StaticFilesConfig.ignore_patterns,
        "django_htmx/ext/*",
        "django_htmx/htmax-*",
        "django_htmx/htmx-4*",
        # The admin loads the minified versions.
        "django_htmx/htmx-2.js",
        "admin/js/vendor/jquery/jquery.js",
        "admin/js/vendor/select2/select2.full.js",
        "admin/js/vendor/xregexp/xregexp.js",
    )
