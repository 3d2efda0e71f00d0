"""Rate limits for uploaded files, counted for each payer."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Final

from allauth.account.adapter import get_adapter
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from players.access import attempts
from runtime import addresses
from runtime.work.child_processes import FileInProgress, RetryLater

# A network may be a whole club on one evening.
OWN: Final = attempts.RateLimit(free=30, first=20, most=120)
NETWORK: Final = attempts.RateLimit(free=200, first=3, most=20)
OF_NETWORK: Final = "network "


class TooManyUploads(RetryLater):
    """Too many files in an hour; repeated and refused files count as well."""

    code = "too-many-uploads"
    sentence = _("Many files were sent in a short time. Try again in %(seconds)s seconds.")

    def __init__(self, wait: int) -> None:
        super().__init__(seconds=wait)
        self.wait = wait


def list_payers(request: HttpRequest) -> tuple[str, ...]:
    """Return the payers of a request: the account, if there is one, and the network."""
    network = addresses.find_network(get_adapter().get_client_ip(request))
    account = (f"account {request.user.pk}",) if request.user.is_authenticated else ()
    return (*account, f"{OF_NETWORK}{network}")


@contextmanager
def count_upload(payers: Collection[str], *, now: datetime) -> Iterator[None]:
    """Count a file for each of its payers, and uncount it if no worker was free to parse it.

    :raises TooManyUploads: a payer has reached the limit.
    """
    lanes = [
        attempts.build_bucket(NETWORK if each.startswith(OF_NETWORK) else OWN, "upload", each)
        for each in payers
    ]
    try:
        turn = attempts.count_try(lanes, now=now)
    except attempts.TooManyTries as error:
        raise TooManyUploads(error.seconds) from None
    try:
        yield
    except FileInProgress:
        turn.give_back()
        raise
