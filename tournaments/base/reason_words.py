"""Translated sentences for all codes of reasons, with the same placeholders as in the library."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from draw.format import FormatKind
from draw.formats import FORMATS

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

    Sentences = Mapping[str, StrPromise]

# Codes that the library does not know: decisions of directors.
BY_DIRECTOR: Final = "by director"
FROM_A_HAT: Final = "from a hat"
EXCHANGED: Final = "exchanged"

ROUNDS: Final[Sentences] = {
    "level": _("%(a)s and %(b)s meet with %(score)s each (%(method)s in a group of %(group)s)."),
    "across": _(
        "%(a)s (%(score)s) meets %(b)s (%(other_score)s), because not everybody could be "
        "paired within their score group."
    ),
    "again": _(
        "%(a)s and %(b)s have met before (times so far: %(times)s, last in round %(last)s): no"
        " round without a rematch was left."
    ),
    "apart": _(
        "%(a)s and %(b)s were to be kept apart if possible, but then the other pairings would "
        "have been worse."
    ),
    "bye": _(
        "%(entrant)s sits out and gets %(points)s, because the number of players is odd. Byes "
        "before: %(byes)s; score so far: %(score)s."
    ),
    "bye-asked": _("%(entrant)s asked to sit out and gets %(points)s."),
    "bye-stranded": _(
        "%(entrant)s sits out and gets %(points)s, because no permitted opponent is left. Byes "
        "before: %(byes)s; score so far: %(score)s."
    ),
    "play-off": _("%(a)s and %(b)s share a place; a play-off decides it."),
}
LIVES: Final[Sentences] = {
    **ROUNDS,
    "across": _(
        "%(a)s (%(score)s) meets %(b)s (%(other_score)s), because no opponent with the same score is free."
    ),
    "bye": _("%(entrant)s sits out, because the number of players is odd. Byes before: %(byes)s."),
    "wait": _("%(entrant)s waits, because no suitable opponent is free."),
    "split": _("Three are left with one life each and share the place. Byes among them: %(byes)s."),
    "few-left": _("Players left: %(left)s. It is over as soon as there are no more than %(until)s."),
    "bracket": _(
        "Players left: %(left)s, lives left: %(lives)s. That is enough for a knock-out of %(bracket)s."
    ),
}
CIRCLES: Final[Sentences] = {
    "cancelled": _("%(entrant)s left before half of the matches were played: none of them counts."),
    "postponed": _("%(a)s and %(b)s play later: one of them is away."),
    "play-off": ROUNDS["play-off"],
}
DRAWS: Final[Sentences] = {
    "lots": _("The lot decided every line."),
    "pots": _("The lot decided within each pot."),
    "seeded": _(
        "Of %(entrants)s players the top seeds (%(seeds)s) were placed %(method)s; the lot placed the others."
    ),
    "ordered": _("All %(entrants)s players were placed %(method)s, nothing by lot."),
    "rated": _("All %(entrants)s players were placed by rating; the lot decided only between equal ratings."),
    "group again": _(
        "Players of one group were placed so that they meet again late: beside the main draw (%(side)s) "
        "from round %(round)s on."
    ),
    "clashes": _("First-round pairs of one club or family that could not be kept apart: %(pairs)s."),
    "one bye": _("%(entrants)s players on %(size)s lines: seed 1 has a bye."),
    "byes": _("%(entrants)s players on %(size)s lines: seeds 1 to %(byes)s have a bye."),
    "byes by lot": _("%(entrants)s players on %(size)s lines: the lot decided who has a bye (%(byes)s)."),
    "more byes": _("%(entrants)s players on %(size)s lines: the seeds have a bye, and by lot %(more)s more."),
}
SHEETS: Final[Sentences] = {
    **DRAWS,
    "draw": _("Drawn %(method)s: %(entrants)s players on %(size)s lines; commitment %(commitment)s."),
    "drawn": _("Drawn together: seeds %(a)s and %(b)s."),
    "bye": _(
        "Bye: seed %(seed)s of %(entrants)s in a draw of %(size)s; its byes (%(byes)s) go to the top seeds."
    ),
    "opposite": _("%(entrant)s has a bye: the line opposite is empty."),
    "passes": _("%(entrant)s goes on without playing: no one comes from %(source)s."),
    "bye taken": _("%(entrant)s came late and took the bye on line %(line)s."),
    "winners": _("The winners of %(a)s and %(b)s meet."),
    "dropper": _("The loser of %(loser)s meets the winner of %(winner)s."),
    "droppers": _("The losers of %(a)s and %(b)s meet."),
    "again": _("The challenger won the first final, so each has lost once: one more match decides."),
    "left": _("Decided without play, because a player has left."),
    "away": _("Waits for %(entrant)s, who is away."),
    "late": _("%(about)s came late and took the bye on line %(line)s, without a new draw."),
    "joins": _("%(entrant)s came late and was let in here, where no one comes from %(source)s."),
    "no line": _("%(about)s came late and found no free bye: the draw has %(size)s lines."),
    "redrawn": _("Drawn afresh for this round; still in: %(alive)s."),
    "fell": _("%(a)s and %(b)s were paired here but no longer meet, so this pairing does not count."),
    "lot bye": _("Bye by lot, among those with the fewest byes so far (%(eligible)s)."),
}
ORDER: Final[Sentences] = {
    "separated": _("%(a)s and %(b)s are level. %(by)s: %(a)s first, %(ahead)s to %(behind)s."),
    "separated by": _("%(a)s and %(b)s are level. %(by)s: %(a)s first."),
    "separated by lot": _("Nothing else separated %(a)s and %(b)s; the lot put %(a)s first."),
    "separated by list": _("Nothing else separated %(a)s and %(b)s; %(a)s was higher on the list."),
    "separated by director": _("Nothing else separated %(a)s and %(b)s; the director put %(a)s first."),
    "separated by play-off": _("%(a)s and %(b)s were level; the play-off put %(a)s first."),
    "shared": _("%(a)s and %(b)s are level on every line of the list: they share the place."),
    "shared by many": _(
        "%(count)s players, from %(a)s to %(b)s, are level on every line of the list: they share the place."
    ),
    "cut by lot": _("%(a)s and %(b)s share the place; the lot decided that %(a)s goes through."),
    "cut by list": _("%(a)s and %(b)s share the place; %(a)s was higher on the list and goes through."),
}
# Reasons that the library does not know.
OWN: Final[Sentences] = {
    BY_DIRECTOR: _("A director changed this pairing by hand before the round was published."),
    FROM_A_HAT: _("The lines were drawn from a hat and entered by a director."),
    EXCHANGED: _("A director exchanged lines %(a)s and %(b)s."),
}
OF_KIND: Final[Mapping[FormatKind, Sentences]] = {
    FormatKind.ELIMINATION: SHEETS,
    FormatKind.ROUNDS: ROUNDS,
    FormatKind.CIRCLES: CIRCLES,
}
# Pairing methods within a score group.
METHODS: Final[Sentences] = {
    "monrad": pgettext_lazy("how a group is paired", "neighbours"),
    "slide": pgettext_lazy("how a group is paired", "top half against bottom half"),
    "fold": pgettext_lazy("how a group is paired", "first against last"),
    "random": pgettext_lazy("how a group is paired", "by lot"),
}
# Methods of the draw.
BY_HAND: Final = "by hand"
DRAWN_BY: Final[Sentences] = {
    "random": pgettext_lazy("method of the draw", "by lot"),
    "rating": pgettext_lazy("method of the draw", "by rating"),
    "listed": pgettext_lazy("method of the draw", "in the order of entry"),
    "pots": pgettext_lazy("method of the draw", "from pots"),
    "hand": pgettext_lazy("method of the draw", "by the director's seeds"),
    "cross": pgettext_lazy("method of the draw", "crosswise from the groups"),
    BY_HAND: pgettext_lazy("method of the draw", "with slips of paper"),
}


def get_sentences(form: str) -> Sentences:
    known = FORMATS.get(form)
    if known is None:
        return {**SHEETS, **ORDER, **OWN}
    return {**(LIVES if known.counts_in == "lives" else OF_KIND[known.kind]), **ORDER, **OWN}
