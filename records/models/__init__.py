"""Models of records: score sheets, submitted files, and verdicts."""

from records.evidence import Outcome
from records.models.archive import (
    ArchivedGame,
    ArchivedMatch,
    ArchivedPositions,
    ArchivedSide,
    ArchiveMark,
    PositionIndex,
    RecordedName,
)
from records.models.sheets import Holder, MatchPhoto, ScoreSheet, SheetAct, ShortCode
from records.models.submissions import (
    RecordAlias,
    RecordFacts,
    RecordFile,
    RecordMatch,
    Submission,
    VerdictWord,
)
from records.models.transcriptions import Transcription

__all__ = [
    "ArchiveMark",
    "ArchivedGame",
    "ArchivedMatch",
    "ArchivedPositions",
    "ArchivedSide",
    "Holder",
    "MatchPhoto",
    "Outcome",
    "PositionIndex",
    "RecordAlias",
    "RecordFacts",
    "RecordFile",
    "RecordMatch",
    "RecordedName",
    "ScoreSheet",
    "SheetAct",
    "ShortCode",
    "Submission",
    "Transcription",
    "VerdictWord",
]
