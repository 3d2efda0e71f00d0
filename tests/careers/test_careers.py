"""The figures of a history equal a plain count of the matches, for random histories, at every moment."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from careers import figures
from careers.figures import Finish, PlayedMatch, Tally

pytestmark = pytest.mark.pure
START = datetime(2026, 1, 1, tzinfo=UTC)
ZONE = "Europe/Vienna"


@st.composite
def histories(draw: st.DrawFn) -> tuple[list[PlayedMatch], list[Finish]]:
    """Matches against a few, in a few events, of which some are won and some are large."""
    told = draw(
        st.lists(
            st.tuples(
                st.integers(1, 7),
                st.integers(1, 6),
                st.sampled_from((1, 5, 7, 11, 25)),
                st.booleans(),
                st.sampled_from((0, 0, 25)),
            ),
            max_size=40,
        )
    )
    matches = [
        PlayedMatch(number, START + timedelta(hours=number), length, event, ZONE, opponent, won, best_of)
        for number, (opponent, event, length, won, best_of) in enumerate(told)
    ]
    places = draw(st.lists(st.tuples(st.sampled_from((1, 2, None)), st.integers(2, 70)), max_size=6))
    finishes = [
        Finish(event, START + timedelta(days=event), ZONE, place, field)
        for event, (place, field) in enumerate(places, 1)
    ]
    return matches, finishes


def runs_of(matches: Sequence[PlayedMatch], *, won: bool) -> int:
    """The longest stretch of one kind, by trying every stretch."""
    return max(
        (
            last - first
            for first in range(len(matches))
            for last in range(first + 1, len(matches) + 1)
            if all(each.won is won for each in matches[first:last])
        ),
        default=0,
    )


@pytest.mark.long
@given(history=histories())
def test_runs_are_the_longest_stretches_there_are(history: tuple[list[PlayedMatch], list[Finish]]) -> None:
    matches, _finishes = history
    found = figures.list_runs(matches)
    assert sum(run.matches for run in found) == len(matches)
    for won in (True, False):
        best = figures.find_longest_run(found, won=won)
        assert (best.matches if best else 0) == runs_of(matches, won=won)
    if matches:
        current = found[-1]
        assert all(each.won is current.won for each in matches[-current.matches :])
        assert len(matches) == current.matches or matches[-current.matches - 1].won is not current.won
        assert (current.first, current.last) == (matches[-current.matches], matches[-1])


@pytest.mark.long
@given(history=histories())
def test_opponents_are_counted_and_set_beside_each_other(
    history: tuple[list[PlayedMatch], list[Finish]],
) -> None:
    matches, _finishes = history
    rivals = figures.rank_opponents(matches)
    plain = {
        who: Tally(
            sum(each.won for each in matches if each.opponent == who),
            sum(not each.won for each in matches if each.opponent == who),
        )
        for who in {each.opponent for each in matches}
    }
    assert dict(rivals) == plain
    assert [rival.tally.played for rival in rivals] == sorted(
        (tally.played for tally in plain.values()), reverse=True
    )
    known = [tally for tally in plain.values() if tally.played >= 3]
    worst = max((tally.lost - tally.won for tally in known), default=0)
    best = max((tally.won - tally.lost for tally in known), default=0)
    nemesis, favourite = figures.find_nemesis(rivals), figures.find_favourite(rivals)
    assert (nemesis.tally.lost - nemesis.tally.won if nemesis else 0) == max(0, worst)
    assert (favourite.tally.won - favourite.tally.lost if favourite else 0) == max(0, best)
    assert dict(figures.count_by_length(matches)) == {
        (points, best_of): Tally(
            sum(each.won for each in matches if (each.length, each.best_of) == (points, best_of)),
            sum(not each.won for each in matches if (each.length, each.best_of) == (points, best_of)),
        )
        for points, best_of in {(each.length, each.best_of) for each in matches}
    }
    assert sum(
        tally.won for tally in figures.group_results(matches, lambda each: each.event).values()
    ) == sum(each.won for each in matches)


def reached(matches: Sequence[PlayedMatch], finishes: Sequence[Finish]) -> dict[str, int]:
    """The figures of what was reached, counted one by one without a care for time."""

    def step(steps: Sequence[int], figure: int) -> int:
        return max((each for each in steps if each <= figure), default=0)

    longest_lost: dict[int, int] = {}
    for who in {each.opponent for each in matches}:
        met = [each for each in matches if each.opponent == who]
        ended = [number for number in range(1, len(met)) if met[number].won]
        longest_lost[who] = max(
            (
                count
                for number in ended
                for count in range(1, number + 1)
                if not any(each.won for each in met[number - count : number])
            ),
            default=0,
        )
    titles = [each for each in finishes if each.place == 1]
    clean = [
        len(own)
        for each in titles
        if (own := [match for match in matches if match.event == each.event])
        and len(own) >= 3
        and all(match.won for match in own)
    ]
    comeback = max(longest_lost.values(), default=0)
    found = {
        "first": int(any(each.won for each in matches)),
        "matches": step(figures.MATCHES, len(matches)),
        "run": step(figures.RUNS, runs_of(matches, won=True)),
        "length": step(
            figures.LENGTHS,
            max((each.length for each in matches if each.won and not each.best_of), default=0),
        ),
        "opponents": step(figures.OPPONENTS, len({each.opponent for each in matches})),
        "comeback": comeback if comeback >= 3 else 0,
        "title": max((step(figures.FIELDS, each.field) for each in titles), default=0),
        "unbeaten": clean[0] if clean else 0,
    }
    return {code: figure for code, figure in found.items() if figure}


@pytest.mark.long
@given(history=histories())
def test_achievements_are_what_the_facts_say_and_the_match_or_event_that_earned_them_did(
    history: tuple[list[PlayedMatch], list[Finish]],
) -> None:
    matches, finishes = history
    found = figures.list_achievements(matches, finishes)
    assert {each.code: each.figure for each in found} == reached(matches, finishes)
    assert len(found) <= 8
    assert [each.at for each in found] == sorted((each.at for each in found), reverse=True)
    for each in found:
        if each.match is None:
            # By a title: without that event there would be less.
            rest = [finish for finish in finishes if finish.event != each.event]
            assert reached(matches, rest).get(each.code, 0) <= each.figure
            continue
        # Up to that match, and with it, but not before it.
        at = next(number for number, match in enumerate(matches) if match.pk == each.match)
        assert reached(matches[: at + 1], [])[each.code] == each.figure
        assert reached(matches[:at], []).get(each.code, 0) < each.figure
