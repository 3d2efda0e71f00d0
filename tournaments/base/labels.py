"""Labels of brackets, rounds, places, scores, tie-breaks, series and helpers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from draw.brackets.structure import FINAL, MAIN
from draw.event import Figure, Kind
from draw.history import PLAYOFF_BRACKET
from draw.standings.registry import TIE_BREAKS
from tournaments.base import formats, local_times
from tournaments.models import SeriesDay, Tournament
from tournaments.models.pairings import ResultKind

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise


LOSERS: Final = "losers"
THIRD_PLACE: Final = "third-place"
BRACKETS: Final[dict[str, StrPromise]] = {
    MAIN: _("Main draw"),
    "consolation": _("Consolation"),
    "last-chance": _("Last chance"),
    LOSERS: _("Losers' bracket"),
    FINAL: _("Title match"),
    THIRD_PLACE: _("Third place"),
    PLAYOFF_BRACKET: _("Play-off"),
}
# The format of events that are only announced, not played here.
FRIENDLY: Final = "friendly"
ELSEWHERE: Final[StrPromise] = pgettext_lazy("event format", "Friendly matches")
FINALS_BEFORE: Final[dict[str, StrPromise]] = {MAIN: _("Winners' final"), LOSERS: _("Losers' final")}
# How a match ended without being played out, for the corner of its box.
SHORT_KINDS: Final[dict[str, StrPromise]] = {
    Kind.WALKOVER.value: pgettext_lazy("short for walkover", "w.o."),
    Kind.FORFEIT.value: pgettext_lazy("short for forfeit", "forf."),
    Kind.DOUBLE_FORFEIT.value: pgettext_lazy("short for double forfeit", "d.f."),
    Kind.NO_SHOW.value: pgettext_lazy("short for no-show", "n.s."),
    Kind.WITHDRAWAL.value: pgettext_lazy("short for withdrawal", "wd."),
    Kind.VOID.value: pgettext_lazy("short for void", "void"),
    Kind.DRAWN.value: pgettext_lazy("short for drawn", "drawn"),
}
# These are not abbreviated.
PLAIN_KINDS: Final = frozenset({Kind.VOID.value, Kind.DRAWN.value})
# Columns of the standings that are not tie-breaks.
DIRECTOR: Final = (
    _("Director's order"),
    _("The order that the director has set for players who are still tied."),
)
NUMBER: Final = (_("Number"), _("The order of the players on the list before play."))
# Criteria that are applied after the tie-breaks.
OUTSIDE: Final = {"number": NUMBER, "director": DIRECTOR}
SEMI_FINALS, QUARTER_FINALS = 1, 2
# Two names with a word between fit into one row of a box: if they are longer than LONGEST_TWO together, each
# is cut to LONGEST characters.
LONGEST: Final = 9
LONGEST_TWO: Final = 20
HALVES: Final = {Fraction(1, 2): "½"}
# Short names of side brackets.
IN_BOXES: Final[dict[str, StrPromise]] = {
    "consolation": pgettext_lazy("bracket of a match", "consolation"),
    "last-chance": pgettext_lazy("bracket of a match", "last chance"),
    LOSERS: pgettext_lazy("bracket of a match", "losers"),
}
ALONE: Final[dict[str, StrPromise]] = {
    FINAL: _("title match"),
    THIRD_PLACE: _("match for third place"),
}


def format_winner(name: str) -> str:
    """Return the result of a match without a score, as in "Okafor won"."""
    return gettext("%(name)s won") % {"name": name}


def list_abbreviations(kinds: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """List the abbreviations of these endings with their meanings: ("n.s.", "No-show")."""
    there = set(kinds) - PLAIN_KINDS
    return tuple(
        (str(short), str(ResultKind(kind).label)) for kind, short in SHORT_KINDS.items() if kind in there
    )


def format_score(a: int | None, b: int | None) -> str:
    return f"{a}\u2013{b}"


def format_named_score(one: str, points: int | None, their_points: int | None, other: str) -> str:
    return f"{one} {format_score(points, their_points)} {other}"


def format_tie_break(name: str) -> str:
    if name in OUTSIDE:
        return str(OUTSIDE[name][0])
    return gettext(TIE_BREAKS[name].title) if name in TIE_BREAKS else name


def explain_tie_break(name: str) -> str:
    """Return the explanation of a tie-break, "" for an unknown one."""
    if name in OUTSIDE:
        return str(OUTSIDE[name][1])
    return gettext(TIE_BREAKS[name].explanation) if name in TIE_BREAKS else ""


def format_bracket(name: str) -> str:
    if name in BRACKETS:
        return str(BRACKETS[name])
    if len(name) <= 3 and name[:1].isupper():
        return gettext("Group %(name)s") % {"name": name}
    return name.replace("-", " ").capitalize()


def describe_format(own: str, played_as: Iterable[Mapping[str, Any]]) -> str:
    """Return *own*, the director's description of the format, or else a generated one."""
    return own or describe_plan(played_as)


def describe_plan(played_as: Iterable[Mapping[str, Any]]) -> str:
    """Describe the formats of stages in a few words.

    >>> describe_plan([{"format": "swiss", "rounds": 5}, {"format": "single-elimination"}])
    'Swiss, 5 rounds, then Knock-out'
    """
    return gettext(", then ").join(_describe_stage(one["format"], one.get("rounds", 0)) for one in played_as)


def _describe_stage(form: str, count: int) -> str:
    name = str(ELSEWHERE) if form == FRIENDLY else formats.format_name(form)
    if not count:
        return name
    sentence = ngettext("%(format)s, %(rounds)s round", "%(format)s, %(rounds)s rounds", count)
    return sentence % {"format": name, "rounds": count}


def format_round_title(
    name: str, number: int, last: int, matches: int, *, has_title: bool = False, is_needed: bool = False
) -> str:
    """Return the title of a round: round 3 of 5 with 4 matches is "Quarter-finals".

    *has_title*: after the final of the main draw comes a match for the title; *is_needed*: a second one will
    certainly be played.
    """
    left = last - number
    if name == FINAL:
        if number == 1:
            return gettext("Title match")
        return gettext("Second match") if is_needed else gettext("Second match, if needed")
    if name == THIRD_PLACE:
        return gettext("Match for third place")
    if left == 0 and has_title and name in FINALS_BEFORE:
        return str(FINALS_BEFORE[name])
    if left == 0:
        return gettext("Final")
    if left == SEMI_FINALS and matches <= 2:
        return gettext("Semi-finals")
    if name == MAIN:
        return gettext("Quarter-finals") if left == QUARTER_FINALS else _format_last(2 ** (left + 1))
    return format_round(number)


# Names of the last match before the title match, and of matches of a main draw by the number of rounds that
# follow.
FINAL_BEFORE: Final[dict[str, StrPromise]] = {MAIN: _("winners' final"), LOSERS: _("losers' final")}
OF_MAIN: Final[dict[int, StrPromise]] = {
    0: pgettext_lazy("match", "final"),
    SEMI_FINALS: _("semi-final %(match)s"),
    QUARTER_FINALS: _("quarter-final %(match)s"),
}


def format_place(
    name: str, number: int, at: int, last: int = 0, *, has_title: bool = False, is_own: bool = False
) -> str:
    """Return the name of a place in a box: "semi-final 1", "round 2, match 4", "consolation 1.3".

    *last*: the last round of its bracket, 0 if unknown; *has_title*: as for `format_round_title`; *is_own*: it is
    shown within its bracket, so that the bracket need not be named.
    """
    if name in ALONE:
        return str(ALONE[name])
    left = last - number
    if has_title and left == 0 and name in FINAL_BEFORE:
        return str(FINAL_BEFORE[name])
    if name == MAIN or is_own:
        words = (name == MAIN and OF_MAIN.get(left)) or _("round %(round)s, match %(match)s")
        return str(words) % {"round": number, "match": at}
    return f"{IN_BOXES[name] if name in IN_BOXES else format_bracket(name)} {number}.{at}"


def format_round(number: int) -> str:
    return gettext("Round %(number)s") % {"number": number}


def format_points(length: int) -> str:
    return ngettext("to %(points)s point", "to %(points)s points", length) % {"points": length}


def format_table(name: str) -> str:
    return gettext("Table %(name)s") % {"name": name} if name.isdigit() else name


def format_short_table(name: str) -> str:
    return gettext("T%(name)s") % {"name": name} if name.isdigit() else name


def format_either(pattern: str, one: str, other: str) -> str:
    """Return "Okafor or Tanabe", with names cut so that both fit into one row of a box.

    >>> format_either("%(one)s or %(other)s", "Featherstonehaugh", "Lee")
    'Featherstonehaugh or Lee'
    >>> format_either("%(one)s or %(other)s", "J. Featherstonehaugh", "Wigglesworth")
    'J. Feathe… or Wiggleswo…'
    """
    if len(one) + len(other) > LONGEST_TWO:
        one, other = (
            text if len(text) <= LONGEST else f"{text[:LONGEST].rstrip()}…" for text in (one, other)
        )
    return pattern % {"one": one, "other": other}


# Rounds for which some languages have a special word.
LAST: Final = {16: _("Last 16"), 32: _("Last 32")}


def _format_last(count: int) -> str:
    return str(LAST[count]) if count in LAST else gettext("Last %(count)s") % {"count": count}


def format_figure(figure: Figure) -> str:
    """Return a figure as people write it: 3½, 12, 1548.

    >>> [format_figure(one) for one in (Fraction(7, 2), Fraction(1, 2), 4, None)]
    ['3½', '½', '4', '']
    """
    if figure is None:
        return ""
    if isinstance(figure, Fraction):
        whole, rest = divmod(abs(figure), 1)
        sign = "-" if figure < 0 else ""
        if rest == 0:
            return f"{sign}{whole}"
        if rest in HALVES:
            return f"{sign}{whole or ''}{HALVES[rest]}"
        return f"{float(figure):.2f}"
    return f"{figure:g}" if isinstance(figure, float) else str(figure)


def describe_series(event: Tournament) -> str:
    """Describe the series of an event; "" if it belongs to none."""
    row: SeriesDay | None = getattr(event, "series_day", None)
    if row is None:
        return ""
    rhythm = local_times.format_weekly_time(row.series.weekday, row.series.at)
    return rhythm if row.series.name == event.name else f"{row.series.name}: {rhythm}"
