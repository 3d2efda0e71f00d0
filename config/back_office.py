"""The back office: Django's admin behind our own sign-in."""

from __future__ import annotations

from functools import partial

from allauth.account.decorators import secure_admin_login
from django.conf import settings
from django.contrib import admin
from django.utils.translation import gettext_lazy as _

# Before the addresses are made, which keep what they find: limits and second factors are those of everybody.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
admin.site.site_header = "Barpoint"
admin.site.site_title = "Barpoint"
admin.site.index_title = _("Back office")
# Called by the template for each page, since tests change settings.
admin.site.index = partial(  # type: ignore[method-assign]
    admin.site.index, extra_context={"is_mail_sent": lambda: bool(settings.EMAIL_URL)}
)

site = admin.site
