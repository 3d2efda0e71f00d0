"""An uploaded file of players: its columns, errors by cell, and the player of each row."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.files.cells import (
    NUMBER,
    Cell,
    CellReader,
    compute_share,
    find_columns,
    list_unused,
    parse_rating,
)
from players.names import fold
from players.people.namesakes import LEAVE, NEW, KnownMembers, NamesakeChoice
from tournaments.base import expectations, pasted_lists
from tournaments.hooks import ExtraColumn
from tournaments.models import Tournament

NAME, FIRST, LAST, RATING, CLUB = ("name", "first", "last", "rating", "club")
TITLES: Final = {
    NAME: gettext_lazy("Name"),
    FIRST: gettext_lazy("First name"),
    LAST: gettext_lazy("Last name"),
    RATING: gettext_lazy("Rating"),
    CLUB: gettext_lazy("Club"),
}
# Known titles of columns, case-folded.
HEADS: Final = {
    NAME: {*pasted_lists.HEADINGS, "full name", "participant", "participants", "teilnehmer", "teilnehmerin"},
    FIRST: {"first name", "firstname", "first", "given name", "vorname"},
    LAST: {"last name", "lastname", "last", "surname", "family name", "nachname", "familienname"},
    RATING: {"rating", "elo", "wertung", "wertungszahl", "fibs", "glicko"},
    CLUB: {"club", "verein", "klub", "team", "town", "city", "ort", "stadt"},
}

TWICE: Final = "twice"
# Texts that mean yes and no.
YES: Final = frozenset({"yes", "y", "x", "1", "true", "paid", "ok", "ja", "j", "wahr", "bezahlt"})
NO: Final = frozenset({"", "no", "n", "0", "-", "false", "nein", "falsch", "offen"})


@dataclass(frozen=True, slots=True)
class RosterRow:
    number: int
    name: str
    rating: float | None
    club: str
    # The first is the default.
    choices: tuple[NamesakeChoice, ...]
    chosen: str
    # True for a member of exactly this name, and for a name that resembles no member's.
    is_certain: bool
    is_in: bool
    # Ticked extra columns: name and title.
    ticks: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def who(self) -> str:
        return next(one.label for one in self.choices if one.value == self.chosen)

    @property
    def ticked(self) -> tuple[str, ...]:
        return tuple(sorted(self.ticks.values()))

    @property
    def is_new(self) -> bool:
        return self.chosen == NEW

    @property
    def line(self) -> pasted_lists.PastedLine:
        key = "" if self.is_new else self.chosen
        return pasted_lists.PastedLine(self.name, self.name, self.rating, self.club, key=key)


@dataclass(frozen=True, slots=True)
class RosterFile:
    rows: tuple[RosterRow, ...] = ()
    wrong: tuple[Cell, ...] = ()
    # Titles of unused columns.
    unused: tuple[str, ...] = ()

    @property
    def to_decide(self) -> tuple[RosterRow, ...]:
        """Rows without a certain player."""
        return tuple(row for row in self.rows if not row.is_certain)

    @property
    def certain(self) -> tuple[RosterRow, ...]:
        return tuple(row for row in self.rows if row.is_certain)


def guess_columns(
    table: Sequence[Sequence[str]], extra: Mapping[str, ExtraColumn] | None = None
) -> dict[str, int | None]:
    """Guess the columns of the fields, by title or else by content."""
    found = find_columns(table, HEADS | {name: column.heads for name, column in (extra or {}).items()})
    if found[FIRST] is not None and found[LAST] is None:
        # In a file with "Vorname" and "Name", the latter is the last name.
        found[LAST], found[NAME] = found[NAME], None
    has_head = any(at is not None for at in found.values())
    taken = {at for at in found.values() if at is not None}
    free = [at for at in range(max(len(row) for row in table)) if at not in taken]
    rows = table[1:] if has_head else table
    if found[NAME] is None and found[LAST] is None:
        found[NAME] = next(
            (at for at in free if compute_share(rows, at, lambda text: not NUMBER.fullmatch(text)) > 0.5),
            None,
        )
    # Numbers below another title are years or member numbers.
    if found[RATING] is None and not has_head:
        found[RATING] = next((at for at in free if compute_share(rows, at, _is_rating) > 0.5), None)
    return found


def parse_roster(
    table: Sequence[Sequence[str]],
    *,
    event: Tournament,
    columns: Mapping[str, int | None],
    choices: Mapping[int, str],
    extra: Mapping[str, ExtraColumn] | None = None,
) -> RosterFile:
    """Parse the table; *choices* are the chosen players by row number."""
    head = table[0] if table else []
    first = 1 if _is_head(head, columns, extra or {}) else 0
    reader = CellReader(columns)
    named = {
        number: _read_name(reader, row, number)
        for number, row in enumerate(table[first:], first + 1)
        if any(row)
    }
    # It may be another person of that name.
    same_names = ((number, fold(name), name) for number, name in named.items() if name)
    _note_repeated(reader, same_names, _("This name is already in row %(row)s."))
    known = KnownMembers(event.club, {number: name for number, name in named.items() if name})
    inside = set(expectations.map_entry_players(event).values())
    # Members whose exact name is in a row are not offered for other rows.
    exactly = {same[0].key for name in named.values() if len(same := known.by_fold.get(fold(name), [])) == 1}
    rows: list[RosterRow] = []
    for number, name in named.items():
        row = table[number - 1]
        rating = _read_rating(reader, row, number)
        club = " ".join(reader.cell(row, CLUB).split())[:80]
        ticks = {
            what: str(column.title)
            for what, column in (extra or {}).items()
            if _is_ticked(reader, row, what, number)
        }
        if not name:
            continue
        offered = _list_choices(known, number, name, exactly)
        selected = choices.get(number, "")
        chosen = selected if selected in {choice.value for choice in offered} else offered[0].value
        is_certain, is_in = len(offered) == 1, chosen in inside
        rows.append(RosterRow(number, name, rating, club, offered, chosen, is_certain, is_in, ticks))
    members = ((row.number, row.chosen, row.name) for row in rows if row.chosen != NEW)
    _note_repeated(reader, members, _("Row %(row)s is already used for the same player."))
    unused = list_unused(head, columns) if first else ()
    return RosterFile(tuple(rows), tuple(sorted(reader.wrong, key=lambda cell: cell.row)), unused)


def _list_choices(
    known: KnownMembers, number: int, name: str, exactly: Collection[str]
) -> tuple[NamesakeChoice, ...]:
    """List the possible players of a row.

    Rows cannot be skipped, and a guest with the same name as a member is not offered as new.
    """
    choices, is_certain = known.offered(number, name, strangers=NEW)
    if is_certain:
        return choices[:1]
    has_namesakes = fold(name) in known.by_fold
    return tuple(
        one
        for one in choices
        if one.value != LEAVE and not (one.value == NEW and has_namesakes) and one.value not in exactly
    )


def _read_name(reader: CellReader, row: Sequence[str], number: int) -> str:
    """Return the name in a row; "" if there is no valid one."""
    if reader.columns.get(LAST) is None and reader.columns.get(FIRST) is None:
        return reader.name(row, NAME, number)
    parts = [
        reader.name(row, what, number) for what in (FIRST, LAST) if reader.cell(row, what) or what == LAST
    ]
    return " ".join(parts) if all(parts) else ""


def _note_repeated(reader: CellReader, rows: Iterable[tuple[int, str, str]], sentence: str) -> None:
    """Note an error at each row that has the same key as an earlier one: numbers, keys and names of rows."""
    first: dict[str, int] = {}
    repeated_rows = {cell.row for cell in reader.wrong if cell.code == TWICE}
    column = NAME if reader.columns.get(NAME) is not None else LAST
    for number, key, name in rows:
        if number not in repeated_rows and (before := first.setdefault(key, number)) != number:
            reader.note(number, column, name, TWICE, sentence % {"row": before})


def _read_rating(reader: CellReader, row: Sequence[str], number: int) -> float | None:
    found = reader.number(row, RATING, number, parse_rating)
    if found is not None and not pasted_lists.LEAST <= found < pasted_lists.MOST:
        sentence = _("A rating is between %(least)s and %(most)s.")
        figures = {"least": int(pasted_lists.LEAST), "most": int(pasted_lists.MOST)}
        reader.note(number, RATING, reader.cell(row, RATING), "no_rating", sentence % figures)
        return None
    return found


def _is_ticked(reader: CellReader, row: Sequence[str], what: str, number: int) -> bool:
    text = fold(reader.cell(row, what).strip())
    if text not in YES | NO:
        reader.note(number, what, text, "no_tick", _("Write yes or no, or leave it empty."))
    return text in YES


def _is_head(
    head: Sequence[str], columns: Mapping[str, int | None], extra: Mapping[str, ExtraColumn]
) -> bool:
    """True if the first row contains titles."""
    words = HEADS | {name: set(column.heads) for name, column in extra.items()}
    return any(
        at is not None and at < len(head) and fold(head[at]) in words[what] | HEADS[NAME]
        for what, at in columns.items()
    )


def _is_rating(text: str) -> bool:
    return pasted_lists.LEAST <= (parse_rating(text) or 0) < pasted_lists.MOST
