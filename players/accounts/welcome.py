"""The one-time welcome link for the first person, printed when the server starts.

The link is derived from the installation's secret, so that every process prints the same one and nothing is
stored; the unique row of `FirstDirector` ensures that it is used once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction
from django.utils.crypto import constant_time_compare, salted_hmac

from players.accounts import accounts
from players.errors import WelcomeLinkUsed
from players.models import FirstDirector, User

if TYPE_CHECKING:
    from datetime import datetime


def find_link_token() -> str | None:
    """Return the token of the welcome link; None once there is or was an account."""
    if User.objects.exists() or FirstDirector.objects.exists():
        return None
    # 40 hexadecimal digits: 160 bits.
    return salted_hmac("players.welcome", "first director", algorithm="sha256").hexdigest()[:40]


def is_open(*, token: str) -> bool:
    expected = find_link_token()
    return expected is not None and constant_time_compare(token, expected)


@transaction.atomic
def create_first_account(*, token: str, email: str, password: str, name: str, now: datetime) -> User:
    """Create the first account, a superuser; its club comes next.

    :raises WelcomeLinkUsed: the token is wrong, or was used.
    :raises InvalidText, EmailTaken: see `accounts.register`.
    """
    if not is_open(token=token):
        raise WelcomeLinkUsed
    try:
        with transaction.atomic():
            first = FirstDirector.objects.create(entered_at=now)
    except IntegrityError:
        raise WelcomeLinkUsed from None
    user = accounts.register(email=email, password=password, name=name, now=now)
    user.is_staff = user.is_superuser = True
    user.save(update_fields=["is_staff", "is_superuser"])
    first.user = user
    first.save(update_fields=["user"])
    return user
