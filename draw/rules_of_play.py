"""The rules of play of an event's matches, beyond their length (R69)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final

from draw.options import BadOption, Choice, Flag, Option, Prominence, declare_setting, gettext_noop

LEGAL: Final = "legal"
RESPONSIBLE: Final = "responsible"
MOVES: Final = {
    LEGAL: gettext_noop("Legal moves: it is corrected until the opponent has rolled"),
    RESPONSIBLE: gettext_noop("Responsible moves: the opponent decides"),
}
MOST_GAMES: Final = 25
MOST_FLAG_POINTS: Final = 5
# Named clocks; `engine.clock` defines them.
CLOCKS: Final = (
    "club",
    "fast",
    "blitz",
    "slow",
    "us-2013",
    "us-2013-doubles",
    "unified-2001",
    "correspondence",
)


@dataclass(frozen=True, slots=True)
class Count(Option[int]):
    """A number of games or points; `RulesOfPlay` validates it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesOfPlay:
    """The announced rules of play, except the length. Each rule is declared once, like a setting.

    >>> RulesOfPlay(best_of=3).length(7), RulesOfPlay(best_of=3).cube
    (2, False)
    """

    cube: bool = declare_setting(
        Flag("cube", True, gettext_noop("With the doubling cube")), "Is there a doubling cube?", ""
    )
    crawford: bool = declare_setting(Flag("crawford", True, gettext_noop("With the Crawford rule")), "", "")
    gammons: bool = declare_setting(
        Flag("gammons", True, "", asked=Prominence.NEVER), "Do gammons count?", ""
    )
    backgammons: bool = declare_setting(Flag("backgammons", True, "", asked=Prominence.NEVER), "", "")
    jacoby: bool = declare_setting(
        Flag(
            "jacoby",
            False,
            gettext_noop("With the Jacoby rule"),
            gettext_noop("Gammons count only after a double. Rarely used in matches."),
        ),
        "Gammons count only after a double.",
        "Gammons count only after a double.",
    )
    best_of: int = declare_setting(
        Count("best_of", 0, "", asked=Prominence.NEVER),
        "More than half of so many games win the match, without a cube; 0: a score is played for.",
        "More than half of so many games win; 0: a score is played for.",
    )
    pips: bool = declare_setting(
        Flag("pips", True, gettext_noop("Live boards show the pip count")),
        "Does the board show the pip count?",
        "Does the board show the pip count?",
    )
    moves: str = declare_setting(
        Choice("moves", LEGAL, gettext_noop("An illegal move over the board"), first=LEGAL, choices=MOVES),
        "Illegal moves over the board.",
        "Illegal moves over the board: legal or responsible.",
    )
    clock: str = declare_setting(
        Choice("clock", "", "", asked=Prominence.NEVER, choices=dict.fromkeys(("", *CLOCKS), "")),
        "A clock by its name.",
        "A clock by its name, blank where there is none, or one by points.",
    )
    flag_points: int = declare_setting(
        Count("flag_points", 0, "", asked=Prominence.NEVER),
        "What an empty reserve costs, with half the time back; 0: the match.",
        "What an empty reserve costs; 0: the match.",
    )

    def __post_init__(self) -> None:
        if self.best_of:
            # Only games count, so these are off.
            for name in ("cube", "gammons", "backgammons"):
                object.__setattr__(self, name, False)
        if (problem := _find_problem(self)) is not None:
            raise BadOption(*problem)

    def length(self, usual: int) -> int:
        """Return the points a match is played to: *usual*, or with `best_of` the games that win."""
        return (self.best_of + 1) // 2 if self.best_of else usual

    def to_json(self) -> dict[str, Any]:
        """Serialize the values that differ from the default.

        >>> RulesOfPlay(cube=False).to_json()
        {'cube': False}
        """
        values = {name: getattr(self, name) for name in DEFAULTS}
        return {name: value for name, value in values.items() if value != DEFAULTS[name]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> RulesOfPlay:
        """Parse rules of play; those not given have their defaults.

        :raises BadOption: there is no such rule, or it contradicts another.
        """
        return USUAL.changed(data)

    @classmethod
    def from_match_rules(cls, rules: Mapping[str, Any]) -> RulesOfPlay:
        """Parse the rules of play in the stored rules of a match, a round or an event.

        :raises BadOption: there is no such rule, or it contradicts another.
        """
        return cls.from_json(rules.get("play", {}))

    def changed(self, changes: Mapping[str, Any]) -> RulesOfPlay:
        """Override some of these rules, for a stage, a bracket or a round.

        :raises BadOption: there is no such rule, or it contradicts another.
        """
        if not changes:
            return self
        for name, value in changes.items():
            if name not in DEFAULTS:
                raise BadOption(f"play.{name}", f"is no rule; there are {', '.join(DEFAULTS)}")
            if type(value) is not type(DEFAULTS[name]):
                raise BadOption(f"play.{name}", f"cannot be {value!r}")
        values: dict[str, Any] = dict(changes)
        if values.get("gammons") is False:
            values.setdefault("backgammons", False)
        return replace(self, **values)


def _find_problem(play: RulesOfPlay) -> tuple[str, str] | None:
    """Find the first contradiction: the name of the rule, and the problem."""
    has_odd_games = play.best_of % 2 == 1 and 3 <= play.best_of <= MOST_GAMES
    checks = (
        (play.backgammons and not play.gammons, "backgammons", "cannot count where gammons do not"),
        (play.jacoby and not play.cube, "jacoby", "needs a cube"),
        (play.best_of and not has_odd_games, "best_of", f"is an odd number of games from 3 to {MOST_GAMES}"),
        (play.moves not in MOVES, "moves", f"is one of {', '.join(MOVES)}"),
        (play.clock and play.clock not in CLOCKS, "clock", f"is one of {', '.join(CLOCKS)}"),
        (not 0 <= play.flag_points <= MOST_FLAG_POINTS, "flag_points", f"is from 0 to {MOST_FLAG_POINTS}"),
    )
    return next(((f"play.{name}", why) for is_wrong, name, why in checks if is_wrong), None)


DEFAULTS: Final[Mapping[str, Any]] = {each.name: each.default for each in fields(RulesOfPlay)}
USUAL: Final = RulesOfPlay()
