"""Addresses of accounts: those of allauth.

Its second factors are imported when somebody comes there: what checks passkeys would be a twentieth of a start. A test
holds this against allauth's own list.
"""

from __future__ import annotations

from django.urls import include, path

from runtime.lazy_imports import Module

base = Module("allauth.mfa.base.views")
totp = Module("allauth.mfa.totp.views")
recovery = Module("allauth.mfa.recovery_codes.views")
webauthn = Module("allauth.mfa.webauthn.views")

urlpatterns = [
    path("", include("allauth.account.urls")),
    path("2fa/", base.index, name="mfa_index"),
    path("2fa/authenticate/", base.authenticate, name="mfa_authenticate"),
    path("2fa/reauthenticate/", base.reauthenticate, name="mfa_reauthenticate"),
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
