"""Forms for one's own account."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from players.models import ShownAs, Theme, User
from players.people.fields import LONGEST_TYPED, NameField, TimeZoneField


class SignupForm(forms.Form):
    name = NameField(
        label=_("Your name"),
        max_length=80,
        help_text=_("As it should appear in draws and standings. You can choose an alias later."),
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    field_order = ("name", "email", "password1")

    def signup(self, request: HttpRequest, user: User) -> None:
        """Do nothing: the account adapter has created the player."""


class WelcomeForm(forms.Form):
    name = NameField(
        label=_("Your name"), max_length=80, widget=forms.TextInput(attrs={"autocomplete": "name"})
    )
    email = forms.EmailField(
        label=_("E-mail address"), widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )
    password = forms.CharField(
        label=_("Password"),
        strip=False,
        max_length=128,
        help_text=_("At least 10 characters; several words are easy to remember and hard to guess."),
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if password := cleaned.get("password"):
            try:
                validate_password(password, User(email=cleaned.get("email", "")))
            except forms.ValidationError as error:
                self.add_error("password", error)
        return cleaned


class ProfileForm(forms.Form):
    name = NameField(label=_("Name"), max_length=80, widget=forms.TextInput(attrs={"autocomplete": "name"}))
    alias = NameField(label=_("Alias"), max_length=40, required=False)
    shown_as = forms.ChoiceField(
        label=_("Shown as"),
        choices=ShownAs.choices,
        widget=forms.RadioSelect,
        help_text=_("What everyone sees in draws and standings. Your directors see your name as well."),
    )
    language = forms.ChoiceField(
        label=_("Language"), required=False, choices=[("", _("Same as my browser")), *settings.LANGUAGES]
    )
    time_zone = TimeZoneField(label=_("Time zone"), required=False, blank=_("Same as my club"))

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("shown_as") == ShownAs.ALIAS and "alias" in cleaned and not cleaned["alias"]:
            self.add_error("alias", _("Choose an alias, or be shown by your name."))
        return cleaned


class AppearanceForm(forms.Form):
    """Theme and contrast; the footer sends the theme alone."""

    theme = forms.ChoiceField(label=_("Theme"), choices=Theme.choices, widget=forms.RadioSelect)
    high_contrast = forms.BooleanField(
        label=_("High contrast"), required=False, help_text=_("Stronger lines and darker text.")
    )


class PrivacyForm(forms.Form):
    hidden_from_search = forms.BooleanField(
        label=_("Hide me from searches"),
        required=False,
        help_text=_(
            "Only members of your clubs can find you by your name. You still appear in draws and standings."
        ),
    )
    mails_notices = forms.BooleanField(
        label=_("Send me notices by e-mail"),
        required=False,
        help_text=_("Only those you have not read here within ten minutes."),
    )


class EraseForm(forms.Form):
    """Confirmation of an erasure by the password, or by the typed address for accounts without one."""

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        if user.has_usable_password():
            self.fields["password"] = forms.CharField(
                label=_("Your password"),
                strip=False,
                max_length=LONGEST_TYPED,
                widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
            )
        else:
            self.fields["typed"] = forms.CharField(
                label=_("Type your e-mail address to confirm"),
                max_length=254,
                widget=forms.TextInput(attrs={"autocomplete": "off"}),
            )

    def clean_password(self) -> str:
        password = str(self.cleaned_data["password"])
        if not self.user.check_password(password):
            raise forms.ValidationError(_("This is not your password."), code="wrong_password")
        return password

    def clean_typed(self) -> str:
        typed = str(self.cleaned_data["typed"]).strip().lower()
        if typed != self.user.email:
            raise forms.ValidationError(_("This is not your e-mail address."), code="not_confirmed")
        return typed
