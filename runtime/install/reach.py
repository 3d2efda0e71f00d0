"""How others reach this installation: from anywhere, in the same network, or not at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.conf import settings
from django.http.request import split_domain_port

if TYPE_CHECKING:
    from django.http import HttpRequest

# An address with one of these leads to whichever machine it is opened on.
LOCAL_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True, slots=True)
class Reach:
    """Where phones find us; without an address only this computer does."""

    # "http://192.168.1.20:8000", or "" where nobody else is let in.
    origin: str
    # Found by everybody, and not in the same network alone.
    is_public: bool
    port: int
    # What starts this installation, for whoever has to start it otherwise.
    command: str
    # Other names of the same place, for phones that cannot use the first.
    others: tuple[str, ...] = ()

    def link(self, path: str) -> str:
        """Return the address of a page of ours as a phone reaches it, "" where it does not."""
        return self.origin + path if self.origin else ""


def find() -> Reach:
    """Return how this installation is reached."""
    if settings.IS_PUBLIC:
        return Reach(settings.PUBLIC_URL, is_public=True, port=443, command=settings.START_COMMAND)
    here = [f"http://{name}:{settings.PORT}" for name in settings.OWN_ADDRESSES]
    if settings.HAS_PUBLIC_URL and settings.PUBLIC_HOST not in LOCAL_NAMES:
        here.insert(0, settings.PUBLIC_URL)
    first, *others = here or [""]
    return Reach(first, False, settings.PORT, settings.START_COMMAND, tuple(others))


def for_phones(request: HttpRequest, path: str) -> str:
    """Return the address of a page of ours for a code on paper, "" where no phone reaches it.

    Whoever prints may sit at the computer that serves: what their browser calls it leads a phone to itself.
    """
    name, _port = split_domain_port(request.get_host())
    return find().link(path) if name.strip("[]") in LOCAL_NAMES else request.build_absolute_uri(path)
