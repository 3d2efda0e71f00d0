"""The public view of a match: snapshots, and the frames that update them line by line.

A frame holds the line and everything of the state that a line can change; the results of finished games
only grow. So a snapshot plus the frames after it is the next snapshot (`fold`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import transaction

from engine.side import Side
from matches.state.dicing import Stage
from matches.state.doubling import alive_for
from runtime import stream

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.match import GameResult
    from matches.state.facts import Line
    from matches.state.match_state import MatchState

FAMILY = "match"
# Published when a board begins or ends, or an offer is made or closed. The event has no details.
LOBBY = "lobby.all"


def topic(key: str) -> str:
    return f"{FAMILY}.{key}"


def public_state(state: MatchState) -> dict[str, Any]:
    """Return the current state, without the finished games."""
    match, game, dicing = state.match, state.match.game, state.dicing
    asked = state.asked
    return {
        "head": state.head,
        "at": state.at,
        "status": state.status.value,
        "score": [*match.score],
        "crawford": match.crawford.value,
        "game": match.number,
        "game_is_crawford": game.crawford,
        "phase": game.phase.value,
        "turn": _word(game.turn),
        "owing": [side.word for side in state.owing],
        "board": game.board.text(),
        "pips": [game.board.pips(Side.WHITE), game.board.pips(Side.BLACK)],
        "dice": None if game.dice is None else str(game.dice),
        "cube": {
            "value": game.cube.value,
            "owner": _word(game.cube.owner),
            "offered": game.offer or None,
            "alive_for": [side.word for side in alive_for(state)],
        },
        "resignation": None if game.resigning is None else {"by": game.resigning.word, "level": game.level},
        "roll": {
            "stage": dicing.stage.value,
            "number": dicing.next,
            "asked": None
            if asked is None
            else {"by": asked.side.word, "number": asked.number, "share": asked.link and asked.link.hex()},
        },
        "playing_out": [side.word for side in Side if side in state.playing_out],
        "clock": _clock(state),
        "deadline": state.deadline,
        "outcome": _outcome(state),
    }


def _word(side: Side | None) -> str | None:
    return None if side is None else side.word


def _clock(state: MatchState) -> dict[str, Any] | None:
    clock = state.clock
    if clock is None:
        return None
    return {
        "reserve": [*clock.reserve],
        "turn": _word(clock.turn),
        # Start of the running clock, and the time used in this turn before it; clients add the time since.
        "since": clock.since,
        "used": clock.used,
        "lent": clock.lent,
        "lag": [*state.quota],
        "held": [*state.held],
    }


def _outcome(state: MatchState) -> dict[str, Any] | None:
    outcome = state.match.outcome
    return None if outcome is None else {"winner": _word(outcome.winner), "how": outcome.how.value}


def result(found: GameResult) -> dict[str, Any]:
    return {
        "winner": _word(found.winner),
        "points": found.points,
        "kind": found.kind,
        "how": found.how.value,
        "cube": found.cube,
        "crawford": found.crawford,
        "start": [*found.start],
        "plies": found.plies,
    }


def dice_set(state: MatchState) -> dict[str, Any]:
    """Serialize the commitments and revealed links of the current set of chains."""
    dicing = state.dicing
    known = {party.value: value for party, value in dicing.known.items()}
    return {
        "match": dicing.match,
        "parties": {party.value: name for party, name in dicing.users.items()},
        "first": dicing.first,
        "length": dicing.length,
        "commitments": {party.value: value and value.hex() for party, value in dicing.commitments.items()},
        "words": {party.value: value for party, value in dicing.words.items()},
        "known": {
            party: value and {"link": value[0].hex(), "step": value[1]} for party, value in known.items()
        },
        "heads_are_due": dicing.stage is Stage.UNSEALING,
    }


def snapshot(state: MatchState) -> dict[str, Any]:
    """Return the whole public state."""
    return {
        **public_state(state),
        "results": [result(each) for each in state.match.results],
        "dice_set": dice_set(state),
    }


def frame(line: Line, before: MatchState, after: MatchState) -> dict[str, Any]:
    """Return the frame that takes a watcher from *before* to *after*."""
    told: dict[str, Any] = {
        "line": told_line(line),
        "state": public_state(after),
        "dice_set": dice_set(after),
    }
    kept = len(before.match.results)
    if after.match.results != before.match.results:
        if after.match.results[:kept] == before.match.results:
            told["results"] = [result(each) for each in after.match.results[kept:]]
        else:  # games were taken back
            told["all_results"] = [result(each) for each in after.match.results]
    if before.head and told["dice_set"] == dice_set(before):
        del told["dice_set"]
    return told


def told_line(line: Line) -> dict[str, Any]:
    """Serialize a line for the public."""
    told = line.body()
    return {name: value for name, value in told.items() if value not in (None, "", 0) or name == "seq"}


def fold(shown: dict[str, Any], told: dict[str, Any]) -> dict[str, Any]:
    """Apply a frame to a snapshot, as every client does."""
    results = told.get("all_results", [*shown["results"], *told.get("results", [])])
    return {**told["state"], "results": results, "dice_set": told.get("dice_set", shown["dice_set"])}


def announce(key: str, frames: Sequence[dict[str, Any]]) -> None:
    """Send frames to the watchers after the commit."""
    told = [event(key, each) for each in frames]

    def tell() -> None:
        for each in told:
            stream.announce(each)

    transaction.on_commit(tell)


def event(key: str, told: dict[str, Any]) -> stream.Event:
    """Wrap a frame as an event of the match's stream."""
    return stream.Event(topic(key), told["line"]["seq"], "line", told)
