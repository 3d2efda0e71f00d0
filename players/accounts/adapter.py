"""Configuration of allauth: e-mails through the outbox, a player for each account, rate limits."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final
from urllib.parse import urlencode
from uuid import uuid4

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.utils import filter_users_by_email, get_next_redirect_url
from allauth.core import context as allauth_context
from allauth.core.exceptions import ImmediateHttpResponse
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.forms import BaseForm
from django.http import HttpRequest
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from players.access import attempts
from players.access.attempts import Bucket, CountedTry
from players.accounts import account_emails, devices
from players.models import Player, User
from players.notices import emails
from runtime import addresses

NOWHERE = "0.0.0.0"  # noqa: S104 - an address to count under, not one to listen on
# A longer address of a page to return to is left out of e-mails.
LONGEST_NEXT: Final = 1_000


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth is not typed
    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Allow everybody to sign up; permissions come from clubs."""
        return True

    def save_user(self, request: HttpRequest, user: User, form: BaseForm, commit: bool = True) -> User:
        super().save_user(request, user, form, commit=False)
        if commit:
            try:
                with transaction.atomic():
                    user.save()
                    Player.objects.create(user=user, name=form.cleaned_data["name"])
            except IntegrityError:
                # The form was sent twice at once; the other request created the account.
                raise ImmediateHttpResponse(redirect("account_login")) from None
        return user

    def get_email_confirmation_url(self, request: HttpRequest, emailconfirmation: Any) -> str:
        """Add the page from which someone came to sign up, such as an invitation.

        The link may be opened in another browser, and its page does not sign in: so it leads to the page for signing
        in, and that one back.
        """
        url: str = super().get_email_confirmation_url(request, emailconfirmation)
        back = get_next_redirect_url(request)
        if not back or len(back) > LONGEST_NEXT:
            return url
        sign_in = reverse("account_login", query={"next": back})
        return f"{url}?{urlencode({'next': sign_in})}"

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Queue the e-mail in the outbox, so that requests do not wait for a mail server.

        After too many of a kind to one address in an hour, further ones are dropped; links in earlier ones
        stay valid.
        """
        now = timezone.now()
        try:
            attempts.count_try(
                [attempts.build_bucket(attempts.EMAILS, template_prefix, email.lower())], now=now
            )
        except attempts.TooManyTries:
            return
        user = context.get("user") or next(iter(filter_users_by_email(email, prefer_verified=True)), None)
        with translation.override(user.language if user and user.language else get_language()):
            message = account_emails.build_email(
                template_prefix,
                email=email,
                user=user,
                context={"request": allauth_context.request, **context},
            )
            # Two requests for an e-mail send two e-mails.
            emails.queue_email(message, to=email, dedupe_key=f"account-mail:{uuid4().hex}", now=now)

    def send_notification_mail(
        self,
        template_prefix: str,
        user: User,
        context: dict[str, Any] | None = None,
        email: str | None = None,
    ) -> None:
        """Add the account to the context, as *email* can be another address than the account's."""
        super().send_notification_mail(template_prefix, user, {**(context or {}), "user": user}, email)

    def authenticate(self, request: HttpRequest, **credentials: Any) -> User | None:
        """Check a password, with rate limits for unknown devices.

        :raises ValidationError: the try is too early; nothing was checked.
        """
        email = str(credentials.get("email") or "").strip().lower()
        lanes, who = _build_password_buckets(request, email, self.get_client_ip(request))
        turn = self._count_try(request, lanes, who, way_round=_format_password_alternatives())
        user: User | None = super().authenticate(request, **credentials)
        if user is not None:
            turn.give_back()
        return user

    def take_code_turn(self, request: HttpRequest, user: User) -> CountedTry:
        """Count a try of a second factor's code.

        :raises ValidationError: the try is too early.
        """
        lanes, who = _build_code_buckets(request, user, self.get_client_ip(request))
        return self._count_try(request, lanes, who, way_round=_format_code_alternatives())

    def _count_try(
        self, request: HttpRequest, lanes: Collection[Bucket], who: str, *, way_round: str
    ) -> CountedTry:
        try:
            return attempts.count_try(lanes, who=who, now=timezone.now())
        except attempts.TooManyTries as error:
            # The middleware turns the response into a 429.
            request.META[attempts.RETRY_AFTER] = error.seconds
            raise ValidationError(
                _format_too_many_tries(error.seconds, way_round=way_round if who else ""), code="too_soon"
            ) from None

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the client's address as forwarded by trusted proxies, for rate limits."""
        return addresses.read_caller(request.META) or NOWHERE


def _build_password_buckets(request: HttpRequest, email: str, address: str) -> tuple[Collection[Bucket], str]:
    """Return the buckets of a password try, and the caller's network, "" if the device is known."""
    if own := _find_own_bucket(request, attempts.DEVICE, "password", email=email):
        return [own], ""
    who = addresses.find_network(address)
    return [
        *attempts.build_network_buckets(attempts.ADDRESS, "password", address),
        attempts.build_bucket(attempts.ACCOUNT, "password of", email),
        attempts.build_bucket(attempts.PAIR, "password", who, email),
    ], who


def _build_code_buckets(request: HttpRequest, user: User, address: str) -> tuple[Collection[Bucket], str]:
    """Return the buckets of a code try, and the caller's network, "" if the device is known."""
    if own := _find_own_bucket(request, attempts.CODE_DEVICE, "code", user=user):
        return [own], ""
    who = addresses.find_network(address)
    return [
        attempts.build_bucket(attempts.CODE_ACCOUNT, "code of", user.pk),
        attempts.build_bucket(attempts.CODE_PAIR, "code", who, user.pk),
    ], who


def _find_own_bucket(
    request: HttpRequest, pace: attempts.RateLimit, what: str, *, email: str = "", user: User | None = None
) -> Bucket | None:
    """Find the bucket of a signed-in user or a known device; None for other callers."""
    if request.user.is_authenticated:
        return attempts.build_bucket(pace, what, "session", request.user.pk)
    device = devices.find_device(request)
    if device is None:
        return None
    meant = [user] if user else filter_users_by_email(email, is_active=True, prefer_verified=True)
    known = next((each for each in meant if device.knows(each)), None)
    return attempts.build_bucket(pace, what, device.name, known.pk) if known else None


def _format_too_many_tries(seconds: int, *, way_round: str) -> str:
    """Format the message with the seconds to wait, and alternatives that work at once."""
    wait = ngettext(
        "There were too many wrong tries. Wait %(seconds)d second, then try again.",
        "There were too many wrong tries. Wait %(seconds)d seconds, then try again.",
        seconds,
    ) % {"seconds": seconds}
    return f"{wait} {way_round}".rstrip()


def _format_password_alternatives() -> str:
    if not settings.EMAIL_URL:
        return _format_code_alternatives()
    return _(
        "If it was not you, you can still sign in at once from a device you have used before, with a passkey "
        "or with a new password by e-mail."
    )


def _format_code_alternatives() -> str:
    return _(
        "If it was not you, you can still sign in at once from a device you have used before or with a "
        "passkey."
    )
