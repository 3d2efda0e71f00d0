"""E-mails: content, and rendering as plain text and HTML. Content is never markup."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from runtime.work import outbox

PRODUCT: Final = "Barpoint"
LONGEST_SUBJECT: Final = 150
LINE: Final = 76
# Mail programs turn such names into links, and anybody can sign up with another person's address.
LIKE_AN_ADDRESS: Final = re.compile(r"[/@:]|\.\w{2}")


@dataclass(frozen=True, slots=True)
class Link:
    words: str
    url: str


@dataclass(frozen=True, slots=True)
class Email:
    """An e-mail in the reader's language."""

    subject: str
    paragraphs: tuple[str, ...]
    # Above the text, if the subject does not say the same.
    title: str = ""
    # The reader's name; blank if unknown.
    name: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    advice: tuple[str, ...] = ()
    button: Link | None = None
    then: tuple[str, ...] = ()
    # The club it comes from, blank if there are several or none.
    club: str = ""
    why: str = ""
    stop: Link | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def greeting(self) -> str:
        """The greeting with the reader's name, unless mail programs would make a link of it."""
        if not self.name or LIKE_AN_ADDRESS.search(self.name):
            return _("Hello,")
        return _("Hello {name},").format(name=self.name)

    @property
    def sender(self) -> str:
        return f"{self.club} · {PRODUCT}" if self.club else PRODUCT


def queue_email(message: Email, *, to: str, dedupe_key: str, now: datetime) -> bool:
    """Queue an e-mail in the outbox; True unless it was queued before."""
    message = replace(message, subject=clean_subject(message.subject))
    return outbox.queue_mail(
        to=to,
        subject=message.subject,
        body=render_text(message),
        html=render_html(message),
        headers=message.headers,
        dedupe_key=dedupe_key,
        now=now,
    )


def render_text(message: Email) -> str:
    return "\n\n".join(part for part in _list_parts(message) if part) + "\n"


def _list_parts(message: Email) -> Iterator[str]:
    yield _wrap_paragraph(message.greeting)
    yield from map(_wrap_paragraph, message.paragraphs)
    yield "\n".join(f"{what}: {fact}" for what, fact in message.facts)
    yield from map(_wrap_paragraph, message.advice)
    if message.button:
        yield f"{message.button.words}:\n{message.button.url}"
    yield from map(_wrap_paragraph, message.then)
    stop = message.stop and f"{message.stop.words}: {message.stop.url}"
    end = (message.sender, _get_home_url(), message.why and _wrap_paragraph(message.why), stop)
    yield "-- \n" + "\n".join(line for line in end if line)


def _wrap_paragraph(paragraph: str) -> str:
    return textwrap.fill(paragraph, LINE, break_long_words=False, break_on_hyphens=False)


def _get_home_url() -> str:
    # Without a configured URL, the address by which readers reach the site is unknown.
    return str(settings.PUBLIC_URL) if settings.HAS_PUBLIC_URL else ""


def render_html(message: Email) -> str:
    values = {
        "message": message,
        "language": get_language(),
        "home": _get_home_url(),
        "host": urlsplit(_get_home_url()).netloc,
    }
    return render_to_string("emails/email.html", values)


def clean_subject(subject: str) -> str:
    """Convert a subject to one printable line of limited length."""
    plain = " ".join("".join(each if each.isprintable() else " " for each in subject).split())
    return plain if len(plain) <= LONGEST_SUBJECT else f"{plain[: LONGEST_SUBJECT - 1].rstrip()}…"


def to_public_url(url: str) -> str:
    """Replace the origin of *url* by the configured public URL, if there is one."""
    if not settings.HAS_PUBLIC_URL:
        return url
    parts = urlsplit(url)
    return f"{settings.PUBLIC_URL}{parts.path}{parts.query and '?'}{parts.query}"
