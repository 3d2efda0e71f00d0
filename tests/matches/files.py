"""Check the downloadable files of a match with the referee and compare them with the match."""

from __future__ import annotations

from engine import formats
from engine.verdict import judge
from matches.journal import journal
from matches.models import Match
from matches.watch import exports

WRITTEN = ("mat", "sgf", "json")


def tell_the_match(row: Match) -> None:
    """Write a match in every format and adjudicate each file.

    Each file must be accepted, with the score, winner, rules and facts of the match.
    """
    match, record = journal.load(row).match, exports.build_record(row)
    digest = record.digest()
    for name in WRITTEN:
        (verdict,) = judge(formats.write(record, name))
        assert verdict.is_accepted, (name, [finding.message for finding in verdict.findings])
        assert (verdict.score, verdict.winner) == (match.score, match.winner), name
        assert verdict.record.digest() == digest, name
        # The Crawford rule has no effect in a match to one point.
        assert verdict.rules == match.rules or match.rules.length == 1, name
