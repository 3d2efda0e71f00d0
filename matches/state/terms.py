"""What is agreed for a match beyond the rules of the game: the clock, what a fallen flag costs, who may watch."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from engine.clock import DAY, MINUTE, SECOND, Control, Timing
from engine.errors import Impossible
from engine.formats.own import rules_from_json, rules_to_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.rules import Rules

HOUR: Final = 60 * MINUTE
# From here on a turn is counted in days: nobody waits at the board.
CORRESPONDENCE: Final = 12 * HOUR
# A train passes a tunnel.
TUNNEL: Final = 30 * SECOND
# Without a clock: how long the one who waits at the board does so, and how long anything may take at all.
LEAVE: Final = 10 * MINUTE
LIMIT: Final = 14 * DAY
# So long has who was not at the board any more when it became their turn.
AWHILE: Final = DAY


class Claim(StrEnum):
    """What may be claimed from an opponent who stays away from a board without a clock."""

    WIN = "win"
    VOID = "void"
    ADJOURN = "adjourn"  # nothing: the match waits for them, as long as the limit lets it


@dataclass(frozen=True, slots=True)
class FlagRule:
    """What it costs to run out of time: the match, or so many points and then some time is given."""

    points: int | None = None
    credit: int = 0


@dataclass(frozen=True, slots=True)
class Terms:
    """The rules and everything else that was agreed before the first roll."""

    rules: Rules
    control: Control | None = None
    # The name of the preset, for people.
    clock: str = ""
    flag: FlagRule = FlagRule()
    # Between games nobody's clock runs for so long; then that of whoever is missing does.
    pause: int = 60 * SECOND
    # Both may be missing for so long.
    patience: int = HOUR
    # So long in all, a side, the clock stands for one on turn whose connection is gone.
    absence: int = 0
    # Without a clock: after so long away from the board the other side may claim, and what. 0: never.
    leave: int = 0
    claim: Claim = Claim.WIN
    # Without a clock: whoever the match waits for has so long, at the board or not. 0: for ever, as agreed of old.
    limit: int = 0
    # How long spectators wait for what the players see.
    delay: int = 0
    has_chat: bool = True
    shows_pips: bool = True
    # An offer to resign costs the side that has to answer no time. Matches agreed before charge for the answer.
    free_answers: bool = False

    def __post_init__(self) -> None:
        has_next_turn = self.control is None or self.control.allowance(self.flag.credit) > 0
        if self.flag.points is not None and not has_next_turn:
            raise Impossible("bad-clock", "A flag that costs points has to be followed by some time to play.")

    @property
    def is_correspondence(self) -> bool:
        """Is a turn counted in days?"""
        return self.control is not None and self.control.allowance(self.control.reserve) >= CORRESPONDENCE

    @property
    def is_limited(self) -> bool:
        """Is there a time by which somebody must act?"""
        return self.control is not None or self.limit > 0

    def practice(self) -> Terms:
        """Return the same against a bot, which nobody keeps waiting."""
        return replace(self, leave=0, limit=0)

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON's plain values."""
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
        """Read what `to_json` wrote; what an older one did not say is as it is by default."""
        told: dict[str, Any] = dict(data)
        control = control_from_json(told.pop("control", None))
        flag: dict[str, Any] = told.pop("flag", None) or {}
        return cls(
            rules=rules_from_json(told.pop("rules")),
            control=control,
            flag=FlagRule(flag.get("points"), flag.get("credit", 0)),
            claim=Claim(told.pop("claim", Claim.WIN)),
            **told,
        )


def control_from_json(told: Mapping[str, Any] | None) -> Control | None:
    """Read the clock that `Terms.to_json` wrote."""
    return Control(Timing(told["timing"]), told["reserve"], told["delay"]) if told else None


def standard(rules: Rules, control: Control | None, clock: str = "", **agreed: Any) -> Terms:
    """Return terms whose pauses fit the clock: minutes at the board, days by correspondence.

    Who plays at the board and loses the connection has a while to come back. Without a clock absence may be claimed.
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
