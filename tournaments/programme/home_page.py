"""The front page: tonight's events, for visitors and for members."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count

from matches.journal import live
from matches.play.boards import Tile
from players.access.permissions import DIRECTORS
from players.models import Club, Membership, User
from runtime import stream
from runtime.stream import TopicPositions
from tournaments.base import event_lines
from tournaments.base.event_lines import EventLine
from tournaments.pages import event_parts, live_boards
from tournaments.pages.event_parts import LiveEvent
from tournaments.status import OPEN, Status

RESULTS: Final = 6
CLUBS: Final = 12


@dataclass(frozen=True, slots=True)
class PublicHome:
    tonight: tuple[EventLine, ...]
    ahead: tuple[EventLine, ...]
    results: tuple[EventLine, ...]
    clubs: tuple[Club, ...]
    # Of the lobby and the clubs, before the rest was read.
    positions: TopicPositions
    night: LiveEvent | None = None
    # Boards in play outside events.
    free: tuple[Tile, ...] = ()
    # The board shown large: one in play, otherwise the last one played.
    board: Tile | None = None
    last: Tile | None = None

    @property
    def has_one_board(self) -> bool:
        """True if a single board is in play: it heads the page and is left out of the list."""
        return len(self.night.boards if self.night else ()) + len(self.free) == 1

    @property
    def is_empty(self) -> bool:
        """True if there is no club yet."""
        return not self.clubs

    @property
    def has_several(self) -> bool:
        """True if lines must name their club."""
        return len(self.clubs) > 1

    @property
    def only(self) -> Club | None:
        """The only club of this installation; its front page leads with it."""
        return self.clubs[0] if len(self.clubs) == 1 else None


@dataclass(frozen=True, slots=True)
class MemberHome:
    """The front page for members: the events of their clubs, the first one large."""

    first: EventLine | None
    directs_first: bool
    others: tuple[EventLine, ...]
    drafts: tuple[EventLine, ...]
    results: tuple[EventLine, ...]
    club_slugs: tuple[str, ...]
    directed: tuple[str, ...]
    # For users without a club.
    clubs: tuple[Club, ...]
    # Of the lobby and the clubs, before the rest was read.
    positions: TopicPositions
    night: LiveEvent | None = None
    free: tuple[Tile, ...] = ()

    @property
    def has_clubs(self) -> bool:
        return bool(self.club_slugs)

    @property
    def has_several(self) -> bool:
        """True if lines must name their club."""
        return len(self.club_slugs) > 1

    @property
    def topics(self) -> list[str]:
        """The topics of changes that make this page out of date; clubs with listed events come first."""
        shown = [self.first, *self.others] if self.first else list(self.others)
        slugs = dict.fromkeys((*sorted({line.club_slug for line in shown}), *self.club_slugs))
        return [f"club.{slug}" for slug in slugs]


def load_public_home(user: AnonymousUser, *, now: datetime) -> PublicHome:
    upcoming = event_lines.filter_upcoming(event_lines.query_visible(user), now=now).filter(status__in=OPEN)
    positions = _record_positions(upcoming.order_by().values_list("club__slug", flat=True).distinct())
    ahead = event_lines.load_lines(upcoming[:30], user, now=now)
    tonight = event_lines.filter_tonight(ahead)
    going_on = event_parts.find_live_event(tonight, now=now)
    free = live_boards.list_free_boards(now=now)
    last = live_boards.find_last_board(now=now)
    played = (*(going_on.boards if going_on else ()), *free, *last)
    return PublicHome(
        tonight=tonight,
        ahead=tuple(line for line in ahead if line not in tonight)[:6],
        results=_load_results(now=now),
        clubs=_list_clubs(),
        positions=positions,
        night=going_on,
        free=free,
        board=played[0] if played else None,
        last=last[0] if last else None,
    )


def load_member_home(user: User, *, now: datetime) -> MemberHome:
    roles = dict(Membership.objects.filter(player__user=user).values_list("club__slug", "role"))
    directed = tuple(slug for slug, role in roles.items() if role in DIRECTORS)
    positions = _record_positions(roles)
    mine = event_lines.query_visible(user).filter(club__slug__in=roles)
    upcoming = event_lines.filter_upcoming(mine, now=now)[:30]
    found = event_lines.load_lines(upcoming, user, now=now) if roles else ()
    ahead = [line for line in found if line.status in OPEN]
    tonight = event_lines.filter_tonight(ahead)
    ranked = sorted(tonight, key=lambda line: (not line.is_running, not line.is_mine, line.starts_at))
    ranked += [line for line in ahead if line not in tonight]
    first = ranked[0] if ranked else None
    return MemberHome(
        first=first,
        directs_first=first is not None and first.club_slug in directed,
        others=tuple(ranked[1:6]),
        drafts=tuple(line for line in found if line.status is Status.DRAFT),
        results=_load_results(now=now, of=roles),
        club_slugs=tuple(sorted(roles)),
        directed=directed,
        clubs=() if roles else _list_clubs(),
        positions=positions,
        night=event_parts.find_live_event(ranked[:1], now=now),
        free=live_boards.list_free_boards(now=now),
    )


def _record_positions(slugs: Iterable[str]) -> TopicPositions:
    return stream.record_positions(live.LOBBY, *(f"club.{slug}" for slug in slugs))


def _load_results(*, now: datetime, of: Iterable[str] = ()) -> tuple[EventLine, ...]:
    """Load the latest finished events, of these clubs or of all; the same for every viewer."""
    nobody = AnonymousUser()
    events = event_lines.filter_latest(event_lines.query_visible(nobody), now=now)
    events = events.filter(status=Status.FINISHED)
    if of:
        events = events.filter(club__slug__in=of)
    return event_lines.load_lines(events[:RESULTS], nobody, now=now)


def _list_clubs() -> tuple[Club, ...]:
    """List the largest clubs, each with its number of members."""
    return tuple(
        Club.objects.annotate(members=Count("memberships")).order_by("-members", "folded_name", "pk")[:CLUBS]
    )
