"""What the records of a match prove, and the effect of a record on its match. Pure: facts are loaded before.

A record is evidence for the match it was submitted for, alone or as one of two parts (ADR 76). The
first line that fits is its outcome:

==========  ==============================================================================================================
REJECTED    The referee rejected the file, other than for a match that stops within its last game.
WHO         None of its matches is known to be between the two, and the names in one of them are unknown.
OTHER       None of its matches is between the two.
REJECTED    Each whole match that it is a part of is refuted: the first part contradicts the second.
HALF        A match in it ended, and the part before it is missing.
UNFINISHED  No match in it ended, or it is of another length.
FITS        The match has ended like this.
DIFFERS     The match has ended otherwise.
KEPT        The match cannot be played now.
DISPUTED    The two players' reports contradict each other.
DIFFERS     None of the reports says this. If one of the two or a director handed it in, the reports are disputed.
KEPT        It confirms a report, but was handed in with the code of a match, for the same player or from the same device,
            or the two who had the code do not meet any more.
REPORTED    It confirms a report that the same account made by handing in a record (ADR 76). Nothing is done.
CONFIRMED   It confirms a report: the report is accepted.
KEPT        It contains two matches between the two, which ended differently.
REPORTED    One of the two handed it in: it is reported for them.
ENTERED     A director handed it in: it is entered.
KEPT        Anybody else handed it in.
==========  ==============================================================================================================

JOINED is the outcome of another record, which waited for this one. What is to be accepted, reported or entered can still be
refused (in an event in which the director reports, for example): then the record is KEPT.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import NamedTuple

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from records import match_parts
from records.match_parts import LOVE, OTHER, UNKNOWN, A, B, Reading

Score = tuple[int, int]


class Outcome(TextChoices):
    """The effect of a record on the match it was submitted for."""

    CONFIRMED = "confirmed", _("The record ends as reported: the result stands.")
    REPORTED = "reported", _("The result was reported from the record.")
    ENTERED = "entered", _("The result was entered from the record.")
    FITS = "fits", _("The record agrees with the result that stands.")
    DIFFERS = (
        "differs",
        _("The record ends differently from the result. The director can compare the two."),
    )
    DISPUTED = (
        "disputed",
        _("The two players do not agree on the result. The director decides, and sees this record."),
    )
    REJECTED = (
        "rejected",
        _("A rejected record changes nothing. Correct what the referee has found, and hand it in again."),
    )
    WHO = "who", _("The names in the record do not show who is who.")
    OTHER = "other", _("The record has no match between these two players. It changes nothing.")
    UNFINISHED = (
        "unfinished",
        _("The match in the record did not end, or has another length. It changes nothing."),
    )
    HALF = (
        "half",
        _("The record begins in mid-match. Hand in the part before it, too: together they count."),
    )
    JOINED = "joined", _("The record is one part of the match, and counts together with the other one.")
    KEPT = "kept", _("The record is kept with the match and changes nothing.")


class Result(NamedTuple):
    """The winner, "a" or "b", and the score, which reports and results can lack."""

    winner: str
    score: Score | None = None

    @classmethod
    def from_score(cls, score: Score) -> Result:
        return cls(A if score[0] > score[1] else B, score)

    def agrees_with(self, proven: Result) -> bool:
        return self.winner == proven.winner and self.score in {None, proven.score}


class OpenReport(NamedTuple):
    pk: int
    result: Result
    is_disputed: bool = False
    # Made by the submitter's account; or, with a match's code, for the same player or from the same device.
    is_own: bool = False


@dataclass(frozen=True, slots=True)
class Submitter:
    plays: bool = False
    directs: bool = False
    # Submitted with the code of the match instead of an account.
    has_code: bool = False
    # The same account has reported by another record of this match.
    has_reported: bool = False


@dataclass(frozen=True, slots=True)
class Evidence:
    """The record, the other records of the match by submission, and the state of the match."""

    # Empty if the referee rejected the file, other than for a match that stops within its last game.
    own: Sequence[Reading]
    others: Mapping[int, Collection[Reading]] = field(default_factory=dict[int, "Collection[Reading]"])
    # The possible scores at the beginning of the match.
    starts: Collection[Score] = (LOVE,)
    # None while the match is undecided.
    standing: Result | None = None
    is_open: bool = True
    reports: Sequence[OpenReport] = ()
    submitter: Submitter = Submitter()

    @property
    def ours(self) -> list[Reading]:
        """The readings of matches between the two players."""
        return [each for each in self.own if each.sides[0] in OTHER]

    def list_whole(self) -> dict[Reading, tuple[Reading, ...]]:
        """Map each end that the record contributes to, to the readings of its whole match.

        These are one or two; none if a part is missing.
        """
        ours = self.ours
        known = list(dict.fromkeys(chain(ours, *self.others.values())))
        stopped = {each.stopped for each in ours}
        ends = [each for each in known if each.score is not None and (each in ours or each.begun in stopped)]
        return {each: match_parts.find_parts(each, known, self.starts) for each in ends}


@dataclass(frozen=True, slots=True)
class Conclusion:
    """The effect of the record, and of other records that waited for it."""

    outcome: Outcome
    # The report to accept.
    report: int | None = None
    # The score to report or enter.
    score: Score | None = None
    # True if the record contradicts the open reports: the director is called.
    disputes: bool = False
    # Other submissions: parts of this match, and refuted second parts.
    joined: frozenset[int] = frozenset()
    rejected: frozenset[int] = frozenset()


def conclude(readings: Evidence, refuted: Collection[Reading] = ()) -> Conclusion:
    """Determine the effect of a record; *refuted* are the ends in `list_whole` refuted by their first part."""
    if not readings.own:
        return Conclusion(Outcome.REJECTED)
    if not readings.ours:
        is_asked = any(each.sides[0] == UNKNOWN for each in readings.own)
        return Conclusion(Outcome.WHO if is_asked else Outcome.OTHER)
    ends = [each for each, parts in readings.list_whole().items() if parts and each not in refuted]
    if not ends:
        return _conclude_without_end(readings, refuted)
    proven = list(dict.fromkeys(Result.from_score(each.score) for each in ends if each.score is not None))
    return replace(_conclude_with_end(readings, proven), joined=_find_joined(readings.others, ends))


def _conclude_without_end(readings: Evidence, refuted: Collection[Reading]) -> Conclusion:
    rejected = frozenset(
        pk for pk, theirs in readings.others.items() if any(each in refuted for each in theirs)
    )
    if any(each in refuted for each in readings.ours):
        outcome = Outcome.REJECTED
    elif any(each.score is not None for each in readings.ours):
        outcome = Outcome.HALF
    else:
        outcome = Outcome.UNFINISHED
    return Conclusion(outcome, rejected=rejected)


def _find_joined(others: Mapping[int, Collection[Reading]], ends: Collection[Reading]) -> frozenset[int]:
    """Find the submissions that are the other part of a whole match."""
    begun = {end.begun for end in ends}
    return frozenset(
        pk
        for pk, theirs in others.items()
        if any(each.stopped in begun or (each.begun != LOVE and each in ends) for each in theirs)
    )


def _conclude_with_end(readings: Evidence, proven: Sequence[Result]) -> Conclusion:
    if readings.standing is not None:
        return Conclusion(Outcome.FITS if readings.standing in proven else Outcome.DIFFERS)
    if not readings.is_open:
        return Conclusion(Outcome.KEPT)
    if any(each.is_disputed for each in readings.reports):
        return Conclusion(Outcome.DISPUTED)
    if readings.reports:
        return _answer_reports(readings.reports, readings.submitter, proven)
    if len(proven) == 1 and readings.submitter.plays:
        return Conclusion(Outcome.REPORTED, score=proven[0].score)
    if len(proven) == 1 and readings.submitter.directs:
        return Conclusion(Outcome.ENTERED, score=proven[0].score)
    return Conclusion(Outcome.KEPT)


def _answer_reports(
    reports: Iterable[OpenReport], submitter: Submitter, proven: Iterable[Result]
) -> Conclusion:
    fitting = next((each for each in reports if any(each.result.agrees_with(one) for one in proven)), None)
    if fitting is None:
        return Conclusion(Outcome.DIFFERS, disputes=submitter.plays or submitter.directs)
    if submitter.has_code and (fitting.is_own or not submitter.plays):
        return Conclusion(Outcome.KEPT)
    if fitting.is_own and submitter.has_reported:
        return Conclusion(Outcome.REPORTED)
    return Conclusion(Outcome.CONFIRMED, report=fitting.pk)
