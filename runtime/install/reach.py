"""The address by which other devices reach this installation: public, local network only, or none; as a QR code."""

from __future__ import annotations

from dataclasses import dataclass

import segno
from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

# Names of the machine on which the URL is opened.
LOCAL_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True, slots=True)
class Reach:
    """The way in which other devices reach this installation."""

    # Such as "http://192.168.1.20:8000", or "" if only this computer has access.
    origin: str
    # Reachable from anywhere, not only from the local network.
    is_public: bool
    port: int
    # The command that starts this installation, shown with instructions for changing it.
    command: str
    # Alternative origins, for phones that cannot use the first.
    others: tuple[str, ...] = ()

    def link(self, path: str) -> str:
        """Return the absolute URL of a page, or "" if phones cannot reach it."""
        return self.origin + path if self.origin else ""


def find_reach() -> Reach:
    if settings.IS_PUBLIC:
        return Reach(settings.PUBLIC_URL, is_public=True, port=443, command=settings.START_COMMAND)
    here = [f"http://{name}:{settings.PORT}" for name in settings.OWN_ADDRESSES]
    if settings.HAS_PUBLIC_URL and settings.PUBLIC_HOST not in LOCAL_NAMES:
        here.insert(0, settings.PUBLIC_URL)
    first, *others = here or [""]
    return Reach(first, False, settings.PORT, settings.START_COMMAND, tuple(others))


def build_phone_url(request: HttpRequest, path: str) -> str:
    """Return the absolute URL of a page for a printed QR code, or "" if phones cannot reach it.

    If the user prints on the server itself, the request's host is localhost, which a phone cannot use.
    """
    name, _port = split_domain_port(request.get_host())
    return find_reach().link(path) if name.strip("[]") in LOCAL_NAMES else request.build_absolute_uri(path)


def render_qr_code(link: str, *, title: str = "") -> SafeString:
    """Draw *link* as a QR code, black on white in every theme for the sake of cameras."""
    code = segno.make(link, error="m", micro=False)
    # With a unit segno writes a viewBox, without which CSS would crop instead of scale.
    drawn = code.svg_inline(
        scale=5, border=4, unit="px", dark="#000", light="#fff", title=title or _("QR code of the link")
    )
    return mark_safe(drawn)  # noqa: S308 - generated here
