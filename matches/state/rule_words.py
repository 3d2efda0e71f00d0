"""Descriptions of rules, length and unusual rules, and displayed scores.

>>> from engine.rules import Rules
>>> describe_rules(Rules(length=7)), describe_rules(Rules.best_of(3))
('to 7', 'best of 3')
>>> describe_rules(Rules(length=5, cube=False, backgammons=False))
'to 5, no cube, no backgammons'
>>> describe_rules(Rules.unlimited(beavers=True))
'without end, Jacoby rule, with beavers'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from engine.formats.json_record import rules_from_json
from engine.rules import Rules
from engine.side import BySide, Side
from matches.state import clock_words

VARIANTS: Final = {
    "backgammon": gettext_lazy("Backgammon"),
    "nackgammon": gettext_lazy("Nackgammon"),
    "hypergammon": gettext_lazy("Hypergammon"),
}


def describe_terms(terms: Mapping[str, Any]) -> str:
    return describe_rules(rules_from_json(terms["rules"]))


def describe_rules(rules: Rules) -> str:
    return ", ".join(filter(None, (describe_length(rules), describe_unusual(rules))))


def describe_length(rules: Rules) -> str:
    if rules.best_of_games:
        return _("best of %(n)s") % {"n": rules.best_of_games}
    return _("to %(n)s") % {"n": rules.length} if rules.length else _("without end")


def describe_unusual(rules: Rules) -> str:
    return ", ".join(() if rules.best_of_games else _list_unusual(rules))


def _list_unusual(rules: Rules) -> Iterator[str]:
    if rules.variant != "backgammon" and rules.variant in VARIANTS:
        yield str(VARIANTS[rules.variant])
    if not rules.cube:
        yield _("no cube")
    elif rules.length > 1 and not rules.crawford:
        yield _("no Crawford rule")
    if not rules.gammons:
        yield _("no gammons")
    elif not rules.backgammons:
        yield _("no backgammons")
    if rules.jacoby:
        yield _("Jacoby rule")
    if rules.beavers:
        yield _("with beavers")
    if most := rules.automatic_doubles:
        words = ngettext("up to %(n)s automatic double", "up to %(n)s automatic doubles", most)
        yield words % {"n": most}


def describe_outcome(winner: Side | None, score: BySide[int], length: int, names: BySide[str]) -> str:
    """Describe the end of a match, or of money play (length 0), which has a final score and no winner."""
    if winner is None:
        return _("The match does not count.")
    white, black = cap_score(score, length)
    if not length:
        return _("Final score: {white} {score} {black}.").format(
            white=names.white, score=_format_score(white, black), black=names.black
        )
    told = _format_score(white, black) if winner is Side.WHITE else _format_score(black, white)
    return _("{name} won the match {score}.").format(name=names[winner], score=told)


def _format_score(one: int, other: int) -> str:
    return f"{one}{clock_words.DASH}{other}"


def cap_score(score: Iterable[int], length: int | None) -> tuple[int, int]:
    """Return a score capped at the match length; money play has none.

    >>> cap_score((2, 0), 1), cap_score((8, 5), 7), cap_score((8, 5), 0)
    ((1, 0), (7, 5), (8, 5))
    """
    one, other = score
    return (min(one, length), min(other, length)) if length else (one, other)
