"""A player's friendlies: what waits for an answer, what is agreed, what was played; and whom one can ask."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.db.models import Q

from players.models import Membership
from tournaments.models import Entry, Friendly, FriendlyOffer
from tournaments.selectors.lines import shown_name
from tournaments.status import Status

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

    from players.models import Club, Player

MOST_SHOWN: Final = 20


@dataclass(frozen=True, slots=True)
class FriendlyLine:
    """A friendly as one of its two sees it."""

    key: str
    opponent: str
    opponent_key: str
    club: str
    club_slug: str
    length: int
    where: str
    created_at: datetime
    expires_at: datetime
    # Of the event, once it is agreed; "" before.
    event: str
    # Over: whether one has won it, and the score, one's own points first; None and "" where that is not so.
    won: bool | None = None
    score: str = ""
    is_called_off: bool = False


@dataclass(frozen=True, slots=True)
class MyFriendlies:
    """All of somebody's friendlies, the latest first."""

    to_answer: tuple[FriendlyLine, ...]
    waiting: tuple[FriendlyLine, ...]
    agreed: tuple[FriendlyLine, ...]
    over: tuple[FriendlyLine, ...]


def of(player: Player, *, now: datetime) -> MyFriendlies:
    """Return somebody's friendlies: the proposals that stand, and of the others the last ones."""
    events = _played(player)
    running = [_of_event(entry) for entry in events.filter(tournament__status=Status.RUNNING)]
    over = events.exclude(tournament__status=Status.RUNNING)
    return MyFriendlies(
        to_answer=lines_to_answer(player, now=now),
        waiting=tuple(_line(row, row.opponent) for row in _open(now).filter(proposer=player)),
        agreed=tuple(running),
        over=tuple(_of_event(entry) for entry in over[:MOST_SHOWN]),
    )


def lines_to_answer(player: Player, *, now: datetime) -> tuple[FriendlyLine, ...]:
    """Return the proposals that wait for somebody's word."""
    return tuple(_line(row, row.proposer) for row in _open(now).filter(opponent=player))


def known_to(player: Player) -> QuerySet[Friendly]:
    """Return the friendlies of which somebody is one of the two, as proposed or as played."""
    own = Entry.objects.filter(player=player, tournament__is_friendly=True).values("tournament")
    rows = Friendly.objects.select_related("club", "proposer", "opponent", "event")
    return rows.filter(Q(proposer=player) | Q(opponent=player) | Q(event__in=own)).order_by("-pk")


def opponents(player: Player) -> list[tuple[Club, list[Player]]]:
    """Return whom somebody can ask, by club: its members who have an account."""
    own = Membership.objects.filter(player=player).select_related("club").order_by("club__name", "club")
    found = []
    for club in (each.club for each in own):
        rows = Membership.objects.filter(club=club, player__user__is_active=True, player__bot__isnull=True)
        people = [row.player for row in rows.exclude(player=player).select_related("player")]
        if people:
            found.append((club, sorted(people, key=lambda each: shown_name(each).casefold())))
    return found


def can_be_asked(player: Player, other: Player) -> bool:
    """Say whether the two are in one club, and the other has an account."""
    if player.pk == other.pk or other.user_id is None:
        return False
    clubs = Membership.objects.filter(player=player).values("club")
    members = Membership.objects.filter(player=other, club__in=clubs, player__user__is_active=True)
    return members.filter(player__bot__isnull=True).exists()


def own(player: Player) -> list[dict[str, object]]:
    """Return every friendly of this player, for the person's own export."""
    return [
        {
            "key": row.key,
            "club": row.club.name,
            "proposed_by_me": row.proposer_id == player.pk,
            "length": row.length,
            "where": row.where,
            "status": row.status,
            "proposed_at": row.created_at.isoformat(),
            "answered_at": row.answered_at.isoformat() if row.answered_at else None,
            "event": row.event.key if row.event else None,
        }
        for row in known_to(player).order_by("pk")
    ]


def _open(now: datetime) -> QuerySet[Friendly]:
    rows = Friendly.objects.filter(status=FriendlyOffer.OPEN, expires_at__gt=now)
    return rows.select_related("club", "proposer", "opponent").order_by("-pk")


def _played(player: Player) -> QuerySet[Entry]:
    rows = Entry.objects.filter(
        player=player, tournament__is_friendly=True, tournament__friendly__isnull=False
    )
    return (
        rows.select_related("tournament__friendly", "tournament__club")
        .prefetch_related("tournament__entries__player", "tournament__pairings")
        .order_by("-tournament__starts_at", "-pk")
    )


def _line(row: Friendly, other: Player) -> FriendlyLine:
    return FriendlyLine(
        key=row.key,
        opponent=shown_name(other),
        opponent_key=other.key,
        club=row.club.name,
        club_slug=row.club.slug,
        length=row.length,
        where=row.get_where_display(),
        created_at=row.created_at,
        expires_at=row.expires_at,
        event="",
    )


def _of_event(entry: Entry) -> FriendlyLine:
    event = entry.tournament
    row = event.friendly
    other = next((each.player for each in event.entries.all() if each.pk != entry.pk), entry.player)
    match = next((each for each in event.pairings.all() if each.winner_id), None)
    score = ""
    if match is not None and match.score_a is not None and match.score_b is not None:
        points = (match.score_a, match.score_b) if match.a_id == entry.pk else (match.score_b, match.score_a)
        score = f"{points[0]}\N{EN DASH}{points[1]}"
    return FriendlyLine(
        key=row.key,
        opponent=shown_name(other),
        opponent_key=other.key,
        club=event.club.name,
        club_slug=event.club.slug,
        length=row.length,
        where=row.get_where_display(),
        created_at=row.created_at,
        expires_at=row.expires_at,
        event=event.key,
        won=None if match is None else match.winner_id == entry.pk,
        score=score,
        is_called_off=event.status == Status.CANCELLED,
    )
