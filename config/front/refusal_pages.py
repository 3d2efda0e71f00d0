"""Refusals that the front sends without Django, as a page, problem+json or plain text.

Pages are cached by language and theme, so that refusing stays cheap.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.html import escape
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy as _
from django.utils.translation.trans_real import parse_accept_lang_header

from config.front import limits

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

Headers = list[tuple[bytes, bytes]]

# Placeholder for the URL of the link back in a cached page; no request head can contain it.
BACK: Final = "\x00back\x00"
MOST_RENDERED: Final = 64
THEMES: Final = (b"light", b"dark")


@dataclass(frozen=True, slots=True)
class FrontRefusal:
    """A reason to reject a request. The sentence is formatted with *values*."""

    status: int
    code: str
    title: StrPromise
    sentence: StrPromise
    # Replaces the sentence outside of pages.
    line: str = ""
    values: Mapping[str, str] = field(default_factory=dict[str, str], hash=False)
    # Seconds after which the same request may succeed.
    retry_after: int = 0

    @property
    def words(self) -> str:
        return str(self.sentence) % self.values if self.values else str(self.sentence)


BUSY: Final = FrontRefusal(
    503,
    "busy",
    _("Too many visitors at once"),
    _("Too many visitors at once. Try again in a moment."),
    retry_after=2,
)
TOO_LARGE: Final = _("Too large")
SENT_TOO_MUCH: Final = _(
    "You sent more than %(most)s, the most you can send at once. Nothing was saved. Go back and "
    "send smaller or fewer files."
)


def refuse_too_large(path: str) -> FrontRefusal:
    most = limits.find_body_limit(path).size
    return FrontRefusal(
        413,
        "too_large",
        TOO_LARGE,
        SENT_TOO_MUCH,
        line=f"That is more than {most // limits.KIB} KiB; nothing of it was kept.",
        values={"most": limits.describe_size(most)},
    )


def render(refusal: FrontRefusal, path: str, headers: Iterable[tuple[bytes, bytes]]) -> tuple[Headers, bytes]:
    """Return headers and body of the response, according to the request's path and headers."""
    header_values = {name: value for name, value in headers if name != b"cookie"}
    sentence = refusal.line or refusal.words
    if path.startswith("/api/"):
        body = {"type": "about:blank", "status": refusal.status, "code": refusal.code, "title": sentence}
        kind, text = b"application/problem+json", json.dumps(body, separators=(",", ":"))
    elif b"text/html" in header_values.get(b"accept", b""):
        kind, text = b"text/html; charset=utf-8", _render_page(refusal, header_values, _find_cookies(headers))
    else:
        kind, text = b"text/plain; charset=utf-8", sentence
    answered: Headers = [(b"content-type", kind), (b"cache-control", b"no-store")]
    if kind.startswith(b"text/html"):
        policy = "; ".join(f"{name} {value}" for name, value in settings.CONTENT_SECURITY_POLICY.items())
        answered += [(b"content-security-policy", policy.encode()), (b"x-content-type-options", b"nosniff")]
    if refusal.retry_after:
        answered.append((b"retry-after", b"%d" % refusal.retry_after))
    return answered, text.encode()


def _render_page(
    refusal: FrontRefusal, header_values: Mapping[bytes, bytes], cookies: Mapping[bytes, bytes]
) -> str:
    theme = cookies.get(b"theme", b"")
    back = _find_back_url(header_values)
    page = _render_template(
        refusal,
        tuple(refusal.values.items()),
        _find_language(header_values, cookies),
        theme.decode() if theme in THEMES else "auto",
        has_way_back=bool(back),
    )
    return page.replace(BACK, escape(back))


@lru_cache(maxsize=MOST_RENDERED)
def _render_template(
    refusal: FrontRefusal,
    _values: tuple[tuple[str, str], ...],
    language: str,
    theme: str,
    *,
    has_way_back: bool,
) -> str:
    context: dict[str, Any] = {"status": refusal.status, "theme": theme, "back": BACK if has_way_back else ""}
    with translation.override(language):
        context |= {"title": str(refusal.title), "sentence": refusal.words}
        return render_to_string("errors/413.html", context)


def _find_cookies(headers: Iterable[tuple[bytes, bytes]]) -> dict[bytes, bytes]:
    """Parse cookies without quoting; none if the header exceeds its limit."""
    lines = [value for name, value in headers if name == b"cookie"]
    if sum(map(len, lines)) > limits.COOKIE_BYTES:
        return {}
    parts = (part.strip().partition(b"=") for line in lines for part in line.split(b";"))
    return {name: value for name, _equals, value in parts}


def _find_language(header_values: Mapping[bytes, bytes], cookies: Mapping[bytes, bytes]) -> str:
    """Return the cookie's language, or the browser's first supported one."""
    chosen = cookies.get(settings.LANGUAGE_COOKIE_NAME.encode(), b"")
    accepted = header_values.get(b"accept-language", b"")[: limits.KIB].decode("latin-1")
    wanted = [
        chosen.decode("latin-1"),
        *(code for code, _weight in parse_accept_lang_header(accepted.lower())),
    ]
    for code in filter(None, wanted):
        try:
            return translation.get_supported_language_variant(code)
        except LookupError:
            continue
    return settings.LANGUAGE_CODE


def _find_back_url(header_values: Mapping[bytes, bytes]) -> str:
    """Return the referrer if it is on this host, else ""."""
    came_from, host = (header_values.get(name, b"").decode("latin-1") for name in (b"referer", b"host"))
    is_ours = url_has_allowed_host_and_scheme(came_from, allowed_hosts={host})
    return came_from if is_ours else ""
