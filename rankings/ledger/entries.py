"""Ledger entries: the replay of a range of matches, compared with the existing entries.

Entries that come out the same are left alone; others are voided and replaced.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from itertools import islice
from typing import Final, NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery

from players.models import Player
from rankings.formulas.values import Standing, Step, System
from rankings.ledger import opening_ratings, rated_matches
from rankings.ledger.rated_matches import Order, RateableMatch
from rankings.models import LedgerEntry, PlayerRating, RatingList

BATCH: Final = 500
# The columns of a player in a list.
SHOWN: Final = ("last", "rating", "matches", "experience", "last_at")


class Line(NamedTuple):
    """All facts of an entry; entries with equal facts are the same."""

    event_id: int
    match: UUID
    at: datetime
    player_id: int
    opponent_id: int
    is_a: bool
    won: bool
    length: int
    policy_id: int
    before: float
    opponent_before: float
    expectancy: float
    weight: float
    k: float
    change: float
    after: float
    experience: int
    deviation: float
    volatility: float


def lock_lists(lists: QuerySet[RatingList]) -> list[RatingList]:
    """Lock lists in the order used everywhere, so that one transaction at a time writes to a ledger."""
    return list(lists.select_for_update(of=("self",), no_key=True).order_by("pk"))


def build_line(match: RateableMatch, step: Step) -> Line:
    is_a = step.player == str(match.a)
    after = step.after
    return Line(
        match.event,
        match.match,
        match.at,
        match.a if is_a else match.b,
        match.b if is_a else match.a,
        is_a,
        step.won,
        match.length,
        match.policy,
        step.before,
        step.opponent_before,
        step.expectancy,
        step.weight,
        step.k,
        step.change,
        after.rating,
        after.experience,
        after.deviation,
        after.volatility,
    )


def build_match(entry: LedgerEntry | Line) -> RateableMatch:
    a, b = (entry.player_id, entry.opponent_id) if entry.is_a else (entry.opponent_id, entry.player_id)
    return rated_matches.RateableMatch(
        match=entry.match,
        event=entry.event_id,
        at=entry.at,
        a=a,
        b=b,
        a_won=entry.won == entry.is_a,
        length=entry.length,
        policy=entry.policy_id,
    )


def list_lines(rating_list: RatingList, which: Q | None = None) -> Iterator[tuple[int, Line]]:
    """Yield the entries that are not voided with their primary keys, in the order of the ledger."""
    rows = rated_matches.list_entries(rating_list).filter(which or Q()).values_list("pk", *Line._fields)
    for pk, *values in rows.iterator(chunk_size=rated_matches.CHUNK):
        yield pk, Line._make(values)


def replay(
    rating_list: RatingList,
    how: System,
    matches: Iterable[RateableMatch],
    players: dict[str, Standing],
    standing: dict[Line, int],
    *,
    only: Collection[int] | None = None,
    now: datetime,
) -> int:
    """Rate the matches of a range and update its entries; return how many were written or voided.

    *players* are the standings before the range, and are updated; *standing* has the existing entries of the
    range. Entries of players outside *only* are left unchanged.
    """
    facts = {each.match.hex: each for each in matches}
    kept = dict(standing)
    new: list[Line] = []
    for step in how.steps((each.outcome for each in facts.values()), players):
        line = build_line(facts[str(step.match)], step)
        if only is not None and line.player_id not in only:
            continue
        if kept.pop(line, None) is None:
            new.append(line)
    for some in batch_values(kept.values()):
        LedgerEntry.objects.filter(pk__in=some).update(voided_at=now)
    _insert_lines(rating_list, new, now=now)
    return len(new) + len(kept)


def _insert_lines(rating_list: RatingList, lines: Sequence[Line], *, now: datetime) -> None:
    """Insert entries in bulk by SQL: model instances take several times as long."""
    if not lines:
        return
    columns = ("list_id", "written_at", *Line._fields)
    moment = connection.ops.adapt_datetimefield_value
    own = (rating_list.pk, moment(now))
    uuids_are_text = not connection.features.has_native_uuid_field
    rows = [
        (*own, line.event_id, line.match.hex if uuids_are_text else line.match, moment(line.at), *line[3:])
        for line in lines
    ]
    named = ", ".join(f'"{name}"' for name in columns)
    where = f"rankings_ledgerentry ({named})"
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {where} FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
        else:
            gaps = ", ".join(["%s"] * len(columns))
            cursor.executemany(f"INSERT INTO {where} VALUES ({gaps})", rows)  # noqa: S608


def load_standings(
    rating_list: RatingList, players: Collection[int], before: Order | None
) -> dict[str, Standing]:
    """Return standings before a position in the ledger; new players without an opening rating have none."""
    opened = opening_ratings.load_standings(rating_list, set(players))
    if before is None:
        return opened
    found = find_last_entries(rating_list, players, rated_matches.filter_before(before))
    return opened | {str(player): rated_matches.read_standing(entry) for player, entry in found.items()}


def find_last_entries(
    rating_list: RatingList, players: Collection[int], which: Q | None = None
) -> dict[int, LedgerEntry]:
    last = (
        rated_matches.list_entries(rating_list)
        .filter(which or Q(), player=OuterRef("pk"))
        .order_by("-at", "-match")
    )
    found: dict[int, LedgerEntry] = {}
    for some in batch_values(players):
        keys = (
            Player.objects.filter(pk__in=some).annotate(last=Subquery(last.values("pk")[:1])).values("last")
        )
        found |= {entry.player_id: entry for entry in LedgerEntry.objects.filter(pk__in=keys)}
    return found


def update_ratings(rating_list: RatingList, players: Collection[int] | None = None) -> None:
    """Update the list's current ratings of these players, or of all, from their last entries."""
    shown = PlayerRating.objects.filter(list=rating_list)
    if players is None:
        known = LedgerEntry.objects.filter(list=rating_list, voided_at__isnull=True)
        players = {
            *known.values_list("player", flat=True).distinct(),
            *shown.values_list("player", flat=True),
        }
    for some in batch_values(sorted(players)):
        rows = shown.filter(player__in=some)
        there = {player: values for player, *values in rows.values_list("player", *SHOWN)}
        counted = dict(
            rated_matches.list_entries(rating_list)
            .filter(player__in=some)
            .order_by()
            .values_list("player")
            .annotate(Count("pk"))
        )
        last = find_last_entries(rating_list, some)
        rows.filter(player__in=there.keys() - last.keys()).delete()
        due = {
            player: [entry.pk, entry.after, counted[player], entry.experience, entry.at]
            for player, entry in sorted(last.items())
        }
        PlayerRating.objects.bulk_create(
            [
                PlayerRating(
                    list=rating_list,
                    player_id=player,
                    **dict(zip(("last_id", *SHOWN[1:]), values, strict=True)),
                )
                for player, values in due.items()
                if there.get(player) != values
            ],
            update_conflicts=True,
            unique_fields=["list", "player"],
            update_fields=SHOWN,
        )
    RatingList.objects.filter(pk=rating_list.pk).update(version=F("version") + 1)


def batch_values(values: Iterable[int]) -> Iterator[list[int]]:
    """Yield values in lists that fit into one statement."""
    rest = iter(values)
    while some := list(islice(rest, BATCH)):
        yield some
