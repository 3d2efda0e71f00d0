"""Tabs of an event's page that packages above add: an address, a title, and whether this event has it.

The page is kept for all visitors, and whether a tab is there is no part of its mark: whoever adds or removes one touches
the event (`services.changes.touch`), so that its pages are made anew.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.urls import reverse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tournaments.models import Tournament


@dataclass(frozen=True, slots=True)
class ExtraTab:
    """What a package above adds."""

    address: str
    title: Callable[[], str]
    is_there: Callable[[Tournament], bool]
    # The row that says so hangs on the event: it is read together with it, and costs no query.
    related: str


_tabs: Final[dict[str, ExtraTab]] = {}


def register(
    name: str, *, address: str, title: Callable[[], str], is_there: Callable[[Tournament], bool], related: str
) -> None:
    """Add a tab; its address takes the key of the event."""
    _tabs[name] = ExtraTab(address, title, is_there, related)


def related() -> Iterator[str]:
    """Yield what is to be read with an event whose tabs are shown."""
    for tab in _tabs.values():
        yield tab.related


def of(event: Tournament) -> Iterator[tuple[str, str, str]]:
    """Yield name, title and address of what this event has."""
    for name, tab in sorted(_tabs.items()):
        if tab.is_there(event):
            yield name, tab.title(), reverse(tab.address, args=[event.key])
