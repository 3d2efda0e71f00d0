"""What an act would lead to, in sentences."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.models.pairings import Ended
from tournaments.pairing.ripple import Change

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from django_stubs_ext import StrPromise

    from tournaments.pairing.event import Key, Proposal, Ranked, Result
    from tournaments.pairing.ripple import Ripple
    from tournaments.selectors.courses import Course

MOST_PLACES: Final = 8
SENTENCES: Final[dict[Change, StrPromise]] = {
    Change.TURNS: gettext_lazy("%(after)s: another result, %(result)s."),
    Change.SWAPS: gettext_lazy("Not %(before)s any more, but %(after)s."),
    Change.FALLS: gettext_lazy("%(before)s do not meet any more; who comes is not known yet."),
    Change.ARISES: gettext_lazy("%(after)s meet."),
    Change.PASSES: gettext_lazy("The bye of %(before)s becomes that of %(after)s."),
}


@dataclass(frozen=True, slots=True)
class Effect:
    """What becomes of one match."""

    place: str
    sentence: str
    is_lost: bool


@dataclass(frozen=True, slots=True)
class Foreseen:
    """Everything that an act would change."""

    effects: tuple[Effect, ...]
    order: tuple[str, ...]
    lost: int
    # Where somebody stands from now on, whose place is no change of a match.
    note: str = ""

    @property
    def summary(self) -> str:
        """Return how much it is."""
        if not self.effects:
            return _("No match changes.")
        said = ngettext("%(count)s match changes", "%(count)s matches change", len(self.effects)) % {
            "count": len(self.effects)
        }
        if not self.lost:
            return f"{said}."
        lost = ngettext(
            "%(count)s result no longer counts", "%(count)s results no longer count", self.lost
        ) % {"count": self.lost}
        return f"{said}; {lost}."


def of(
    course: Course, changes: Iterable[Ripple], lost: Collection[Key], before: Proposal, after: Proposal
) -> Foreseen:
    """Say what becomes of each match that changes, and whose place in the order does."""
    effects = tuple(_effect(course, one, is_lost=one.key in lost) for one in changes)
    return Foreseen(effects, tuple(_order(course, before.ranking, after.ranking)), len(lost))


def _effect(course: Course, one: Ripple, *, is_lost: bool) -> Effect:
    play = course.by_key.get(one.key)
    words = {
        "before": _two(course, one.before),
        "after": _two(course, one.after),
        "result": _result(course, one.result_after),
    }
    if one.change is Change.TURNS and one.result_after is None:
        sentence = _("%(after)s: to be played again.") % words
    else:
        sentence = str(SENTENCES[one.change]) % words if one.change in SENTENCES else ""
    if is_lost:
        sentence += " " + _("The recorded result no longer counts.")
    place = str(one.key)
    if play is not None:
        part = course.part_of[play.stage_id]
        at = {"round": course.label(play), "number": play.number}
        place = _("%(round)s, match %(number)s") % at if part.is_sheet else course.label(play)
    return Effect(place, sentence, is_lost)


def _two(course: Course, two: Iterable[str]) -> str:
    found = [_name(course, one) for one in two]
    if not found:
        return _("nobody")
    return _("%(one)s and %(other)s") % {"one": found[0], "other": found[1]} if len(found) > 1 else found[0]


def _name(course: Course, one: str) -> str:
    who = course.by_number.get(int(one))
    return who.name if who is not None else _("the newcomer")


def _result(course: Course, result: Result | None) -> str:
    if result is None:
        return _("open")
    if result.score is not None:
        return f"{result.score[0]}–{result.score[1]}"  # noqa: RUF001
    if result.winner is not None:
        return _("won by %(name)s") % {"name": _name(course, result.winner)}
    return str(Ended(result.kind.value).label)


def _order(course: Course, before: Iterable[Ranked], after: Iterable[Ranked]) -> Iterable[str]:
    """Yield whose places change, the first of them: more than that nobody reads."""
    old = {one.entrant: one.places for one in before}
    changed = (one for one in after if old.get(one.entrant) not in {None, one.places})
    for one in islice(changed, MOST_PLACES):
        yield _("%(name)s: place %(after)s, not %(before)s") % {
            "name": _name(course, one.entrant),
            "after": one.places,
            "before": old[one.entrant],
        }
