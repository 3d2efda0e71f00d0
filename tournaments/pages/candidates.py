"""Members of the club whom a director can enter."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q, QuerySet

from players.models import Player
from tournaments.models import Entry, Tournament
from tournaments.status import Status


@dataclass(frozen=True, slots=True)
class Candidate:
    key: str
    name: str
    is_guest: bool
    was_there: bool


@dataclass(frozen=True, slots=True)
class Candidates:
    people: tuple[Candidate, ...]
    # Key of the club's previous event, "" without one.
    last_key: str

    @property
    def of_last_time(self) -> int:
        return sum(each.was_there for each in self.people)


NOBODY = Candidates((), "")


def list_candidates(event: Tournament) -> Candidates:
    """List the members who have not entered: players of the club's previous event first, then by name."""
    earlier = Tournament.objects.filter(
        club=event.club_id, status__in=[Status.RUNNING, Status.FINISHED], is_friendly=False
    ).exclude(pk=event.pk)
    last = _query_entries(earlier.order_by("-started_at", "-pk")[:1])
    there = dict(last.values_list("player_id", "tournament__key"))
    found = [
        Candidate(row.key, row.public_name, row.user_id is None, row.pk in there)
        for row in _query_candidates(event)
    ]
    return Candidates(
        people=tuple(sorted(found, key=lambda each: (not each.was_there, each.name.casefold()))),
        last_key=next(iter(there.values()), ""),
    )


def list_candidate_keys(event: Tournament) -> list[str]:
    return list(_query_candidates(event).values_list("key", flat=True))


def list_returning_keys(event: Tournament, *, last_key: str) -> list[str]:
    """List the keys of the players of another event of the club who have not entered this one."""
    last = Tournament.objects.filter(club=event.club_id, key=last_key, started_at__isnull=False)
    there = _query_candidates(event).filter(pk__in=_query_entries(last).values("player"))
    return list(there.values_list("key", flat=True))


def _query_candidates(event: Tournament) -> QuerySet[Player]:
    inside = Entry.objects.filter(tournament=event, withdrawn_at__isnull=True).values("player")
    members = Player.objects.filter(
        memberships__club=event.club_id, merged_into__isnull=True, erased_at__isnull=True
    )
    # Guests whose entries were all withdrawn are left out. They are still found when their name is typed.
    played = Entry.objects.filter(withdrawn_at__isnull=True).values("player")
    strays = Q(user__isnull=True) & Q(pk__in=Entry.objects.values("player")) & ~Q(pk__in=played)
    return members.exclude(pk__in=inside).exclude(strays)


def _query_entries(events: QuerySet[Tournament]) -> QuerySet[Entry]:
    return Entry.objects.filter(tournament__in=events, withdrawn_at__isnull=True, waits=False)
