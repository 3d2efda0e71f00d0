"""The effect of a record on its match: each line of the table of `records.evidence`, without a database."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Any

import pytest
from django.conf import settings

from records import evidence
from records.evidence import Conclusion, Evidence, OpenReport, Outcome, Result, Submitter
from records.match_parts import ELSE, UNKNOWN, A, B, Reading

SIDES = (A, B)
# A match to five that Black won.
WHOLE = Reading(SIDES, (2, 5))
FIRST, SECOND = Reading(SIDES, None, stopped=(2, 3)), Reading(SIDES, (2, 5), begun=(2, 3))
LONGER, UNNAMED, OTHERS = Reading(SIDES, None), Reading((UNKNOWN, UNKNOWN), None), Reading((ELSE, ELSE), None)
REPORT = OpenReport(7, Result(B, (2, 5)))
PLAYER, DIRECTOR, AT_TABLE = (
    Submitter(plays=True),
    Submitter(directs=True),
    Submitter(plays=True, has_code=True),
)


def build_own(*readings: Reading, **more: Any) -> Evidence:
    return Evidence(own=readings, **more)


def whole(**more: Any) -> Evidence:
    return build_own(WHOLE, **more)


def build_said(report: OpenReport = REPORT, by: Submitter = PLAYER, **changed: Any) -> Evidence:
    return whole(reports=[report._replace(**changed)], submitter=by)


# In the order of the table: what is read, and the outcome.
TABLE = [
    ("rejected by the referee", build_own(), Outcome.REJECTED),
    ("nobody is known", build_own(UNNAMED, OTHERS), Outcome.WHO),
    ("a match of others", build_own(OTHERS), Outcome.OTHER),
    ("the part before is missing", build_own(SECOND), Outcome.HALF),
    (
        "the part before stops elsewhere",
        build_own(SECOND, others={3: [Reading(SIDES, None, stopped=(1, 1))]}),
        Outcome.HALF,
    ),
    ("the first part alone", build_own(FIRST), Outcome.UNFINISHED),
    ("another length", build_own(LONGER), Outcome.UNFINISHED),
    ("the result that stands", whole(standing=Result(B, (2, 5)), is_open=False), Outcome.FITS),
    ("another result stands", whole(standing=Result(B, (3, 5)), is_open=False), Outcome.DIFFERS),
    ("decided without a score", whole(standing=Result(B), is_open=False), Outcome.DIFFERS),
    ("not played now", whole(reports=[REPORT], submitter=DIRECTOR, is_open=False), Outcome.KEPT),
    ("two reports", build_said(is_disputed=True), Outcome.DISPUTED),
    ("another report", build_said(result=Result(A, (5, 3))), Outcome.DIFFERS),
    ("another winner", build_said(result=Result(A)), Outcome.DIFFERS),
    ("from the same device", build_said(by=AT_TABLE, is_own=True), Outcome.KEPT),
    ("others sit at the table", build_said(by=Submitter(has_code=True)), Outcome.KEPT),
    (
        "the same record again",
        build_said(by=Submitter(plays=True, has_reported=True), is_own=True),
        Outcome.REPORTED,
    ),
    ("it fits the report", build_said(), Outcome.CONFIRMED),
    ("it fits one's own report", build_said(is_own=True), Outcome.CONFIRMED),
    ("it fits, from another device", build_said(by=AT_TABLE), Outcome.CONFIRMED),
    ("it fits, of anybody", build_said(by=Submitter()), Outcome.CONFIRMED),
    ("it fits the winner", build_said(result=Result(B)), Outcome.CONFIRMED),
    ("one of two ends fits", build_own(Reading(SIDES, (5, 0)), WHOLE, reports=[REPORT]), Outcome.CONFIRMED),
    ("two ends", build_own(WHOLE, Reading(SIDES, (5, 0)), submitter=DIRECTOR), Outcome.KEPT),
    (
        "the same end twice",
        build_own(WHOLE, WHOLE._replace(sides=(B, A)), submitter=PLAYER),
        Outcome.REPORTED,
    ),
    ("a player's", whole(submitter=PLAYER), Outcome.REPORTED),
    ("at the table", whole(submitter=AT_TABLE), Outcome.REPORTED),
    ("a player who directs", whole(submitter=Submitter(plays=True, directs=True)), Outcome.REPORTED),
    ("a director's", whole(submitter=DIRECTOR), Outcome.ENTERED),
    ("anybody's", whole(submitter=Submitter()), Outcome.KEPT),
    (
        "begun with points for lateness",
        build_own(SECOND, starts=[(2, 3)], submitter=PLAYER),
        Outcome.REPORTED,
    ),
]


@pytest.mark.parametrize(("readings", "outcome"), [pytest.param(*line, id=name) for name, *line in TABLE])
def test_each_outcome(readings: Evidence, outcome: Outcome) -> None:
    assert evidence.conclude(readings).outcome == outcome


def test_the_table_of_the_docstring_names_each_outcome() -> None:
    told = re.findall(r"^([A-Z]+)  ", evidence.__doc__ or "", re.M)

    assert {*told, "JOINED"} == set(Outcome.names)
    tested = [outcome.name for _, _, outcome in TABLE]
    assert {*tested, "JOINED"} == set(Outcome.names)


def test_what_is_to_be_done() -> None:
    for readings, done in (
        (build_said(), Conclusion(Outcome.CONFIRMED, report=7)),
        (whole(submitter=PLAYER), Conclusion(Outcome.REPORTED, score=(2, 5))),
        (whole(submitter=DIRECTOR), Conclusion(Outcome.ENTERED, score=(2, 5))),
        (build_said(by=Submitter(plays=True, has_reported=True), is_own=True), Conclusion(Outcome.REPORTED)),
        (whole(reports=[REPORT._replace(is_disputed=True)]), Conclusion(Outcome.DISPUTED)),
    ):
        assert evidence.conclude(readings) == done


@pytest.mark.parametrize(("mine", "theirs"), [(FIRST, SECOND), (SECOND, FIRST)])
def test_whichever_part_comes_second_decides_and_joins_the_other(mine: Reading, theirs: Reading) -> None:
    readings = build_own(mine, others={3: [theirs], 4: [WHOLE], 5: []}, submitter=PLAYER)

    assert readings.list_whole() == {SECOND: (FIRST, SECOND)}
    assert evidence.conclude(readings) == Conclusion(Outcome.REPORTED, score=(2, 5), joined=frozenset({3}))


@pytest.mark.parametrize(
    ("mine", "theirs", "outcome", "rejected"),
    [(SECOND, FIRST, Outcome.REJECTED, set()), (FIRST, SECOND, Outcome.UNFINISHED, {3})],
)
def test_a_second_part_that_is_refuted_is_rejected(
    mine: Reading, theirs: Reading, outcome: Outcome, rejected: set[int]
) -> None:
    readings = build_own(mine, others={3: [theirs]}, submitter=PLAYER)

    assert evidence.conclude(readings, {SECOND}) == Conclusion(outcome, rejected=frozenset(rejected))


def test_the_evidence_needs_no_django() -> None:
    """Neither settings nor models."""
    code = "import sys, records.evidence; print([name for name in sys.modules if name.startswith('records')])"
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=settings.BASE_DIR,
        env={},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == str(["records", "records.match_parts", "records.evidence"])
