"""The pages of a screen: at most nine lines each, readable from across a hall."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db.models import OuterRef, Q, Subquery
from django.utils.translation import gettext as _

from draw.brackets.structure import FINAL, MAIN
from players import names
from players.models import Club
from tournaments.base import event_view, labels
from tournaments.base.event_view import MatchView, StageView
from tournaments.models import Pairing, PairingState
from tournaments.pages import bracket_display
from tournaments.pages.bracket_display import MatchLine
from tournaments.pages.event_parts import EventParts
from tournaments.status import Status
from venue.models import Assignment, Room, Show, Table

# Rows per page. A call takes two lines, a table two, a box of a bracket two and each of its rounds a title.
CALLS: Final = 4
TABLES: Final = 12
LINES: Final = 9
BOXES: Final = 4
COLUMNS: Final = 3
# A call is shown, and announced by voice, for at least this long, even if both are at the table already.
STANDS: Final = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Slide:
    show: str
    title: str
    rows: tuple[object, ...] = ()
    number: int = 1
    of: int = 1

    @property
    def key(self) -> str:
        """The identity of the slide, which stays the same while its rows change."""
        return f"{self.show}-{self.title}-{self.number}"

    @property
    def template(self) -> str:
        return f"venue/wall/_{self.show}.html" if self.show != Show.PICTURE else "venue/wall/_club.html"


@dataclass(frozen=True, slots=True)
class CallRow:
    table: str
    one: str
    other: str
    what: str
    called_at: datetime
    # Identifies the call; a repeated call of the match gets another key.
    key: str = ""
    # The table's room, if the club has several and the screen is not bound to one; else "".
    room: str = ""
    # When it is removed if nothing happens: both players are there already.
    until: datetime | None = None

    @property
    def where(self) -> str:
        place = labels.format_table(self.table)
        return f"{place}, {self.room}" if self.room else place


@dataclass(frozen=True, slots=True)
class TableCell:
    label: str
    one: str = ""
    other: str = ""
    is_playing: bool = False


@dataclass(frozen=True, slots=True)
class PairRow:
    table: str
    one: str
    other: str
    told: str
    is_live: bool
    is_decided: bool
    one_won: bool = False
    other_won: bool = False


@dataclass(frozen=True, slots=True)
class BracketBox:
    one: str
    other: str
    score: tuple[str, str]
    table: str
    is_live: bool
    one_won: bool
    other_won: bool


@dataclass(frozen=True, slots=True)
class BracketColumn:
    title: str
    boxes: tuple[BracketBox, ...]


@dataclass(frozen=True, slots=True)
class OrderRow:
    place: str
    name: str
    figures: tuple[str, ...]


def split_pages(show: Show, title: str, rows: Sequence[object], size: int) -> tuple[Slide, ...]:
    """Split rows into pages of nearly equal length."""
    pages = -(-len(rows) // size)
    length = -(-len(rows) // pages) if pages else size
    return tuple(
        Slide(show.value, title, tuple(rows[at * length : (at + 1) * length]), at + 1, pages)
        for at in range(pages)
    )


def list_calls(
    club: Club, room: Room | None, parts: EventParts | None, *, now: datetime
) -> tuple[CallRow, ...]:
    """Return the calls of the last minute, and older ones with a missing player, the latest first."""
    at = Assignment.objects.filter(pairing=OuterRef("pk"), ended_at__isnull=True)
    rows = (
        Pairing.objects.filter(
            tournament__club=club,
            tournament__status=Status.RUNNING,
            state=PairingState.READY,
            called_at__isnull=False,
            opened_at__isnull=False,
        )
        .exclude(table="")
        .filter(Q(a_here_at__isnull=True) | Q(b_here_at__isnull=True) | Q(called_at__gt=now - STANDS))
        .annotate(
            in_room=Subquery(at.values("table__room")[:1]),
            room_name=Subquery(at.values("table__room__name")[:1]),
        )
        .select_related("tournament__club", "round", "a__player", "b__player")
        .order_by("-called_at", "-pk")
    )
    found = [row for row in rows if room is None or row.in_room == room.pk]
    called = event_view.load_seat_names(found)
    names_rooms = bool(found) and room is None and Room.objects.filter(club=club).count() > 1
    return tuple(
        CallRow(
            table=row.table,
            one=called[row.a_id] if row.a_id else "",
            other=called[row.b_id] if row.b_id else "",
            what=_describe_match(row, parts),
            called_at=row.called_at,
            key=f"{row.tournament.key}/{row.key}/{row.called_at.timestamp():.0f}",
            room=(row.room_name or "") if names_rooms else "",
            until=row.called_at + STANDS if _has_begun(row) else None,
        )
        for row in found
        if row.called_at is not None and (row.called_at > now - STANDS or not _has_begun(row))
    )


def _has_begun(row: Pairing) -> bool:
    """True if both are at the table, or a score is kept."""
    both_here = row.a_here_at is not None and row.b_here_at is not None
    return both_here or bool(row.running.get("seats"))


def _describe_match(row: Pairing, parts: EventParts | None) -> str:
    """Return the label of a match: its round if it belongs to the shown event, else its event's name."""
    is_here = parts is not None and parts.view.event.pk == row.tournament_id
    play = parts.view.by_key.get(row.key) if parts is not None and is_here else None
    return parts.view.label(play) if parts is not None and play is not None else row.tournament.name


def build_plan(club: Club, room: Room | None) -> tuple[TableCell, ...]:
    tables = Table.objects.filter(room__club=club).order_by("room", "position")
    if room is not None:
        tables = tables.filter(room=room)
    taken = Assignment.objects.filter(table__in=tables, ended_at__isnull=True)
    at = {row.table_id: row for row in taken.select_related("pairing__a__player", "pairing__b__player")}
    seated = [
        entry.player.public_name for row in at.values() for entry in (row.pairing.a, row.pairing.b) if entry
    ]
    short = dict(zip(seated, names.shorten_names(seated), strict=True))
    cells = []
    for table in tables:
        cell = TableCell(table.label)
        if row := at.get(table.pk):
            sides = (row.pairing.a, row.pairing.b)
            one, other = (short[each.player.public_name] if each else "" for each in sides)
            cell = TableCell(table.label, one, other, row.started_at is not None)
        cells.append(cell)
    return tuple(cells)


def list_rounds(parts: EventParts) -> tuple[tuple[str, tuple[PairRow, ...]], ...]:
    """Return the rounds being played, each with its matches, open ones first."""
    found: dict[str, list[MatchLine]] = {}
    for part in parts.view.parts:
        for made in part.rounds.values():
            if any(play.is_open for play in made):
                shown = [play for play in made if play.state in {PairingState.READY, PairingState.DECIDED}]
                lines = [
                    bracket_display.build_match_line(parts.view, play, has_label=False) for play in shown
                ]
                found.setdefault(parts.view.label(made[0]), []).extend(lines)
    return tuple(
        (
            title,
            tuple(
                _build_pair_row(parts, line)
                for line in sorted(lines, key=lambda each: each.play.state == PairingState.DECIDED)
            ),
        )
        for title, lines in found.items()
    )


def _build_pair_row(parts: EventParts, line: MatchLine) -> PairRow:
    play, short = line.play, parts.view.short_names
    a, b = ("", "") if play.has_no_score else parts.view.score(play)
    return PairRow(
        table=play.table if line.table else "",
        one=short.get(play.a_id or 0, line.one.hint),
        other=short.get(play.b_id or 0, line.other.hint),
        # The sentence about a result without points is too long for its column.
        told=line.result_text if a.isdigit() else a or b,
        is_live=line.state == "live",
        is_decided=play.state == PairingState.DECIDED,
        one_won=line.one.is_winner,
        other_won=line.other.is_winner,
    )


def build_bracket_slides(parts: EventParts) -> Iterator[Slide]:
    """Yield the brackets: from the current round, four matches per page and those that follow from them."""
    for part in parts.view.parts:
        for name in part.last if part.is_sheet else ():
            if name not in {FINAL, labels.THIRD_PLACE}:
                yield from _build_bracket_slides(parts, part, name)


def _build_bracket_slides(parts: EventParts, part: StageView, name: str) -> Iterator[Slide]:
    rounds = []
    for bracket in (MAIN, FINAL) if name == MAIN and FINAL in part.last else (name,):
        for number in range(1, part.last[bracket] + 1):
            plays = part.rounds.get((bracket, number), [])
            if made := [play for play in plays if play.state != PairingState.VACANT]:
                rounds.append((part.round_title(bracket, number), made))
    if not any(play.a_id or play.b_id for _title, made in rounds for play in made):
        return
    first = next(
        (at for at, (_title, made) in enumerate(rounds) if any(_is_open(play) for play in made)),
        len(rounds) - 1,
    )
    # A bracket with few rounds left also shows the rounds before.
    first = max(0, min(first, len(rounds) - COLUMNS))
    shown = rounds[first : first + COLUMNS]
    pages = -(-len(shown[0][1]) // BOXES)
    for at in range(pages):
        columns = []
        for title, made in shown:
            # The matches that belong beside those in the page's first column.
            begin, end = (page * len(made) // pages for page in (at, at + 1))
            boxes = [_build_box(parts, play) for play in made[begin : max(end, begin + 1)][:BOXES]]
            columns.append(BracketColumn(title, tuple(boxes)))
        yield Slide(Show.BRACKET.value, labels.format_bracket(name), tuple(columns), at + 1, pages)


def _is_open(play: MatchView) -> bool:
    return play.state in {PairingState.READY, PairingState.WAITING}


def _build_box(parts: EventParts, play: MatchView) -> BracketBox:
    line, short = bracket_display.build_match_line(parts.view, play, has_label=False), parts.view.short_names
    # The names of possible players would be too long to read from afar.
    nobody = parts.view.words.bye if play.state == PairingState.BYE else ""
    return BracketBox(
        one=short.get(play.a_id or 0, nobody),
        other=short.get(play.b_id or 0, nobody),
        score=parts.view.score(play),
        table=play.table if line.table else "",
        is_live=line.state == "live",
        one_won=line.one.is_winner,
        other_won=line.other.is_winner,
    )


def build_standings_slides(parts: EventParts) -> Iterator[Slide]:
    """Yield the standings, nine lines per page, with the first two figures."""
    for table in parts.tables:
        rows = tuple(OrderRow(row.place, row.who.name, row.figures[:2]) for row in table.rows)
        yield from split_pages(Show.STANDINGS, table.title or _("Standings"), rows, LINES)
