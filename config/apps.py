"""Where Django finds this package's commands, and which static files of others are used here."""

from django.apps import AppConfig
from django.conf import settings
from django.contrib.staticfiles.apps import StaticFilesConfig

from config.translations import compile_translations


class CompositionConfig(AppConfig):
    """The config package as a Django app: it has commands and no models."""

    name = "config"
    default = True

    def ready(self) -> None:
        """Compile translations that are newer than their compiled form: in a fresh clone, and after a change."""
        compile_translations(settings.SITE_DIR / "locale")


class UsedStaticFiles(StaticFilesConfig):
    """Static files without what other packages bring and no page of ours asks for."""

    # Names of folders and of files, or paths of files; half of all bytes.
    ignore_patterns = (
        *StaticFilesConfig.ignore_patterns,
        "django_htmx/ext/*",
        "django_htmx/htmax-*",
        "django_htmx/htmx-4*",
        # The back office loads them minified.
        "django_htmx/htmx-2.js",
        "admin/js/vendor/jquery/jquery.js",
        "admin/js/vendor/select2/select2.full.js",
        "admin/js/vendor/xregexp/xregexp.js",
    )
