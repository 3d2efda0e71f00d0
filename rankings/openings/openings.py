"""Imports of opening ratings: all or nothing, and undone as a whole.

An opening rating replaces the default for new players. So it changes every later rating: the ledger is
rebuilt from the first match of these players.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from math import isfinite
from typing import Any, Final
from uuid import uuid4

from django.db import transaction
from django.db.models import Min, Q, QuerySet
from django.utils.translation import gettext as _

from players import hooks as player_hooks
from players.clubs import clubs
from players.errors import PlayersError
from players.models import Membership, Player, User
from rankings.errors import BadOpenings, NoImport, NothingToImport, require_keeper
from rankings.formulas.systems import system
from rankings.ledger import entries, ledger, rated_matches, rebuilding
from rankings.ledger.ledger import OPENINGS
from rankings.models import LedgerEntry, Opening, OpeningImport, RatingList
from runtime import stream
from runtime.work import outbox
from tournaments.base import local_times

KEPT: Final = timedelta(days=2)
MOST_RATING: Final = 10_000.0
MOST_EXPERIENCE: Final = 1_000_000
MOST_DEVIATION: Final = 1_000.0


@dataclass(frozen=True, slots=True)
class ImportedRating:
    """An imported rating: of a member, or of a new guest by name."""

    # The row in the file, for error messages.
    row: int
    player: Player | None
    name: str
    rating: float
    day: date
    experience: int = 0
    deviation: float | None = None


def draft(
    *,
    rating_list: RatingList,
    source: str,
    table: Sequence[Sequence[str]],
    by: User,
    now: datetime,
    replaces: bool = True,
) -> OpeningImport:
    """Store the contents of a file as a draft.

    The director's previous draft for this list is deleted, unless *replaces* is false.

    :raises NotKeeper: `by` is not a director of this club.
    """
    require_keeper(rating_list.club, by)
    with transaction.atomic():
        if replaces:
            OpeningImport.objects.filter(list=rating_list, by=by, saved_at__isnull=True).delete()
        return OpeningImport.objects.create(
            list=rating_list, source=source[:120], table=[list(row) for row in table], by=by, made_at=now
        )


def save(*, import_id: int, olds: Sequence[ImportedRating], by: User, now: datetime) -> int:
    """Save opening ratings, all or none; return how many.

    :raises NotKeeper: `by` is not a director of this club.
    :raises NoImport: the import is saved already.
    :raises NothingToImport: *olds* is empty.
    :raises BadOpenings: one of them is invalid.
    """
    with transaction.atomic():
        row = _lock_import(import_id, by)
        if row.saved_at is not None:
            raise NoImport
        if not olds:
            raise NothingToImport
        [held] = entries.lock_lists(RatingList.objects.filter(pk=row.list_id).select_related("club"))
        for number, why in find_problems(held, olds, now=now):
            raise BadOpenings(row=number, why=why)
        players, guests = _list_players(held, olds, by=by, now=now)
        Opening.objects.bulk_create(
            Opening(
                list=held,
                opening_import=row,
                player=player,
                day=old.day,
                rating=old.rating,
                experience=old.experience,
                deviation=old.deviation,
            )
            for old, player in zip(olds, players, strict=True)
        )
        row.saved_at, row.table, row.guests = now, [], [guest.pk for guest in guests]
        row.save(update_fields=["saved_at", "table", "guests"])
        _request_rebuild(held, {player.pk for player in players}, now=now)
        stream.publish(f"club.{held.club.slug}", "rankings", {}, now=now)
    return len(olds)


def undo(*, import_id: int, by: User, now: datetime) -> None:
    """Undo an import. Guests it created are removed from the club unless they have played.

    :raises NotKeeper: `by` is not a director of this club.
    :raises NoImport: the import was never saved, or is undone already.
    """
    with transaction.atomic():
        row = _lock_import(import_id, by)
        if row.saved_at is None or row.undone_at is not None:
            raise NoImport
        [held] = entries.lock_lists(RatingList.objects.filter(pk=row.list_id).select_related("club"))
        rows = Opening.objects.filter(opening_import=row, undone_at__isnull=True)
        players = set(rows.values_list("player", flat=True))
        rows.update(undone_at=now)
        row.undone_at = now
        row.save(update_fields=["undone_at"])
        _remove_guests(held, row.guests, by=by, now=now)
        _request_rebuild(held, players, now=now)
        stream.publish(f"club.{held.club.slug}", "rankings", {}, now=now)


def _lock_import(import_id: int, by: User) -> OpeningImport:
    rows = OpeningImport.objects.select_for_update(of=("self",), no_key=True).select_related("list__club")
    row = rows.get(pk=import_id)
    require_keeper(row.list.club, by)
    return row


def queue_rebuilds(players: Collection[int], *, now: datetime) -> None:
    """Queue a rebuild of the lists in which one of these players has an opening, after a merge or unmerge."""
    rows = Opening.objects.filter(player__in=players, undone_at__isnull=True)
    for list_id in sorted(set(rows.values_list("list", flat=True))):
        payload = {"list": list_id, "players": sorted(players)}
        # A merge and its undo are two changes, even at the same time, so they must not be deduplicated.
        outbox.put(OPENINGS, payload, dedupe_key=f"{OPENINGS}:{uuid4().hex}", now=now)


def request_rebuilds(payload: Mapping[str, Any], *, now: datetime) -> None:
    """Request the rebuilds of a queued merge or unmerge (an outbox handler)."""
    with transaction.atomic():
        for held in entries.lock_lists(RatingList.objects.filter(pk=payload["list"])):
            _request_rebuild(held, payload["players"], now=now)


def query_due(at: Any) -> Iterator[QuerySet[OpeningImport]]:
    """Select the drafts not saved for days: they contain names."""
    yield OpeningImport.objects.filter(saved_at__isnull=True, made_at__lte=at - KEPT)


def delete_old_drafts(now: datetime) -> int:
    """Delete drafts not saved for days; return how many."""
    return sum(rows.delete()[0] for rows in query_due(now))


def find_problems(
    rating_list: RatingList, olds: Iterable[ImportedRating], *, now: datetime
) -> list[tuple[int, str]]:
    """Return the rows that are not valid openings, each with a sentence."""
    olds = list(olds)
    known = [old.player.pk for old in olds if old.player is not None]
    there = set(
        Opening.objects.filter(list=rating_list, player__in=known, undone_at__isnull=True).values_list(
            "player", flat=True
        )
    )
    rated = LedgerEntry.objects.filter(list=rating_list, player__in=known, voided_at__isnull=True).order_by()
    first = dict(rated.values_list("player").annotate(Min("at")))
    zone = rating_list.club.time_zone
    today = local_times.convert_to_local(now, zone).date()
    found: list[tuple[int, str]] = []
    seen: dict[int, int] = {}
    for old in olds:
        if not (isfinite(old.rating) and abs(old.rating) <= MOST_RATING):
            found.append((old.row, _("rating: this is no rating.")))
        if not 0 <= old.experience <= MOST_EXPERIENCE:
            found.append((old.row, _("experience: this number is too small or too large.")))
        if old.deviation is not None and not 0 < old.deviation <= MOST_DEVIATION:
            found.append((old.row, _("deviation: this number is too small or too large.")))
        if old.day > today:
            found.append((old.row, _("date: this day is still to come.")))
        if old.player is None:
            continue
        who = old.player.pk
        if who in seen:
            found.append((old.row, _("name: the same player as in row %(row)s.") % {"row": seen[who]}))
        seen[who] = old.row
        if who in there:
            found.append(
                (old.row, _("name: this player has an opening rating already. Undo that import first."))
            )
        elif who in first and local_times.convert_to_local(first[who], zone).date() < old.day:
            found.append((old.row, _("date: this player was rated here before that day.")))
    return found


def _list_players(
    held: RatingList, olds: Sequence[ImportedRating], *, by: User, now: datetime
) -> tuple[list[Player], list[Player]]:
    """Return the players of the rows, and the new guests among them, whom it adds to the club.

    :raises BadOpenings: a player is not a member of the club, or a guest cannot be added.
    """
    members = set(
        Membership.objects.filter(
            club=held.club, player__in=[old.player.pk for old in olds if old.player is not None]
        ).values_list("player", flat=True)
    )
    players: list[Player] = []
    guests: list[Player] = []
    for old in olds:
        if old.player is None:
            guests.append(Player(name=old.name))
            players.append(guests[-1])
        elif old.player.pk in members:
            players.append(old.player)
        else:
            raise BadOpenings(row=old.row, why=_("name: this player is not a member of the club."))
    if guests:
        try:
            clubs.add_guests(club=held.club, guests=guests, by=by, now=now)
        except PlayersError as problem:
            bad = next(old.row for old in olds if old.player is None)
            raise BadOpenings(row=bad, why=str(problem)) from problem
    return players, guests


def _remove_guests(held: RatingList, guests: Collection[int], *, by: User, now: datetime) -> None:
    seen = player_hooks.load_appearances(guests)
    rows = Player.objects.filter(
        pk__in=guests, user__isnull=True, merged_into__isnull=True, memberships__club=held.club
    )
    for guest in rows.order_by("pk"):
        if not seen.matches[guest.pk] and not seen.events[guest.pk]:
            clubs.remove(club=held.club, player=guest, by=by, now=now)


def _request_rebuild(held: RatingList, players: Collection[int], *, now: datetime) -> None:
    """Request a rebuild from the first match of these players, if any. The caller holds the list's lock."""
    now_one = Player.objects.filter(Q(pk__in=players) | Q(merged__in=players)).values("pk")
    theirs = rated_matches.list_entries(held).filter(Q(player__in=now_one) | Q(player__in=list(players)))
    first = theirs.order_by("at", "match").values_list("at", "match").first()
    if first is not None:
        at, match = first
        since = ledger.compute_start((at, match.hex), system(held.system, held.params))
        rebuilding.request_rebuild(held, since, now=now)
    else:
        rebuilding.queue_consequences(held, now=now)
