"""The URL map: one line a package."""

from __future__ import annotations

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path, re_path
from django.utils.translation import gettext_lazy as _

from config import api, pages
from config.description import Description
from players.views.settings import language
from runtime import views as machinery
from tournaments.views import home

urlpatterns = [
    path("", home, name="home"),
    path("", include("players.urls")),
    path("", include("matches.urls")),
    path("", include("tournaments.urls")),
    path("accounts/", include("allauth.urls")),
    path("styleguide/", pages.styleguide, name="styleguide"),
    path("language/", language, name="set_language"),
    path("healthz", machinery.healthz, name="healthz"),
    path("readyz", machinery.readyz, name="readyz"),
    path("metrics", machinery.figures, name="metrics"),
    path("admin/", admin.site.urls),
    path("api/v1/", include(api.urls)),
    path("api/v1/schema/", Description.as_view(), name="api_schema"),
    re_path(r"^api/", api.not_found, name="api_not_found"),
]

handler400 = "config.pages.bad_request"
handler403 = "config.pages.permission_denied"
handler404 = "config.pages.page_not_found"
handler429 = "config.pages.too_many_requests"
handler500 = "config.pages.server_error"

# The back office has no door of its own: limits, second factors and letters are those of the house.
admin.autodiscover()
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
admin.site.site_header = "Barpoint"
admin.site.site_title = "Barpoint"
admin.site.index_title = _("Back office")
