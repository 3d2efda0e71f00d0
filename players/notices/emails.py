"""E-mails: what one says, and how it reads as plain text and as HTML. Nothing in one is markup."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from runtime.work import outbox

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

PRODUCT: Final = "Barpoint"
LONGEST_SUBJECT: Final = 150
LINE: Final = 76
# Mail programs make links of these, also in the name of whoever wrote to somebody else's address.
LIKE_AN_ADDRESS: Final = re.compile(r"[/@:]|\.\w{2}")


@dataclass(frozen=True, slots=True)
class Link:
    """Somewhere to go."""

    words: str
    url: str


@dataclass(frozen=True, slots=True)
class Email:
    """One e-mail in the reader's words."""

    subject: str
    said: tuple[str, ...]
    # Above what is said, where the subject does not say it already.
    title: str = ""
    # The person who reads it; blank where we know none.
    name: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    advice: tuple[str, ...] = ()
    button: Link | None = None
    then: tuple[str, ...] = ()
    # The club it comes from, blank where there are several or none.
    club: str = ""
    why: str = ""
    stop: Link | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def greeting(self) -> str:
        """Greet the reader by name; a name that would become a link is left out."""
        if not self.name or LIKE_AN_ADDRESS.search(self.name):
            return _("Hello,")
        return _("Hello {name},").format(name=self.name)

    @property
    def sender(self) -> str:
        """Say who it comes from."""
        return f"{self.club} · {PRODUCT}" if self.club else PRODUCT


def post(message: Email, *, to: str, dedupe_key: str, now: datetime) -> bool:
    """Write an e-mail down for the outbox; say whether it was not written down before."""
    message = replace(message, subject=one_line(message.subject))
    return outbox.mail(
        to=to,
        subject=message.subject,
        body=text(message),
        html=html(message),
        headers=message.headers,
        dedupe_key=dedupe_key,
        now=now,
    )


def text(message: Email) -> str:
    """Return the e-mail as plain text."""
    return "\n\n".join(part for part in _parts(message) if part) + "\n"


def _parts(message: Email) -> Iterator[str]:
    yield _wrapped(message.greeting)
    yield from map(_wrapped, message.said)
    yield "\n".join(f"{what}: {fact}" for what, fact in message.facts)
    yield from map(_wrapped, message.advice)
    if message.button:
        yield f"{message.button.words}:\n{message.button.url}"
    yield from map(_wrapped, message.then)
    stop = message.stop and f"{message.stop.words}: {message.stop.url}"
    end = (message.sender, _home(), message.why and _wrapped(message.why), stop)
    yield "-- \n" + "\n".join(line for line in end if line)


def _wrapped(paragraph: str) -> str:
    return textwrap.fill(paragraph, LINE, break_long_words=False, break_on_hyphens=False)


def _home() -> str:
    # Where no address was set, nobody knows by which one a reader would reach us.
    return str(settings.PUBLIC_URL) if settings.HAS_PUBLIC_URL else ""


def html(message: Email) -> str:
    """Return the e-mail as a page for mail programs."""
    values = {
        "message": message,
        "language": get_language(),
        "home": _home(),
        "host": urlsplit(_home()).netloc,
    }
    return render_to_string("emails/email.html", values)


def one_line(subject: str) -> str:
    """Return a subject as mail can carry it: one line, not too long."""
    plain = " ".join("".join(each if each.isprintable() else " " for each in subject).split())
    return plain if len(plain) <= LONGEST_SUBJECT else f"{plain[: LONGEST_SUBJECT - 1].rstrip()}…"


def public(url: str) -> str:
    """Return *url* at our public address; where none was set, at the one by which we were reached."""
    if not settings.HAS_PUBLIC_URL:
        return url
    parts = urlsplit(url)
    return f"{settings.PUBLIC_URL}{parts.path}{parts.query and '?'}{parts.query}"
