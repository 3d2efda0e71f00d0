"""Settings that all machines of an installation must share, checked against the database at start.

A machine with another `SECRET_KEY` would generate other dice and accept no session; a worker without
`EMAIL_URL` would write its e-mails to a local file. Neither may start (docs/operations.md).
"""

from __future__ import annotations

import hashlib
import hmac
from datetime import datetime

from django.conf import settings
from django.db import transaction

from runtime.install import held_copies, keyfile
from runtime.models import Installation

OTHER_KEY = (
    "SECRET_KEY is not the one this database was last used with. Give every machine the same key; to change it, name the"
    " old one in SECRET_KEY_FALLBACKS; if it is lost or has leaked, run `make accept-key` once."
)
NOT_SET = (
    "SECRET_KEY is not set, and the secret_key in DATA_DIR is not the one this database was last used with. Set SECRET_KEY"
    " to the key of the other machines, or put back the secret_key that was kept with the backup; if it is lost, run"
    " `make accept-key` once."
)
NO_KEY = (
    "DATA_DIR has no secret_key, and this database was last used with one. Put back the one that was kept with the backup;"
    " if it is lost, run `make accept-key` once."
)
NO_MAIL = (
    "EMAIL_URL is not set here, but the web server sends e-mails: this process would put them into a file of its"
    " own. Give it the same EMAIL_URL."
)


def compute_fingerprint(key: str) -> str:
    """Return a keyed hash that identifies the key without revealing it."""
    return hmac.new(key.encode(), b"barpoint: whose key is this?", hashlib.sha256).hexdigest()[:32]


@transaction.atomic
def join(*, is_web: bool, now: datetime) -> str:
    """Check this process's settings against the installation's and record them; return an error or ""."""
    own, earlier = (
        compute_fingerprint(settings.SECRET_KEY),
        map(compute_fingerprint, settings.SECRET_KEY_FALLBACKS),
    )
    Installation.objects.bulk_create([Installation(pk=1, key=own)], ignore_conflicts=True)
    row = Installation.objects.select_for_update().get(pk=1)
    if row.key and row.key != own and row.key not in earlier:
        return _describe_key()
    if not is_web and row.sends_mail and not settings.EMAIL_URL:
        return NO_MAIL
    held_copies.hold_if_moved(row, now=now)
    if complaint := held_copies.claim_redis(row):
        return complaint
    row.key = own
    if is_web:
        row.sends_mail = bool(settings.EMAIL_URL)
    row.save()
    _store_key()
    return ""


def _describe_key() -> str:
    if not has_key():
        return NO_KEY
    is_from_file = (
        settings.KEPT_KEY is not None and keyfile.read_key(settings.KEPT_KEY) == settings.SECRET_KEY
    )
    return NOT_SET if is_from_file else OTHER_KEY


def has_key() -> bool:
    """True if the key will be available at the next start."""
    return settings.KEPT_KEY is None or bool(keyfile.read_key(settings.KEPT_KEY))


def _store_key() -> None:
    """Write a generated key to its file, unless the file has one."""
    if settings.KEPT_KEY is not None:
        keyfile.store_key(settings.KEPT_KEY, settings.SECRET_KEY)


def accept_key() -> None:
    """Record the current key as the database's key, replacing another."""
    _store_key()
    Installation.objects.update_or_create(pk=1, defaults={"key": compute_fingerprint(settings.SECRET_KEY)})
