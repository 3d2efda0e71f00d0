"""The URL configuration, and Django's admin with the site's own sign-in."""

from __future__ import annotations

from functools import partial

from allauth.account.decorators import secure_admin_login
from django.conf import settings
from django.contrib import admin
from django.urls import include, path, re_path
from django.utils.translation import gettext_lazy as _

from config import api_routes, installable, landing_pages, pages, problems
from players.accounts import settings_views
from runtime.http import views as machinery
from tournaments.programme import front_views as front

# Before the URLs are built, which bind the view. Applies the usual rate limits and second factors.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
admin.site.site_header = "Barpoint"
admin.site.site_title = "Barpoint"
admin.site.index_title = _("Back office")
# A callable, so that tests can change the setting.
admin.site.index = partial(  # type: ignore[method-assign]
    admin.site.index, extra_context={"is_mail_sent": lambda: bool(settings.EMAIL_URL)}
)

site = admin.site
# Each has a landing page.
AUDIENCES = ("directors", "players", "federations")

urlpatterns = [
    path("", front.home, name="home"),
    path("boards/", front.boards, name="home_boards"),
    # Before the pages, since each move of a live match is resolved here.
    path("api/v1/", include((api_routes.urlpatterns, "api"))),
    path("", include("players.urls")),
    path("", include("matches.urls")),
    path("", include("tournaments.urls")),
    path("", include("fixtures.urls")),
    path("", include("careers.urls")),
    path("", include("rankings.urls")),
    path("", include("venue.urls")),
    path("", include("records.urls")),
    path("", include("money.urls")),
    path("", include("opinion.urls")),
    path("", include("help.urls")),
    path("find/", pages.find, name="find"),
    *(path(f"for/{each}/", landing_pages.door, {"audience": each}, name=f"for_{each}") for each in AUDIENCES),
    path("manifest.webmanifest", installable.manifest, name="manifest"),
    path("start/", installable.start, name="start"),
    path("offline/", installable.offline, name="offline"),
    path("accounts/", include("allauth.urls")),
    path("styleguide/", pages.styleguide, name="styleguide"),
    path("language/", settings_views.language, name="set_language"),
    # Only our catalogue, which is in LOCALE_PATHS and always included; not the admin's.
    path(
        "sentences/<str:language>/<str:version>.js",
        pages.Catalogue.as_view(packages=["matches"]),
        name="js_catalogue",
    ),
    path("healthz", machinery.healthz, name="healthz"),
    path("readyz", machinery.readyz, name="readyz"),
    path("metrics", machinery.figures, name="metrics"),
    path("admin/", site.urls),
    re_path(r"^api/", problems.not_found, name="api_not_found"),
]

handler400 = "config.pages.bad_request"
handler403 = "config.pages.permission_denied"
handler404 = "config.pages.page_not_found"
handler429 = "config.pages.too_many_requests"
handler500 = "config.pages.server_error"
