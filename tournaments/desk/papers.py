"""The papers of an event that a director can print, and their contents."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments import hooks
from tournaments.base import event_lines, labels, rules_in_words
from tournaments.base.event_view import EventView, MatchView
from tournaments.models import Entry, Tournament
from tournaments.status import Status

# Result slips per page.
SLIPS: Final = 4
# Games on a score sheet: matches to 11 points rarely have more.
GAMES: Final = 21


@dataclass(frozen=True, slots=True)
class Paper:
    title: str
    about: str
    url: str


def list_papers(event: Tournament, view: EventView) -> tuple[Paper, ...]:
    found = [*_list_own_papers(event, view)]
    for one in hooks.PAPERS:
        if one.is_there(event):
            where, query = (event.club.slug, {"event": event.key}) if one.is_of_club else (event.key, {})
            found.append(
                Paper(str(one.title), str(one.about), reverse(one.address, args=[where], query=query))
            )
    return tuple(found)


def _list_own_papers(event: Tournament, view: EventView) -> Iterator[Paper]:
    def paper(name: str, title: str, about: str, query: str = "") -> Paper:
        return Paper(title, about, reverse(f"tournaments:paper_{name}", args=[event.key]) + query)

    if event.status in (Status.PUBLISHED, Status.RUNNING):
        about = _("Members who scan it enter the event; guests wait until you let them in.")
        yield paper("door", _("Code at the door"), about)
    is_drawn = any(part.plays for part in view.parts)
    if any(part.is_sheet for part in view.parts):
        if is_drawn:
            yield paper("draw", _("Draw sheet"), _("The current brackets, with space to write on."))
        yield paper("draw", _("Blank draw sheet"), _("The same brackets without names."), query="?blank=yes")
    if is_drawn:
        yield paper("pairings", _("Pairings by table"), _("Who plays now, table by table."))
        yield paper("names", _("Pairings by name"), _("Everybody finds their table and opponent by name."))
        yield paper("slips", _("Result slips"), _("Four to a page; the code on a slip opens its match."))
        about = _("One for each match that is played now, with a code that opens it.")
        yield paper("score_sheet", _("Score sheets"), about, "?of=matches")
        yield paper("standings", _("Standings"), _("The current order."))
    if is_drawn and any(not part.is_sheet for part in view.parts):
        yield paper("cross", _("Cross-table"), _("Who has met whom, and how it ended."))
    yield paper("score_sheet", _("Blank score sheet"), _("For one match, game by game, to be filled in."))
    yield paper("entries", _("Entries by name"), _("Everyone who has entered, with a box to tick."))
    about = _("Everyone who has entered, the highest rating first.")
    yield paper("entries", _("Entries by rating"), about, "?by=rating")


@dataclass(frozen=True, slots=True)
class PairingRow:
    key: str
    table: str
    a: str
    b: str
    label: str
    length: str


def list_pairings(view: EventView) -> tuple[PairingRow, ...]:
    """List the open matches by table; those without a table come last."""
    rows = [_build_row(view, play) for play in view.plays if play.is_open]
    return tuple(sorted(rows, key=lambda row: (not row.table, _build_sort_key(row.table))))


def _build_row(view: EventView, play: MatchView) -> PairingRow:
    names = [who.name if (who := view.who(pk)) is not None else "" for pk in (play.a_id, play.b_id)]
    length = rules_in_words.describe_pairing_length(play.length, play.rules)
    return PairingRow(play.key, play.table, names[0], names[1], view.label(play), length)


def _build_sort_key(label: str) -> list[tuple[int, str]]:
    """Return a sort key for tables, so that 10 comes after 9.

    >>> sorted(["10", "9", "B2"], key=_build_sort_key)
    ['9', '10', 'B2']
    """
    return [(int(part), "") if part.isdigit() else (10**9, part) for part in re.findall(r"\d+|\D+", label)]


@dataclass(frozen=True, slots=True)
class NameRow:
    name: str
    table: str
    opponent: str
    label: str


def list_players_by_name(view: EventView) -> tuple[NameRow, ...]:
    """List the players still in the event by name, with their open match if there is one."""
    plays = {pk: play for play in view.plays if play.is_open for pk in (play.a_id, play.b_id)}
    # In brackets it is known who is out; in rounds everyone plays on unless they have left.
    begun = [part for part in view.parts if part.plays]
    has_rounds = bool(begun) and not begun[-1].is_sheet
    rows = []
    for pk, who in view.people.items():
        if who.left or not (has_rounds or pk in view.ahead):
            continue
        play = plays.get(pk)
        if play is None:
            rows.append(NameRow(who.name, "", "", ""))
            continue
        other = view.who(play.b_id if play.a_id == pk else play.a_id)
        rows.append(NameRow(who.name, play.table, other.name if other else "", view.label(play)))
    return tuple(sorted(rows, key=lambda row: row.name.casefold()))


def split_pages(rows: Iterable[object], size: int = SLIPS) -> tuple[tuple[object, ...], ...]:
    """Split rows into pages.

    >>> split_pages("abcde", 2)
    (('a', 'b'), ('c', 'd'), ('e',))
    """
    found = tuple(rows)
    return tuple(found[at : at + size] for at in range(0, len(found), size))


@dataclass(frozen=True, slots=True)
class EntryRow:
    number: int
    name: str
    club: str
    rating: str
    seed: int | None
    is_here: bool
    waits: bool


def list_entries(event: Tournament, *, by_rating: bool) -> tuple[EntryRow, ...]:
    """List the entries by name, or by rating with unrated players last; the waiting list follows."""
    rows = Entry.objects.filter(tournament=event, withdrawn_at__isnull=True).select_related("player")
    players = [row.player for row in rows]
    players_shown = [(each.name, each.alias, each.shown_as, each.erased_at) for each in players]
    named = list(zip(event_lines.list_styled_names(players_shown, event.club.name_style), rows, strict=True))
    named.sort(key=lambda each: (each[0].casefold(), each[1].number))
    named.sort(key=lambda each: (each[1].waits, -(each[1].rating or 0.0) if by_rating else 0.0))
    return tuple(
        EntryRow(
            number=row.number,
            name=name,
            club=row.club,
            rating="" if row.rating is None else labels.format_figure(row.rating),
            seed=row.seed,
            is_here=row.checked_in_at is not None,
            waits=row.waits,
        )
        for name, row in named
    )
