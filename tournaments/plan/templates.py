"""Templates for directors: common plans that can be changed in every part."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from draw.rules_of_play import RulesOfPlay
from tournaments.base.settings import Settings
from tournaments.models import LONGEST_MATCH

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from django_stubs_ext import StrPromise


@dataclass(frozen=True, slots=True, kw_only=True)
class StagePlan:
    """A planned stage: the columns of its row."""

    format: str
    name: str = ""
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    takes: tuple[Mapping[str, Any], ...] = ()
    rules: tuple[Mapping[str, Any], ...] = ()
    pairs: str = "auto"
    round_minutes: int | None = None
    round_days: int | None = None
    deadline_policy: str = "call"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How an event is played: stages, settings, length of matches, and a label for all this."""

    stages: tuple[StagePlan, ...]
    settings: Settings = field(default_factory=Settings)
    match_length: int = 5
    # The director's description; "" to show the formats.
    format_label: str = ""


@dataclass(frozen=True, slots=True)
class Template:
    """A named plan for a match length and a number of rounds."""

    name: StrPromise
    about: StrPromise
    plan: Callable[[int, int], Plan]
    length: int = 5
    rounds: int = 0  # 0: not applicable


# The stage of a friendly.
ONE_MATCH: Final = StagePlan(format="single-elimination")

# Minutes of lateness and penalty points; the third step loses the match.
LATENESS: Final = ((5, 1), (10, 2), (15, None))
SHORT_LATENESS: Final = ((3, 1), (6, 2), (9, None))


def _build_club_night(length: int, rounds: int) -> Plan:
    rules = ({"bracket": "consolation", "length": max(1, length - 2)},)
    return Plan(
        stages=(StagePlan(format="progressive-consolation", rules=rules),),
        settings=Settings(
            needs_check_in=True,
            has_waiting_list=True,
            confirm_minutes=10,
            lateness=LATENESS,
            no_show_minutes=20,
        ),
        match_length=length,
    )


def _build_swiss(length: int, rounds: int) -> Plan:
    return Plan(
        stages=(StagePlan(format="swiss", options={"rounds": rounds}),),
        settings=Settings(needs_check_in=True, has_waiting_list=True, confirm_minutes=10, no_show_minutes=20),
        match_length=length,
    )


def _build_weekend(length: int, rounds: int) -> Plan:
    rules = (
        {"bracket": "main", "round": -1, "length": min(LONGEST_MATCH, length + 4)},
        {"bracket": "consolation", "length": max(1, length - 2)},
        {"bracket": "last-chance", "length": max(1, length - 4)},
    )
    return Plan(
        stages=(StagePlan(format="last-chance", rules=rules),),
        settings=Settings(
            needs_check_in=True,
            has_waiting_list=True,
            confirm_minutes=15,
            lateness=LATENESS,
            no_show_minutes=30,
        ),
        match_length=length,
    )


def _build_league(length: int, rounds: int) -> Plan:
    return Plan(
        stages=(StagePlan(format="league", round_days=7, deadline_policy="call"),),
        settings=Settings(confirm_minutes=48 * 60, remind_minutes=48 * 60, reporting="both"),
        match_length=length,
    )


def _build_double_elimination(length: int, rounds: int) -> Plan:
    rules = ({"bracket": "losers", "length": max(1, length - 2)},)
    return Plan(
        stages=(StagePlan(format="double-elimination", rules=rules),),
        settings=Settings(
            needs_check_in=True,
            has_waiting_list=True,
            confirm_minutes=10,
            lateness=LATENESS,
            no_show_minutes=20,
        ),
        match_length=length,
    )


def _build_round_robin(length: int, rounds: int) -> Plan:
    return Plan(
        stages=(StagePlan(format="round-robin"),),
        settings=Settings(needs_check_in=True, confirm_minutes=10, no_show_minutes=20),
        match_length=length,
    )


def _build_groups(length: int, rounds: int) -> Plan:
    best_two = {"stage": str(GROUPS), "first": 1, "last": 2, "each_group": True}
    return Plan(
        stages=(
            StagePlan(format="groups", name=str(GROUPS), options={"size": 4}),
            StagePlan(
                format="single-elimination",
                name=str(FINALS),
                takes=(best_two,),
                rules=({"bracket": "main", "round": -1, "length": min(LONGEST_MATCH, length + 2)},),
            ),
        ),
        settings=Settings(needs_check_in=True, has_waiting_list=True, confirm_minutes=10, no_show_minutes=20),
        match_length=length,
    )


def _build_beginners(length: int, rounds: int) -> Plan:
    return _build_division(length, rounds, RulesOfPlay(best_of=3))


def _build_novices(length: int, rounds: int) -> Plan:
    return _build_division(length, rounds, RulesOfPlay(cube=False, backgammons=False))


def _build_division(length: int, rounds: int, play: RulesOfPlay) -> Plan:
    """Return a Swiss for inexperienced players: there is no elimination, and lateness is penalised early."""
    return Plan(
        stages=(StagePlan(format="swiss", options={"rounds": rounds}),),
        settings=Settings(
            needs_check_in=True,
            has_waiting_list=True,
            confirm_minutes=10,
            lateness=SHORT_LATENESS,
            no_show_minutes=20,
            play=play,
        ),
        match_length=play.length(length),
    )


def _build_lives(length: int, rounds: int) -> Plan:
    return Plan(
        stages=(StagePlan(format="lives", options={"lives": 3}),),
        settings=Settings(needs_check_in=True, confirm_minutes=10, no_show_minutes=20),
        match_length=length,
    )


# Default names of stages, in the language of the director.
GROUPS: Final = pgettext_lazy("stage", "Groups")
FINALS: Final = pgettext_lazy("stage", "Finals")
TEMPLATES: Final[Mapping[str, Template]] = {
    "club-night": Template(
        _("Club night: knock-out and consolation"),
        _("Losers play on in the consolation. There is a winner by the end of the evening."),
        _build_club_night,
    ),
    "swiss": Template(
        _("Swiss"),
        _("Everyone plays every round, against an opponent with the same score."),
        _build_swiss,
        rounds=5,
    ),
    "weekend": Template(
        _("Weekend open with last chance"),
        _("A knock-out, a consolation for its losers, and a last chance for theirs."),
        _build_weekend,
        length=9,
    ),
    "double": Template(
        _("Double elimination"),
        _("Two losses and you are out. The winners of the two brackets meet for the title."),
        _build_double_elimination,
    ),
    "groups": Template(
        _("Groups, then a knock-out"),
        _(
            "Groups of four in which everybody plays everybody; the best two of each group play for the title."
        ),
        _build_groups,
    ),
    "round-robin": Template(
        _("Round robin"),
        _("Everybody plays everybody in one evening. Best for up to ten players."),
        _build_round_robin,
        length=3,
    ),
    "lives": Template(
        _("Three lives"),
        _("Three losses and you are out. No one waits long, however many play."),
        _build_lives,
        length=3,
    ),
    "beginners": Template(
        _("Beginners"),
        _("Best of 3 games without a cube. Everybody plays every round; for those who are new to it."),
        _build_beginners,
        length=2,
        rounds=4,
    ),
    "novices": Template(
        _("Novices"),
        _("To 5 without a cube; gammons count, backgammons do not. Everybody plays every round."),
        _build_novices,
        rounds=4,
    ),
    "league": Template(
        _("League season"),
        _("Everybody meets everybody, a match a week, whenever the two have time."),
        _build_league,
        length=7,
    ),
}
