"""E-mails about accounts, in place of those of allauth."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from zoneinfo import ZoneInfo

from allauth.account import app_settings
from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from players.clubs.club_pages import find_home_club
from players.models import User
from players.notices.emails import Email, Link, to_public_url

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

Context = Mapping[str, Any]
Words = Callable[[str, Context], Email]


class AccountEmail(NamedTuple):
    """An e-mail about an account; it cannot be switched off."""

    # When it is sent, as a sentence for docs/notices.md.
    when: str
    write: Words
    to: str = "the account's address"


# Substrings of user agents, the more specific first; nothing else of the untrusted header is repeated.
BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
MACHINES: Final = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)


def build_email(kind: str, *, email: str, user: User | None, context: Context) -> Email:
    """Build the e-mail of a *kind*, named as by allauth, in the active language."""
    message = EMAILS[kind].write(email, {**context, "reader": user})
    return replace(
        message,
        name=user.player.name if user else "",
        club=find_home_club(user),
        why=_("You are getting this e-mail because it concerns your account or your e-mail address."),
    )


def build_confirmation(email: str, context: Context, *, first: StrOrPromise) -> Email:
    """Build the e-mail that asks to confirm an address; *first* says why."""
    return Email(
        subject=_("Confirm your e-mail address"),
        title=_("Confirm your e-mail address"),
        paragraphs=(str(first), _("Please confirm that {email} is your address.").format(email=email)),
        button=Link(_("Confirm the address"), to_public_url(context["activate_url"])),
        then=(
            _format_validity(timedelta(days=app_settings.EMAIL_CONFIRMATION_EXPIRE_DAYS)),
            _format_disclaimer(),
        ),
    )


def build_password_reset_email(_email: str, context: Context) -> Email:
    return Email(
        subject=_("Choose a new password"),
        title=_("Choose a new password"),
        paragraphs=(_("A new password was requested for your account, most likely by you."),),
        button=Link(_("Choose a new password"), to_public_url(context["password_reset_url"])),
        then=(
            f"{_format_validity(timedelta(seconds=settings.PASSWORD_RESET_TIMEOUT))} {_('It works once.')}",
            _("If it was not you, you need not do anything: your password stays as it is."),
        ),
    )


def build_account_exists_email(email: str, context: Context) -> Email:
    return Email(
        subject=_("You already have an account"),
        title=_("You already have an account"),
        paragraphs=(
            _("Someone, most likely you, tried to sign up with {email}.").format(email=email),
            _(
                "This address already has an account, so no new one was created. If you have "
                "forgotten your password, choose a new one."
            ),
        ),
        button=Link(_("Choose a new password"), to_public_url(context["password_reset_url"])),
        then=(_format_disclaimer(),),
    )


def build_no_account_email(email: str, context: Context) -> Email:
    """Build the e-mail to an address that has no account."""
    return Email(
        subject=_("There is no account with this address"),
        title=_("There is no account with this address"),
        paragraphs=(
            _("Someone, most likely you, tried to sign in or choose a new password with {email}.").format(
                email=email
            ),
            _("We have no account with this address. Perhaps you signed up with another one."),
        ),
        button=Link(_("Sign up"), to_public_url(context["signup_url"])),
        then=(_format_disclaimer(),),
    )


def _build_change_writer(subject: StrOrPromise, sentence: StrOrPromise = "", **fields: str) -> Words:
    """Return a function that builds the e-mail about a change of the account, for its owner.

    *fields* are the placeholders of *sentence*, each with the key of its value in the context.
    """

    def words(_email: str, context: Context) -> Email:
        text = str(sentence).format(**{name: context[key] for name, key in fields.items()})
        if "to_email" in context:
            # A former address of the account cannot reset its password.
            button, warning = None, _("If it was not you, tell a director of your club at once.")
        else:
            url = context["request"].build_absolute_uri(reverse("account_reset_password"))
            button = Link(_("Choose a new password"), to_public_url(url))
            warning = _("If it was not you, choose a new password at once and tell a director of your club.")
        return Email(
            subject=str(subject),
            paragraphs=(f"{subject}.", *([text] if text else ())),
            facts=tuple(_list_facts(context)),
            advice=(_("If it was you, there is nothing to do."), warning),
            button=button,
        )

    return words


def _list_facts(context: Context) -> list[tuple[str, str]]:
    """List when and from where the change was made, as far as known."""
    user: User | None = context["reader"]
    zone = ZoneInfo(user.time_zone) if user and user.time_zone else timezone.get_default_timezone()
    local = timezone.localtime(context["timestamp"], zone)
    found = [
        (_("When"), f"{date_format(local, 'DATETIME_FORMAT')} ({local.tzname()})"),
        (_("Browser"), describe_browser(context["user_agent"])),
        (_("IP address"), context["ip"] or ""),
    ]
    return [fact for fact in found if fact[1]]


def describe_browser(agent: str) -> str:
    """Return the names of a browser and its system; blank if unknown."""
    program = next((name for mark, name in BROWSERS if mark in agent), "")
    machine = next((name for mark, name in MACHINES if mark in agent), "")
    if program and machine:
        return _("{browser} on {machine}").format(browser=program, machine=machine)
    return program or machine


def _format_validity(time: timedelta) -> str:
    return ngettext(
        "The link is valid for %(days)d day.", "The link is valid for %(days)d days.", time.days
    ) % {"days": time.days}


def _format_disclaimer() -> str:
    return _("If it was not you, you need not do anything.")


# By allauth's names; docs/notices.md lists them.
EMAILS: Final[Mapping[str, AccountEmail]] = {
    "account/email/email_confirmation_signup": AccountEmail(
        "You sign up.",
        partial(build_confirmation, first=gettext_lazy("Welcome to Barpoint!")),
        to="the new address",
    ),
    "account/email/email_confirmation": AccountEmail(
        "You enter another address for your account.",
        partial(build_confirmation, first=gettext_lazy("This address was entered for your account.")),
        to="the new address",
    ),
    "account/email/account_already_exists": AccountEmail(
        "Somebody signs up with an address that has an account.",
        build_account_exists_email,
        to="the address entered",
    ),
    "account/email/unknown_account": AccountEmail(
        "Somebody asks for a new password for an address that has no account.",
        build_no_account_email,
        to="the address entered",
    ),
    "account/email/password_reset_key": AccountEmail(
        "You ask for a new password.", build_password_reset_email
    ),
    "account/email/password_changed": AccountEmail(
        "You change your password.", _build_change_writer(gettext_lazy("Your password was changed"))
    ),
    "account/email/password_reset": AccountEmail(
        "You choose a new password with the link in an e-mail.",
        _build_change_writer(gettext_lazy("Your password was changed")),
    ),
    "account/email/password_set": AccountEmail(
        "Your account gets its first password.",
        _build_change_writer(gettext_lazy("Your account has a password now")),
    ),
    "account/email/email_changed": AccountEmail(
        "Your address changes.",
        _build_change_writer(
            gettext_lazy("Your e-mail address was changed"),
            gettext_lazy("From now on you sign in with {new} instead of {old}."),
            old="from_email",
            new="to_email",
        ),
        to="the old address",
    ),
    "account/email/email_deleted": AccountEmail(
        "An address is removed from your account.",
        _build_change_writer(
            gettext_lazy("An e-mail address was removed"),
            gettext_lazy("{gone} no longer belongs to your account."),
            gone="deleted_email",
        ),
    ),
    "mfa/email/totp_activated": AccountEmail(
        "You turn on codes from an app for signing in.",
        _build_change_writer(gettext_lazy("Signing in now asks for a code from your app")),
    ),
    "mfa/email/totp_deactivated": AccountEmail(
        "You turn off codes from an app.",
        _build_change_writer(gettext_lazy("Signing in no longer asks for a code from your app")),
    ),
    "mfa/email/recovery_codes_generated": AccountEmail(
        "You make new recovery codes.",
        _build_change_writer(
            gettext_lazy("You have new recovery codes"), gettext_lazy("The old codes do not work any more.")
        ),
    ),
    "mfa/email/webauthn_added": AccountEmail(
        "You add a passkey.", _build_change_writer(gettext_lazy("A passkey was added to your account"))
    ),
    "mfa/email/webauthn_removed": AccountEmail(
        "You remove a passkey.", _build_change_writer(gettext_lazy("A passkey was removed from your account"))
    ),
}
