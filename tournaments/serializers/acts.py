"""What may be done to an event: one table of acts, each with its fields and the service it calls.

The shapes are read with and described by the same fields, so the schema cannot say anything else than
what is accepted. An act of a director leaves a ruling; the services know who may do what.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers

from matches.serializers.shapes import Reader, plain_text
from tournaments.pairing.event import Kind
from tournaments.serializers import plans
from tournaments.services import (
    aparts,
    arrivals,
    corrections,
    departures,
    directing,
    drawing,
    entering,
    incidents,
    pacing,
    results,
    setup,
)
from tournaments.services.entering import Traits

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from players.models import User
    from tournaments.models import Tournament

LONGEST_KEY: Final = 80
LONGEST_REASON: Final = 300
LONGEST_NAME: Final = 80
MOST_AT_ONCE: Final = 1_024
MOST_POINTS: Final = 25
MOST_GAMES: Final = 99
TWO: Final = 2
MOST_LINES: Final = 1_024
GAME_ENDS: Final = ("single", "gammon", "backgammon", "drop")


@dataclass(frozen=True, slots=True)
class Call:
    """One request: which event, who asks, when, and what was given."""

    event: Tournament
    user: User
    now: datetime
    given: Mapping[str, Any]

    @property
    def by_player(self) -> dict[str, Any]:
        """Return what every service wants to know that players call for themselves."""
        return {"tournament_id": self.event.pk, "user": self.user, "now": self.now}

    @property
    def by_director(self) -> dict[str, Any]:
        """Return what every service wants to know that directors call."""
        return {"tournament_id": self.event.pk, "by": self.user, "now": self.now}


# -- fields ---------------------------------------------------------------------------------------


class PlainText(serializers.CharField):
    """A text in which everything shows."""

    def to_internal_value(self, data: Any) -> str:
        """Return the text."""
        return plain_text(super().to_internal_value(data))


def _text(most: int, **more: Any) -> Any:
    return PlainText(max_length=most, **more)


def _number(least: int, most: int, **more: Any) -> Any:
    return serializers.IntegerField(min_value=least, max_value=most, **more)


def _key() -> Any:
    return _text(LONGEST_KEY, help_text="The pairing's key, as in `main/2.1`.")


def _entry(help_text: str = "The number of an entry.") -> Any:
    return _number(1, 32_767, help_text=help_text)


def _entries() -> Any:
    return serializers.ListField(child=_entry(), min_length=1, max_length=MOST_AT_ONCE)


def _stage() -> Any:
    return _number(1, 100, default=1, help_text="The number of the stage.")


def _reason(**more: Any) -> Any:
    return _text(LONGEST_REASON, **more)


def _perhaps() -> Any:
    return _reason(default="", allow_blank=True)


@extend_schema_field(
    {
        "type": "array",
        "minItems": 2,
        "maxItems": 2,
        "items": {"type": "integer", "minimum": 0},
        "example": [7, 5],
    }
)
class ScoreField(serializers.ListField):
    """The points of a and of b."""

    child = serializers.IntegerField(min_value=0, max_value=10_000)

    def to_internal_value(self, data: Any) -> Any:
        """Return the pair."""
        found = super().to_internal_value(data)
        if len(found) != TWO:
            raise serializers.ValidationError(_("Send two numbers: the points of a and of b."), code="score")
        return tuple(found)


class GameShape(serializers.Serializer[Any]):
    """One game of a match."""

    winner = serializers.ChoiceField(choices=("a", "b"))
    points = serializers.IntegerField(min_value=1, max_value=10_000)
    cube = serializers.IntegerField(min_value=1, required=False)
    end = serializers.ChoiceField(choices=GAME_ENDS, required=False)


def _games() -> Any:
    return serializers.ListField(child=GameShape(), max_length=MOST_GAMES, default=list)


# -- the table ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Act:
    """Something that may be done: its name, what it does, its fields, and the service."""

    word: str
    about: str
    fields: Mapping[str, Any]
    do: Callable[[Call], object]

    def shape(self) -> type[serializers.Serializer[Any]]:
        """Return the serializer that reads and describes it."""

        @extend_schema_field({"type": "string", "enum": [self.word]})
        class Word(serializers.CharField):
            pass

        fields = {
            "act": Word(),
            **self.fields,
            "foresee": serializers.BooleanField(
                default=False, help_text="Only say what would change; nothing is done."
            ),
        }
        name = "".join(part.capitalize() for part in self.word.split("-")) + "Act"
        return type(name, (serializers.Serializer,), {"__doc__": self.about, **fields})


def _given(call: Call, *names: str) -> dict[str, Any]:
    return {name: call.given[name] for name in names}


def _director(service: Callable[..., object], *names: str) -> Callable[[Call], object]:
    return lambda call: service(**call.by_director, **_given(call, *names))


def _player(service: Callable[..., object], *names: str) -> Callable[[Call], object]:
    return lambda call: service(**call.by_player, **_given(call, *names))


def _newcomer() -> dict[str, Any]:
    return {
        "player_key": serializers.CharField(max_length=10, default="", help_text="A member of the club; or"),
        "name": _text(LONGEST_NAME, default="", help_text="the name of a guest."),
    }


def _describe(call: Call) -> object:
    traits = Traits(**_given(call, "rating", "club", "family", "seed", "pot"))
    return entering.describe(**call.by_director, entry=call.given["entry"], traits=traits)


def _arrange(call: Call) -> object:
    plan = plans.plan_of(call.given["plan"], length=call.event.match_length)
    if plan is None:
        raise serializers.ValidationError({"plan": [_("Send a template or stages.")]})
    return setup.arrange(**call.by_director, plan=plan)


def _correct(call: Call) -> object:
    return corrections.correct(
        **call.by_director, **_given(call, "key", "reason", "score", "kind", "winner", "games")
    )


PLAYERS: Final = (
    Act("enter", "Enter yourself.", {}, _player(entering.enter)),
    Act("withdraw", "Take yourself out before the draw.", {}, _player(entering.withdraw)),
    Act("check-in", "Say that you have come.", {}, _player(entering.check_in)),
    Act(
        "leave",
        "Leave an event that has begun, now or after your current match.",
        {"after": serializers.BooleanField(default=False)},
        _player(departures.leave, "after"),
    ),
    Act(
        "report",
        "Report the result of your match.",
        {"key": _key(), "score": ScoreField(), "games": _games()},
        _player(results.report, "key", "score", "games"),
    ),
    Act("confirm", "Agree to what your opponent reported.", {"key": _key()}, _player(results.confirm, "key")),
    Act(
        "dispute",
        "Deny what your opponent reported; the director is called.",
        {"key": _key()},
        _player(results.dispute, "key"),
    ),
    Act(
        "open-board",
        "Play your match here, at a board of its own; asking again finds the same one.",
        {"key": _key()},
        _player(results.open_board, "key"),
    ),
)

BEFORE: Final = (
    Act("publish", "Announce the event.", {}, _director(setup.publish)),
    Act(
        "admit",
        "Enter members of the club, all or none.",
        {"player_keys": serializers.ListField(child=serializers.CharField(max_length=10), max_length=200)},
        _director(directing.admit, "player_keys"),
    ),
    Act(
        "admit-named",
        "Enter people by name: members, known guests, and new ones.",
        {"names": serializers.ListField(child=_text(LONGEST_NAME), min_length=1, max_length=200)},
        _director(directing.admit_named, "names"),
    ),
    Act(
        "take-out",
        "Take a player out before the draw.",
        {"player_key": serializers.CharField(max_length=10), "reason": _perhaps()},
        _director(directing.take_out, "player_key", "reason"),
    ),
    Act(
        "check-in-for",
        "Say who has come, or has not after all.",
        {"entries": _entries(), "here": serializers.BooleanField(default=True)},
        _director(entering.check_in_for, "entries", "here"),
    ),
    Act(
        "describe",
        "Say what the draw needs to know of a player.",
        {
            "entry": _entry(),
            "rating": serializers.FloatField(allow_null=True, default=None),
            "club": _text(80, default="", allow_blank=True),
            "family": _text(80, default="", allow_blank=True),
            "seed": _number(1, MOST_AT_ONCE, allow_null=True, default=None),
            "pot": _number(1, 100, allow_null=True, default=None),
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
        {"stage": _stage(), "reason": _perhaps()},
        _director(drawing.preview, "stage", "reason"),
    ),
    Act(
        "swap-lines",
        "Exchange two lines of the draw before it is published.",
        {
            "stage": _stage(),
            "line_a": _number(1, MOST_LINES),
            "line_b": _number(1, MOST_LINES),
            "reason": _perhaps(),
        },
        _director(drawing.swap, "stage", "line_a", "line_b", "reason"),
    ),
    Act(
        "draw-by-hand",
        "Say who stands on which line, as drawn from a hat; null where nobody does.",
        {
            "stage": _stage(),
            "lines": serializers.ListField(
                child=serializers.IntegerField(min_value=1, allow_null=True), max_length=MOST_LINES
            ),
            "witnesses": serializers.ListField(child=_text(LONGEST_NAME), max_length=10, default=list),
            "note": _perhaps(),
        },
        _director(drawing.by_hand, "stage", "lines", "witnesses", "note"),
    ),
    Act(
        "publish-draw",
        "Publish the draw: the event runs from here.",
        {
            "stage": _stage(),
            "witnesses": serializers.ListField(child=_text(LONGEST_NAME), max_length=10, default=list),
            "note": _perhaps(),
        },
        _director(drawing.publish, "stage", "witnesses", "note"),
    ),
)

LOSER: Final = "The number of the entry that loses by it."
DURING: Final = (
    Act(
        "result",
        "Enter a result.",
        {"key": _key(), "score": ScoreField(), "games": _games()},
        _director(results.enter, "key", "score", "games"),
    ),
    Act(
        "rule",
        "Decide a result that the two tell differently.",
        {"key": _key(), "score": ScoreField(), "reason": _reason(), "games": _games()},
        _director(results.rule, "key", "score", "reason", "games"),
    ),
    *(
        Act(
            word,
            about,
            {"key": _key(), "loser": _entry(LOSER), "reason": _perhaps()},
            _director(service, "key", "loser", "reason"),
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
        {"key": _key(), "reason": _perhaps()},
        _director(incidents.double_forfeit, "key", "reason"),
    ),
    Act(
        "void",
        "Declare a match not to have been played.",
        {"key": _key(), "reason": _reason()},
        _director(incidents.void, "key", "reason"),
    ),
    Act(
        "late",
        "Penalty points for somebody who is late.",
        {"key": _key(), "entry": _entry(), "points": _number(1, MOST_POINTS), "reason": _perhaps()},
        _director(incidents.late, "key", "entry", "points", "reason"),
    ),
    Act(
        "call",
        "Call a match to a table: from here on both are expected.",
        {"key": _key(), "table": _text(12, default="", allow_blank=True)},
        _director(incidents.call, "key", "table"),
    ),
    Act(
        "here",
        "Say that somebody is at the board: a player of himself, a director of anybody.",
        {"key": _key(), "entry": _entry()},
        _director(incidents.here, "key", "entry"),
    ),
    Act(
        "withdraw-entry",
        "A player leaves the event, now or after the current match.",
        {"entry": _entry(), "after": serializers.BooleanField(default=False), "reason": _perhaps()},
        _director(departures.withdraw, "entry", "after", "reason"),
    ),
    Act(
        "disqualify",
        "Put a player out of the event.",
        {"entry": _entry(), "reason": _reason()},
        _director(departures.disqualify, "entry", "reason"),
    ),
    Act(
        "away",
        "Say who is not to be paired now, or is back.",
        {"entries": _entries(), "away": serializers.BooleanField(default=True)},
        _director(departures.mark_away, "entries", "away"),
    ),
    Act(
        "ask-bye",
        "Agree that a player sits a round out.",
        {
            "entry": _entry(),
            "round": _number(1, 100),
            "points": serializers.ChoiceField(choices=("0", "1/2", "1"), default="0"),
            "reason": _perhaps(),
        },
        _director(departures.ask_bye, "entry", "round", "points", "reason"),
    ),
    Act(
        "unask-bye",
        "Take back that a player sits a round out.",
        {"entry": _entry(), "round": _number(1, 100), "reason": _perhaps()},
        _director(departures.unask_bye, "entry", "round", "reason"),
    ),
    Act(
        "keep-apart",
        "Keep entries from being paired with each other: never, or with `hard` false only if it cannot be helped.",
        {"members": _entries(), "hard": serializers.BooleanField(default=True), "why": _perhaps()},
        _director(aparts.keep_apart, "members", "hard", "why"),
    ),
    Act(
        "release",
        "Let entries meet again that were kept apart.",
        {"members": _entries(), "reason": _perhaps()},
        _director(aparts.release, "members", "reason"),
    ),
    Act(
        "let-in",
        "Let somebody in who comes late.",
        {**_newcomer(), "head_start": _text(5, default="0"), "reason": _perhaps()},
        _director(arrivals.let_in, "player_key", "name", "head_start", "reason"),
    ),
    Act(
        "substitute",
        "Somebody else plays on in a player's place.",
        {"entry": _entry(), **_newcomer(), "reason": _reason()},
        _director(arrivals.substitute, "entry", "player_key", "name", "reason"),
    ),
    Act(
        "correct",
        "Correct a result, also one that has moved on; `kind` blank opens it again.",
        {
            "key": _key(),
            "score": ScoreField(allow_null=True, default=None),
            "kind": serializers.ChoiceField(
                choices=["", *(kind.value for kind in Kind)], default=Kind.PLAYED.value
            ),
            "winner": _number(1, 32_767, allow_null=True, default=None),
            "reason": _reason(),
            "games": _games(),
        },
        _correct,
    ),
    Act(
        "exchange",
        "Two players were entered as each other.",
        {"entry": _entry(), "other": _entry(), "reason": _reason()},
        _director(corrections.exchange, "entry", "other", "reason"),
    ),
    Act(
        "restore",
        "Take a ruling back: everything is again as it was before.",
        {"ruling_id": _number(1, 2**62), "reason": _reason()},
        _director(corrections.restore, "ruling_id", "reason"),
    ),
    Act("pause", "Stop all clocks of the event.", {"reason": _perhaps()}, _director(pacing.pause, "reason")),
    Act("resume", "Go on.", {"reason": _perhaps()}, _director(pacing.resume, "reason")),
    Act("add-round", "Play one round more.", {"stage": _stage()}, _director(pacing.add_round, "stage")),
    Act(
        "publish-round",
        "Publish a round that was only drafted.",
        {
            "stage": _stage(),
            "number": _number(1, 1_000),
            "exchanges": serializers.ListField(
                child=serializers.ListField(child=_entry(), min_length=TWO, max_length=TWO),
                max_length=MOST_AT_ONCE,
                default=list,
                help_text="Entries that take each other's place in this round first, in this order; with a reason.",
            ),
            "reason": _perhaps(),
        },
        _director(pacing.publish_round, "stage", "number", "exchanges", "reason"),
    ),
    Act(
        "end-early",
        "End the event now; the order of this moment stands.",
        {"reason": _reason()},
        _director(pacing.end_early, "reason"),
    ),
    Act(
        "cancel",
        "Call the event off.",
        {"reason": _reason()},
        _director(directing.cancel, "reason"),
    ),
    Act(
        "reopen",
        "Take back the end or the cancellation.",
        {"reason": _reason()},
        _director(directing.reopen, "reason"),
    ),
    Act("archive", "Put a finished event away.", {}, _director(setup.archive)),
)

ACTS: Final[Mapping[str, Act]] = {act.word: act for act in (*PLAYERS, *BEFORE, *DURING)}
_SHAPES: Final[dict[str, Any]] = {word: act.shape() for word, act in ACTS.items()}
_READERS: Final = {word: Reader(shape) for word, shape in _SHAPES.items()}

ActRequest = PolymorphicProxySerializer(
    component_name="EventAct", serializers=_SHAPES, resource_type_field_name="act", many=False
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """An act that was asked for, with its fields, and whether it is only to be foreseen."""

    act: Act
    given: Mapping[str, Any]
    is_foreseen: bool


def read(data: object) -> Wanted:
    """Return the act that a body asks for.

    :raises ValidationError: it is none, or a field needs another look.
    """
    word = data.get("act") if isinstance(data, dict) else None
    if not isinstance(word, str) or word not in ACTS:
        sentence = _("One of %s.") % ", ".join(ACTS)
        raise serializers.ValidationError({"act": [serializers.ErrorDetail(sentence, code="no_act")]})
    given = _READERS[word].read(data)
    del given["act"]
    return Wanted(ACTS[word], given, given.pop("foresee"))
