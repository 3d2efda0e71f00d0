"""The public view of a match: snapshots, and the frames that update them line by line.

A frame holds the line and everything of the state that a line can change. Of the results of finished games
it holds the new ones, or all of them after a takeback. So a snapshot plus the frames after it is the next
snapshot.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import transaction

from matches.journal.live_shapes import DiceSetAnswer, FrameAnswer, SnapshotAnswer
from runtime import stream
from runtime.http.answers import ABSENT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matches.journal.journal import Step
    from matches.state.match_state import MatchState

FAMILY = "match"
# Topic with an event when a board begins or ends, or an offer is made or closed. The event has no details.
LOBBY = "lobby.all"


def get_topic(key: str) -> str:
    return f"{FAMILY}.{key}"


def build_snapshot(state: MatchState) -> dict[str, Any]:
    return SnapshotAnswer.read(state).plain()


def build_frame(step: Step) -> dict[str, Any]:
    """Return the frame that takes a watcher from the state before a line to the one after it."""
    before, after = step.before, step.after
    told: dict[str, Any] = {"results": ABSENT, "all_results": ABSENT, "dice_set": ABSENT}
    kept = len(before.match.results)
    if after.match.results != before.match.results:
        if after.match.results[:kept] == before.match.results:
            told["results"] = after.match.results[kept:]
        else:  # games were taken back
            told["all_results"] = after.match.results
    if not before.head or after.dicing is not before.dicing:
        dice_set = DiceSetAnswer.read(after)
        if not before.head or dice_set != DiceSetAnswer.read(before):
            told["dice_set"] = dice_set
    return FrameAnswer.read(None, line=step.line, state=after, **told).plain()


def announce(key: str, frames: Sequence[dict[str, Any]]) -> None:
    told = [build_event(key, each) for each in frames]

    def tell() -> None:
        for each in told:
            stream.broadcast(each)

    transaction.on_commit(tell)


def build_event(key: str, told: dict[str, Any]) -> stream.Event:
    return stream.Event(get_topic(key), told["line"]["seq"], "line", told)
