"""The URL configuration."""

from __future__ import annotations

from django.urls import include, path, re_path

from config import api, api_routes, back_office, installable, landing_pages, pages
from config import site_search as finding
from config.js_catalogue import Catalogue
from players.accounts import settings_views as settings
from runtime.http import views as machinery
from tournaments.programme import front_views as front

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
    path("find/", finding.find, name="find"),
    *(path(f"for/{each}/", landing_pages.door, {"audience": each}, name=f"for_{each}") for each in AUDIENCES),
    path("manifest.webmanifest", installable.manifest, name="manifest"),
    path("start/", installable.start, name="start"),
    path("offline/", installable.offline, name="offline"),
    path("accounts/", include("allauth.urls")),
    path("styleguide/", pages.styleguide, name="styleguide"),
    path("language/", settings.language, name="set_language"),
    # Only our catalogue, which is in LOCALE_PATHS and always included; not the admin's.
    path(
        "sentences/<str:language>/<str:version>.js",
        Catalogue.as_view(packages=["matches"]),
        name="js_catalogue",
    ),
    path("healthz", machinery.healthz, name="healthz"),
    path("readyz", machinery.readyz, name="readyz"),
    path("metrics", machinery.figures, name="metrics"),
    path("admin/", back_office.site.urls),
    re_path(r"^api/", api.not_found, name="api_not_found"),
]

handler400 = "config.pages.bad_request"
handler403 = "config.pages.permission_denied"
handler404 = "config.pages.page_not_found"
handler429 = "config.pages.too_many_requests"
handler500 = "config.pages.server_error"
