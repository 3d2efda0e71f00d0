"""Everything a director can do to an event that runs: what it asks for, what it does, which service does it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext_lazy as _

from tournaments.forms.playing import AGAIN
from tournaments.selectors import sight, ways
from tournaments.services import arrivals, corrections, departures, incidents, pacing, results

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from django_stubs_ext import StrPromise

    from players.models import User
    from tournaments.models import Tournament


@dataclass(frozen=True, slots=True)
class Call:
    """One time that something is done: where, by whom, when, and what was said about it."""

    event: Tournament
    key: str
    by: User
    now: datetime
    said: Mapping[str, Any]

    @property
    def who(self) -> dict[str, Any]:
        """What every service is told."""
        return {"tournament_id": self.event.pk, "by": self.by, "now": self.now}

    @property
    def why(self) -> dict[str, Any]:
        """The same, with the reason."""
        return {**self.who, "reason": self.said["reason"]}


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One thing a director can do."""

    name: str
    title: StrPromise
    about: StrPromise
    run: Callable[[Call], object]
    asks: tuple[str, ...] = ()
    # About one match; or about the event and its players.
    is_of_match: bool = False
    # The match has a result already.
    is_afterwards: bool = False
    needs_reason: bool = False
    is_danger: bool = False
    # Only where a stage is paired round by round; what was agreed stands on the roster.
    needs_rounds: bool = False

    @property
    def answers(self) -> tuple[str, ...]:
        """Return what has to be as it was seen, in the words of `sight`."""
        if self.is_of_match:
            return (
                sight.ENDED if self.is_afterwards else sight.CLAIMED if self.name == "rule" else sight.SEATS
            )
        return ("people",) if "entry" in self.asks else ()


def _of_match(
    name: str, title: StrPromise, about: StrPromise, run: Callable[[Call], object], **more: Any
) -> Act:
    return Act(name=name, title=title, about=about, run=run, is_of_match=True, **more)


def _outcome(call: Call) -> dict[str, Any]:
    return {"score": call.said["score"], "winner": call.said.get("won")}


def _correct(call: Call) -> object:
    said = call.said
    kind = "" if said["ended"] == AGAIN else said["ended"]
    return corrections.correct(
        **call.why,
        key=call.key,
        score=said["new_score"] if kind == "played" else None,
        kind=kind,
        winner=said["winner"] if kind else None,
        stand=said.get("stand", False),
    )


def _newcomer(call: Call) -> dict[str, Any]:
    return {"player_key": call.said["newcomer"], "name": call.said["name"]}


def _let_in(call: Call) -> object:
    said = call.said
    if said["place"] == ways.INSTEAD:
        return arrivals.substitute(**call.why, **_newcomer(call), entry=said["instead"])
    return arrivals.let_in(
        **call.why, **_newcomer(call), place=said["place"], head_start=said.get("head_start", "0")
    )


ACTS: Final[Mapping[str, Act]] = {
    act.name: act
    for act in (
        _of_match(
            "result",
            _("Enter the result"),
            _("The winner goes on, and the loser goes where the sheet says."),
            lambda call: results.enter(**call.who, key=call.key, **_outcome(call)),
            asks=("score", "won"),
        ),
        _of_match(
            "rule",
            _("Decide what the result is"),
            _("The two say different things. What you decide stands, with your reason."),
            lambda call: results.rule(**call.why, key=call.key, **_outcome(call)),
            asks=("score", "won"),
            needs_reason=True,
        ),
        _of_match(
            "call",
            _("Call to a table"),
            _("Both are told where to go. From now on whoever is not there is late."),
            lambda call: incidents.call(**call.who, key=call.key, table=call.said["table"]),
            asks=("table",),
        ),
        _of_match(
            "late",
            _("Penalty points for lateness"),
            _("The opponent begins the match with so many points."),
            lambda call: incidents.late(
                **call.why, key=call.key, entry=call.said["late"], points=call.said["points"]
            ),
            asks=("late", "points"),
        ),
        _of_match(
            "walkover",
            _("Walkover"),
            _("One player has told you that they do not play this match. They stay in the event."),
            lambda call: incidents.walkover(**call.why, key=call.key, loser=call.said["loser"]),
            asks=("loser",),
        ),
        _of_match(
            "forfeit",
            _("Forfeit"),
            _("One player loses by rule: lateness, the clock, conduct. They stay in the event."),
            lambda call: incidents.forfeit(**call.why, key=call.key, loser=call.said["loser"]),
            asks=("loser",),
        ),
        _of_match(
            "no-show",
            _("No-show"),
            _("One player never came. They are not in the consolation either, unless the event says so."),
            lambda call: incidents.no_show(**call.why, key=call.key, loser=call.said["loser"]),
            asks=("loser",),
        ),
        _of_match(
            "double-forfeit",
            _("Double forfeit"),
            _("Both lose by rule: nobody goes on from here."),
            lambda call: incidents.double_forfeit(**call.why, key=call.key),
            is_danger=True,
        ),
        _of_match(
            "void",
            _("Declare it void"),
            _("The match was not played. In a knock-out it is still to be played."),
            lambda call: incidents.void(**call.why, key=call.key),
            needs_reason=True,
            is_danger=True,
        ),
        _of_match(
            "correct",
            _("Correct the result"),
            _("Everything that follows from it is worked out anew. You see what that is before you do it."),
            _correct,
            asks=("ended", "new_score", "winner"),
            is_afterwards=True,
            needs_reason=True,
        ),
        Act(
            name="late-entry",
            title=_("Let a latecomer in"),
            about=_("They take a place that is free, or join with the next round. Nothing is drawn anew."),
            run=_let_in,
            asks=("newcomer", "name", "place", "instead", "head_start"),
        ),
        Act(
            name="withdraw",
            title=_("Withdraw a player"),
            about=_("They leave the event. They keep the place that their last result has made sure."),
            run=lambda call: departures.withdraw(
                **call.why, entry=call.said["entry"], after=call.said["when"] == "after"
            ),
            asks=("entry", "when"),
        ),
        Act(
            name="disqualify",
            title=_("Disqualify a player"),
            about=_("They are sent home: the match they are playing is forfeited, all others are lost."),
            run=lambda call: departures.disqualify(**call.why, entry=call.said["entry"]),
            asks=("entry",),
            needs_reason=True,
            is_danger=True,
        ),
        Act(
            name="substitute",
            title=_("Put a substitute in"),
            about=_("Somebody else plays on in a player's place, with the results so far."),
            run=lambda call: arrivals.substitute(**call.why, **_newcomer(call), entry=call.said["entry"]),
            asks=("entry", "newcomer", "name"),
            needs_reason=True,
        ),
        Act(
            name="exchange",
            title=_("Exchange two players"),
            about=_("Two were entered as each other: each takes the other's matches and results."),
            run=lambda call: corrections.exchange(
                **call.why, entry=call.said["entry"], other=call.said["other"]
            ),
            asks=("entry", "other"),
            needs_reason=True,
        ),
        Act(
            name="away",
            title=_("Mark a player as away"),
            about=_("They are not paired until they are back, and have not left."),
            run=lambda call: departures.away(**call.who, entries=[call.said["entry"]]),
            asks=("entry",),
        ),
        Act(
            name="back",
            title=_("A player is back"),
            about=_("They are paired again."),
            run=lambda call: departures.back(**call.who, entries=[call.said["entry"]]),
            asks=("entry",),
        ),
        Act(
            name="ask-bye",
            title=_("Agree to a bye"),
            about=_("They sit this round out, for as many points as you agree on. Everybody else is paired."),
            run=lambda call: departures.ask_bye(
                **call.why, entry=call.said["entry"], round=call.said["round"], points=call.said["worth"]
            ),
            asks=("entry", "round", "worth"),
            needs_rounds=True,
        ),
        Act(
            name="pause",
            title=_("Pause the event"),
            about=_("No results and no deadlines until you go on. Deadlines move by as long as it lasted."),
            run=lambda call: pacing.pause(**call.why),
        ),
        Act(
            name="resume",
            title=_("Go on"),
            about=_("The event goes on where it stopped."),
            run=lambda call: pacing.resume(**call.why),
        ),
        Act(
            name="add-round",
            title=_("Add a round"),
            about=_("One more round is played than was announced."),
            run=lambda call: pacing.add_round(**call.who, stage=int(call.said["stage"])),
            asks=("stage",),
        ),
        Act(
            name="break-ties",
            title=_("Ties: play-off or lot"),
            about=_(
                "Players who are tied across a cut or for a prize place play it off, or the lot decides. "
                "The next stage waits for the play-off."
            ),
            run=lambda call: pacing.break_ties(
                **call.why, stage=int(call.said["stage"]), playoff=call.said["ties"] == "playoff"
            ),
            asks=("stage", "ties"),
            needs_reason=True,
        ),
        Act(
            name="end-early",
            title=_("End early"),
            about=_(
                "The event is over as it stands: open matches are not played, the order of now is final."
            ),
            run=lambda call: pacing.end_early(**call.why),
            needs_reason=True,
            is_danger=True,
        ),
    )
}
OF_MATCH: Final = tuple(act for act in ACTS.values() if act.is_of_match)
OF_EVENT: Final = tuple(act for act in ACTS.values() if not act.is_of_match)
# What is done without a second look: it changes no match but its own.
AT_ONCE: Final = frozenset({"call", "pause", "resume", "away", "back", "ask-bye"})
