"""Records as rows: the bytes that were handed in, by whom, and what the referee said."""

from records.models.submissions import RecordFile, RecordMatch, Submission, VerdictWord

__all__ = ["RecordFile", "RecordMatch", "Submission", "VerdictWord"]
