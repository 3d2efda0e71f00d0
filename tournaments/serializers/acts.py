"""What may be done to an event: one table of acts, each with its fields and the service it calls.

The shapes are read with and described by the same fields, so the schema cannot say anything else than
what is accepted. An act of a director leaves a ruling; the services know who may do what.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _
from drf_spectacular.utils import PolymorphicProxySerializer
from rest_framework import serializers

from draw.event import Kind
from matches.serializers.shapes import Reader
from tournaments.serializers import fields, plans
from tournaments.serializers.calls import Act, director, given, player
from tournaments.services import (
    aparts,
    arrivals,
    corrections,
    departures,
    directing,
    drawing,
    entering,
    expecting,
    incidents,
    pacing,
    results,
    setup,
)
from tournaments.services.entering import Traits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tournaments.serializers.calls import Call

MOST_POINTS: Final = 25
MOST_LINES: Final = 1_024


def _describe(call: Call) -> object:
    traits = Traits(**given(call, "rating", "club", "family", "seed", "pot"))
    return entering.describe(**call.by_director, entry=call.given["entry"], traits=traits)


def _arrange(call: Call) -> object:
    plan = plans.plan_of(call.given["plan"], length=call.event.match_length)
    if plan is None:
        raise serializers.ValidationError({"plan": [_("Send a template or stages.")]})
    return setup.arrange(**call.by_director, plan=plan)


def _correct(call: Call) -> object:
    return corrections.correct(
        **call.by_director, **given(call, "key", "reason", "score", "kind", "winner", "games", "stand")
    )


PLAYERS: Final = (
    Act("enter", "Enter yourself.", {}, player(entering.enter)),
    Act("cancel-entry", "Take yourself out before the draw.", {}, player(entering.cancel_entry)),
    Act("check-in", "Say that you have come.", {}, player(entering.check_in)),
    Act(
        "leave",
        "Leave an event that has begun, now or after your current match.",
        {"after": serializers.BooleanField(default=False)},
        player(departures.leave, "after"),
    ),
    Act(
        "report",
        "Report the result of your match.",
        {"key": fields.key(), **fields.outcome(), "games": fields.games()},
        player(results.report, "key", "score", "winner", "games"),
        one_of=fields.OUTCOME,
    ),
    Act(
        "confirm",
        "Agree to what your opponent reported.",
        {"key": fields.key(), **fields.outcome("What your opponent reported.")},
        player(results.confirm, "key", "score", "winner"),
        one_of=fields.OUTCOME,
    ),
    Act(
        "dispute",
        "Deny what your opponent reported; the director is called.",
        {"key": fields.key(), **fields.outcome("What your opponent reported.")},
        player(results.dispute, "key", "score", "winner"),
        one_of=fields.OUTCOME,
    ),
    Act(
        "open-board",
        "Play your match here, at a board of its own; asking again finds the same one.",
        {"key": fields.key()},
        player(results.open_board, "key"),
    ),
)

BEFORE: Final = (
    Act("publish", "Announce the event.", {}, director(setup.publish)),
    Act(
        "admit",
        "Enter members of the club, all or none.",
        {"player_keys": serializers.ListField(child=serializers.CharField(max_length=10), max_length=200)},
        director(directing.admit, "player_keys"),
    ),
    Act(
        "admit-named",
        "Enter people by name: members, known guests, and new ones.",
        {
            "names": serializers.ListField(
                child=fields.text(fields.LONGEST_NAME), min_length=1, max_length=200
            )
        },
        director(directing.admit_named, "names"),
    ),
    Act(
        "take-out",
        "Take a player out before the draw.",
        {"player_key": serializers.CharField(max_length=10), "reason": fields.perhaps()},
        director(directing.take_out, "player_key", "reason"),
    ),
    Act(
        "check-in-for",
        "Say who has come, or has not after all.",
        {"entries": fields.entries(), "here": serializers.BooleanField(default=True)},
        director(entering.check_in_for, "entries", "here"),
    ),
    Act(
        "describe",
        "Say what the draw needs to know of a player.",
        {
            "entry": fields.entry(),
            "rating": serializers.FloatField(allow_null=True, default=None),
            "club": fields.text(80, default="", allow_blank=True),
            "family": fields.text(80, default="", allow_blank=True),
            "seed": fields.number(1, fields.MOST_AT_ONCE, allow_null=True, default=None),
            "pot": fields.number(1, 100, allow_null=True, default=None),
        },
        _describe,
    ),
    Act(
        "arrange",
        "Say how it is played, as long as nothing is drawn.",
        {"plan": plans.PlanShape()},
        _arrange,
    ),
    Act(
        "preview-draw",
        "Draw, for the directors alone. Another draw needs a reason.",
        {"stage": fields.stage(), "reason": fields.perhaps()},
        director(drawing.preview, "stage", "reason"),
    ),
    Act(
        "swap-lines",
        "Exchange two lines of the draw before it is published.",
        {
            "stage": fields.stage(),
            "line_a": fields.number(1, MOST_LINES),
            "line_b": fields.number(1, MOST_LINES),
            "reason": fields.perhaps(),
        },
        director(drawing.swap, "stage", "line_a", "line_b", "reason"),
    ),
    Act(
        "draw-by-hand",
        "Say who stands on which line, as drawn from a hat; null where nobody does.",
        {
            "stage": fields.stage(),
            "lines": serializers.ListField(
                child=serializers.IntegerField(min_value=1, allow_null=True), max_length=MOST_LINES
            ),
            "witnesses": serializers.ListField(
                child=fields.text(fields.LONGEST_NAME), max_length=10, default=list
            ),
            "note": fields.perhaps(),
        },
        director(drawing.by_hand, "stage", "lines", "witnesses", "note"),
    ),
    Act(
        "publish-draw",
        "Publish the draw: the event runs from here.",
        {
            "stage": fields.stage(),
            "witnesses": serializers.ListField(
                child=fields.text(fields.LONGEST_NAME), max_length=10, default=list
            ),
            "note": fields.perhaps(),
        },
        director(drawing.publish, "stage", "witnesses", "note"),
    ),
)

LOSER: Final = "The number of the entry that loses by it."
DURING: Final = (
    Act(
        "result",
        "Enter a result.",
        {"key": fields.key(), **fields.outcome(), "games": fields.games()},
        director(results.enter, "key", "score", "winner", "games"),
        one_of=fields.OUTCOME,
    ),
    Act(
        "rule",
        "Decide a result that the two tell differently.",
        {
            "key": fields.key(),
            **fields.outcome(),
            "reason": fields.reason(),
            "games": fields.games(),
        },
        director(results.rule, "key", "score", "winner", "reason", "games"),
        one_of=fields.OUTCOME,
    ),
    *(
        Act(
            word,
            about,
            {"key": fields.key(), "loser": fields.entry(LOSER), "reason": fields.perhaps()},
            director(service, "key", "loser", "reason"),
        )
        for word, about, service in (
            (
                "walkover",
                "The loser gave the match up beforehand and stays in the event.",
                incidents.walkover,
            ),
            ("forfeit", "The loser lost by rule and stays in the event.", incidents.forfeit),
            ("no-show", "The loser never came.", incidents.no_show),
        )
    ),
    Act(
        "double-forfeit",
        "Both lost: nobody goes on.",
        {"key": fields.key(), "reason": fields.perhaps()},
        director(incidents.double_forfeit, "key", "reason"),
    ),
    Act(
        "void",
        "Declare a match not to have been played.",
        {"key": fields.key(), "reason": fields.reason()},
        director(incidents.void, "key", "reason"),
    ),
    Act(
        "late",
        "Penalty points for somebody who is late.",
        {
            "key": fields.key(),
            "entry": fields.entry(),
            "points": fields.number(1, MOST_POINTS),
            "reason": fields.perhaps(),
        },
        director(incidents.late, "key", "entry", "points", "reason"),
    ),
    Act(
        "call",
        "Call a match to a table: from here on both are expected.",
        {"key": fields.key(), "table": fields.text(12, default="", allow_blank=True)},
        director(incidents.call, "key", "table"),
    ),
    Act(
        "here",
        "Say that somebody is at the board: a player of himself, a director of anybody.",
        {"key": fields.key(), "entry": fields.entry()},
        director(incidents.here, "key", "entry"),
    ),
    Act(
        "withdraw",
        "A player leaves the event, now or after the current match.",
        {
            "entry": fields.entry(),
            "after": serializers.BooleanField(default=False),
            "reason": fields.perhaps(),
        },
        director(departures.withdraw, "entry", "after", "reason"),
    ),
    Act(
        "disqualify",
        "Put a player out of the event.",
        {"entry": fields.entry(), "reason": fields.reason()},
        director(departures.disqualify, "entry", "reason"),
    ),
    Act(
        "away",
        "Say who is not to be paired until they are back.",
        {"entries": fields.entries()},
        director(departures.away, "entries"),
    ),
    Act("back", "Say who is back.", {"entries": fields.entries()}, director(departures.back, "entries")),
    Act(
        "ask-bye",
        "Agree that a player sits a round out.",
        {
            "entry": fields.entry(),
            "round": fields.number(1, 100),
            "points": serializers.ChoiceField(choices=("0", "1/2", "1"), default="0"),
            "reason": fields.perhaps(),
        },
        director(departures.ask_bye, "entry", "round", "points", "reason"),
    ),
    Act(
        "unask-bye",
        "Take back that a player sits a round out.",
        {"entry": fields.entry(), "round": fields.number(1, 100), "reason": fields.perhaps()},
        director(departures.unask_bye, "entry", "round", "reason"),
    ),
    Act(
        "keep-apart",
        "Keep entries from being paired with each other: never, or with `hard` false only if it cannot be helped.",
        {
            "members": fields.entries(),
            "hard": serializers.BooleanField(default=True),
            "reason": fields.perhaps(),
        },
        director(aparts.keep_apart, "members", "hard", "reason"),
    ),
    Act(
        "release",
        "Let entries meet again that were kept apart.",
        {"members": fields.entries(), "reason": fields.perhaps()},
        director(aparts.release, "members", "reason"),
    ),
    Act(
        "late-entry",
        "Let somebody in who comes late.",
        {
            **fields.newcomer(),
            "place": fields.text(
                fields.LONGEST_KEY + 2,
                default="",
                allow_blank=True,
                help_text=(
                    "Where: the key of a match with a bye, that key and a seat in a side bracket, `rounds`, or `wait`. "
                    "Blank is the main draw or the next round; if neither is open, the refusal lists what is."
                ),
            ),
            "head_start": fields.text(5, default="0"),
            "reason": fields.perhaps(),
        },
        director(arrivals.let_in, "player_key", "name", "place", "head_start", "reason"),
    ),
    Act(
        "substitute",
        "Somebody else plays on in a player's place.",
        {"entry": fields.entry(), **fields.newcomer(), "reason": fields.reason()},
        director(arrivals.substitute, "entry", "player_key", "name", "reason"),
    ),
    Act(
        "correct",
        "Correct a result, also one that has moved on; `kind` blank opens it again.",
        {
            "key": fields.key(),
            "score": fields.ScoreField(allow_null=True, default=None),
            "kind": serializers.ChoiceField(
                choices=["", *(kind.value for kind in Kind)], default=Kind.PLAYED.value
            ),
            "winner": fields.number(1, 32_767, allow_null=True, default=None),
            "reason": fields.reason(),
            "games": fields.games(),
            "stand": serializers.BooleanField(
                default=False,
                help_text="What was played since stands: the result is another, and those go on who went on.",
            ),
        },
        _correct,
    ),
    Act(
        "exchange",
        "Two players were entered as each other.",
        {"entry": fields.entry(), "other": fields.entry(), "reason": fields.reason()},
        director(corrections.exchange, "entry", "other", "reason"),
    ),
    Act(
        "restore",
        "Take a ruling back: everything is again as it was before.",
        {"ruling_id": fields.number(1, 2**62), "reason": fields.reason()},
        director(corrections.restore, "ruling_id", "reason"),
    ),
    Act(
        "pause",
        "Stop all clocks of the event.",
        {"reason": fields.perhaps()},
        director(pacing.pause, "reason"),
    ),
    Act("resume", "Go on.", {"reason": fields.perhaps()}, director(pacing.resume, "reason")),
    Act(
        "break-ties",
        "Have ties for places that count played off, or leave them to the lot.",
        {"stage": fields.stage(), "playoff": serializers.BooleanField(), "reason": fields.reason()},
        director(pacing.break_ties, "stage", "playoff", "reason"),
    ),
    Act("add-round", "Play one round more.", {"stage": fields.stage()}, director(pacing.add_round, "stage")),
    Act(
        "publish-round",
        "Publish a round that was only drafted.",
        {
            "stage": fields.stage(),
            "number": fields.number(1, 1_000),
            "exchanges": serializers.ListField(
                child=serializers.ListField(
                    child=fields.entry(), min_length=fields.TWO, max_length=fields.TWO
                ),
                max_length=fields.MOST_AT_ONCE,
                default=list,
                help_text="Entries that take each other's place in this round first, in this order; with a reason.",
            ),
            "reason": fields.perhaps(),
        },
        director(pacing.publish_round, "stage", "number", "exchanges", "reason"),
    ),
    Act(
        "end-early",
        "End the event now; the order of this moment stands.",
        {"reason": fields.reason()},
        director(pacing.end_early, "reason"),
    ),
    Act(
        "cancel",
        "Call the event off.",
        {"reason": fields.reason()},
        director(directing.cancel, "reason"),
    ),
    Act(
        "reopen",
        "Take back the end or the cancellation.",
        {"reason": fields.reason()},
        director(directing.reopen, "reason"),
    ),
    Act("archive", "Put a finished event away.", {}, director(setup.archive)),
)

ACTS: Final[Mapping[str, Act]] = {act.word: act for act in (*PLAYERS, *BEFORE, *DURING)}
_SHAPES: Final[dict[str, Any]] = {word: act.shape() for word, act in ACTS.items()}
_READERS: Final = {word: Reader(shape) for word, shape in _SHAPES.items()}

ActRequest = PolymorphicProxySerializer(
    component_name="EventAct", serializers=_SHAPES, resource_type_field_name="act", many=False
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """An act that was asked for, with its fields, what it expects, and whether it is only to be foreseen."""

    act: Act
    given: Mapping[str, Any]
    expects: Mapping[str, Any]
    is_foreseen: bool

    def do(self, call: Call) -> object:
        """Carry it out, if what it answers is as it was seen.

        :raises ChangedMeanwhile: it is not.
        """
        about = expecting.About(key=self.given.get("key", ""))
        return expecting.answering(
            lambda: self.act.do(call),
            tournament_id=call.event.pk,
            about=about,
            expects=self.expects,
            by=call.user,
        )


def read(data: object) -> Wanted:
    """Return the act that a body asks for.

    :raises ValidationError: it is none, or a field needs another look.
    """
    word = data.get("act") if isinstance(data, dict) else None
    if not isinstance(word, str) or word not in ACTS:
        sentence = _("One of %s.") % ", ".join(ACTS)
        raise serializers.ValidationError({"act": [serializers.ErrorDetail(sentence, code="no_act")]})
    act, said = ACTS[word], _READERS[word].read(data)
    if act.one_of and all(said[name] is None for name in act.one_of):
        sentence = _("This is required, or %s instead.") % ", ".join(act.one_of[1:])
        raise serializers.ValidationError(
            {act.one_of[0]: [serializers.ErrorDetail(sentence, code="required")]}
        )
    del said["act"]
    return Wanted(act, said, said.pop("expects"), said.pop("foresee"))
