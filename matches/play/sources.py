"""The source of match streams: the journal, from which watchers load missed lines."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from engine.actions import TakenBack
from matches.journal import journal, live
from matches.journal.journal import Step
from matches.models import JournalEntry, Match
from matches.state import match_state
from matches.state.match_state import MatchState
from runtime import stream
from runtime.stream.events import MOST_AT_ONCE

MOST_FILMS: Final = 32


@dataclass(frozen=True, slots=True)
class RecentFrames:
    """The last frames of a match up to a line, and the state after it."""

    state: MatchState
    # The hash of the last line; it differs if the database was restored from a backup.
    chained: str
    frames: tuple[dict[str, Any], ...] = ()

    @property
    def head(self) -> int:
        return self.state.head

    def after(self, seq: int) -> tuple[dict[str, Any], ...] | None:
        """Return the frames after line *seq*, or None if older ones are missing."""
        missing = max(0, self.head - seq)
        return None if missing > len(self.frames) else self.frames[len(self.frames) - missing :]


class RecentFramesCache:
    """LRU cache of recently requested matches: many reconnecting clients cause one replay."""

    def __init__(self) -> None:
        self._kept: OrderedDict[int, RecentFrames] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, row: Match, *, upto: int, after: int | None = None) -> RecentFrames:
        """Return the frames that end with line *upto* and, if recent enough, begin after line *after*."""
        with self._lock:
            film = self._kept.get(row.pk)
        if film is not None and film.head <= upto and _is_valid(row, film):
            film = _extend_frames(row, film, upto)
        else:
            film = None
        if film is None or (after is not None and film.after(after) is None):
            film = _replay_frames(row, upto)
        with self._lock:
            self._kept[row.pk] = film
            self._kept.move_to_end(row.pk)
            while len(self._kept) > MOST_FILMS:
                self._kept.popitem(last=False)
        return film


def _is_valid(row: Match, film: RecentFrames) -> bool:
    return JournalEntry.objects.filter(match=row, seq=film.head, hash=film.chained).exists()


def _replay_frames(row: Match, upto: int) -> RecentFrames:
    """Return the last frames up to line *upto*, replayed from the first line."""
    before, frames = journal.build_start_state(row), []
    for step in journal.iterate_steps(row, upto=upto):
        before = step.after
        if step.line.seq > upto - MOST_AT_ONCE:
            frames.append(live.build_frame(step))
    return _build_recent_frames(row, before, tuple(frames))


def _extend_frames(row: Match, film: RecentFrames, upto: int) -> RecentFrames | None:
    """Append the lines up to *upto*; None after a takeback, which needs the past that cached states lack."""
    if film.head == upto:
        return film
    before, frames = film.state, list(film.frames)
    for line in journal.list_lines(row, after=film.head, upto=upto):
        if isinstance(line.fact, TakenBack):
            return None
        step = Step(line, before, match_state.apply(before, line))
        frames.append(live.build_frame(step))
        before = step.after
    return _build_recent_frames(row, before, tuple(frames[-MOST_AT_ONCE:]))


def _build_recent_frames(row: Match, found: MatchState, frames: tuple[dict[str, Any], ...]) -> RecentFrames:
    chained = JournalEntry.objects.values_list("hash", flat=True).filter(match=row, seq=found.head).first()
    forgetful = replace(found, match=replace(found.match, before=None))
    return RecentFrames(forgetful, chained or "", frames)


FILMS: Final = RecentFramesCache()


class JournalSource(stream.Source):
    def heads(self, topics: Sequence[str]) -> dict[str, int]:
        heads = Match.objects.filter(key__in=map(_parse_key, topics)).values_list("key", "head")
        return {live.get_topic(key): head for key, head in heads}

    def since(self, topic: str, seq: int, limit: int) -> list[stream.Event]:
        row = Match.objects.filter(key=_parse_key(topic)).first()
        # Nothing new, or more than is ever sent.
        if row is None or not 0 < row.head - seq <= MOST_AT_ONCE:
            return []
        found = FILMS.get(row, upto=row.head, after=seq).after(seq) or ()
        return [stream.Event(topic, each["line"]["seq"], "line", each) for each in found[:limit]]


def _parse_key(topic: str) -> str:
    return topic.partition(".")[2]
