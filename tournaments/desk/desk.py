"""The director's desk: all matches by state, and those that need the director."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol, runtime_checkable

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from draw.rules_of_play import RulesOfPlay
from tournaments.base import event_rows, expectations, result_reports, ties
from tournaments.base.event_view import EventView, MatchView
from tournaments.base.result_reports import ReportLine
from tournaments.base.ties import TieLine
from tournaments.models import PairingState, Stage
from tournaments.pages import agenda
from tournaments.pages.bracket_display import MatchLine
from tournaments.play.backlog import Work, find_waiting_work

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

STATES: Final[dict[str, StrPromise]] = {
    "ready": pgettext_lazy("matches", "To be played"),
    "waiting": pgettext_lazy("matches", "Waiting"),
    "done": pgettext_lazy("matches", "Decided"),
}
DISPUTE: Final = "dispute"
DEADLINE: Final = "deadline"
CALLS: Final[dict[str, StrPromise]] = {
    "no-show": gettext_lazy("The time is up, and at least one player has not come."),
    "both-late": gettext_lazy("Neither player has come."),
    DEADLINE: gettext_lazy("The time for this match is over."),
    DISPUTE: gettext_lazy("The two players report different results."),
}


@dataclass(frozen=True, slots=True)
class Chip:
    name: str
    title: str
    count: int
    is_shown: bool


@dataclass(frozen=True, slots=True)
class MatchIssue:
    line: MatchLine
    why: str
    # The names of the acts offered for it.
    acts: tuple[str, ...]
    claims: tuple[ReportLine, ...]

    @property
    def key(self) -> str:
        return self.line.play.key


@dataclass(frozen=True, slots=True)
class DraftRound:
    """A drafted round, visible to directors only."""

    stage: int
    number: int
    title: str
    matches: int
    # The drafted state, sent with the publish button.
    expects: str


@dataclass(frozen=True, slots=True)
class Desk:
    # The shown state, a key of STATES.
    state: str
    chips: tuple[Chip, ...]
    lines: tuple[MatchLine, ...]
    needs: tuple[MatchIssue, ...]
    drafts: tuple[DraftRound, ...]
    # The later stages that can be drawn: those that wait for no open match and for no tie.
    due: tuple[Stage, ...]
    ties: tuple[TieLine, ...]
    # The lines that do not need the director, with their reports.
    rows: tuple[tuple[MatchLine, tuple[ReportLine, ...]], ...]
    progress: agenda.Progress
    # The pending work of a worker; `Work.NONE` if the desk does not mention it.
    work: Work = Work.NONE


@runtime_checkable
class MatchOrder(Protocol):
    """A part of the slot `hooks.DESK_ROOM` that shows the open matches in another order."""

    def find_next(self, play: MatchView) -> str:
        """Return the key of the match to enter after *play*; "" if none is left."""
        ...


def build_desk(view: EventView, state: str) -> Desk:
    """Build the desk with the matches in *state*.

    Without a known state it shows the open matches, or the decided ones if all are decided.
    """
    plan = agenda.build_agenda(view)
    found = {"ready": plan.open, "waiting": plan.waiting, "done": plan.done}
    shown = state if state in found else "ready" if plan.open or not plan.done else "done"
    claims, work = result_reports.map_open_reports(view), find_waiting_work(view.event)
    level = ties.list_tie_lines(view)
    # The matches that need the director, each once, disputes first.
    needy = [line for line in plan.open if line.play.needs_director or line.play.flag]
    needy.sort(key=lambda line: line.play.needs_director != DISPUTE)
    needs = tuple(_build_issue(view, line, claims.get(line.play.key, ())) for line in needy)
    above = {need.key for need in needs}
    waiting = frozenset[str]().union(*(tie.later for tie in level))
    return Desk(
        state=shown,
        chips=tuple(
            Chip(name, str(title), len(found[name]), name == shown) for name, title in STATES.items()
        ),
        lines=found[shown],
        needs=needs,
        drafts=_list_draft_rounds(view),
        due=tuple(
            stage
            for stage in ties.list_next_stages(view)
            if stage.name not in waiting and event_rows.has_lines(stage)
        ),
        ties=level,
        rows=tuple(
            (line, claims.get(line.play.key, ())) for line in found[shown] if line.play.key not in above
        ),
        progress=agenda.count_progress(view),
        work=Work.NONE if work is Work.RESULTS and plan.open else work,
    )


def _build_issue(view: EventView, line: MatchLine, claims: tuple[ReportLine, ...]) -> MatchIssue:
    why, flag = line.play.needs_director, describe_flag(view, line.play)
    if not why:
        return MatchIssue(line, flag, ("late",) if get_flag_points(line.play) else ("forfeit",), claims)
    what = CALLS.get(why) or _("Please have a look.")
    acts: tuple[str, ...] = ("forfeit" if why == DEADLINE else "no-show", "double-forfeit", "call")
    if why == DISPUTE:
        acts = ("rule",)
        what = _describe_denial(line, claims) or what
    return MatchIssue(line, " ".join(filter(None, (str(what), flag))), acts, claims)


def _describe_denial(line: MatchLine, claims: tuple[ReportLine, ...]) -> str:
    """Name the player who denies the only report; "" unless exactly one player has reported."""
    if len(claims) != 1:
        return ""
    other = next((who for who in (line.a, line.b) if who and who.number != claims[0].number), None)
    return _("%(name)s says that the report is wrong.") % {"name": other.name} if other else ""


def _list_draft_rounds(view: EventView) -> tuple[DraftRound, ...]:
    found: dict[tuple[int, int], list[str]] = {}
    for part in view.parts:
        for play in part.plays:
            if play.is_drafted and play.state == PairingState.READY:
                found.setdefault((part.stage.number, play.round), []).append(part.title_of(play))
    return tuple(
        DraftRound(
            stage,
            number,
            titles[0],
            len(titles),
            expectations.serialize_state({"round": expectations.hash_draft(view.event, stage, number)}),
        )
        for (stage, number), titles in found.items()
    )


def describe_flag(view: EventView, play: MatchView) -> str:
    """Describe whose flag has fallen and the penalty by the event's rules; "" if there is none."""
    who = view.who(play.a_id if play.flag == "a" else play.b_id) if play.flag else None
    if who is None:
        return ""
    penalty = _("By the rules of the event, this loses the match.")
    if points := get_flag_points(play):
        penalty = ngettext(
            "By the rules of the event, this costs %(points)s point.",
            "By the rules of the event, this costs %(points)s points.",
            points,
        ) % {"points": points}
    return " ".join((_("%(name)s has run out of time.") % {"name": who.name}, penalty))


def get_flag_points(play: MatchView) -> int:
    """Return the points that a fallen flag costs; 0 if it costs the match."""
    return RulesOfPlay.from_match_rules(play.rules).flag_points
