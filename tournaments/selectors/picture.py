"""The brackets of an event as one picture, and as lists for narrow screens."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.translation import gettext

from draw.brackets.structure import FINAL, MAIN
from draw.drawing import svg
from draw.drawing.layout import Block, Box, BoxRow, Column, lay
from draw.drawing.rows import Row, write
from tournaments.models import Stand
from tournaments.selectors import games, labels, playwords, sight

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draw.drawing.rows import GameRow, Words
    from tournaments.selectors.courses import Course, Part, Play, Who

NOBODY: Final = BoxRow()


@dataclass(frozen=True, slots=True)
class MatchLine:
    """A match in a list."""

    play: Play
    a: Who | None
    b: Who | None
    one: BoxRow
    other: BoxRow
    label: str
    state: str
    table: str
    board: str
    words: Words
    is_lit: bool = False

    @property
    def games(self) -> tuple[GameRow, ...]:
        """The match game by game, where it was written down so."""
        return games.of_play(self.play, self.a, self.b)

    @property
    def told(self) -> str:
        """How it ended or stands, "" where nothing is known yet."""
        if self.play.has_no_score:
            won = self.a if self.one.is_winner else self.b
            return labels.has_won(won.name) if won is not None else ""
        scores = self.one.score, self.other.score
        return " \u2013 ".join(score or "\u00b7" for score in scores) if any(scores) else ""

    @property
    def expects(self) -> str:
        """Who meets whom here, for a form that answers it."""
        return sight.written(sight.seats(self.a, self.b))

    @property
    def html(self) -> str:
        """The line as it stands in a list."""
        row = Row(
            self.one, self.other, self.state, self.table, self.label, self.board, self.games, self.is_lit
        )
        return mark_safe(write(row, self.words))  # noqa: S308 - it escapes what it is given


@dataclass(frozen=True, slots=True)
class RoundList:
    """A round as a list."""

    title: str
    length: str
    lines: tuple[MatchLine, ...]
    is_current: bool
    is_draft: bool = False
    # What is unusual in it, and why it is so.
    why: tuple[str, ...] = ()

    def lit(self, number: int) -> RoundList:
        """Return the same round with the matches of one player lit."""
        lines = (
            replace(line, is_lit=True) if number in {line.one.number, line.other.number} else line
            for line in self.lines
        )
        return replace(self, lines=tuple(lines))

    @property
    def decided(self) -> int:
        """How many are decided."""
        return sum(line.play.state == Stand.DECIDED for line in self.lines)

    @property
    def played(self) -> int:
        """How many there are to play at all."""
        return sum(line.play.state != Stand.BYE for line in self.lines)


@dataclass(frozen=True, slots=True)
class Branch:
    """A bracket that can be chosen."""

    name: str
    title: str
    is_shown: bool


def draw(course: Course, part: Part) -> str:
    """Return all brackets of a stage as one picture."""
    label = gettext("Bracket of %(event)s") % {"event": course.event.name}
    return svg.draw(lay(tuple(_blocks(course, part))), label)


def branches(part: Part, wanted: str) -> tuple[Branch, ...]:
    """Return the brackets of a stage; the one that is wanted, or the first, is shown."""
    names = [name for name in part.last if name != FINAL]
    shown = wanted if wanted in names else next(iter(names), "")
    return tuple(Branch(name, labels.bracket(name), name == shown) for name in names)


def rounds(course: Course, part: Part, name: str) -> tuple[RoundList, ...]:
    """Return the rounds of a bracket as lists; with the main draw comes the match for the title."""
    names = [name, FINAL] if name in {MAIN, labels.LOSERS} and FINAL in part.last else [name]
    found = [
        (each, number, [play for play in made if play.state != Stand.VACANT])
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
            length=_lengths(made),
            lines=tuple(line_of(course, play, has_label=False) for play in made),
            is_current=at == current,
            is_draft=any(play.is_drafted for play in made),
        )
        for at, (each, number, made) in enumerate(found)
    )


def line_of(course: Course, play: Play, *, has_label: bool = True) -> MatchLine:
    """Return a match as a line of a list; under the title of its round it does without a label."""
    score_a, score_b = course.score(play)
    return MatchLine(
        play=play,
        a=course.who(play.a_id),
        b=course.who(play.b_id),
        one=_side(course, play, "a", score_a),
        other=_side(course, play, "b", score_b),
        label=course.label(play) if has_label else "",
        state=_state(play),
        table=labels.short_table(play.table) if play.table and play.state == Stand.READY else "",
        board=reverse("matches:match", args=[play.board]) if play.board else "",
        words=course.words,
    )


def _blocks(course: Course, part: Part) -> Iterator[Block]:
    for name in part.last:
        if name == FINAL:
            continue
        columns = list(_columns(course, part, name))
        if name == MAIN and FINAL in part.last:
            columns += _columns(course, part, FINAL)
        if any(column.boxes for column in columns):
            title = labels.bracket(name)
            yield Block(name, title, tuple(columns), is_small=name == labels.THIRD_PLACE)


def _columns(course: Course, part: Part, name: str) -> Iterator[Column]:
    for number in range(1, part.last[name] + 1):
        made = [play for play in part.rounds.get((name, number), ()) if play.state != Stand.VACANT]
        if made or name != FINAL:
            yield Column(
                part.round_title(name, number), _lengths(made), tuple(_box(course, play) for play in made)
            )


def _lengths(made: list[Play]) -> str:
    # Of those as usual it is enough to ask one.
    usual = {play.length: play.rules for play in made if not play.rules}
    unusual = ((play.length, play.rules) for play in made if play.rules)
    lengths = {playwords.of_pairing(points, rules) for points, rules in (*usual.items(), *unusual)}
    return lengths.pop() if len(lengths) == 1 else ""


def _state(play: Play) -> str:
    if play.is_live:
        return "live"
    return "waiting" if play.state == Stand.READY and play.opened_at is None else play.state


def _box(course: Course, play: Play) -> Box:
    score_a, score_b = course.score(play)
    state = _state(play)
    note = ""
    if state == Stand.BYE:
        note = course.words.bye
    elif state == Stand.READY and play.table:
        note = labels.short_table(play.table)
    return Box(
        key=play.key,
        a=_side(course, play, "a", score_a),
        b=_side(course, play, "b", score_b),
        state=state,
        feeds=tuple(_feeds(course, play)),
        note=note,
        href=reverse("matches:match", args=[play.board]) if play.board and note else "",
    )


def _feeds(course: Course, play: Play) -> Iterator[tuple[str, int]]:
    for origin, key, pk in ((play.a_from, play.a_key, play.a_id), (play.b_from, play.b_key, play.b_id)):
        source = course.by_key.get(key)
        if origin == "winner" and source is not None and source.state != Stand.VACANT:
            who = course.who(pk)
            yield key, who.number if who else 0


def _side(course: Course, play: Play, side: str, score: str) -> BoxRow:
    pk = play.a_id if side == "a" else play.b_id
    who = course.who(pk)
    if who is None:
        hint = "" if play.state in {Stand.BYE, Stand.DECIDED} else course.hint(play, side)
        return BoxRow(hint=hint) if hint else NOBODY
    is_decided = play.state == Stand.DECIDED
    return BoxRow(
        name=who.name,
        number=who.number,
        href=who.href,
        score=score,
        is_winner=is_decided and play.winner_id == pk,
        is_out=is_decided and play.winner_id != pk,
    )
