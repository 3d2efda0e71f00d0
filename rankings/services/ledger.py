"""The ledger follows the matches: each is rated once, in the order of finish times, whatever order results come in.

Following is comparing: what a list should rate of an event with what its ledger has. From the first difference on the
ledger is played again; entries that come out the same stay, others are voided and written anew. So it may be done twice,
or late, or for the first time after a year, and nothing needs to know what kind of change it was.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.db import transaction
from django.db.models import Count, OuterRef, Q, Subquery

from players.models import Player
from rankings.formulas.glicko2 import Glicko2
from rankings.formulas.systems import system
from rankings.models import LedgerEntry, PlayerRating, RatingList
from rankings.selectors import rateable
from runtime import outbox
from runtime.models import Outbox
from tournaments.models import Tournament

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from datetime import datetime

    from django.db.models import QuerySet

    from rankings.formulas.values import Standing, Step, System
    from rankings.selectors.rateable import Rated

FOLLOW: Final = "rankings.follow"
REBUILD: Final = "rankings.rebuild"
BATCH: Final = 500
SAID: Final = (
    *("event_id", "match", "at", "player_id", "opponent_id", "is_a", "won", "length", "policy_id"),
    *("before", "opponent_before", "expectancy", "weight", "k", "change", "after"),
    *("experience", "deviation", "volatility"),
)


def note(event: Tournament, *, now: datetime) -> None:
    """Have the lists of an event's club follow what has just changed in it, in the transaction of the change."""
    if RatingList.objects.filter(club=event.club_id).exists():
        key = f"{FOLLOW}:{event.pk}:{event.stamp}"
        outbox.put(FOLLOW, {"event": event.pk}, dedupe_key=key, now=now)


def ask(rating_list: RatingList, *, now: datetime) -> None:
    """Have a list that was just opened rate what is there."""
    outbox.put(REBUILD, {"list": rating_list.pk}, dedupe_key=f"{REBUILD}:{rating_list.pk}", now=now)


def tell_event(payload: Mapping[str, Any], *, now: datetime) -> None:
    """Follow, when the outbox says so."""
    follow(event_id=payload["event"], now=now)


def tell_list(payload: Mapping[str, Any], *, now: datetime) -> None:
    """Rate everything, when the outbox says so."""
    rebuild(list_id=payload["list"], now=now)


def behind(rating_list: RatingList) -> bool:
    """Say whether a change waits in the outbox that this list has not followed yet."""
    waiting = Outbox.objects.filter(kind__in=(FOLLOW, REBUILD), done_at__isnull=True, failed_at__isnull=True)
    told = list(waiting.values_list("payload", flat=True))
    events = [each["event"] for each in told if "event" in each]
    return any(each.get("list") == rating_list.pk for each in told) or bool(
        Tournament.objects.filter(club=rating_list.club_id, pk__in=events).exists()
    )


def follow(*, event_id: int, now: datetime) -> int:
    """Bring all lists to what has happened in an event; return how many entries were written or voided."""
    with transaction.atomic():
        lists = _held(RatingList.objects.filter(club__tournaments=event_id))
        return sum(_settle(each, event_id, now=now) for each in lists)


def rebuild(*, list_id: int, now: datetime) -> int:
    """Bring a list to what has happened in all events; return how many entries were written or voided."""
    with transaction.atomic():
        return sum(_settle(each, None, now=now) for each in _held(RatingList.objects.filter(pk=list_id)))


def _held(lists: QuerySet[RatingList]) -> list[RatingList]:
    """Lock lists in the order in which everybody locks them: one ledger is written by one at a time."""
    return list(lists.select_for_update(of=("self",), no_key=True).order_by("pk"))


def _settle(rating_list: RatingList, event: int | None, *, now: datetime) -> int:
    how = system(rating_list.system, rating_list.params)
    theirs = (
        rateable.entered(rating_list) if event is None else rateable.entered(rating_list).filter(event=event)
    )
    there = {rateable.rated(entry) for entry in theirs.filter(is_a=True)}
    wanted = set(rateable.matches(rating_list, event))
    # Who rebuilds trusts no figure that is there.
    differing = wanted | there if event is None else wanted ^ there
    if not differing:
        return 0
    since = _beginning(min(differing, key=lambda each: each.order), how)
    standing = list(rateable.entered(rating_list).filter(_from(since)))
    others = {rateable.rated(entry) for entry in standing if entry.is_a} - there
    replayed = sorted((each for each in others | wanted if each.order >= since), key=lambda each: each.order)
    return _write(rating_list, how, replayed, standing, since, now=now)


def _beginning(first: Rated, how: System) -> tuple[datetime, str]:
    """Return from where the ledger is played again: what is rated by periods, from the start of one."""
    return (rateable.period_start(first.at), "") if isinstance(how, Glicko2) else first.order


def _write(
    rating_list: RatingList,
    how: System,
    replayed: Collection[Rated],
    standing: Collection[LedgerEntry],
    since: tuple[datetime, str],
    *,
    now: datetime,
) -> int:
    everybody = {one for each in replayed for one in (each.a, each.b)}
    before = last_entries(rating_list, everybody, ~_from(since))
    players: dict[str, Standing] = {str(player): rateable.standing(entry) for player, entry in before.items()}
    steps = how.steps((each.outcome for each in replayed), players)
    facts = {each.match: each for each in replayed}
    made = [entry_of(rating_list, facts[UUID(str(step.match))], step) for step in steps]
    kept = {figures(entry): entry.pk for entry in standing}
    new = [entry for entry in made if kept.pop(figures(entry), None) is None]
    for some in _batched(kept.values()):
        LedgerEntry.objects.filter(pk__in=some).update(voided_at=now)
    for entry in new:
        entry.written_at = now
    LedgerEntry.objects.bulk_create(new, batch_size=BATCH)
    _tell_ratings(rating_list, everybody | {entry.player_id for entry in standing})
    return len(new) + len(kept)


def entry_of(rating_list: RatingList, match: Rated, step: Step) -> LedgerEntry:
    """Return the entry that says what a match did to one of the two."""
    is_a = step.player == str(match.a)
    return LedgerEntry(
        list=rating_list,
        event_id=match.event,
        match=match.match,
        at=match.at,
        player_id=match.a if is_a else match.b,
        opponent_id=match.b if is_a else match.a,
        is_a=is_a,
        won=step.won,
        length=match.length,
        policy_id=match.policy,
        before=step.before,
        opponent_before=step.opponent_before,
        expectancy=step.expectancy,
        weight=step.weight,
        k=step.k,
        change=step.change,
        after=step.after.rating,
        experience=step.after.experience,
        deviation=step.after.deviation,
        volatility=step.after.volatility,
    )


def figures(entry: LedgerEntry) -> tuple[object, ...]:
    """Return all that an entry says of its match: two that say the same are one."""
    return tuple(getattr(entry, name) for name in SAID)


def last_entries(
    rating_list: RatingList, players: Collection[int], which: Q | None = None
) -> dict[int, LedgerEntry]:
    """Return the last entry of each player, of those that stand."""
    last = rateable.entered(rating_list).filter(which or Q(), player=OuterRef("pk")).order_by("-at", "-match")
    found: dict[int, LedgerEntry] = {}
    for some in _batched(players):
        keys = (
            Player.objects.filter(pk__in=some).annotate(last=Subquery(last.values("pk")[:1])).values("last")
        )
        found |= {entry.player_id: entry for entry in LedgerEntry.objects.filter(pk__in=keys)}
    return found


def _tell_ratings(rating_list: RatingList, players: Collection[int]) -> None:
    """Say anew where these players stand."""
    rows = rateable.entered(rating_list)
    played: dict[int, int] = {}
    for some in _batched(players):
        PlayerRating.objects.filter(list=rating_list, player__in=some).delete()
        counted = rows.filter(player__in=some).order_by().values_list("player").annotate(Count("pk"))
        played |= dict(counted)
    PlayerRating.objects.bulk_create(
        [
            PlayerRating(
                list=rating_list, player_id=player, last=entry, rating=entry.after, matches=played[player]
            )
            for player, entry in sorted(last_entries(rating_list, players).items())
        ],
        batch_size=BATCH,
    )


def _from(since: tuple[datetime, str]) -> Q:
    at, match = since
    if not match:
        return Q(at__gte=at)
    return Q(at__gt=at) | Q(at=at, match__gte=UUID(match))


def _batched(values: Iterable[int]) -> Iterator[list[int]]:
    """Yield values in lists that fit into a statement."""
    rest = iter(values)
    while some := list(islice(rest, BATCH)):
        yield some
