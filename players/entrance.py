"""allauth's forms in our words: what a password must be in one sentence, help after the fields."""

from __future__ import annotations

from typing import Any

from allauth.account import forms as account
from django.utils.translation import gettext_lazy as _

PASSWORD_RULE = _("At least 10 characters; several words are easy to remember and hard to guess.")


class PlainWords:
    """One sentence instead of a list, the same name for the same field everywhere."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: dict[str, Any] = self.fields  # type: ignore[attr-defined]
        if "password1" in fields:
            fields["password1"].help_text = PASSWORD_RULE
        for name in ("email", "login"):
            if name in fields:
                fields[name].label = _("E-mail address")
                fields[name].widget.attrs.pop("placeholder", None)


class Signup(PlainWords, account.SignupForm):  # type: ignore[misc]  # allauth is not typed
    """Making an account."""


class Login(PlainWords, account.LoginForm):  # type: ignore[misc]
    """Signing in."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # The page offers the way to a new password below the button.
        self.fields["password"].help_text = ""


class ChangePassword(PlainWords, account.ChangePasswordForm):  # type: ignore[misc]
    """Changing one's password."""


class SetPassword(PlainWords, account.SetPasswordForm):  # type: ignore[misc]
    """Choosing a first password."""


class NewPassword(PlainWords, account.ResetPasswordKeyForm):  # type: ignore[misc]
    """Choosing a new password after following the link in a letter."""


class ForgottenPassword(PlainWords, account.ResetPasswordForm):  # type: ignore[misc]
    """Asking for that letter."""
