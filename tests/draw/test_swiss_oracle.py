"""Rounds paired from a given state, against the best of all ways, and against FIDE's Dutch system."""

from __future__ import annotations

import pytest

from tests.draw import swissevents as events
from tests.engine.shared import Source, each_source
from tests.tournaments import oracle


@each_source
@pytest.mark.parametrize("method", ["slide", "random"])
def test_no_rematch_no_second_bye_and_gaps_no_larger(source: Source, method: str) -> None:
    gaps = oracle_gaps = squares = oracle_squares = 0
    rounds = 0
    for name in oracle.names(source):
        report = oracle.report(source, name)
        for now in report.rounds:
            field = events.oracle_field(report, now["round"], method=method)
            proposal = events.propose(field)
            scores = {int(one): float(points) for one, points in now["scores_before"].items()}
            made = [(int(a), int(b)) for a, b in proposal.pairs]
            byes = [int(one.entrant) for one in proposal.byes]
            absent = [one["id"] for one in now["absent"]]
            # Each player once.
            assert sorted([*byes, *absent, *(one for pair in made for one in pair)]) == sorted(scores)
            before = report.rounds[: now["round"] - 1]
            met = {
                frozenset((row["a"], row["b"]))
                for batch in before
                for row in batch["results"]
                if row["a_res"] in "01"
            }
            assert not met & {frozenset(pair) for pair in made}
            assert not {one for batch in before for one in batch["bye"]} & set(byes)
            gaps += sum(abs(scores[a] - scores[b]) for a, b in made)
            squares += sum((scores[a] - scores[b]) ** 2 for a, b in made)
            oracle_gaps += now["quality"]["sum_score_diff"]
            oracle_squares += now["quality"]["sum_sq_diff"]
            rounds += 1
            if source.is_ours:
                # Nothing that was tried is better, so nothing can be.
                assert gaps == oracle_gaps, (name, now["round"])
                assert squares == oracle_squares, (name, now["round"])
                assert [scores[one] for one in byes] == now["quality"]["bye_score"]
    assert rounds == sum(len(oracle.report(source, name).rounds) for name in oracle.names(source))
    assert gaps <= oracle_gaps
    assert squares <= oracle_squares
