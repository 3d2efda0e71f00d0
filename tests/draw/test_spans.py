"""Spans of places are widened until no range has more players than places, and no further than needed."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from draw.brackets.finishing_order import Span, widen_spans

pytestmark = pytest.mark.pure

SPANS = st.lists(st.tuples(st.integers(1, 12), st.integers(1, 12)), min_size=1, max_size=12)


def crowds(spans: list[Span]) -> list[Span]:
    """All ranges with more players than places, by brute force."""
    kinds = Counter(spans)
    return [
        (low, high)
        for low in range(1, 13)
        for high in range(low, 13)
        if sum(n for (first, last), n in kinds.items() if low <= first and last <= high) > high - low + 1
    ]


@given(SPANS)
def test_nowhere_are_more_people_than_places(spans: list[Span]) -> None:
    fits = widen_spans(spans)

    assert crowds(fits) == []
    assert all(1 <= first <= last <= len(spans) for first, last in fits)
    for said, fit in zip(spans, fits, strict=True):
        inside = [place for place in said if place <= len(spans)]
        assert all(fit[0] <= place <= fit[1] for place in inside)


@given(SPANS)
def test_what_fits_stays_as_it_is(spans: list[Span]) -> None:
    fits = widen_spans(spans)

    assert widen_spans(fits) == fits
