"""The URL map: one line for each package."""

from __future__ import annotations

from django.urls import include, path, re_path

from runtime.http import views as machinery
from runtime.lazy_imports import LazyUrls, Module

api = Module("config.api")
doors = Module("config.doors")
finding = Module("config.find")
installable = Module("config.installable")
pages = Module("config.pages")
settings = Module("players.views.settings")
front = Module("tournaments.programme.front_views")

# Each has a page that says what Barpoint does for them.
AUDIENCES = ("directors", "players", "federations")

urlpatterns = [
    path("", front.home, name="home"),
    path("boards/", front.boards, name="home_boards"),
    # Before the pages: each move of a live match comes here.
    LazyUrls("api/v1/", "config.api", namespace="api"),
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
    *(path(f"for/{each}/", doors.door, {"audience": each}, name=f"for_{each}") for each in AUDIENCES),
    path("manifest.webmanifest", installable.manifest, name="manifest"),
    path("start/", installable.start, name="start"),
    path("offline/", installable.offline, name="offline"),
    path("accounts/", include("config.accounts")),
    path("styleguide/", pages.styleguide, name="styleguide"),
    path("language/", settings.language, name="set_language"),
    path("healthz", machinery.healthz, name="healthz"),
    path("readyz", machinery.readyz, name="readyz"),
    path("metrics", machinery.figures, name="metrics"),
    LazyUrls("admin/", "config.back_office", namespace="admin"),
    re_path(r"^api/", api.not_found, name="api_not_found"),
]

handler400 = "config.pages.bad_request"
handler403 = "config.pages.permission_denied"
handler404 = "config.pages.page_not_found"
handler429 = "config.pages.too_many_requests"
handler500 = "config.pages.server_error"
