"""The back office: Django's, with the doors of the house."""

from __future__ import annotations

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.utils.translation import gettext_lazy as _

# It has no door of its own: limits, second factors and letters are those of the house.
admin.autodiscover()
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
admin.site.site_header = "Barpoint"
admin.site.site_title = "Barpoint"
admin.site.index_title = _("Back office")

urlpatterns = admin.site.get_urls()
