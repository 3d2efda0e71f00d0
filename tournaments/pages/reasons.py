"""Explanations of pairings, draws and standings in the reader's language (ADR 8)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

from django.utils.translation import ngettext

from draw.brackets import reasons
from draw.event import EntrantId, Figure, Key, Kind, Place, Ranked, Reason, Result, State
from draw.formats import FORMATS, list_sentences
from draw.history import PLAYOFF_BRACKET
from draw.seeding import DrawnLines
from draw.standings import separations
from tournaments.base import event_rows, labels
from tournaments.base.event_view import EventView, MatchView, StageView
from tournaments.base.reason_words import DRAWN_BY, METHODS, get_sentences
from tournaments.models import Draw, Pairing, Stage

# Maps the number of an entry to the player's name.
Names = Callable[[int], str]

PEOPLE: Final = frozenset({"a", "b", "entrant"})
# In these codes "a" and "b" are places; in the others, places have other names.
OF_PLACES: Final = frozenset({"winners", "droppers"})
PLACES: Final = frozenset({"source", "winner", "loser", "first"})
SCORES: Final = frozenset({"score", "other_score", "points"})
# Figures that are stored as text, so that they stay exact.
EXACT: Final = SCORES | {"ahead", "behind"}
# Codes that pages leave out, because the bracket itself shows the reason.
SHOWN: Final = frozenset({"winners", "dropper", "droppers", "drawn", "redrawn"})
# A sentence with this placeholder is about an entry.
ABOUT: Final = "%(about)s"
# Pairings with these codes need no explanation.
USUAL: Final = SHOWN | {"level"}
# Only directors may see which players are kept apart.
DIRECTORS: Final = frozenset({"apart"})


@dataclass(frozen=True, slots=True)
class Explanation:
    code: str
    sentence: str
    about: str
    entries: Mapping[str, int]
    places: Mapping[str, str]
    figures: Mapping[str, Figure]


def translate_reason(reason: Reason, names: Names) -> Explanation:
    entries: dict[str, int] = {}
    places: dict[str, str] = {}
    figures: dict[str, Figure] = {}
    formatted: dict[str, Any] = {}
    for name, figure in reason.figures:
        is_place = name in PLACES or (reason.code in OF_PLACES and name in PEOPLE)
        if is_place and isinstance(figure, str):
            places[name], formatted[name] = figure, _describe_place(figure)
        elif name in PEOPLE and isinstance(figure, str):
            entries[name], formatted[name] = int(figure), names(int(figure))
        else:
            figures[name], formatted[name] = figure, _format_figure(reason, name, figure)
    known = get_sentences(reason.format).get(reason.code)
    if known is None:
        # A code without a translation falls back to the library's English.
        english = list_sentences(reason.format).get(reason.code, reason.code).format_map(formatted)
        return Explanation(reason.code, english, reason.about, entries, places, figures)
    sentence = str(known)
    if ABOUT in sentence:
        entries["about"] = int(reason.about)
        formatted["about"] = names(int(reason.about))
    return Explanation(reason.code, sentence % formatted, reason.about, entries, places, figures)


def _describe_place(key: str) -> str:
    """Return the name of a place: "round 2, match 4" for "cup/main/2.4"."""
    *_stage, bracket, at = ["", *key.split("/")]
    number, _dot, place = at.rpartition(".")
    return (
        labels.format_place(bracket, int(number), int(place)) if number.isdigit() and place.isdigit() else key
    )


def _format_figure(reason: Reason, name: str, figure: Figure) -> str:
    if name == "method":
        words = METHODS if reason.code == "level" else DRAWN_BY
        return str(words.get(str(figure), figure))
    if name == "by":
        return labels.format_tie_break(str(figure))
    if name == "side":
        return labels.format_bracket(str(figure))
    number = Fraction(figure) if name in EXACT and isinstance(figure, str) else figure
    if name not in SCORES:
        return labels.format_figure(number)
    count, value = (1 if number == 1 else 2), labels.format_figure(number)
    form = FORMATS.get(reason.format)
    if form is not None and form.counts_in == "lives" and name != "points":
        return ngettext("%(lives)s life", "%(lives)s lives", count) % {"lives": value}
    return ngettext("%(points)s point", "%(points)s points", count) % {"points": value}


# The numbers of the two entries of a place; None while an entry is not known.
_Seated = tuple[int | None, int | None]
_Stored = Sequence[Mapping[str, Any]]


@dataclass
class Explainer:
    """Explanations of places, draws and standings, made without queries."""

    names: Names
    _drawn: dict[int, tuple[DrawnLines, dict[EntrantId | None, int]]] = field(default_factory=dict)

    def of_play(self, view: EventView, play: MatchView, written: _Stored) -> tuple[Explanation, ...]:
        part, (a, b) = view.part_of[play.stage_id], (view.who(play.a_id), view.who(play.b_id))
        seated = (a.number if a else None), (b.number if b else None)
        return self._explain_place(play, seated, part.stage, part.draw, written)

    def of_row(self, row: Pairing) -> tuple[Explanation, ...]:
        """Explain a row that was fetched with its entries, stage and draw."""
        seated = (row.a.number if row.a else None), (row.b.number if row.b else None)
        return self._explain_place(row, seated, row.stage, getattr(row.stage, "draw", None), row.why)

    def of_draw(self, stage: Stage, draw: Draw) -> tuple[Explanation, ...]:
        """Explain a draw, and the byes that were taken later."""
        late = (Reason("late", str(number), (("line", line),), stage.format) for line, number in draw.late)
        return tuple(
            translate_reason(one, self.names)
            for one in (*(Reason.from_json(each, "", stage.format) for each in draw.why), *late)
        )

    def of_order(self, ranked: Sequence[Ranked]) -> tuple[Explanation, ...]:
        """List what separated players with the same score, and the places that are shared."""
        found = (*separations.explain_separations(ranked), *separations.explain_shared_places(ranked))
        return tuple(translate_reason(one, self.names) for one in found)

    def _explain_place(
        self,
        spot: MatchView | Pairing,
        seated: _Seated,
        stage: Stage,
        draw: Draw | None,
        written: _Stored,
    ) -> tuple[Explanation, ...]:
        found: Iterable[Reason] = ()
        a, b = seated
        if not event_rows.is_fixed(stage):
            found = [Reason.from_json(one, spot.key, stage.format) for one in written]
        elif event_rows.is_sheet(stage):
            if draw is not None and spot.state in {State.READY, State.DECIDED, State.BYE}:
                made, seeds = self._get_drawn(draw)
                place = _build_place(spot, seated, {str(number): line for line, number in draw.late})
                explained = reasons.explain_place(place, made, seeds)
                found = [Reason(one.code, one.about, one.figures, stage.format) for one in explained]
        elif spot.bracket == PLAYOFF_BRACKET and a and b:
            found = [Reason("play-off", spot.key, (("a", str(a)), ("b", str(b))), stage.format)]
        return tuple(translate_reason(one, self.names) for one in found)

    def _get_drawn(self, draw: Draw) -> tuple[DrawnLines, dict[EntrantId | None, int]]:
        if draw.pk not in self._drawn:
            made = DrawnLines(event_rows.list_lines(draw), draw.method)
            self._drawn[draw.pk] = made, reasons.map_seeds(made)
        return self._drawn[draw.pk]


def _build_place(spot: MatchView | Pairing, seated: _Seated, late: Mapping[str, int]) -> Place:
    seats = []
    for number, origin, key in zip(seated, (spot.a_from, spot.b_from), (spot.a_key, spot.b_key), strict=True):
        who = None if number is None else EntrantId(str(number))
        seats.append(event_rows.build_seat(origin, key, late.get(who or "", 0), who))
    a, b = seats
    return Place(
        Key(spot.key),
        a,
        b,
        State(spot.state),
        0,
        0,
        spot.bracket,
        winner=a.entrant or b.entrant if spot.state == State.BYE else None,
        result=Result(Kind(spot.kind)) if spot.kind else None,
    )


def explain_match(view: EventView, play: MatchView, *, directs: bool) -> tuple[str, ...]:
    """Explain a pairing on the page of its match, without what the bracket shows."""
    written: _Stored = []
    if not event_rows.is_fixed(view.part_of[play.stage_id].stage):
        rows = Pairing.objects.filter(tournament=view.event, key=play.key)
        written = rows.values_list("why", flat=True).first() or []
    found = Explainer(map_names(view)).of_play(view, play, written)
    unsaid = SHOWN if directs else SHOWN | DIRECTORS
    return tuple(one.sentence for one in found if one.code not in unsaid)


def explain_rounds(view: EventView, part: StageView) -> dict[str, tuple[str, ...]]:
    """Explain the unusual pairings of a stage paired round by round, by key, with one query.

    Reasons that only directors may see are left out.
    """
    if event_rows.is_fixed(part.stage):
        return {}
    explainer = Explainer(map_names(view))
    written = dict(Pairing.objects.filter(stage=part.stage).values_list("key", "why"))
    return {
        play.key: tuple(one.sentence for one in found if one.code not in USUAL | DIRECTORS)
        for play in part.plays
        if (found := explainer.of_play(view, play, written.get(play.key, [])))
    }


def explain_draw(view: EventView, part: StageView) -> tuple[str, ...]:
    """Explain the draw of a stage; empty until it is published."""
    if part.draw is None or not part.is_drawn:
        return ()
    return tuple(one.sentence for one in Explainer(map_names(view)).of_draw(part.stage, part.draw))


def map_names(view: EventView) -> Names:
    return lambda number: who.name if (who := view.by_number.get(number)) else ""
