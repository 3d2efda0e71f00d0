"""Templates for directors: common plans that can be changed in every part, and the event to repeat."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from draw.rules_of_play import RulesOfPlay
from players.models import Club
from tournaments.base import local_times
from tournaments.base.settings import Settings
from tournaments.models import LONGEST_MATCH, Stage, Tournament
from tournaments.status import Status

if TYPE_CHECKING:
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
    name: StrPromise
    about: StrPromise
    stages: Callable[[int, int], tuple[StagePlan, ...]]
    settings: Settings
    length: int = 5
    rounds: int = 0  # 0: not applicable

    def plan(self, length: int, rounds: int) -> Plan:
        return Plan(
            stages=self.stages(length, rounds),
            settings=self.settings,
            match_length=self.settings.play.length(length),
        )


# The stage of a friendly.
ONE_MATCH: Final = StagePlan(format="single-elimination")

# Minutes of lateness and penalty points; the third step loses the match.
LATENESS: Final = ((5, 1), (10, 2), (15, None))
SHORT_LATENESS: Final = ((3, 1), (6, 2), (9, None))

EVENING: Final = Settings(needs_check_in=True, confirm_minutes=10, no_show_minutes=20)
OPEN_EVENING: Final = replace(EVENING, has_waiting_list=True)
KNOCKOUT: Final = replace(OPEN_EVENING, lateness=LATENESS)
WEEKEND: Final = replace(KNOCKOUT, confirm_minutes=15, no_show_minutes=30)
# For inexperienced players: lateness is penalised early.
BEGINNERS: Final = replace(OPEN_EVENING, lateness=SHORT_LATENESS)
LEAGUE: Final = Settings(confirm_minutes=48 * 60, remind_minutes=48 * 60, reporting="both")


def _build_club_night(length: int, _rounds: int) -> tuple[StagePlan, ...]:
    rules = ({"bracket": "consolation", "length": max(1, length - 2)},)
    return (StagePlan(format="progressive-consolation", rules=rules),)


def _build_swiss(_length: int, rounds: int) -> tuple[StagePlan, ...]:
    return (StagePlan(format="swiss", options={"rounds": rounds}),)


def _build_weekend(length: int, _rounds: int) -> tuple[StagePlan, ...]:
    rules = (
        {"bracket": "main", "round": -1, "length": min(LONGEST_MATCH, length + 4)},
        {"bracket": "consolation", "length": max(1, length - 2)},
        {"bracket": "last-chance", "length": max(1, length - 4)},
    )
    return (StagePlan(format="last-chance", rules=rules),)


def _build_double_elimination(length: int, _rounds: int) -> tuple[StagePlan, ...]:
    rules = ({"bracket": "losers", "length": max(1, length - 2)},)
    return (StagePlan(format="double-elimination", rules=rules),)


def _build_groups(length: int, _rounds: int) -> tuple[StagePlan, ...]:
    best_two = {"stage": str(GROUPS), "first": 1, "last": 2, "each_group": True}
    return (
        StagePlan(format="groups", name=str(GROUPS), options={"size": 4}),
        StagePlan(
            format="single-elimination",
            name=str(FINALS),
            takes=(best_two,),
            rules=({"bracket": "main", "round": -1, "length": min(LONGEST_MATCH, length + 2)},),
        ),
    )


# Default names of stages, in the language of the director.
GROUPS: Final = pgettext_lazy("stage", "Groups")
FINALS: Final = pgettext_lazy("stage", "Finals")
TEMPLATES: Final[Mapping[str, Template]] = {
    "club-night": Template(
        _("Club night: knock-out and consolation"),
        _("Losers play on in the consolation. There is a winner by the end of the evening."),
        _build_club_night,
        KNOCKOUT,
    ),
    "swiss": Template(
        _("Swiss"),
        _("Everyone plays every round, against an opponent with the same score."),
        _build_swiss,
        OPEN_EVENING,
        rounds=5,
    ),
    "weekend": Template(
        _("Weekend open with last chance"),
        _("A knock-out, a consolation for its losers, and a last chance for theirs."),
        _build_weekend,
        WEEKEND,
        length=9,
    ),
    "double": Template(
        _("Double elimination"),
        _("Two losses and you are out. The winners of the two brackets meet for the title."),
        _build_double_elimination,
        KNOCKOUT,
    ),
    "groups": Template(
        _("Groups, then a knock-out"),
        _(
            "Groups of four in which everybody plays everybody; the best two of each group play for the title."
        ),
        _build_groups,
        OPEN_EVENING,
    ),
    "round-robin": Template(
        _("Round robin"),
        _("Everybody plays everybody in one evening. Best for up to ten players."),
        lambda _length, _rounds: (StagePlan(format="round-robin"),),
        EVENING,
        length=3,
    ),
    "lives": Template(
        _("Three lives"),
        _("Three losses and you are out. No one waits long, however many play."),
        lambda _length, _rounds: (StagePlan(format="lives", options={"lives": 3}),),
        EVENING,
        length=3,
    ),
    "beginners": Template(
        _("Beginners"),
        _("Best of 3 games without a cube. Everybody plays every round; for those who are new to it."),
        _build_swiss,
        replace(BEGINNERS, play=RulesOfPlay(best_of=3)),
        length=2,
        rounds=4,
    ),
    "novices": Template(
        _("Novices"),
        _("To 5 without a cube; gammons count, backgammons do not. Everybody plays every round."),
        _build_swiss,
        replace(BEGINNERS, play=RulesOfPlay(cube=False, backgammons=False)),
        rounds=4,
    ),
    "league": Template(
        _("League season"),
        _("Everybody meets everybody, a match a week, whenever the two have time."),
        lambda _length, _rounds: (StagePlan(format="league", round_days=7, deadline_policy="call"),),
        LEAGUE,
        length=7,
    ),
}


# The number of recent events to search; enough for a club that plays every day.
RECENT: Final = 30
# The prefix of a choice that means an earlier event of the club; its key follows.
LIKE: Final = "like-"
TOLD: Final = (Status.PUBLISHED, Status.RUNNING, Status.FINISHED)


def find_last_event(club: Club, *, day: datetime, now: datetime) -> Tournament | None:
    """Return the club's last event on the weekday of *day*, or else its last event; None without one."""
    is_staged = Exists(Stage.objects.filter(tournament=OuterRef("pk")))
    rows = Tournament.objects.filter(
        is_staged, club=club, is_friendly=False, starts_at__lte=now, status__in=TOLD
    )
    recent = list(rows.order_by("-starts_at", "-pk")[:RECENT])

    def get_weekday(moment: datetime) -> int:
        return local_times.convert_to_local(moment, club.time_zone).weekday()

    same = (one for one in recent if get_weekday(one.starts_at) == get_weekday(day))
    return next(same, recent[0] if recent else None)


def format_repeat_label(event: Tournament) -> str:
    return gettext("As on %(day)s") % {"day": local_times.format_day(event.starts_at, event.club.time_zone)}


def find_public_event(club: Club, key: str) -> Tournament | None:
    return Tournament.objects.filter(club=club, is_friendly=False, key=key, status__in=TOLD).first()
