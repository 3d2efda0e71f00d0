"""Divisions for pages and the API: tables, proposed and confirmed moves, reasons."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext, ngettext, pgettext

from players.models import Membership, Player, User
from rankings.formulas.divisions import ABSENT, BY_LOT, Division, Member, list_moves
from rankings.models import (
    ClosingMove,
    DivisionMember,
    Season,
    SeasonClosing,
    SeasonDivision,
    SeasonMove,
    SeasonPoints,
    SeasonStanding,
)
from rankings.seasons import season_pages, seasons
from runtime.rows import hash_values


@dataclass(frozen=True, slots=True)
class DivisionLine:
    move: ClosingMove
    # The move by the table, the reason, and the confirmed move; the same unless a director decides otherwise.
    proposed: SeasonMove
    why: str
    goes: SeasonMove
    reason: str
    # The moves that a director can choose.
    ways: tuple[tuple[str, str], ...]
    is_me: bool

    @property
    def is_other(self) -> bool:
        """True if a director has overruled the table."""
        return self.goes != self.proposed


@dataclass(frozen=True, slots=True)
class DivisionTable:
    division: SeasonDivision
    rows: tuple[DivisionLine, ...]
    # The numbers of promoted and relegated players, in words.
    rule: str


@dataclass(frozen=True, slots=True)
class DivisionsPage:
    season: Season
    is_over: bool
    closing: SeasonClosing | None
    tables: tuple[DivisionTable, ...]
    rules: tuple[str, ...]
    # The version key of the tables, sent back with the confirmation.
    seen: str

    @property
    def players(self) -> int:
        return sum(len(table.rows) for table in self.tables)


@dataclass(frozen=True, slots=True)
class Placement:
    """A player who may be placed in a division, with their current one."""

    key: str
    name: str
    number: int | None
    # The one that the form shows: the current one, or after a refusal the one that was chosen.
    chosen: int | None
    # After a refusal, the current division in words if it is not the one that the director had seen.
    moved_to: str = ""


def list_divisions(season: Season) -> list[SeasonDivision]:
    return list(SeasonDivision.objects.filter(season=season).order_by("number"))


def load_moves(season: Season) -> tuple[list[SeasonDivision], list[ClosingMove]]:
    """Return a season's divisions, and the moves by the current table, unsaved."""
    found = list_divisions(season)
    rows = list(DivisionMember.objects.filter(season=season).select_related("player"))
    points = dict(SeasonStanding.objects.filter(season=season).values_list("player", "points"))
    places: dict[int, list[int | None]] = defaultdict(list)
    for player, place in SeasonPoints.objects.filter(season=season).values_list("player", "place"):
        places[player].append(place)
    inside: dict[int, list[Member]] = defaultdict(list)
    for row in rows:
        had = Fraction(points.get(row.player_id, 0))
        one = Member(row.player.key, had, tuple(places[row.player_id]))
        inside[row.division_id].append(one)
    divisions = [Division(each.name, each.up, each.down, tuple(inside[each.pk])) for each in found]
    players = {row.player.key: row.player for row in rows}
    return found, [
        ClosingMove(
            player=players[move.player],
            division=found[move.division],
            place=move.place,
            points=seasons.to_decimal(move.points),
            events=move.events,
            why=move.why,
            proposed=move.goes,
            goes=move.goes,
        )
        for move in list_moves(divisions, season.key)
    ]


def compute_version_key(found: Sequence[SeasonDivision], moves: Sequence[ClosingMove]) -> str:
    """Return the version key of the tables shown to a director."""
    return hash_values(
        [[each.number, each.name, each.up, each.down] for each in found],
        [[row.player.key, row.division.number, row.place, row.points, row.goes, row.why] for row in moves],
    )


def load_divisions_page(season: Season, viewer: User | AnonymousUser, *, now: datetime) -> DivisionsPage:
    """Return the divisions of a season, current or confirmed."""
    closing = SeasonClosing.objects.filter(season=season).select_related("next", "by__player").first()
    mine = viewer.player.key if viewer.is_authenticated else ""
    if closing is None:
        found, moves = load_moves(season)
        seen = compute_version_key(found, moves)
    else:
        found, seen = list_divisions(season), ""
        rows = ClosingMove.objects.filter(closing=closing).select_related("player", "division")
        moves = list(rows.order_by("division__number", "pk"))
    is_over = season.to_day < season_pages.get_today(season.club, now)
    tables = tuple(
        DivisionTable(
            each,
            tuple(
                _build_line(row, len(found), is_me=row.player.key == mine)
                for row in moves
                if row.division_id == each.pk
            ),
            _describe_rule(each, len(found)),
        )
        for each in found
    )
    return DivisionsPage(season, is_over, closing, tables, tuple(describe_order(season)), seen)


def describe_order(season: Season) -> Iterator[str]:
    """Describe the order within a division, one sentence at a time."""
    yield gettext("The players of a division are ranked by the season's points.")
    yield gettext(
        "Among players with the same points, those who took part in an event rank above those who"
        " did not. Then the number of first places decides, then of second places, and so on."
    )
    yield gettext(
        "Players who are equal in all of this share the place. If the line between two divisions "
        "falls within a shared place, a lot decides that anyone can repeat: SHA-256 of "
        "%(lot)s:PLAYER, with the player's key; the lower one goes first."
    ) % {"lot": season.key}
    yield gettext(
        "Players who took part in no event do not go up. A director can decide otherwise and gives a reason."
    )


def list_candidates(season: Season, refused: Mapping[str, tuple[int | None, int | None]]) -> list[Placement]:
    """Return the players who may be placed: members of the club and players of the divisions; by name.

    :param refused: by key of the player, the division that a director had seen and the one that they chose, which
        was not saved.
    """
    numbers = dict(
        DivisionMember.objects.filter(season=season).values_list("player__key", "division__number")
    )
    names = dict(SeasonDivision.objects.filter(season=season).values_list("number", "name"))
    shown = {key: two for key, two in refused.items() if two[1] is None or two[1] in names}
    rows = Membership.objects.filter(club=season.club_id).select_related("player")
    people = {row.player.key: row.player for row in rows}
    placed = DivisionMember.objects.filter(season=season).select_related("player")
    people |= {row.player.key: row.player for row in placed}
    ordered = sorted(people.values(), key=lambda player: (player.folded_name, player.pk))
    return [
        _build_placement(player, numbers.get(player.key), shown.get(player.key), names) for player in ordered
    ]


def _build_placement(
    player: Player,
    number: int | None,
    refusal: tuple[int | None, int | None] | None,
    names: Mapping[int, str],
) -> Placement:
    if refusal is None:
        return Placement(player.key, player.public_name, number, number)
    seen, chosen = refusal
    now_in = names[number] if number is not None else pgettext("division", "in none")
    moved_to = "" if number == seen else now_in
    return Placement(player.key, player.public_name, number, chosen, moved_to)


def list_later(season: Season) -> list[Season]:
    """Return the seasons that can follow this one, the next first."""
    rows = Season.objects.filter(
        club=season.club_id, from_day__gt=season.from_day, opened_by__isnull=True, closing__isnull=True
    )
    return list(rows.exclude(pk=season.pk).order_by("from_day", "pk"))


def list_possible_moves(number: int, divisions: int) -> tuple[SeasonMove, ...]:
    """Return the moves that are possible from this division.

    >>> [way.value for way in list_possible_moves(1, 2)]
    ['stays', 'down', 'out']
    """
    up = (SeasonMove.UP,) if number > 1 else ()
    return (*up, SeasonMove.STAYS, *((SeasonMove.DOWN,) if number < divisions else ()), SeasonMove.OUT)


def find_target(number: int, goes: SeasonMove) -> int | None:
    """Return the number of the target division, None for leaving the league."""
    steps = {SeasonMove.UP: -1, SeasonMove.STAYS: 0, SeasonMove.DOWN: 1}
    return None if goes == SeasonMove.OUT else number + steps[goes]


def export_divisions(player: Player) -> list[dict[str, object]]:
    rows = DivisionMember.objects.filter(player=player).select_related("division", "season__club")
    moved = {
        row.closing.season_id: row
        for row in ClosingMove.objects.filter(player=player).select_related("closing")
    }
    found: list[dict[str, object]] = []
    for row in rows.order_by("season"):
        move = moved.get(row.season_id)
        found.append(
            {
                "club": row.season.club.name,
                "season": row.season.name,
                "division": row.division.name,
                "since": row.at.isoformat(),
                "place": move and move.place,
                "goes": move and move.goes,
                "reason": move and move.reason,
            }
        )
    return found


def _build_line(row: ClosingMove, divisions: int, *, is_me: bool) -> DivisionLine:
    proposed = SeasonMove(row.proposed)
    return DivisionLine(
        move=row,
        proposed=proposed,
        why=_describe_reason(row.why, proposed, row.place, row.division),
        goes=SeasonMove(row.goes),
        reason=row.reason,
        ways=tuple(
            (way.value, str(way.label)) for way in list_possible_moves(row.division.number, divisions)
        ),
        is_me=is_me,
    )


def _describe_reason(code: str, goes: SeasonMove, place: int, division: SeasonDivision) -> str:
    if code == BY_LOT:
        return gettext("Shares place %(place)s across the line: the lot decided.") % {"place": place}
    if goes == SeasonMove.UP:
        return _describe_promotion(division.up)
    if goes == SeasonMove.DOWN:
        return _describe_relegation(division.down)
    if code == ABSENT:
        return gettext("Took part in no event.")
    return ""


def _describe_promotion(count: int) -> str:
    sentence = ngettext("The first goes up.", "The first %(players)s go up.", count)
    return sentence % {"players": count}


def _describe_relegation(count: int) -> str:
    sentence = ngettext("The last goes down.", "The last %(players)s go down.", count)
    return sentence % {"players": count}


def _describe_rule(division: SeasonDivision, divisions: int) -> str:
    parts = []
    if division.up and division.number > 1:
        parts.append(_describe_promotion(division.up))
    if division.down and division.number < divisions:
        parts.append(_describe_relegation(division.down))
    return " ".join(parts)
