"""How allauth's doors open here: letters leave through the outbox, an account comes with its player."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context as allauth_context
from allauth.core.exceptions import ImmediateHttpResponse
from django.contrib.sites.shortcuts import get_current_site
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.db import IntegrityError, transaction
from django.shortcuts import redirect
from django.utils import timezone

from players.models import Player, User
from runtime import outbox

if TYPE_CHECKING:
    from django.forms import BaseForm
    from django.http import HttpRequest

NOWHERE = "0.0.0.0"  # noqa: S104 - an address to count under, not one to listen on


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth is not typed
    """Signing up, and the letters that go with it."""

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
        """Write the letter down for the outbox: no visitor waits for a mail server, no letter is lost."""
        request = allauth_context.request
        values = {"request": request, "email": email, "current_site": get_current_site(request), **context}
        letter = self.render_mail(template_prefix, email, values)
        with transaction.atomic():
            outbox.mail(
                to=email,
                subject=letter.subject,
                body=letter.body,
                # Asking twice for a letter is a wish for two letters.
                dedupe_key=f"account-mail:{uuid4().hex}",
                now=timezone.now(),
            )

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the caller's address as far as our own proxies vouch for it, for counting attempts."""
        try:
            return str(super().get_client_ip(request))
        except (ImproperlyConfigured, PermissionDenied):
            # Fewer hops than we have proxies, or no address at all: the request came round them.
            return str(request.META.get("REMOTE_ADDR") or NOWHERE)
