"""A drafted round for the director: pairings, warnings, and exchanges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from draw import stages as rules
from draw.event import Figure
from tournaments.base import event_rows, event_view, labels, seating
from tournaments.base.event_rows import Rows
from tournaments.base.event_view import EventView, MatchView
from tournaments.base.seating import Exchange, Seats
from tournaments.models import PairingState, ResultKind, Round, Tournament
from tournaments.pages import reasons

MET = frozenset({"", ResultKind.PLAYED.value, ResultKind.DRAWN.value})


@dataclass(frozen=True, slots=True)
class DraftedPlayer:
    number: int
    name: str
    score: str  # "" if the format counts none
    is_moved: bool


@dataclass(frozen=True, slots=True)
class DraftedTable:
    """Two players who would meet, or one with a bye."""

    title: str
    one: DraftedPlayer
    other: DraftedPlayer | None
    warnings: tuple[str, ...]
    why: tuple[str, ...]
    # True if one of the reasons is worth reading before publishing.
    is_unusual: bool


@dataclass(frozen=True, slots=True)
class Swap:
    pair: str  # as the form sends it: "3-7"
    one: str
    other: str


@dataclass(frozen=True, slots=True)
class DraftedRound:
    title: str
    tables: tuple[DraftedTable, ...]
    swaps: tuple[Swap, ...]
    mark: str
    warned: int


def load_drafted_round(event: Tournament, batch: Round, exchanges: Sequence[Exchange]) -> DraftedRound:
    """Load a drafted round, with these exchanges applied.

    :raises NotInRound, SamePairing, SameEntryTwice: an exchange is invalid.
    """
    drafted = seating.load_seats(batch)
    now = seating.exchange_seats(drafted, exchanges)
    view = event_view.load_view(event, with_drafts=True)
    rows = event_rows.load_rows(event)
    before = {who: each.key for each in drafted for who in (each.a, each.b)}
    moved = {who for each in now for who in (each.a, each.b) if who is not None and before[who] != each.key}
    people = _RoundPlayers(view, rows, _map_scores(rows, batch.stage.name), moved)
    # The stored reasons do not explain a pairing that the director has changed.
    unmoved = {seats.key for seats in set(drafted) & set(now)}
    why = {row.key: row.why for row in rows.pairings if row.key in unmoved}
    tables = tuple(people.table(seats, why.get(seats.key, [])) for seats in now)
    title = labels.format_round(batch.number)
    return DraftedRound(
        title=f"{batch.stage.name.capitalize()} · {title}" if batch.stage.name else title,
        tables=tables,
        swaps=tuple(Swap(f"{one}-{other}", people.name(one), people.name(other)) for one, other in exchanges),
        mark=seating.hash_seats(drafted),
        warned=sum(bool(table.warnings) for table in tables),
    )


class _RoundPlayers:
    """The players of the event, with warnings about their pairings."""

    def __init__(self, view: EventView, rows: Rows, scores: dict[int, str], moved: set[int]) -> None:
        self.view, self.scores, self.moved = view, scores, moved
        self.entries = {entry.number: entry for entry in rows.entries}
        self.met = _map_meetings(view)
        self.explainer = reasons.Explainer(self.name)

    def name(self, number: int) -> str:
        who = self.view.by_number.get(number)
        return who.name if who else ""

    def sitter(self, number: int) -> DraftedPlayer:
        return DraftedPlayer(number, self.name(number), self.scores.get(number, ""), number in self.moved)

    def table(self, seats: Seats, written_reasons: Sequence[Mapping[str, Any]]) -> DraftedTable:
        found = self.explainer.of_play(self.view, self.view.by_key[seats.key], written_reasons)
        return DraftedTable(
            title=_("Sits out") if seats.b is None else labels.format_table(str(seats.number)),
            one=self.sitter(seats.a),
            other=None if seats.b is None else self.sitter(seats.b),
            warnings=() if seats.b is None else tuple(self._list_warnings(seats.a, seats.b)),
            why=tuple(one.sentence for one in found),
            is_unusual=any(one.code not in reasons.USUAL for one in found),
        )

    def _list_warnings(self, a: int, b: int) -> list[str]:
        one, other = self.entries[a], self.entries[b]
        found = [
            _("They have met before: %(round)s.") % {"round": self.view.label(play)}
            for play in self.met.get(frozenset((one.pk, other.pk)), ())
        ]
        if one.club and one.club == other.club:
            found.append(_("Both are of %(club)s.") % {"club": one.club})
        if any({a, b} <= set(apart["members"]) for apart in self.view.event.apart):
            found.append(_("They are to be kept apart."))
        return found


def _map_meetings(view: EventView) -> dict[frozenset[int | None], list[MatchView]]:
    """Map each pair of players to their matches in this event, including those in play."""
    found: dict[frozenset[int | None], list[MatchView]] = {}
    for play in view.plays:
        is_meeting = play.state in {PairingState.READY, PairingState.DECIDED} and play.kind in MET
        if is_meeting and play.opened_at is not None:
            found.setdefault(frozenset((play.a_id, play.b_id)), []).append(play)
    return found


def _map_scores(rows: Rows, stage: str) -> dict[int, str]:
    done = rules.propose_stages(event_rows.build_event(rows))
    ranking = done[stage].ranking if stage in done else ()
    return {int(one.entrant): _format_score(dict(one.figures)) for one in ranking}


def _format_score(figures: dict[str, Figure]) -> str:
    name = next((name for name in ("lives", "points") if figures.get(name) is not None), "")
    if not name:
        return ""
    count, value = (1 if figures[name] == 1 else 2), labels.format_figure(figures[name])
    if name == "lives":
        return ngettext("%(lives)s life", "%(lives)s lives", count) % {"lives": value}
    return ngettext("%(points)s point", "%(points)s points", count) % {"points": value}
