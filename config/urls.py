"""The URL map: one line for each package, and the addresses of accounts."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path, re_path

from config.js_catalogue import Catalogue
from runtime.http import views as machinery
from runtime.lazy_imports import LazyUrls, Module

api = Module("config.api")
doors = Module("config.doors")
finding = Module("config.find")
installable = Module("config.installable")
pages = Module("config.pages")
settings = Module("players.accounts.settings_views")
front = Module("tournaments.programme.front_views")
# Imported on the first request: the code that checks passkeys would take a twentieth of the start.
factors = Module("allauth.mfa.base.views")
totp = Module("allauth.mfa.totp.views")
recovery = Module("allauth.mfa.recovery_codes.views")
webauthn = Module("allauth.mfa.webauthn.views")

# Each has a page that says what Barpoint does for them.
AUDIENCES = ("directors", "players", "federations")

# The URLs of allauth; a test compares them with its own list.
ACCOUNTS: list[URLPattern | URLResolver] = [
    path("", include("allauth.account.urls")),
    path("2fa/", factors.index, name="mfa_index"),
    path("2fa/authenticate/", factors.authenticate, name="mfa_authenticate"),
    path("2fa/reauthenticate/", factors.reauthenticate, name="mfa_reauthenticate"),
    path("2fa/totp/activate/", totp.activate_totp, name="mfa_activate_totp"),
    path("2fa/totp/deactivate/", totp.deactivate_totp, name="mfa_deactivate_totp"),
    path("2fa/recovery-codes/", recovery.view_recovery_codes, name="mfa_view_recovery_codes"),
    path(
        "2fa/recovery-codes/generate/",
        recovery.generate_recovery_codes,
        name="mfa_generate_recovery_codes",
    ),
    path(
        "2fa/recovery-codes/download/",
        recovery.download_recovery_codes,
        name="mfa_download_recovery_codes",
    ),
    path("2fa/webauthn/", webauthn.list_webauthn, name="mfa_list_webauthn"),
    path("2fa/webauthn/add/", webauthn.add_webauthn, name="mfa_add_webauthn"),
    path(
        "2fa/webauthn/reauthenticate/",
        webauthn.reauthenticate_webauthn,
        name="mfa_reauthenticate_webauthn",
    ),
    path("2fa/webauthn/keys/<int:pk>/remove/", webauthn.remove_webauthn, name="mfa_remove_webauthn"),
    path("2fa/webauthn/keys/<int:pk>/edit/", webauthn.edit_webauthn, name="mfa_edit_webauthn"),
    path("2fa/webauthn/login/", webauthn.login_webauthn, name="mfa_login_webauthn"),
]

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
    path("accounts/", include(ACCOUNTS)),
    path("styleguide/", pages.styleguide, name="styleguide"),
    path("language/", settings.language, name="set_language"),
    # Ours are in LOCALE_PATHS, which Django always adds: the back office's stay out.
    path(
        "sentences/<str:language>/<str:version>.js",
        Catalogue.as_view(packages=["matches"]),
        name="js_catalogue",
    ),
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
