"""The source of match streams: the journal, from which watchers load missed lines.

The family `match` is the live journal; `delayed` is the journal without the lines of the last `terms.delay`,
for spectators of delayed matches. Neither stores anything beyond the journal.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from django.utils import timezone

from engine.actions import TakenBack
from matches.journal import journal, live
from matches.models import JournalEntry, Match
from matches.state import match_state
from matches.state.status import ENDED
from runtime import stream
from runtime.stream.events import MOST_AT_ONCE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from matches.state.match_state import MatchState

DELAYED: Final = "delayed"
MOST_FILMS: Final = 32


def get_delayed_topic(key: str) -> str:
    return f"{DELAYED}.{key}"


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
        self._kept: OrderedDict[tuple[str, int], RecentFrames] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, family: str, row: Match, *, upto: int, after: int | None = None) -> RecentFrames:
        """Return the frames that end with line *upto* and, if recent enough, begin after line *after*."""
        at = (family, row.pk)
        with self._lock:
            film = self._kept.get(at)
        if film is not None and film.head <= upto and _is_valid(row, film):
            film = _extend_frames(row, film, upto)
        else:
            film = None
        if film is None or (after is not None and film.after(after) is None):
            film = _replay_frames(row, upto)
        with self._lock:
            self._kept[at] = film
            self._kept.move_to_end(at)
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
            frames.append(live.build_frame(step.line, step.before, step.after))
    return _build_recent_frames(row, before, tuple(frames))


def _extend_frames(row: Match, film: RecentFrames, upto: int) -> RecentFrames | None:
    """Append the lines up to *upto*; None after a takeback, which needs the past that cached states lack."""
    if film.head == upto:
        return film
    before, frames = film.state, list(film.frames)
    for line in journal.list_lines(row, after=film.head, upto=upto):
        if isinstance(line.fact, TakenBack):
            return None
        after = match_state.apply(before, line)
        frames.append(live.build_frame(line, before, after))
        before = after
    return _build_recent_frames(row, before, tuple(frames[-MOST_AT_ONCE:]))


def _build_recent_frames(row: Match, found: MatchState, frames: tuple[dict[str, Any], ...]) -> RecentFrames:
    chained = JournalEntry.objects.values_list("hash", flat=True).filter(match=row, seq=found.head).first()
    forgetful = replace(found, match=replace(found.match, before=None))
    return RecentFrames(forgetful, chained or "", frames)


FILMS: Final = RecentFramesCache()


class JournalSource:
    """The source of the streams of matches."""

    family = live.FAMILY

    def heads(self, topics: Sequence[str]) -> dict[str, int]:
        """Return the number of the last line of each existing match."""
        heads = Match.objects.filter(key__in=map(_parse_key, topics)).values_list("key", "head")
        return {f"{self.family}.{key}": head for key, head in heads}

    def since(self, topic: str, seq: int, limit: int) -> list[stream.Event]:
        """Return the events after line *seq*, oldest first."""
        row = Match.objects.filter(key=_parse_key(topic)).first()
        head = 0 if row is None else self._find_head(row)
        if row is None or not 0 < head - seq <= MOST_AT_ONCE:  # nothing new, or more than is ever sent
            return []
        found = FILMS.get(self.family, row, upto=head, after=seq).after(seq) or ()
        return [stream.Event(topic, each["line"]["seq"], "line", each) for each in found[:limit]]

    def _find_head(self, row: Match) -> int:
        return row.head


class DelayedJournalSource(JournalSource):
    """The source of delayed streams; finished matches have no delay."""

    family = DELAYED

    def heads(self, topics: Sequence[str]) -> dict[str, int]:
        """Return the number of the last line of each match that may be shown now."""
        now = timezone.now()  # noqa: TID251 - the hub passes no time
        rows = Match.objects.filter(key__in=map(_parse_key, topics)).only("key", "head", "status", "terms")
        return {get_delayed_topic(row.key): find_shown_head(row, now=now) for row in rows}

    def _find_head(self, row: Match) -> int:
        return find_shown_head(row, now=timezone.now())  # noqa: TID251


def find_shown_head(row: Match, *, now: datetime) -> int:
    """Return the number of the last line that spectators may see."""
    delay = int(row.terms.get("delay", 0))
    if not delay or row.status in ENDED:
        return row.head
    past = JournalEntry.objects.filter(match=row, at__lte=journal.to_milliseconds(now) - delay)
    return past.order_by("-seq").values_list("seq", flat=True).first() or 0


def load_shown_state(row: Match, *, now: datetime) -> MatchState:
    """Return the state that spectators may see."""
    head = find_shown_head(row, now=now)
    return journal.load(row) if head == row.head else FILMS.get(DELAYED, row, upto=head).state


def query_delayed_readers(at: Any) -> Iterator[QuerySet[Any]]:
    """Query the readers of delayed streams."""
    yield stream.query_readers_since(DELAYED, at)


def check_delayed(*, now: datetime) -> int:
    """Make the hub check the delayed streams in use; return their number."""
    topics = list(stream.count_readers_by_topic(DELAYED, now=now))
    if topics:
        stream.compare_topics(topics)
    return len(topics)


def _parse_key(topic: str) -> str:
    return topic.partition(".")[2]


stream.register_source(live.FAMILY, JournalSource())
stream.register_source(DELAYED, DelayedJournalSource())
# Registered only to know which delayed streams are in use.
stream.register_presence(DELAYED)
