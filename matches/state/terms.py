"""Match terms beyond the rules of the game: clock, flag rule, absences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from engine.clock import DAY, MINUTE, SECOND, DelayMethod, TimeControl
from engine.errors import Impossible
from engine.formats.json_record import rules_from_json, rules_to_json
from engine.rules import Rules

HOUR: Final = 60 * MINUTE
# Matches with at least this time for a turn are correspondence play.
CORRESPONDENCE: Final = 12 * HOUR
# Allowance for short connection losses, such as in a tunnel.
TUNNEL: Final = 30 * SECOND
# Without a clock: absence after which the opponent may claim, and time limit of a turn.
LEAVE: Final = 10 * MINUTE
LIMIT: Final = 14 * DAY
# Allowance of a player who had left before their turn began.
AWHILE: Final = DAY


class Claim(StrEnum):
    """The consequence that may be claimed against an absent opponent in a match without a clock."""

    WIN = "win"
    VOID = "void"
    ADJOURN = "adjourn"  # nothing: the match waits up to its limit


@dataclass(frozen=True, slots=True)
class FlagRule:
    """The cost of a flag: the match, or *points* and then *credit* more time."""

    points: int | None = None
    credit: int = 0


@dataclass(frozen=True, slots=True)
class Terms:
    """Everything agreed before the first roll. Times are in milliseconds."""

    rules: Rules
    control: TimeControl | None = None
    # Name of the preset.
    clock: str = ""
    flag: FlagRule = FlagRule()
    # Between games no clock runs for this time; then that of the missing side does.
    pause: int = 60 * SECOND
    # Maximum time with both players missing.
    patience: int = HOUR
    # Total time per side that its clock is stopped for lost connections.
    absence: int = 0
    # Without a clock: absence after which the opponent may claim (0: never), and the consequence.
    leave: int = 0
    claim: Claim = Claim.WIN
    # Without a clock: time limit of each turn. 0: none, in older matches.
    limit: int = 0
    # Always 0. The hash of every journal contains it.
    delay: int = 0
    has_chat: bool = True
    shows_pips: bool = True
    # Answering a resignation costs no time. False in older matches.
    free_answers: bool = False

    def __post_init__(self) -> None:
        has_next_turn = self.control is None or self.control.allowance(self.flag.credit) > 0
        if self.flag.points is not None and not has_next_turn:
            raise Impossible("bad-clock", "A flag that costs points has to be followed by some time to play.")

    @property
    def is_correspondence(self) -> bool:
        return self.control is not None and self.control.allowance(self.control.reserve) >= CORRESPONDENCE

    @property
    def is_limited(self) -> bool:
        return self.control is not None or self.limit > 0

    def practice(self) -> Terms:
        """Return the terms for a match against a bot, without a limit in days or claims for absence."""
        return replace(self, leave=0, limit=0)

    def to_json(self) -> dict[str, Any]:
        control = self.control
        return {
            "rules": rules_to_json(self.rules),
            "control": control
            and {
                "timing": control.timing.value,
                "reserve": control.reserve,
                "delay": control.delay,
            },
            "clock": self.clock,
            "flag": {"points": self.flag.points, "credit": self.flag.credit},
            "pause": self.pause,
            "patience": self.patience,
            "absence": self.absence,
            "leave": self.leave,
            "claim": self.claim.value,
            "limit": self.limit,
            "delay": self.delay,
            "has_chat": self.has_chat,
            "shows_pips": self.shows_pips,
            "free_answers": self.free_answers,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Terms:
        """Read terms; values missing in older ones get their defaults."""
        values: dict[str, Any] = dict(data)
        control = control_from_json(values.pop("control", None))
        flag: dict[str, Any] = values.pop("flag", None) or {}
        return cls(
            rules=rules_from_json(values.pop("rules")),
            control=control,
            flag=FlagRule(flag.get("points"), flag.get("credit", 0)),
            claim=Claim(values.pop("claim", Claim.WIN)),
            **values,
        )


def control_from_json(data: Mapping[str, Any] | None) -> TimeControl | None:
    return TimeControl(DelayMethod(data["timing"]), data["reserve"], data["delay"]) if data else None


def build_terms(rules: Rules, control: TimeControl | None, clock: str = "", **agreed: Any) -> Terms:
    """Return terms with pauses that fit the clock: minutes in live play, days by correspondence.

    Live play has an allowance for lost connections. Without a clock absence may be claimed.
    """
    terms = Terms(rules, control, clock, free_answers=True)
    if terms.is_correspondence and control is not None:
        turn = control.allowance(control.reserve)
        terms = replace(terms, pause=max(control.delay, DAY), patience=max(turn, 7 * DAY))
    elif control is not None:
        terms = replace(terms, absence=TUNNEL)
    else:
        terms = replace(terms, leave=LEAVE, limit=LIMIT)
    return replace(terms, **agreed)
