"""The tutor's comments in a practice match, for its player only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.errors import EngineError
from engine.formats import xgid
from engine.side import Side
from matches.journal import journal, positions_in_play
from matches.models import JournalEntry, Match
from matches.state.status import OPEN
from opinion.models import Hint, Lesson, Response, Silence
from players.models import Player

# Facts that are decisions of the player. A roll is none, because it may come by itself; forced plays are
# written by the server.
ACTS: Final = ("played", "doubled", "took", "dropped", "beavered", "readied", "resign-offered", "plays-out")


@dataclass(frozen=True, slots=True)
class LessonView:
    limit: float
    # The last play is being evaluated: poll again.
    is_looking: bool
    # The player must choose whether to take the play back.
    is_asking: bool
    # Why there is no comment on the last play; see `Silence`.
    silence: str
    # The open hint, if the player may see it.
    hint: Hint | None


def load_lesson(row: Match, player: Player) -> LessonView | None:
    """Return the tutor's state for a player; None if it is not their match, or has no tutor."""
    if journal.find_side(row, player.pk) is None:
        return None
    lesson = find_lesson(row)
    if lesson is None:
        return None
    hint = find_open_hint(lesson) if row.status in OPEN else None
    if hint is not None and has_acted_since(row, hint.seq):
        hint = None
    is_told = hint is not None and not _is_in_play(hint)
    return LessonView(
        lesson.limit,
        find_unseen_play(lesson, row) is not None,
        hint is not None,
        Silence.IN_PLAY.value if hint is not None and not is_told else lesson.silence,
        hint if is_told else None,
    )


def find_lesson(row: Match) -> Lesson | None:
    """Return the lesson of a match; None without the tutor, and in matches that are not practice."""
    return Lesson.objects.filter(match=row).first() if row.is_practice else None


def find_open_hint(lesson: Lesson) -> Hint | None:
    return lesson.hints.filter(response=Response.NONE).first()


def find_unseen_play(lesson: Lesson, row: Match) -> JournalEntry | None:
    """Return the player's last play, if the tutor has not evaluated it."""
    side = find_person_side(row)
    rows = JournalEntry.objects.filter(match=row, seq__gt=lesson.looked, by=side.word, fact__fact="played")
    return rows.order_by("-seq").first()


def has_acted_since(row: Match, seq: int) -> bool:
    """True if the player made a decision after line *seq*."""
    later = JournalEntry.objects.filter(
        match=row, seq__gt=seq, by=find_person_side(row).word, fact__fact__in=ACTS
    )
    return later.exists()


def find_person_side(row: Match) -> Side:
    side = journal.find_side(row, row.white_id if not hasattr(row.white, "bot") else row.black_id)
    assert side is not None  # noqa: S101 - it is one of the two players
    return side


def _is_in_play(hint: Hint) -> bool:
    """True if the position is being played between people, or cannot be read."""
    try:
        return positions_in_play.is_in_play(xgid.decode(hint.position).board)
    except EngineError:
        return True
