"""Records as rows: what was tapped at the table, the bytes that were handed in, and what the referee said."""

from records.models.sheets import Holder, ScoreSheet, SheetAct
from records.models.submissions import Outcome, RecordAlias, RecordFile, RecordMatch, Submission, VerdictWord

__all__ = [
    "Holder",
    "Outcome",
    "RecordAlias",
    "RecordFile",
    "RecordMatch",
    "ScoreSheet",
    "SheetAct",
    "Submission",
    "VerdictWord",
]
