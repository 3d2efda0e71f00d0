"""Match terms from plain values, validated field by field."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from engine.clock import DAY, PRESETS, SECOND, DelayMethod, TimeControl
from engine.rules import LONGEST, VARIANTS, DeadCube, Rules
from matches.state import clock_words
from matches.state.errors import BadTerms
from matches.state.terms import Claim, Terms, build_terms

SHORTEST_TURN: Final = 10 * SECOND
LONGEST_RESERVE: Final = 30 * DAY
LONGEST_DELAY: Final = 14 * DAY
MOST_AUTOMATIC: Final = 5


@dataclass(frozen=True, slots=True)
class OwnClock:
    """A custom clock; times in milliseconds."""

    timing: str
    reserve: int
    delay: int = 0


def read_terms(
    *,
    length: int,
    variant: str = "backgammon",
    cube: bool = True,
    crawford: bool = True,
    dead_cube: str = DeadCube.ALLOWED.value,
    jacoby: bool = False,
    beavers: bool = False,
    automatic_doubles: int = 0,
    clock: str | OwnClock | None = None,
    has_chat: bool = True,
    claim: str = Claim.WIN.value,
) -> Terms:
    """Return the terms of a match to *length* points, or of money play if 0.

    :raises BadTerms: with a sentence for each invalid field.
    """
    money = {"jacoby": jacoby, "beavers": beavers, "automatic_doubles": automatic_doubles}
    problems = _list_rule_problems(length, variant, dead_cube, money)
    control: TimeControl | None = None
    try:
        control = _build_control(clock, length)
    except BadTerms as error:
        problems["clock"] = str(error)
    if claim not in set(Claim):
        problems["claim"] = _format_choices(Claim)
    if problems:
        raise build_refusal(problems)
    rules = Rules(
        length=length,
        cube=cube,
        crawford=crawford and length > 0,
        dead_cube=DeadCube(dead_cube),
        jacoby=jacoby,
        beavers=beavers,
        automatic_doubles=automatic_doubles,
        start=VARIANTS[variant],
    )
    return build_terms(
        rules, control, clock if isinstance(clock, str) else "", has_chat=has_chat, claim=Claim(claim)
    )


def build_refusal(problems: Mapping[str, str]) -> BadTerms:
    return BadTerms(" ".join(dict.fromkeys(problems.values())), fields=dict(problems))


def _list_rule_problems(
    length: int, variant: str, dead_cube: str, money: Mapping[str, bool | int]
) -> dict[str, str]:
    problems = {}
    if not 0 <= length <= LONGEST:
        problems["length"] = _("A match has 1 to {most} points; 0 is money play.").format(most=LONGEST)
    elif length:
        sentence = _("Jacoby, beavers and automatic doubles exist only in money play.")
        problems.update({name: sentence for name, wanted in money.items() if wanted})
    elif not 0 <= money["automatic_doubles"] <= MOST_AUTOMATIC:
        problems["automatic_doubles"] = _("At most {most} automatic doubles.").format(most=MOST_AUTOMATIC)
    if variant not in VARIANTS:
        problems["variant"] = _format_choices(VARIANTS)
    if dead_cube not in set(DeadCube):
        problems["dead_cube"] = _format_choices(DeadCube)
    return problems


def _build_control(clock: str | OwnClock | None, length: int) -> TimeControl | None:
    if clock is None:
        return None
    if isinstance(clock, OwnClock):
        return _build_own_control(clock)
    preset = PRESETS.get(clock)
    if preset is None:
        raise BadTerms(_format_choices(PRESETS))
    if preset.a_point and not length:
        by_time = ", ".join(
            str(clock_words.NAMES[name]) for name, each in PRESETS.items() if not each.a_point
        )
        raise BadTerms(
            _("Money play takes the clock {clocks}, one of your own, or none.").format(clocks=by_time)
        )
    # An invalid length is reported elsewhere; it is clamped here to report both errors.
    return preset.control(min(max(length, 1), LONGEST))


def _build_own_control(clock: OwnClock) -> TimeControl:
    if clock.timing not in set(DelayMethod):
        raise BadTerms(_format_choices(DelayMethod))
    if not 0 <= clock.reserve <= LONGEST_RESERVE or not 0 <= clock.delay <= LONGEST_DELAY:
        raise BadTerms(_("The reserve can be at most 30 days, and the delay at most 14 days."))
    timing = DelayMethod(clock.timing)
    if timing is DelayMethod.PLAIN and clock.delay:
        raise BadTerms(_("A plain clock has no delay."))
    first_turn = clock.reserve + (clock.delay if timing is DelayMethod.SIMPLE else 0)
    if first_turn < SHORTEST_TURN:
        raise BadTerms(_("Allow at least 10 seconds a move."))
    return TimeControl(timing, clock.reserve, clock.delay)


def _format_choices(names: object) -> str:
    return _("One of {names}.").format(names=", ".join(str(name) for name in names))  # type: ignore[attr-defined]
