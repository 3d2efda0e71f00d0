"""Why: what the pairing, the draw and the order give as reasons, in the reader's language (ADR 8)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import ngettext

from draw.brackets import reasons
from draw.brackets.structure import PLAYOFF_BRACKET
from draw.event import EntrantId, From, Key, Kind, Place, Reason, Result, Seat, State
from draw.formats import FORMATS
from draw.seeding import Drawn
from draw.sentences import list_sentences
from draw.standings import separations as separations
from tournaments.base import event_rows, labels, stored_reasons
from tournaments.base.reason_words import DRAWN_BY, METHODS, sentences
from tournaments.models import Pairing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from draw.event import Figure, Ranked
    from tournaments.base.event_view import EntryView, EventView, MatchView, StageView
    from tournaments.models import Draw, Entry, Stage

# What somebody is called, by the number of the entry.
Names = Callable[[int], str]

PEOPLE: Final = frozenset({"a", "b", "entrant"})
# In these, what looks like two people are two places; elsewhere they are places by their names.
OF_PLACES: Final = frozenset({"winners", "droppers"})
PLACES: Final = frozenset({"source", "winner", "loser", "first"})
SCORES: Final = frozenset({"score", "other_score", "points"})
# Kept as a text, so that they stay exact.
EXACT: Final = SCORES | {"ahead", "behind"}
# These go without saying: the drawing of the sheet shows them.
SHOWN: Final = frozenset({"winners", "dropper", "droppers", "drawn", "redrawn"})
# Where the sentence names what it is about, that is somebody.
ABOUT: Final = "%(about)s"
# Nobody asks why of what is as it should be.
USUAL: Final = SHOWN | {"level"}
# Who should not meet is between them and the director.
DIRECTORS: Final = frozenset({"apart"})


@dataclass(frozen=True, slots=True)
class ReasonTold:
    """A reason in words, and what it names."""

    code: str
    sentence: str
    about: str
    entries: Mapping[str, int]
    places: Mapping[str, str]
    figures: Mapping[str, Figure]


def told(reason: Reason, names: Names) -> ReasonTold:
    """Return a reason in the reader's language; people are called as they are everywhere."""
    entries: dict[str, int] = {}
    places: dict[str, str] = {}
    figures: dict[str, Figure] = {}
    said: dict[str, Any] = {}
    for name, figure in reason.figures:
        if _is_place(reason.code, name) and isinstance(figure, str):
            places[name], said[name] = figure, _place(figure)
        elif name in PEOPLE and isinstance(figure, str):
            entries[name], said[name] = int(figure), names(int(figure))
        else:
            figures[name], said[name] = figure, _figure(reason, name, figure)
    known = sentences(reason.format).get(reason.code)
    if known is None:
        # What has no words of ours is said in the library's English.
        english = list_sentences(reason.format).get(reason.code, reason.code).format_map(said)
        return ReasonTold(reason.code, english, reason.about, entries, places, figures)
    sentence = str(known)
    if ABOUT in sentence:
        entries["about"] = int(reason.about)
        said["about"] = names(int(reason.about))
    return ReasonTold(reason.code, sentence % said, reason.about, entries, places, figures)


def _is_place(code: str, name: str) -> bool:
    return name in PLACES or (code in OF_PLACES and name in PEOPLE)


def _place(key: str) -> str:
    """Return what a place is called: "round 2, match 4" of "cup/main/2.4"."""
    *_stage, bracket, at = ["", *key.split("/")]
    number, _dot, place = at.rpartition(".")
    return labels.place(bracket, int(number), int(place)) if number.isdigit() and place.isdigit() else key


def _figure(reason: Reason, name: str, figure: Figure) -> str:
    """Return a figure as it stands in a sentence."""
    if name == "method":
        words = METHODS if reason.code == "level" else DRAWN_BY
        return str(words.get(str(figure), figure))
    if name == "by":
        return labels.tie_break(str(figure))
    if name == "side":
        return labels.bracket(str(figure))
    number = Fraction(figure) if name in EXACT and isinstance(figure, str) else figure
    if name not in SCORES:
        return labels.number(number)
    count, said = (1 if number == 1 else 2), labels.number(number)
    if _counts_in(reason) == "lives" and name != "points":
        return ngettext("%(lives)s life", "%(lives)s lives", count) % {"lives": said}
    return ngettext("%(points)s point", "%(points)s points", count) % {"points": said}


def _counts_in(reason: Reason) -> str:
    form = FORMATS.get(reason.format)
    return "" if form is None else form.counts_in


# The number of the entry, and where it comes from.
_Seat = tuple[int | None, str, str]


@dataclass(frozen=True, slots=True)
class _Spot:
    """A place as a row has it, by the numbers of the entries."""

    stage: Stage
    draw: Draw | None
    key: str
    bracket: str
    state: str
    kind: str
    a: _Seat
    b: _Seat
    why: stored_reasons.Kept


@dataclass
class Explainer:
    """Says why, for as many places as one wants to know of; nothing is asked of the database."""

    names: Names
    _drawn: dict[int, tuple[Drawn, dict[EntrantId | None, int]]] = field(default_factory=dict)

    def of_play(self, view: EventView, play: MatchView, kept: stored_reasons.Kept) -> tuple[ReasonTold, ...]:
        """Return why those two meet, or one of them passes, by what is kept with it."""
        part = view.part_of[play.stage_id]
        a, b = view.who(play.a_id), view.who(play.b_id)
        return self._told(
            _Spot(
                part.stage,
                part.draw,
                play.key,
                play.bracket,
                play.state,
                play.kind,
                _seat(a, play.a_from, play.a_key),
                _seat(b, play.b_from, play.b_key),
                kept,
            )
        )

    def of_row(self, row: Pairing) -> tuple[ReasonTold, ...]:
        """Return the same of a row that was fetched with its seats, its stage and the draw."""
        return self._told(
            _Spot(
                row.stage,
                getattr(row.stage, "draw", None),
                row.key,
                row.bracket,
                row.state,
                row.kind,
                _seat(row.a, row.a_from, row.a_key),
                _seat(row.b, row.b_from, row.b_key),
                row.why,
            )
        )

    def of_draw(self, stage: Stage, draw: Draw) -> tuple[ReasonTold, ...]:
        """Return how a draw was made, and who took a bye later."""
        late = (Reason("late", str(number), (("line", line),), stage.format) for line, number in draw.late)
        return tuple(
            told(one, self.names) for one in (*stored_reasons.read(draw.why, "", stage.format), *late)
        )

    def of_order(self, ranked: Sequence[Ranked]) -> tuple[ReasonTold, ...]:
        """List what separated players with the same score, and the places that are shared."""
        said = (*separations.explain_separations(ranked), *separations.explain_shared_places(ranked))
        return tuple(told(one, self.names) for one in said)

    def _told(self, spot: _Spot) -> tuple[ReasonTold, ...]:
        return tuple(told(one, self.names) for one in self._reasons(spot))

    def _reasons(self, spot: _Spot) -> Iterable[Reason]:
        form = spot.stage.format
        if not event_rows.is_fixed(spot.stage):
            return stored_reasons.read(spot.why, spot.key, form)
        if event_rows.is_sheet(spot.stage):
            return self._of_sheet(spot)
        if spot.bracket == PLAYOFF_BRACKET and spot.a[0] and spot.b[0]:
            names = (("a", str(spot.a[0])), ("b", str(spot.b[0])))
            return (Reason("play-off", spot.key, names, form),)
        return ()

    def _of_sheet(self, spot: _Spot) -> Iterator[Reason]:
        """Yield what follows from where the two come from."""
        if spot.draw is None or spot.state not in {State.READY, State.DECIDED, State.BYE}:
            return
        made, seeds = self._made(spot.draw)
        place = _place_of(spot, {str(number): line for line, number in spot.draw.late})
        for one in reasons.explain_place(place, made, seeds):
            yield Reason(one.code, one.about, one.figures, spot.stage.format)

    def _made(self, draw: Draw) -> tuple[Drawn, dict[EntrantId | None, int]]:
        if draw.pk not in self._drawn:
            made = Drawn(event_rows.lines_of(draw), draw.method)
            self._drawn[draw.pk] = made, reasons.map_seeds(made)
        return self._drawn[draw.pk]


def _seat(who: EntryView | Entry | None, origin: str, key: str) -> _Seat:
    return (None if who is None else who.number), origin, key


def _place_of(spot: _Spot, late: Mapping[str, int]) -> Place:
    seats = []
    for number, origin, key in (spot.a, spot.b):
        who = None if number is None else EntrantId(str(number))
        seats.append(Seat(From(origin), Key(key) if key else None, late.get(who or "", 0), who))
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


def of_match(view: EventView, play: MatchView, *, directs: bool) -> tuple[str, ...]:
    """Return why those two meet, where the page of one match asks; what the sheet shows is not said again."""
    kept: stored_reasons.Kept = []
    if not event_rows.is_fixed(view.part_of[play.stage_id].stage):
        rows = Pairing.objects.filter(tournament=view.event, key=play.key)
        kept = rows.values_list("why", flat=True).first() or []
    found = Explainer(names_of(view)).of_play(view, play, kept)
    unsaid = SHOWN if directs else SHOWN | DIRECTORS
    return tuple(one.sentence for one in found if one.code not in unsaid)


def of_rounds(view: EventView, part: StageView) -> dict[str, tuple[str, ...]]:
    """Return what is unusual in a stage that is paired round by round, by the key of the place; for one query.

    Everybody reads it.
    """
    if event_rows.is_fixed(part.stage):
        return {}
    explainer = Explainer(names_of(view))
    kept = dict(Pairing.objects.filter(stage=part.stage).values_list("key", "why"))
    return {
        play.key: tuple(one.sentence for one in found if one.code not in USUAL | DIRECTORS)
        for play in part.plays
        if (found := explainer.of_play(view, play, kept.get(play.key, [])))
    }


def of_lines(view: EventView, part: StageView) -> tuple[str, ...]:
    """Return how the sheet of a stage was drawn; nothing before everybody may see it."""
    if part.draw is None or part.draw.published_at is None:
        return ()
    return tuple(one.sentence for one in Explainer(names_of(view)).of_draw(part.stage, part.draw))


def names_of(view: EventView) -> Names:
    """Return what everybody of an event is called."""
    return lambda number: who.name if (who := view.by_number.get(number)) else ""
