"""Brackets of an event as one SVG picture, and as lists for narrow screens."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from typing import Final

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import mark_safe
from django.utils.translation import gettext, ngettext, pgettext

from draw.brackets.structure import FINAL, MAIN
from draw.drawing import svg
from draw.drawing.layout import DENSE, ROOMY, Block, Box, BoxRow, Column, lay_out_blocks, measure_least_height
from draw.drawing.rows import GameRow, Row, RowLabels, is_one_word, render_row
from tournaments.base import expectations, labels, rules_in_words
from tournaments.base.event_view import EntryView, EventView, MatchView, StageView
from tournaments.models import PairingState
from tournaments.models.pairings import ResultKind
from tournaments.pages import games, timetable
from tournaments.pages.timetable import Timetable

# In pixels; higher pictures are drawn in the dense layout.
MOST_ROOMY: Final = 1300
# Brackets that are drawn with the main draw.
BESIDE: Final = (FINAL, labels.THIRD_PLACE)
# The selection of all brackets.
ALL: Final = "all"


@dataclass(frozen=True)
class MatchLine:
    play: MatchView
    a: EntryView | None
    b: EntryView | None
    one: BoxRow
    other: BoxRow
    label: str
    state: str
    table: str
    board: str
    words: RowLabels
    is_lit: bool = False

    @property
    def games(self) -> tuple[GameRow, ...]:
        return games.build_play_rows(self.play, self.a, self.b)

    @property
    def is_one_word(self) -> bool:
        return is_one_word(self.one, self.other)

    @property
    def length(self) -> str:
        """The length of the match in words: "to 7 points"."""
        return rules_in_words.describe_pairing_length(self.play.length, self.play.rules)

    @property
    def result_text(self) -> str:
        if self.play.has_no_score:
            won = self.a if self.one.is_winner else self.b
            return labels.format_winner(won.name) if won is not None else ""
        winner = next((who for who in (self.a, self.b) if who and who.pk == self.play.winner_id), None)
        if self.play.kind in labels.SHORT_KINDS and winner is not None:
            how = ResultKind(self.play.kind).label
            return gettext("%(name)s won (%(how)s)") % {"name": winner.name, "how": how}
        scores = self.one.score, self.other.score
        return " \u2013 ".join(score or "\u00b7" for score in scores) if any(scores) else ""

    @property
    def expects(self) -> str:
        return expectations.serialize_state(expectations.build_seats_state(self.a, self.b))

    @cached_property
    def html(self) -> str:
        row = Row(
            self.one, self.other, self.state, self.table, self.label, self.board, self.games, self.is_lit
        )
        return mark_safe(render_row(row, self.words))  # noqa: S308 - it escapes what it is given


@dataclass(frozen=True, slots=True)
class RoundList:
    title: str
    length: str
    lines: tuple[MatchLine, ...]
    is_current: bool
    # Explanations of unusual pairings.
    why: tuple[str, ...] = ()

    @property
    def html(self) -> str:
        return mark_safe("".join(line.html for line in self.lines))  # noqa: S308 - each escapes what it is given

    def lit(self, number: int) -> RoundList:
        """Return the round with the matches of one player highlighted."""
        lines = (
            replace(line, is_lit=True) if number in {line.one.number, line.other.number} else line
            for line in self.lines
        )
        return replace(self, lines=tuple(lines))

    @property
    def decided(self) -> int:
        return sum(line.play.state == PairingState.DECIDED for line in self.lines)

    @property
    def played(self) -> int:
        return sum(not line.play.has_empty_seat for line in self.lines)


@dataclass(frozen=True, slots=True)
class BracketChoice:
    name: str
    title: str
    is_shown: bool
    # It has no players yet.
    is_empty: bool = False
    # The followed player has a place in it.
    is_on_the_way: bool = False


def draw_brackets(
    view: EventView, part: StageView, name: str = "", times: Timetable = timetable.UNKNOWN
) -> str:
    """Render the bracket *name* of a stage as SVG, or all brackets if it is ""."""
    label = gettext("Bracket of %(event)s") % {"event": view.event.name}
    shown = tuple(build_blocks(view, part, name, times))
    laid = None if measure_least_height(shown, ROOMY) > MOST_ROOMY else lay_out_blocks(shown, ROOMY)
    if laid is None or laid.height > MOST_ROOMY:
        laid = lay_out_blocks(shown, DENSE)
    return svg.render_svg(laid, label)


def list_bracket_choices(
    part: StageView, wanted: str, follow: EntryView | None = None
) -> tuple[BracketChoice, ...]:
    """List the brackets of a stage; the wanted one, or else the first, is selected, and none for `ALL`.

    The match for third place is shown with the main draw.
    """
    names = [name for name in part.last if name not in BESIDE]
    shown = wanted if wanted in names else next(iter(names), "")
    return tuple(
        BracketChoice(
            name,
            labels.format_bracket(name),
            name == shown and wanted != ALL,
            is_empty=not any(_list_seated_entries(part, name)),
            is_on_the_way=follow is not None and follow.pk in set(_list_seated_entries(part, name)),
        )
        for name in names
    )


def _list_seated_entries(part: StageView, name: str) -> Iterator[int]:
    for (each, _number), made in part.rounds.items():
        if each in _list_shown_together(name):
            yield from (pk for play in made for pk in (play.a_id, play.b_id) if pk)


def _list_shown_together(name: str) -> tuple[str, ...]:
    """Return the names of the brackets that are drawn when this one is selected."""
    return (name, *BESIDE) if name == MAIN else (name,)


def build_round_lists(view: EventView, part: StageView, name: str) -> tuple[RoundList, ...]:
    """Return the rounds of a bracket as lists.

    The main draw and the losers' bracket include the title match, the main draw also that for third place.
    """
    names = [name, FINAL] if name in {MAIN, labels.LOSERS} and FINAL in part.last else [name]
    if name == MAIN and labels.THIRD_PLACE in part.last:
        names.append(labels.THIRD_PLACE)
    found = [
        (each, number, [play for play in made if play.state != PairingState.VACANT])
        for (each, number), made in part.rounds.items()
        if each in names
    ]
    found = [one for one in found if one[2]]
    found.sort(key=lambda one: (names.index(one[0]), one[1]))
    current = next(
        (at for at, (_, _, made) in enumerate(found) if any(play.is_open for play in made)), len(found) - 1
    )
    return tuple(
        RoundList(
            title=part.round_title(each, number),
            length=_describe_length(made),
            lines=tuple(build_match_line(view, play, has_label=False) for play in made),
            is_current=at == current,
        )
        for at, (each, number, made) in enumerate(found)
    )


def build_match_line(view: EventView, play: MatchView, *, has_label: bool = True) -> MatchLine:
    """Return a match as a list row; below the title of its round it needs no label."""
    score_a, score_b = view.score(play)
    return MatchLine(
        play=play,
        a=view.who(play.a_id),
        b=view.who(play.b_id),
        one=_build_side(view, play, "a", score_a),
        other=_build_side(view, play, "b", score_b),
        label=view.label(play) if has_label else "",
        state=_get_state(play),
        table=_describe_place(view, play),
        board=reverse("matches:match", args=[play.board]) if play.board else "",
        words=view.words,
    )


def _describe_place(view: EventView, play: MatchView) -> str:
    """Return the table of an open match, or the word for an adjourned one; "" otherwise."""
    if play.is_adjourned:
        return view.words.adjourned
    return labels.format_short_table(play.table) if play.table and play.state == PairingState.READY else ""


def build_blocks(view: EventView, part: StageView, wanted: str, times: Timetable) -> Iterator[Block]:
    """Yield the brackets of a stage for the picture: those drawn for *wanted*, or all if it is ""."""
    for name in part.last:
        if name == FINAL or (wanted and name not in _list_shown_together(wanted)):
            continue
        columns = list(_build_columns(view, part, name, times))
        if name == MAIN and FINAL in part.last:
            columns += _build_columns(view, part, FINAL, times)
        if any(column.boxes for column in columns):
            # A single bracket has its name above the picture, and its unknown last rounds are folded.
            title = "" if name == wanted else labels.format_bracket(name)
            if name == wanted != MAIN:
                columns = _fold_columns(columns)
            yield Block(name, title, tuple(columns), is_small=name == labels.THIRD_PLACE)


def _fold_columns(columns: list[Column]) -> list[Column]:
    """Replace the last rounds without known players by one column with their number."""
    known = len(columns)
    while known > 1 and not any(
        side.number or side.hint for box in columns[known - 1].boxes for side in (box.a, box.b)
    ):
        known -= 1
    left = columns[known:]
    if len(left) < 2:
        return columns
    more = ngettext("and %(count)d more round", "and %(count)d more rounds", len(left)) % {"count": len(left)}
    return [*columns[:known], Column(more, gettext("up to: %(round)s") % {"round": left[-1].title}, ())]


def _build_columns(view: EventView, part: StageView, name: str, times: Timetable) -> Iterator[Column]:
    for number in range(1, part.last[name] + 1):
        made = [play for play in part.rounds.get((name, number), ()) if play.state != PairingState.VACANT]
        if made or name != FINAL:
            yield Column(
                part.round_title(name, number),
                _describe_length(made),
                tuple(_build_box(view, play) for play in made),
                _format_start(made, times),
            )


def _format_start(made: list[MatchView], times: Timetable) -> str:
    """Return the expected start of a round as SVG; "" if it is unknown, or once a match is open."""
    found = [times.begins[play.key] for play in made if play.key in times.begins]
    if not found or any(play.is_open or play.state == PairingState.DECIDED for play in made):
        return ""
    at = timezone.localtime(min(found))
    written = date_format(at, "H:i")
    shown = f'<tspan data-at="{at.isoformat()}" data-format="time">{written}</tspan>'
    return f"{escape(pgettext('before a time', 'about'))} {shown}"


def _describe_length(made: list[MatchView]) -> str:
    # Each combination is described once.
    alike = {(play.length, str(play.rules)): play for play in made}.values()
    lengths = {rules_in_words.describe_pairing_length(play.length, play.rules) for play in alike}
    return lengths.pop() if len(lengths) == 1 else ""


def _get_state(play: MatchView) -> str:
    if play.is_playing:
        return "live"
    return "waiting" if play.state == PairingState.READY and play.opened_at is None else play.state


def _build_box(view: EventView, play: MatchView) -> Box:
    score_a, score_b = view.score(play)
    state = _get_state(play)
    note = ""
    if state == PairingState.BYE:
        note = view.words.bye
    elif state == PairingState.READY:
        note = _describe_place(view, play)
    won, lost = view.onward.get(("winner", play.key)), view.onward.get(("loser", play.key))
    return Box(
        key=play.key,
        title=view.place(play),
        winner_to=won.key if won else "",
        loser_to=lost.key if lost else "",
        winner_title=view.place(won) if won else "",
        loser_title=view.place(lost) if lost else "",
        a=_build_side(view, play, "a", score_a),
        b=_build_side(view, play, "b", score_b),
        state=state,
        feeds=tuple(_list_feeds(view, play)),
        note=note,
        href=reverse("matches:match", args=[play.board]) if play.board and note else "",
        is_title=play.key == view.title_key,
    )


def _list_feeds(view: EventView, play: MatchView) -> Iterator[tuple[str, int]]:
    for origin, key, pk in ((play.a_from, play.a_key, play.a_id), (play.b_from, play.b_key, play.b_id)):
        source = view.by_key.get(key)
        if origin == "winner" and source is not None and source.state != PairingState.VACANT:
            who = view.who(pk)
            yield key, who.number if who else 0


def _build_side(view: EventView, play: MatchView, side: str, score: str) -> BoxRow:
    pk = play.a_id if side == "a" else play.b_id
    who = view.who(pk)
    if who is None:
        hint = "" if play.state in {PairingState.BYE, PairingState.DECIDED} else view.hint(play, side)
        return BoxRow(hint=hint)
    is_decided = play.state == PairingState.DECIDED
    return BoxRow(
        name=who.name,
        number=who.number,
        href=who.href,
        score=score,
        is_winner=is_decided and play.winner_id == pk,
        is_out=is_decided and play.winner_id != pk,
    )
