"""Divisions: setting them up, placing players, and confirming promotion and relegation.

All changes are made under the season's lock. The proposal is a pure function of the current table. Requests
carry the state they saw, so that a director confirms only a table they have seen, and only one of two
simultaneous confirmations succeeds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils.formats import date_format

from players import names
from players.models import Membership, Player, User
from players.people import people
from rankings.errors import (
    BadDivisions,
    CannotReopen,
    DivisionNotEmpty,
    MoveNeedsReason,
    NoDivision,
    NoNextSeason,
    SeasonClosed,
    SeasonRuns,
    StandingChanged,
    require_keeper,
)
from rankings.formulas.divisions import MOST_DIVISIONS, MOST_MOVES
from rankings.models import ClosingMove, DivisionMember, Season, SeasonClosing, SeasonDivision, SeasonMove
from rankings.seasons import division_pages as selectors
from rankings.seasons import season_pages as shown_seasons
from rankings.seasons import seasons


@dataclass(frozen=True, slots=True)
class DivisionTerms:
    """Settings of a division, identified by its number (`was`) or else by its name if it exists."""

    name: str
    up: int = 0
    down: int = 0
    was: int | None = None


@dataclass(frozen=True, slots=True)
class Placing:
    """A player's new division by number, or None, and their division when the page was loaded."""

    player: str
    was: int | None
    number: int | None


@dataclass(frozen=True, slots=True)
class Overrule:
    """A director's decision to move a player differently from the table, with the reason."""

    goes: str
    reason: str


def set_up_divisions(
    *, season: Season, terms: Sequence[DivisionTerms], by: User, now: datetime, seen: str | None = None
) -> list[SeasonDivision]:
    """Replace the divisions of a season, the highest first; existing ones keep their players.

    :raises NotKeeper: `by` is not a director of this club.
    :raises BadDivisions, DivisionNotEmpty, SeasonClosed: nothing changes.
    :raises StandingChanged: the divisions differ from those that were *seen*.
    """
    wanted = [replace(one, name=names.clean_name(one.name, limit=80)) for one in terms]
    folded = {names.fold(one.name) for one in wanted}
    if (
        len(wanted) > MOST_DIVISIONS
        or len(folded) < len(wanted)
        or not all(0 <= count <= MOST_MOVES for one in wanted for count in (one.up, one.down))
    ):
        raise BadDivisions(most=MOST_MOVES)
    with transaction.atomic():
        held = _lock_open_season(season, by)
        there = selectors.list_divisions(held)
        if seen is not None and selectors.compute_version_key(there, []) != seen:
            raise StandingChanged
        rows = _match_divisions(there, wanted)
        for row in there:
            if row not in rows:
                if DivisionMember.objects.filter(division=row).exists():
                    raise DivisionNotEmpty(name=row.name)
                row.delete()
        # Renumbered out of the range first, as numbers are unique at every moment.
        SeasonDivision.objects.filter(season=held).update(number=F("number") + MOST_DIVISIONS)
        for number, (known, one) in enumerate(zip(rows, wanted, strict=True), 1):
            made = known if known is not None else SeasonDivision(season=held)
            made.number, made.name, made.up, made.down = number, one.name, one.up, one.down
            made.save()
        seasons.announce_change(held, now=now)
        return selectors.list_divisions(held)


def place_players(*, season: Season, placings: Sequence[Placing], by: User, now: datetime) -> int:
    """Place players in divisions, or remove them; return how many changed.

    :raises NotKeeper: `by` is not a director of this club.
    :raises NoDivision: there is no such division, or no such member of the club.
    :raises StandingChanged: a player's division differs from the one seen; nothing changes.
    """
    changed = 0
    with transaction.atomic():
        held = _lock_open_season(season, by)
        divisions = {row.number: row for row in SeasonDivision.objects.filter(season=held)}
        rows = DivisionMember.objects.filter(season=held).select_related("player", "division")
        there = {row.player.key: row for row in rows}
        members = _lock_members(held, {one.player for one in placings} - there.keys())
        for one in placings:
            row = there.get(one.player)
            if (row.division.number if row else None) != one.was:
                raise StandingChanged
            if one.number not in {None, *divisions} or (row is None and one.player not in members):
                raise NoDivision
            if one.number == one.was:
                continue
            changed += 1
            if one.number is None:
                DivisionMember.objects.filter(season=held, player__key=one.player).delete()
            elif row is None:
                division = divisions[one.number]
                DivisionMember.objects.create(
                    season=held, division=division, player=members[one.player], by=by, at=now
                )
            else:
                row.division, row.closing, row.by, row.at = divisions[one.number], None, by, now
                row.save(update_fields=["division", "closing", "by", "at"])
        if changed:
            seasons.announce_change(held, now=now)
    return changed


def close_season(
    *,
    season: Season,
    following: Season,
    seen: str,
    by: User,
    now: datetime,
    overrules: Mapping[str, Overrule] | None = None,
) -> SeasonClosing:
    """Confirm promotion and relegation, and place the players in the divisions of the following season.

    A following season without divisions gets copies of these. Players whom a director placed there are moved.

    :raises NotKeeper: `by` is not a director of this club.
    :raises SeasonRuns, SeasonClosed, NoNextSeason: it cannot be confirmed now.
    :raises StandingChanged: the table differs from the one seen.
    :raises MoveNeedsReason, NoDivision: a changed move has no reason, or leads to no division.
    """
    with transaction.atomic():
        held, then = _lock_both_seasons(season, following, by)
        if held.to_day >= shown_seasons.get_today(held.club, now):
            raise SeasonRuns(day=date_format(held.to_day, "DATE_FORMAT"))
        seasons.update_season(season_id=held.pk)
        found, moves = selectors.load_moves(held)
        if not found:
            raise NoDivision
        if selectors.compute_version_key(found, moves) != seen:
            raise StandingChanged
        _overrule_moves(moves, overrules or {}, len(found))
        closing = SeasonClosing.objects.create(season=held, next=then, by=by, at=now)
        for row in moves:
            row.closing = closing
        ClosingMove.objects.bulk_create(moves)
        _place_in_next_season(closing, found, moves)
        seasons.announce_change(held, now=now)
        seasons.announce_change(then, now=now)
        return closing


def reopen_season(*, season: Season, by: User, now: datetime) -> None:
    """Revert the end of a season and remove the players it placed in the next season.

    :raises NotKeeper: `by` is not a director of this club.
    :raises CannotReopen: nothing is confirmed, or the following season is closed as well.
    """
    require_keeper(season.club, by)
    with transaction.atomic():
        closing = SeasonClosing.objects.filter(season=season).first()
        if closing is None:
            raise CannotReopen
        held, then = _lock_seasons(season.pk, closing.next_id)
        again = SeasonClosing.objects.filter(pk=closing.pk).first()
        if again is None or SeasonClosing.objects.filter(season=then).exists():
            raise CannotReopen
        again.delete()
        seasons.announce_change(held, now=now)
        seasons.announce_change(then, now=now)


def find_problems(season: Season) -> Iterator[str]:
    """Yield memberships and moves that belong to other seasons."""
    for row in DivisionMember.objects.filter(season=season).exclude(division__season=season):
        yield f"season {season.key}: player {row.player_id} plays in a division of another season"
    for row in DivisionMember.objects.filter(season=season, closing__isnull=False).exclude(
        closing__next=season
    ):
        yield f"season {season.key}: player {row.player_id} came from a season that does not lead here"
    for move in ClosingMove.objects.filter(closing__season=season).exclude(division__season=season):
        yield f"season {season.key}: player {move.player_id} moved from a division of another season"


def _match_divisions(
    there: Sequence[SeasonDivision], wanted: Sequence[DivisionTerms]
) -> list[SeasonDivision | None]:
    """Return the existing division for each wanted one, None for a new one."""
    by_number = {row.number: row for row in there}
    by_name = {names.fold(row.name): row for row in there}
    found = [
        by_name.get(names.fold(one.name)) if one.was is None else by_number.get(one.was) for one in wanted
    ]
    known = [row.pk for row in found if row]
    if len(set(known)) < len(known):
        raise BadDivisions(most=MOST_MOVES)
    return found


def _overrule_moves(moves: Sequence[ClosingMove], overrules: Mapping[str, Overrule], divisions: int) -> None:
    if overrules.keys() - {row.player.key for row in moves}:
        raise StandingChanged
    for row in moves:
        other = overrules.get(row.player.key)
        if other is not None and other.goes != row.proposed:
            if other.goes not in selectors.list_possible_moves(row.division.number, divisions):
                raise NoDivision
            row.goes = other.goes
            row.reason = names.clean_optional(other.reason, limit=200)
            if not row.reason:
                raise MoveNeedsReason(name=row.player.public_name)


def _place_in_next_season(
    closing: SeasonClosing, found: Sequence[SeasonDivision], moves: Sequence[ClosingMove]
) -> None:
    then = closing.next
    if not SeasonDivision.objects.filter(season=then).exists():
        SeasonDivision.objects.bulk_create(
            SeasonDivision(season=then, number=row.number, name=row.name, up=row.up, down=row.down)
            for row in found
        )
    there = {row.number: row for row in SeasonDivision.objects.filter(season=then)}
    if len(there) != len(found):
        raise NoNextSeason
    for move in moves:
        number = selectors.find_target(move.division.number, SeasonMove(move.goes))
        if number is None:
            continue
        DivisionMember.objects.update_or_create(
            season=then,
            player=move.player,
            defaults={"division": there[number], "closing": closing, "by": closing.by, "at": closing.at},
        )


def _lock_open_season(season: Season, by: User) -> Season:
    """Lock a season and require that it is not closed."""
    require_keeper(season.club, by)
    (held,) = _lock_seasons(season.pk)
    if SeasonClosing.objects.filter(season=held).exists():
        raise SeasonClosed
    return held


def _lock_both_seasons(season: Season, following: Season, by: User) -> tuple[Season, Season]:
    require_keeper(season.club, by)
    if season.pk == following.pk:
        raise NoNextSeason
    held, then = _lock_seasons(season.pk, following.pk)
    if SeasonClosing.objects.filter(season=held).exists():
        raise SeasonClosed
    if then.pk not in {row.pk for row in selectors.list_later(held)}:
        raise NoNextSeason
    return held, then


def _lock_seasons(*seasons_ids: int) -> list[Season]:
    """Lock seasons in the order of their primary keys; return them in the given order."""
    rows = Season.objects.select_for_update(of=("self",), no_key=True).select_related("club")
    found = {row.pk: row for row in rows.filter(pk__in=seasons_ids).order_by("pk")}
    return [found[pk] for pk in seasons_ids]


def _lock_members(season: Season, keys: set[str]) -> dict[str, Player]:
    """Lock members of the club, so that a merge either waits or is visible here."""
    rows = Membership.objects.filter(club=season.club_id, player__key__in=keys)
    held = people.lock_players(rows.values_list("player", flat=True))
    return {player.key: player for player in held.values() if player.merged_into_id is None}


def merge_memberships(*, kept: Player, dropped: Player) -> dict[str, Any]:
    """Move memberships and past moves to the kept player; return the input of `unmerge_memberships`.

    The kept player's own rows in a season take precedence.
    """
    theirs = DivisionMember.objects.filter(player=dropped)
    twice = theirs.filter(season__in=DivisionMember.objects.filter(player=kept).values("season"))
    gone = [
        {
            **{name: getattr(row, name) for name in ("season_id", "division_id", "closing_id", "by_id")},
            "at": row.at.isoformat(),
        }
        for row in twice.order_by("season")
    ]
    twice.delete()
    members = list(theirs.values_list("pk", flat=True))
    theirs.update(player=kept)
    past = ClosingMove.objects.filter(player=dropped).exclude(
        closing__in=ClosingMove.objects.filter(player=kept).values("closing")
    )
    moves = list(past.values_list("pk", flat=True))
    ClosingMove.objects.filter(pk__in=moves).update(player=kept)
    return {"members": members, "moves": moves, "gone": gone} if members or moves or gone else {}


def unmerge_memberships(*, kept: Player, dropped: Player, moved: Mapping[str, Any]) -> None:
    """Undo `merge_memberships`; a player placed elsewhere since stays there.

    A placement by the end of a season that has been reopened since is not restored.
    """
    DivisionMember.objects.filter(pk__in=moved.get("members", ()), player=kept).update(player=dropped)
    ClosingMove.objects.filter(pk__in=moved.get("moves", ()), player=kept).update(player=dropped)
    for row in moved.get("gone", ()):
        closing = row["closing_id"]
        if closing is not None and not SeasonClosing.objects.filter(pk=closing).exists():
            continue
        taken = DivisionMember.objects.filter(season=row["season_id"], player=dropped).exists()
        if not taken and SeasonDivision.objects.filter(pk=row["division_id"]).exists():
            at = datetime.fromisoformat(row["at"])
            DivisionMember.objects.create(**{**row, "at": at, "player": dropped})
