"""Papers of an event that packages above add: a title, what it is, an address, and whether this event has it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.urls import reverse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tournaments.models import Tournament


@dataclass(frozen=True, slots=True)
class ExtraPaper:
    """What a package above adds."""

    address: str
    title: Callable[[], str]
    about: Callable[[], str]
    is_there: Callable[[Tournament], bool]
    # What its address takes.
    takes: Callable[[Tournament], dict[str, str]]


_papers: Final[dict[str, ExtraPaper]] = {}


def of_key(event: Tournament) -> dict[str, str]:
    """Return what most addresses take: the key of the event."""
    return {"key": event.key}


def of_club(event: Tournament) -> dict[str, str]:
    """Return what addresses of its club take."""
    return {"slug": event.club.slug}


def register(
    name: str,
    *,
    address: str,
    title: Callable[[], str],
    about: Callable[[], str],
    is_there: Callable[[Tournament], bool],
    takes: Callable[[Tournament], dict[str, str]] = of_key,
) -> None:
    """Add a paper; they stand in the order of their names."""
    _papers[name] = ExtraPaper(address, title, about, is_there, takes)


def of(event: Tournament) -> Iterator[tuple[str, str, str]]:
    """Yield title, description and address of what this event has."""
    for _name, paper in sorted(_papers.items()):
        if paper.is_there(event):
            yield paper.title(), paper.about(), reverse(paper.address, kwargs=paper.takes(event))
