"""Current standings with the values of the tie-breaks."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _

from draw import stages as rules
from draw.brackets.structure import FINAL, MAIN
from draw.event import EntrantId, Figure, Kind, Ranked, Reason, format_places
from draw.history import PLAYOFF_BRACKET
from tournaments.base import event_rows, labels
from tournaments.base.event_view import EntryView, EventView, StageView
from tournaments.models import PairingState
from tournaments.pages import reasons
from tournaments.pages.event_page_data import MEDALS
from tournaments.status import Status

# Brackets whose winners are not named beside the table: their place in it says what they have won.
UNNAMED: Final = frozenset({MAIN, FINAL, labels.THIRD_PLACE})
MOST_IN_FRONT: Final = 5


@dataclass(frozen=True, slots=True)
class Standing:
    who: EntryView
    place: str  # "3" or "3-4"
    rank: int
    shared: int
    group: str
    figures: tuple[str, ...]
    medal: str
    # In a running knock-out: "Still in the main draw", "Consolation", "Out".
    stage: str = ""
    # Matches of this table that have a result.
    played: int = 0


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    meaning: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class StandingsTable:
    title: str
    columns: tuple[Column, ...]
    rows: tuple[Standing, ...]
    # True if the only column is the last match of each player.
    is_reached: bool = False
    # Side brackets with their winners.
    winners: tuple[tuple[str, EntryView], ...] = ()
    event_file: str = ""
    # The ranking, to explain ties.
    ranked: tuple[Ranked, ...] = ()
    names: reasons.Names = str
    notes: tuple[Reason, ...] = ()

    @property
    def front(self) -> tuple[Standing, ...]:
        """The first rows; in a knock-out only those at the same stage as the leader."""
        return tuple(row for row in self.rows[:MOST_IN_FRONT] if row.stage == self.rows[0].stage)

    @property
    def why(self) -> tuple[str, ...]:
        if self.is_reached:
            return ()
        return tuple(
            explanation.sentence for explanation in reasons.Explainer(self.names).of_order(self.ranked)
        )

    @property
    def noted(self) -> tuple[str, ...]:
        return tuple(reasons.translate_reason(one, self.names).sentence for one in self.notes)

    @property
    def has_legend(self) -> bool:
        return any(column.meaning for column in self.columns)

    @property
    def has_lot(self) -> bool:
        return any(column.key == "lot" for column in self.columns)


def get_ranking(view: EventView, part: StageView | None = None) -> tuple[Ranked, ...]:
    """Return the current ranking of an event or of one stage; empty before the draw."""
    if not any(part.is_drawn for part in view.parts):
        return ()
    if part is None or len(view.parts) == 1:
        return view.standings.order
    return view.stage_rankings.get(part.stage.name, ())


def build_tables(view: EventView) -> tuple[StandingsTable, ...]:
    """Return the standings of an event: one table, or one for each group of its only stage.

    With several stages, tables of the stages that are not brackets follow.
    """
    ranked = get_ranking(view)
    begun = [part for part in view.parts if part.is_drawn]
    if len(begun) == 1:
        found = _build_stage_tables(view, begun[0], ranked, "")
    else:
        is_reached = any(part.is_sheet for part in begun)
        found = [_build_table(view, "", ranked, is_reached=is_reached)] if ranked else []
        for part in begun:
            if not part.is_sheet:
                found += _build_stage_tables(view, part, get_ranking(view, part), part.stage.name)
    return _attach_notes(found, view.standings.notes)


def _attach_notes(found: Sequence[StandingsTable], notes: Iterable[Reason]) -> tuple[StandingsTable, ...]:
    """Add each note to the first table with the player whom it names, or else to the first table."""
    indexes: dict[object, int] = {}
    for index, table in enumerate(found):
        for one in table.ranked:
            indexes.setdefault(one.entrant, index)
    own = defaultdict(list)
    for note in notes:
        own[indexes.get(dict(note.figures).get("entrant"), 0)].append(note)
    return tuple(
        replace(table, notes=tuple(own[index])) if own[index] else table for index, table in enumerate(found)
    )


def _build_stage_tables(
    view: EventView, part: StageView, ranked: tuple[Ranked, ...], title: str
) -> list[StandingsTable]:
    played = _count_played(part)
    groups = sorted({one.group for one in ranked if one.group})
    if not groups:
        return [_build_table(view, title, ranked, played)] if ranked else []
    return [
        _build_table(view, labels.format_bracket(name), [one for one in ranked if one.group == name], played)
        for name in groups
    ]


def _count_played(part: StageView) -> Counter[int]:
    """Count the decided matches of each entry in a stage, by primary key.

    Play-offs bring no points and are left out.
    """
    return Counter(
        pk
        for play in part.plays
        if play.state == PairingState.DECIDED
        and not play.is_cancelled
        and play.kind != Kind.VOID
        and play.bracket != PLAYOFF_BRACKET
        for pk in (play.a_id, play.b_id)
        if pk is not None
    )


def _build_table(
    view: EventView,
    title: str,
    ranked: Iterable[Ranked],
    played: Mapping[int, int] | None = None,
    *,
    is_reached: bool = False,
) -> StandingsTable:
    found = list(ranked)
    stages = (event_rows.build_stage(view.event, stage) for stage in view.stages)
    chain = [name for stage in stages for name in rules.list_tie_breaks(stage)]
    names = list(dict.fromkeys(name for one in found for name, _figure in one.figures))
    names.sort(key=lambda name: chain.index(name) if name in chain else len(chain))
    # A knock-out has no values until a player is out.
    is_knock_out = all(part.is_sheet for part in view.parts)
    is_reached = is_reached or names[:2] == ["bracket", "round"] or (not names and is_knock_out)
    is_over = view.event.status == Status.FINISHED
    rows: list[Standing] = []
    # Places are counted within the group; ties share them.
    within = _compute_group_places(found) if title else {one.entrant: (one.rank, one.shared) for one in found}
    for one in found:
        who = view.by_number.get(int(one.entrant))
        if who is None:
            continue
        rank, shared = within[one.entrant]
        figures = dict(one.figures)
        rows.append(
            Standing(
                who=who,
                place=format_places(rank, shared),
                rank=rank,
                shared=shared,
                group="" if title or is_reached or not one.group else labels.format_bracket(one.group),
                figures=(_describe_last_round(view, figures) or _describe_next_match(view, who, one.group),)
                if is_reached
                else tuple(_format_figure(name, figures.get(name)) for name in names),
                medal=MEDALS.get(rank, "") if is_over and not title else "",
                played=(played or {}).get(who.pk, 0),
            )
        )
    if is_reached and not title and view.event.status == Status.RUNNING:
        rows = _sort_by_stage(view, rows)
    file = reverse("api:event-event.json", args=[view.event.key])
    columns = [Column(labels.format_tie_break(name), labels.explain_tie_break(name), name) for name in names]
    return StandingsTable(
        title,
        (Column(_("Last match")),) if is_reached else tuple(columns),
        tuple(rows),
        is_reached,
        tuple(_list_side_winners(view, found)),
        file,
        tuple(one for one in found if int(one.entrant) in view.by_number),
        reasons.map_names(view),
    )


def _sort_by_stage(view: EventView, rows: Iterable[Standing]) -> list[Standing]:
    """Sort players by stage: still in the main draw, in a side bracket, out.

    Only players who are out keep their place. Once the final is over, the rows are not changed.
    """
    if not any(play.bracket in UNNAMED for play in view.ahead.values()):
        return list(rows)
    side = (labels.format_bracket(name) for part in view.parts for name in part.last if name not in UNNAMED)
    titles = list(dict.fromkeys((_("Still in the main draw"), *side, _("Out"))))
    found = []
    for row in rows:
        play = view.ahead.get(row.who.pk)
        if play is None:
            found.append(replace(row, stage=_("Out")))
        elif play.bracket in UNNAMED:
            found.append(replace(row, stage=_("Still in the main draw"), place=""))
        else:
            found.append(replace(row, stage=labels.format_bracket(play.bracket), place=""))
    return sorted(found, key=lambda row: titles.index(row.stage) if row.stage in titles else len(titles))


def _format_figure(name: str, figure: Figure) -> str:
    """Format a value; a lot as the turn in which it was drawn, starting at 1."""
    if name == "lot" and isinstance(figure, Fraction):
        figure = 1 - figure
    return labels.format_figure(figure)


def _compute_group_places(found: Sequence[Ranked]) -> dict[EntrantId, tuple[int, int]]:
    """Return the places within a group, by entrant: place and number of players who share it."""
    places: dict[EntrantId, tuple[int, int]] = {}
    for _figures, same in groupby(found, key=lambda one: one.figures):
        tied, first = list(same), len(places) + 1
        places |= {one.entrant: (first, len(tied)) for one in tied}
    return places


def _list_side_winners(view: EventView, ranked: Iterable[Ranked]) -> Iterator[tuple[str, EntryView]]:
    last = {name: number for part in view.parts if part.is_sheet for name, number in part.last.items()}
    for one in ranked:
        figures = dict(one.figures)
        name, who = str(figures.get("bracket", "")), view.by_number.get(int(one.entrant))
        is_won = figures.get("won") and figures.get("round") == last.get(name)
        if is_won and who is not None and name not in UNNAMED and name != labels.LOSERS:
            yield labels.format_bracket(name), who


def _describe_last_round(view: EventView, figures: Mapping[str, Figure]) -> str:
    """Return the round of a player's last match, and whether it was won; "" if unknown."""
    name, at = str(figures.get("bracket", "")), figures.get("round")
    part = next((part for part in reversed(view.parts) if name in part.last), None)
    if part is None or not isinstance(at, int):
        return ""
    play = next(iter(part.rounds.get((name, at), ())), None)
    if figures.get("won") and at == part.last[name] and name not in UNNAMED:
        return _("%(round)s, won") % {"round": labels.format_bracket(name)}
    round_name = part.label_of(play) if play is not None else ""
    return _("%(round)s, won") % {"round": round_name} if figures.get("won") else round_name


def _describe_next_match(view: EventView, who: EntryView, group: str) -> str:
    """Return the next match of a player, or else the name of the group."""
    play = view.ahead.get(who.pk)
    if play is not None:
        return _("%(round)s to come") % {"round": view.label(play)}
    return labels.format_bracket(group) if group else ""
