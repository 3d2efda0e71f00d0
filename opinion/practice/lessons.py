"""What the tutor has to say in a practice match, to its own player and to nobody else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.db.models import Q

from engine.errors import EngineError
from engine.formats import xgid
from matches.journal import journal, standing
from matches.models import JournalEntry
from matches.state.status import OPEN
from opinion.models import Hint, Lesson, Response, Silence

if TYPE_CHECKING:
    from engine.side import Side
    from matches.models import Match
    from players.models import Player

# What somebody does who decides something; the server alone writes in their place what leaves no choice.
ACTS: Final = (
    "played",
    "rolled",
    "asked",
    "doubled",
    "took",
    "dropped",
    "beavered",
    "readied",
    "resign-offered",
)


@dataclass(frozen=True, slots=True)
class HintView:
    """A play that was pointed out and may be taken back."""

    line: int
    played: str
    loss: float
    best: str
    level: int


@dataclass(frozen=True, slots=True)
class LessonView:
    """How it stands with the tutor."""

    limit: float
    # The last play is being looked at: ask again in a moment.
    is_looking: bool
    # The player is to say whether to take the play back.
    is_asking: bool
    # Why nothing is said about the last play, of `Silence`.
    silence: str
    hint: HintView | None


def of_match(row: Match, player: Player) -> LessonView | None:
    """Return what the tutor tells a player; None where it is not their match, or there is no tutor."""
    if journal.side_of(row, player.pk) is None:
        return None
    lesson = of_row(row)
    if lesson is None:
        return None
    hint = open_hint(lesson) if row.status in OPEN else None
    if hint is not None and has_acted_since(row, hint.seq):
        hint = None
    is_told = hint is not None and not _stands(hint)
    return LessonView(
        lesson.limit,
        unseen(lesson, row) is not None,
        hint is not None,
        Silence.IN_PLAY.value if hint is not None and not is_told else lesson.silence,
        HintView(hint.seq, hint.played, hint.loss, hint.best, hint.level) if hint and is_told else None,
    )


def of_row(row: Match) -> Lesson | None:
    """Return the lesson of a match; None without the tutor, and in every match that is more than practice."""
    return Lesson.objects.filter(match=row).first() if row.is_practice else None


def matches() -> Q:
    """Return which matches have the tutor."""
    return Q(lesson__isnull=False)


def open_hint(lesson: Lesson) -> Hint | None:
    """Return the hint that nobody has answered."""
    return lesson.hints.filter(response=Response.NONE).first()


def unseen(lesson: Lesson, row: Match) -> JournalEntry | None:
    """Return the person's last play, if the tutor has not looked at it."""
    side = person(row)
    rows = JournalEntry.objects.filter(match=row, seq__gt=lesson.looked, by=side.word, fact__fact="played")
    return rows.order_by("-seq").first()


def has_acted_since(row: Match, seq: int) -> bool:
    """Has the person done anything after that line?"""
    later = JournalEntry.objects.filter(match=row, seq__gt=seq, by=person(row).word, fact__fact__in=ACTS)
    return later.exists()


def person(row: Match) -> Side:
    """Return the side that is no bot's."""
    side = journal.side_of(row, row.white_id if not hasattr(row.white, "bot") else row.black_id)
    assert side is not None  # noqa: S101 - one of the two
    return side


def _stands(hint: Hint) -> bool:
    """Is the position being played between people at this moment?"""
    try:
        return standing.stands(xgid.decode(hint.position).board)
    except EngineError:
        return True
