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
    # The query of its address.
    query: Callable[[Tournament], dict[str, str]]


_papers: Final[dict[str, ExtraPaper]] = {}


def of_key(event: Tournament) -> dict[str, str]:
    """Return what most addresses take: the key of the event."""
    return {"key": event.key}


def of_club(event: Tournament) -> dict[str, str]:
    """Return what addresses of its club take."""
    return {"slug": event.club.slug}


def no_query(_event: Tournament) -> dict[str, str]:
    """Return no parameters."""
    return {}


def event_in_query(event: Tournament) -> dict[str, str]:
    """Return the event as a parameter, for a paper of the club that is printed for one event."""
    return {"event": event.key}


def register(
    name: str,
    *,
    address: str,
    title: Callable[[], str],
    about: Callable[[], str],
    is_there: Callable[[Tournament], bool],
    takes: Callable[[Tournament], dict[str, str]] = of_key,
    query: Callable[[Tournament], dict[str, str]] = no_query,
) -> None:
    """Add a paper; they stand in the order of their names."""
    _papers[name] = ExtraPaper(address, title, about, is_there, takes, query)


def of(event: Tournament) -> Iterator[tuple[str, str, str]]:
    """Yield title, description and address of what this event has."""
    for _name, paper in sorted(_papers.items()):
        if paper.is_there(event):
            link = reverse(paper.address, kwargs=paper.takes(event), query=paper.query(event))
            yield paper.title(), paper.about(), link
