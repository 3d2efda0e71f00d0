"""allauth's forms with other labels and help texts, and with limits of length and rate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Final

from allauth.account import forms as account
from allauth.account.adapter import get_adapter
from allauth.core import context
from allauth.mfa.base import forms as mfa
from allauth.mfa.webauthn import forms as webauthn
from django import forms
from django.core.validators import MaxLengthValidator
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from players.people.fields import LONGEST_CREDENTIAL, LONGEST_TYPED

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

PASSWORD_RULE = _("At least 10 characters; several words are easy to remember and hard to guess.")
# The labels of fields, by name.
EMAIL: Final = dict.fromkeys(("email", "login"), _("E-mail address"))
NEW_EMAIL: Final = {"email": _("New e-mail address")}
NAME: Final = {"name": _("Name")}
PASSWORDS: Final = {
    "oldpassword": _("Current password"),
    "password1": _("New password"),
    "password2": _("New password again"),
}


class BoundedFields:
    """A form with maximum lengths for all text fields, also where allauth sets none."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():  # type: ignore[attr-defined]
            if isinstance(field, forms.CharField) and field.max_length is None:
                longest = LONGEST_CREDENTIAL if isinstance(field, forms.JSONField) else LONGEST_TYPED
                field.max_length = longest
                field.validators.insert(0, MaxLengthValidator(longest))


class PlainLabels(BoundedFields):
    """Base of forms with consistent labels, and one sentence in place of the list of password rules."""

    # By the name of the field; these have no placeholders.
    labels: ClassVar[Mapping[str, StrOrPromise]] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: dict[str, Any] = self.fields  # type: ignore[attr-defined]
        if "password1" in fields:
            fields["password1"].help_text = PASSWORD_RULE
        for name in fields.keys() & self.labels.keys():
            fields[name].label = self.labels[name]
            fields[name].widget.attrs.pop("placeholder", None)


class Signup(PlainLabels, account.SignupForm):  # type: ignore[misc]  # allauth is not typed
    labels = EMAIL


class Login(PlainLabels, account.LoginForm):  # type: ignore[misc]
    labels = EMAIL

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # The page has the link to a new password below the button.
        self.fields["password"].help_text = ""


class ChangePassword(PlainLabels, account.ChangePasswordForm):  # type: ignore[misc]
    labels = PASSWORDS


class SetPassword(PlainLabels, account.SetPasswordForm):  # type: ignore[misc]
    labels = PASSWORDS


class NewPassword(PlainLabels, account.ResetPasswordKeyForm):  # type: ignore[misc]
    """Form to set a new password after following the link in an e-mail."""

    labels = PASSWORDS


class ForgottenPassword(PlainLabels, account.ResetPasswordForm):  # type: ignore[misc]
    labels = EMAIL


class NewAddress(PlainLabels, account.AddEmailForm):  # type: ignore[misc]
    labels = NEW_EMAIL


class RateLimitedCode:
    """Mixin of forms with a code: limits the rate of tries."""

    def clean_code(self) -> str:
        """Check the code, if a try is allowed now; a correct one is not counted."""
        turn = get_adapter().take_code_turn(context.request, self.user)  # type: ignore[attr-defined]
        code: str = super().clean_code()  # type: ignore[misc]
        turn.give_back()
        return code


class Code(RateLimitedCode, BoundedFields, mfa.AuthenticateForm):  # type: ignore[misc]
    """Form for the code after the password."""


class CodeReauthentication(RateLimitedCode, BoundedFields, mfa.ReauthenticateForm):  # type: ignore[misc]
    """Form for a code before a sensitive action."""


class Passkey(PlainLabels, webauthn.AddWebAuthnForm):  # type: ignore[misc]
    """Form to add a passkey, by default for sign-in without a password."""

    labels = NAME

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        box = self.fields["passwordless"]
        box.label = _("Sign in with it alone, without a password")
        box.help_text = _(
            "The device asks for your fingerprint, your face or its PIN. If yours cannot, untick this: you "
            "then use the key after your password."
        )
        box.initial = True


class KeyName(PlainLabels, webauthn.EditWebAuthnForm):  # type: ignore[misc]
    labels = NAME


class PasswordReauthentication(BoundedFields, account.ReauthenticateForm):  # type: ignore[misc]
    """Form for the password before a sensitive action."""


class PasskeyLogin(BoundedFields, webauthn.LoginWebAuthnForm):  # type: ignore[misc]
    """Form to sign in with a passkey alone."""


class PasskeyAfterPassword(BoundedFields, webauthn.AuthenticateWebAuthnForm):  # type: ignore[misc]
    """Form for a passkey after the password."""


class PasskeyReauthentication(BoundedFields, webauthn.ReauthenticateWebAuthnForm):  # type: ignore[misc]
    """Form for a passkey before a sensitive action."""


# Sentences of allauth that are translated here, for a consistent tone in German.
SENTENCES = (
    gettext_noop("Use your password"),
    gettext_noop("Use authenticator app or code"),
    gettext_noop("Use a security key"),
    gettext_noop("You cannot add an email address to an account protected by two-factor authentication."),
    gettext_noop("You cannot deactivate two-factor authentication."),
    gettext_noop("You cannot generate recovery codes without having two-factor authentication enabled."),
    gettext_noop("You cannot activate two-factor authentication until you have verified your email address."),
    gettext_noop(
        "Enabling passwordless operation allows you to sign in using just this key, but imposes additional requirements such as biometrics or PIN protection."
    ),
    gettext_noop("Save them  in a secure location now — they won't be shown again."),
)
