"""What brackets, rounds and places are called by people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from tournaments.pairing.brackets.structure import FINAL, MAIN
from tournaments.pairing.event import Kind
from tournaments.pairing.rounds import PLAYOFF_BRACKET

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
FORMATS: Final[dict[str, StrPromise]] = {
    "single-elimination": pgettext_lazy("event format", "Knock-out"),
    "consolation": pgettext_lazy("event format", "Knock-out, consolation for the first round"),
    "progressive-consolation": pgettext_lazy("event format", "Knock-out with consolation"),
    "last-chance": pgettext_lazy("event format", "Knock-out, consolation and last chance"),
    "feed-in": pgettext_lazy("event format", "Knock-out, feed-in consolation"),
    "first-match-losers": pgettext_lazy("event format", "Knock-out, consolation for first-match losers"),
    "double-elimination": pgettext_lazy("event format", "Double elimination"),
    "swiss": pgettext_lazy("event format", "Swiss"),
    "lives": pgettext_lazy("event format", "Lives"),
    "round-robin": pgettext_lazy("event format", "Round robin"),
    "league": pgettext_lazy("event format", "League"),
    "groups": pgettext_lazy("event format", "Groups"),
}
FINALS_BEFORE: Final[dict[str, StrPromise]] = {MAIN: _("Winners' final"), LOSERS: _("Losers' final")}
# How a match ended without being played out, in a corner of its box.
SHORT_KINDS: Final[dict[str, StrPromise]] = {
    Kind.WALKOVER.value: pgettext_lazy("short for walkover", "w.o."),
    Kind.FORFEIT.value: pgettext_lazy("short for forfeit", "forf."),
    Kind.DOUBLE_FORFEIT.value: pgettext_lazy("short for double forfeit", "d.f."),
    Kind.NO_SHOW.value: pgettext_lazy("short for no-show", "n.s."),
    Kind.WITHDRAWAL.value: pgettext_lazy("short for withdrawal", "wd."),
    Kind.VOID.value: pgettext_lazy("short for void", "void"),
    Kind.DRAWN.value: pgettext_lazy("short for drawn", "drawn"),
}
TIES: Final[dict[str, StrPromise]] = {
    "points": _("Points"),
    "lives": _("Lives"),
    "head-to-head": _("Head-to-head"),
    "direct-encounter": _("Direct encounter"),
    "buchholz": _("Buchholz"),
    "buchholz-cut-1": _("Buchholz, worst cut"),
    "buchholz-cut-2": _("Buchholz, two cut"),
    "median": _("Median Buchholz"),
    "sonneborn-berger": _("Sonneborn-Berger"),
    "cumulative": _("Cumulative"),
    "wins": pgettext_lazy("tie-break", "Wins"),
    "wins-at-the-board": _("Wins at the board"),
    "rounds-met": _("Rounds met"),
    "opponents-rating": _("Opponents' rating"),
    "point-difference": _("Point difference"),
    "rating": _("Rating"),
    "play-off": _("Play-off"),
    "shared": _("Shared"),
    "lot": _("Lot"),
}
SEMI_FINALS, QUARTER_FINALS = 1, 2
# Two names and a word between them stand in one row of a box.
LONGEST: Final = 13


def bracket(name: str) -> str:
    """Return a bracket's or a group's name."""
    if name in BRACKETS:
        return str(BRACKETS[name])
    if len(name) <= 3 and name[:1].isupper():
        return gettext("Group %(name)s") % {"name": name}
    return name.replace("-", " ").capitalize()


def format_name(name: str) -> str:
    """Return a format's name."""
    return str(FORMATS.get(name, name))


def round_title(name: str, number: int, last: int, matches: int, *, has_title: bool = False) -> str:
    """Return what a round of a bracket is called: round 3 of 5 with 4 matches is "Quarter-finals".

    *has_title*: after the final of the main draw comes a match for the title.
    """
    left = last - number
    if name == FINAL:
        return gettext("Second match") if number > 1 else gettext("Title match")
    if name == THIRD_PLACE:
        return gettext("Match for third place")
    if left == 0 and has_title and name in FINALS_BEFORE:
        return str(FINALS_BEFORE[name])
    if left == 0:
        return gettext("Final")
    if left == SEMI_FINALS and matches <= 2:
        return gettext("Semi-finals")
    if name == MAIN:
        return gettext("Quarter-finals") if left == QUARTER_FINALS else _last(2 ** (left + 1))
    return plain_round(number)


def place(name: str, number: int, last: int, matches: int, at: int) -> str:
    """Return what one place is called in a sentence: "quarter-final 2", "consolation 1.4"."""
    left = last - number
    words = {
        0: gettext("final"),
        SEMI_FINALS: gettext("semi-final %(number)s"),
        QUARTER_FINALS: gettext("quarter-final %(number)s"),
    }
    if name == FINAL:
        return gettext("title match")
    if name == THIRD_PLACE:
        return gettext("match for third place")
    if name == MAIN and left in words:
        return words[left] % {"number": at} if left else words[0]
    if name == MAIN:
        return gettext("match %(round)s.%(number)s") % {"round": number, "number": at}
    if left == 0 and matches == 1:
        return gettext("final of %(bracket)s") % {"bracket": bracket(name)}
    return f"{bracket(name)} {number}.{at}"


def plain_round(number: int) -> str:
    """Return "Round 3"."""
    return gettext("Round %(number)s") % {"number": number}


def points(length: int) -> str:
    """Return "to 7 points"."""
    return ngettext("to %(points)s point", "to %(points)s points", length) % {"points": length}


def table(name: str) -> str:
    """Return "Table 4", or the table's own name."""
    return gettext("Table %(name)s") % {"name": name} if name.isdigit() else name


def short_table(name: str) -> str:
    """Return "T4", or the table's own name."""
    return gettext("T%(name)s") % {"name": name} if name.isdigit() else name


def family(name: str) -> str:
    """Return by what people call somebody on a crowded sheet.

    >>> family("Ada Okafor"), family("Guest 12"), family("Bob"), family("Jo Featherstonehaugh")
    ('Okafor', 'Guest 12', 'Bob', 'Featherstone…')
    """
    last = name.split(" ")[-1]
    said = last if len(last) > 2 and not last[:1].isdigit() else name
    return said if len(said) <= LONGEST else f"{said[: LONGEST - 1]}…"


def _last(count: int) -> str:
    return gettext("Last %(count)s") % {"count": count}
