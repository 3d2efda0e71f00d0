"""The public view of a match: snapshots, and the frames that update them line by line.

A frame holds the line and everything of the state that a line can change. Of the results of finished games
it holds the new ones, or all of them after a takeback. So a snapshot plus the frames after it is the next
snapshot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from rest_framework import serializers

from engine.fair import Party
from engine.game import Phase, Termination
from engine.match import Crawford
from engine.side import Side
from matches.journal.journal import Step
from matches.models import Challenge
from matches.models.matches import State
from matches.state.dicing import Stage
from matches.state.facts import to_json
from matches.state.match_state import MatchState
from players.models import Player
from runtime import stream
from runtime.http.answer_schema import make_serializer
from runtime.http.answers import ABSENT, Answer, about
from runtime.http.strict_fields import make_choice_field

FAMILY = "match"
# Topic with an event when a board begins or ends, or an offer is made or closed. The event has no details.
LOBBY = "lobby.all"
SIDES: Final = ("white", "black")


def about_side(text: str = "", *, of: Callable[[Any], Side | None], null: bool = False) -> Any:
    """Declare a member for a side by its name; *of* reads the side."""
    return about(
        source=lambda found: None if (side := of(found)) is None else side.word,
        described=make_side_field(null=null, help_text=text or None),
    )


def make_side_field(*, null: bool = False, **more: Any) -> serializers.ChoiceField:
    return make_choice_field(*SIDES, allow_null=null, **more)


def about_sides(text: str, *, of: Callable[[Any], Iterable[Side]]) -> Any:
    return about(
        source=lambda found: [side.word for side in of(found)],
        described=serializers.ListField(child=make_side_field(), help_text=text),
    )


def make_pair_field(**more: Any) -> serializers.ListField:
    """Return a field of a number for White and one for Black."""
    return serializers.ListField(child=serializers.IntegerField(), min_length=2, max_length=2, **more)


def about_pair(text: str = "", **more: Any) -> Any:
    return about(described=make_pair_field(help_text=text), **more)


def _make_optional_source(name: str) -> Callable[[Any], Any]:
    return lambda line: getattr(line, name) or ABSENT


class CubeAnswer(Answer):
    """The cube; `offered` is the value of a double that waits for an answer."""

    value: int = about(source="match.game.cube.value")
    owner: str | None = about_side(of=lambda state: state.match.game.cube.owner, null=True)
    offered: int | None = about(source=lambda state: state.match.game.offer or None)
    alive_for: list[str] = about_sides(
        "Who may double before their next roll and could gain by it. Keep your share of that roll back "
        "until it is asked for.",
        of=lambda state: state.doublers,
    )


class ResignationAnswer(Answer):
    """A resignation that waits for an answer: 1 a single game, 2 a gammon, 3 a backgammon."""

    by: str = about_side(of=lambda game: game.resigning)
    level: int


class AskedAnswer(Answer):
    """A requested roll, with the share of the one who rolls; the other's is awaited."""

    by: str = about_side(of=lambda asked: asked.side)
    number: int
    share: str | None = about(source=lambda asked: asked.link and asked.link.hex())


class RollStateAnswer(Answer):
    """The dice: how far they are sealed, and the number of the next roll of the match."""

    stage: str = about(
        source="dicing.stage",
        described=make_choice_field(
            *Stage, help_text="promising: send `promise`. unsealing: send `open`. ready: they roll."
        ),
    )
    number: int = about(source="dicing.next")
    asked: AskedAnswer | None


class ClockAnswer(Answer):
    """The clock in milliseconds. The side in `turn` has used `used` and the time since `since`."""

    reserve: list[int] = about_pair(source="clock.reserve")
    turn: str | None = about_side(of=lambda state: state.clock.turn, null=True)
    since: int | None = about(
        "Since when it runs, in milliseconds since 1970; null: stopped.", source="clock.since"
    )
    used: int = about(source="clock.used")
    lent: int | None = about(
        "What the other side's turn has used that waits for this one.", source="clock.lent"
    )
    lag: list[int] = about_pair("How much network lag each side may still be forgiven.", source="quota")
    held: list[int] = about_pair(
        "How much of `absence` each side has used; a hold is written when the side is back."
    )


class OutcomeAnswer(Answer):
    """How the match ended; without a winner it is void."""

    winner: str | None = about_side(of=lambda outcome: outcome.winner, null=True)
    how: str = about(described=make_choice_field(*Termination))


class StateAnswer(Answer):
    """The match on the table: board, cube, score and turn."""

    head: int = about("The number of the last line of the journal: send it as `after`.")
    at: int = about("When that was, in milliseconds since 1970.")
    status: str = about(described=make_choice_field(*State.values))
    score: list[int] = about_pair(source="match.score")
    crawford: str = about(source="match.crawford", described=make_choice_field(*Crawford))
    game: int = about("The number of the current game.", source="match.number")
    game_is_crawford: bool = about(source="match.game.crawford")
    phase: str = about(
        source="match.game.phase", described=make_choice_field(*Phase, help_text="What the game waits for.")
    )
    turn: str | None = about_side(of=lambda state: state.match.game.turn, null=True)
    owing: list[str] = about_sides("Who must do something before it goes on.", of=lambda state: state.owing)
    board: str = about(
        "Each side's checkers by its own points, from `bar` through 24 ... 1 to `off`: "
        "`white 24:2 13:5 8:3 6:5 black 24:2 13:5 8:3 6:5`.",
        source=lambda state: state.match.game.board.text(),
    )
    pips: list[int] = about_pair(source=lambda state: [state.match.game.board.pips(side) for side in Side])
    dice: str | None = about(
        "Two digits, the higher first.",
        source=lambda state: None if state.match.game.dice is None else str(state.match.game.dice),
    )
    cube: CubeAnswer = about(source=lambda state: state)
    resignation: ResignationAnswer | None = about(
        source=lambda state: None if state.match.game.resigning is None else state.match.game
    )
    declined: str | None = about_side(
        "Whose resignation was declined; that side plays on before it offers another.",
        of=lambda state: state.refused,
        null=True,
    )
    roll: RollStateAnswer = about(source=lambda state: state)
    playing_out: list[str] = about_sides(
        "Who agrees that this race is played to its end by itself; it is, once both do.",
        of=lambda state: [side for side in Side if side in state.playing_out],
    )
    # Clients add the time since `since` to what the turn has used.
    clock: ClockAnswer | None = about(source=lambda state: None if state.clock is None else state)
    deadline: int | None = about(
        "When a flag falls, or the days of a match without a clock end, in milliseconds since 1970."
    )
    outcome: OutcomeAnswer | None = about(source="match.outcome")


class GameResultAnswer(Answer):
    """A finished game."""

    winner: str | None = about_side(of=lambda result: result.winner, null=True)
    points: int
    kind: int = about("1 single, 2 gammon, 3 backgammon.")
    how: str = about(described=make_choice_field(*Termination))
    cube: int
    crawford: bool
    start: list[int] = about_pair("The score at which it began.")
    plies: int


class LinkAnswer(Answer):
    """The last known link of a chain, and the step it was used for; a head is step 0."""

    link: str = about(source=lambda known: known[0].hex())
    step: int = about(source=lambda known: known[1])


def _make_party_serializer(name: str, field: Callable[[], Any]) -> Any:
    """Return a serializer with values for A (White), B (Black) and S (the server)."""
    more = {"__doc__": "For white, black and the server.", **{party.value: field() for party in Party}}
    return type(name, (serializers.Serializer,), more)


Names = _make_party_serializer("ByPartyName", serializers.CharField)
Texts = _make_party_serializer("ByPartyText", lambda: serializers.CharField(allow_null=True))
Links = _make_party_serializer("ByPartyLink", lambda: make_serializer(LinkAnswer)(allow_null=True))


def _about_parties(described: Any, source: Callable[[Any], Any]) -> Any:
    """Declare a member with a value for each party; *source* reads them by party."""
    return about(
        source=lambda state: {party.value: value for party, value in source(state.dicing).items()},
        described=described(),
    )


class DiceSetAnswer(Answer):
    """The current set of chains: what was promised and shown. `docs/dice.md` has the recipe.

    Your commitment is bound to `match`, your part (A or B) and your name in `parties`; your chain has
    `length` links; roll `i` takes link `i - first + 1`, counted back from the head.
    """

    match: str = about(source="dicing.match")
    parties: dict[str, str] = _about_parties(Names, lambda dicing: dicing.users)
    first: int = about(source="dicing.first")
    length: int = about(source="dicing.length")
    commitments: dict[str, str | None] = _about_parties(
        Texts, lambda dicing: {party: value and value.hex() for party, value in dicing.commitments.items()}
    )
    words: dict[str, str | None] = _about_parties(Texts, lambda dicing: dicing.words)
    known: dict[str, Any] = _about_parties(
        Links,
        lambda dicing: {party: value and LinkAnswer.read(value) for party, value in dicing.known.items()},
    )
    heads_are_due: bool = about(source=lambda state: state.dicing.stage is Stage.UNSEALING)


class SnapshotAnswer(StateAnswer):
    """The whole public state: the table, the games that are over, the dice."""

    results: list[GameResultAnswer] = about(source="match.results")
    dice_set: DiceSetAnswer = about(source=lambda state: state)


class JournalLineAnswer(Answer):
    """A line of the journal; what is empty is left out."""

    seq: int
    at: int = about(source=_make_optional_source("at"), optional=True)
    by: str = about("white, black, director or server.", source=_make_optional_source("by"), optional=True)
    who: str = about("The key of the person.", source=_make_optional_source("who"), optional=True)
    fact: dict[str, Any] = about(
        source=lambda line: to_json(line.fact),
        described=serializers.DictField(help_text="`fact` says what happened; the rest belongs to it."),
    )
    lag: int = about(
        "What the network took and the clock did not charge.",
        source=_make_optional_source("lag"),
        optional=True,
    )
    thrown: dict[str, Any] = about(
        source=lambda line: ABSENT if line.thrown is None else line.thrown.to_json(),
        optional=True,
        described=serializers.DictField(
            required=False, help_text="Of a roll: its number, its label and the shares."
        ),
    )


class FrameAnswer(Answer):
    """A line of a match, with all the changes it made."""

    line: JournalLineAnswer
    state: StateAnswer
    dice_set: DiceSetAnswer = about(optional=True)
    results: list[GameResultAnswer] = about("Games that ended with this line.", optional=True)
    all_results: list[GameResultAnswer] = about("All games, where some were taken back.", optional=True)


# -- snapshots and frames ---------------------------------------------------------------------------


def get_topic(key: str) -> str:
    return f"{FAMILY}.{key}"


def build_snapshot(state: MatchState) -> dict[str, Any]:
    return SnapshotAnswer.read(state).plain()


def build_frame(step: Step) -> dict[str, Any]:
    """Return the frame that takes a watcher from the state before a line to the one after it."""
    before, after = step.before, step.after
    data: dict[str, Any] = {"results": ABSENT, "all_results": ABSENT, "dice_set": ABSENT}
    count_before = len(before.match.results)
    if after.match.results != before.match.results:
        if after.match.results[:count_before] == before.match.results:
            data["results"] = after.match.results[count_before:]
        else:  # games were taken back
            data["all_results"] = after.match.results
    if not before.head or after.dicing is not before.dicing:
        dice_set = DiceSetAnswer.read(after)
        if not before.head or dice_set != DiceSetAnswer.read(before):
            data["dice_set"] = dice_set
    return FrameAnswer.read(None, line=step.line, state=after, **data).plain()


def announce(key: str, frames: Sequence[dict[str, Any]]) -> None:
    events = [build_event(key, each) for each in frames]

    def tell() -> None:
        for each in events:
            stream.broadcast(each)

    transaction.on_commit(tell)


def build_event(key: str, frame: dict[str, Any]) -> stream.Event:
    return stream.Event(get_topic(key), frame["line"]["seq"], "line", frame)


BEGINS: Final = "match-begins"
REMATCH: Final = "rematch"


def notify_start(row: Challenge, *, now: datetime) -> None:
    if row.match is None or row.opponent is None:
        return
    data = {"match": row.match.key, "opponent": row.opponent.public_name}
    _publish(row.challenger, BEGINS, data, now=now)


def notify_rematch(row: Challenge, *, now: datetime) -> None:
    """Notify both players that a rematch was offered, was declined or withdrawn, or has expired."""
    if row.rematch_of is None:
        return
    for player in (row.challenger, row.opponent):
        _publish(player, REMATCH, {"match": row.rematch_of.key}, now=now)


def notify_lobby(*, now: datetime) -> None:
    """Notify the lobby after the commit that a board or an offer was added or removed.

    The event gets a separate transaction, so that requests do not contend for the lock of the topic.
    """
    transaction.on_commit(lambda: stream.publish(LOBBY, "changed", {}, now=now))


def _publish(player: Player | None, name: str, data: dict[str, str], *, now: datetime) -> None:
    if player is not None and player.user_id is not None:
        stream.publish(f"user.{player.user_id}", name, data, now=now)
