"""How allauth works here: e-mails leave through the outbox, an account comes with its player, guessing is slow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.utils import filter_users_by_email
from allauth.core import context as allauth_context
from allauth.core.exceptions import ImmediateHttpResponse
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.shortcuts import redirect
from django.utils import timezone, translation
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from players.access import attempts
from players.accounts import account_emails, devices
from players.models import Player, User
from players.notices import emails
from runtime import addresses

if TYPE_CHECKING:
    from collections.abc import Collection

    from django.forms import BaseForm
    from django.http import HttpRequest

    from players.access.attempts import Lane, Turn

NOWHERE = "0.0.0.0"  # noqa: S104 - an address to count under, not one to listen on


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth is not typed
    """Signing up, signing in, and the e-mails that go with it."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Let anyone have an account; what it may do is for the clubs to say."""
        return True

    def save_user(self, request: HttpRequest, user: User, form: BaseForm, commit: bool = True) -> User:
        """Save a new account together with its player: there is never one without the other."""
        super().save_user(request, user, form, commit=False)
        if commit:
            try:
                with transaction.atomic():
                    user.save()
                    Player.objects.create(user=user, name=form.cleaned_data["name"])
            except IntegrityError:
                # The form was sent twice at once: the other one made the account.
                raise ImmediateHttpResponse(redirect("account_login")) from None
        return user

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Write the e-mail down for the outbox: no visitor waits for a mail server, no e-mail is lost.

        Who is sent very many of a kind at somebody else's wish keeps the first ones, which still open what they open.
        """
        now = timezone.now()
        try:
            attempts.take_turn([attempts.lane(attempts.EMAILS, template_prefix, email.lower())], now=now)
        except attempts.TooSoon:
            return
        user = context.get("user") or next(iter(filter_users_by_email(email, prefer_verified=True)), None)
        with translation.override(user.language if user and user.language else get_language()):
            message = account_emails.write(
                template_prefix,
                email=email,
                user=user,
                context={"request": allauth_context.request, **context},
            )
            # Asking twice for an e-mail is a wish for two e-mails.
            emails.post(message, to=email, dedupe_key=f"account-mail:{uuid4().hex}", now=now)

    def send_notification_mail(
        self,
        template_prefix: str,
        user: User,
        context: dict[str, Any] | None = None,
        email: str | None = None,
    ) -> None:
        """Write to the account's owner, wherever the e-mail goes."""
        super().send_notification_mail(template_prefix, user, {**(context or {}), "user": user}, email)

    def authenticate(self, request: HttpRequest, **credentials: Any) -> User | None:
        """Return whose password this is; tried slowly by whoever has not been here before.

        :raises ValidationError: it is too soon for another try; nothing was checked.
        """
        email = str(credentials.get("email") or "").strip().lower()
        lanes, who = _password_lanes(request, email, self.get_client_ip(request))
        turn = self._take_turn(request, lanes, who, way_round=_round_the_password())
        user: User | None = super().authenticate(request, **credentials)
        if user is not None:
            turn.give_back()
        return user

    def take_code_turn(self, request: HttpRequest, user: User) -> Turn:
        """Let a second factor's code be tried.

        :raises ValidationError: it is too soon for another try.
        """
        lanes, who = _code_lanes(request, user, self.get_client_ip(request))
        return self._take_turn(request, lanes, who, way_round=_round_the_code())

    def _take_turn(self, request: HttpRequest, lanes: Collection[Lane], who: str, *, way_round: str) -> Turn:
        try:
            return attempts.take_turn(lanes, who=who, now=timezone.now())
        except attempts.TooSoon as error:
            # The middleware makes a 429 of the page.
            request.META[attempts.RETRY_AFTER] = error.seconds
            raise ValidationError(
                _too_soon(error.seconds, way_round=way_round if who else ""), code="too_soon"
            ) from None

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the caller's address as far as our own proxies vouch for it, for counting attempts."""
        forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "")
        return addresses.find_caller(forwarded, request.META.get("REMOTE_ADDR", "")) or NOWHERE


def _password_lanes(request: HttpRequest, email: str, address: str) -> tuple[Collection[Lane], str]:
    """Return where a password is counted, and under whom if it comes from nobody we know."""
    if own := _own_lane(request, attempts.DEVICE, "password", email=email):
        return [own], ""
    who = addresses.find_network(address)
    return [
        *attempts.network_lanes(attempts.ADDRESS, "password", address),
        attempts.lane(attempts.ACCOUNT, "password of", email),
        attempts.lane(attempts.PAIR, "password", who, email),
    ], who


def _code_lanes(request: HttpRequest, user: User, address: str) -> tuple[Collection[Lane], str]:
    """Return where a code is counted, and under whom if it comes from nobody we know."""
    if own := _own_lane(request, attempts.CODE_DEVICE, "code", user=user):
        return [own], ""
    who = addresses.find_network(address)
    return [
        attempts.lane(attempts.CODE_ACCOUNT, "code of", user.pk),
        attempts.lane(attempts.CODE_PAIR, "code", who, user.pk),
    ], who


def _own_lane(
    request: HttpRequest, pace: attempts.Pace, what: str, *, email: str = "", user: User | None = None
) -> Lane | None:
    """Return the lane of somebody who is signed in, or who has been on this device; None for strangers."""
    if request.user.is_authenticated:
        return attempts.lane(pace, what, "session", request.user.pk)
    device = devices.of(request)
    if device is None:
        return None
    meant = [user] if user else filter_users_by_email(email, is_active=True, prefer_verified=True)
    known = next((each for each in meant if device.knows(each)), None)
    return attempts.lane(pace, what, device.name, known.pk) if known else None


def _too_soon(seconds: int, *, way_round: str) -> str:
    """Say when to try again, and what works at once."""
    wait = ngettext(
        "There were too many wrong tries. Wait %(seconds)d second, then try again.",
        "There were too many wrong tries. Wait %(seconds)d seconds, then try again.",
        seconds,
    ) % {"seconds": seconds}
    return f"{wait} {way_round}".rstrip()


def _round_the_password() -> str:
    if not settings.EMAIL_URL:
        return _round_the_code()
    return _(
        "If it was not you, you can still sign in at once from a device you have used before, with a passkey "
        "or with a new password by e-mail."
    )


def _round_the_code() -> str:
    return _(
        "If it was not you, you can still sign in at once from a device you have used before or with a "
        "passkey."
    )
