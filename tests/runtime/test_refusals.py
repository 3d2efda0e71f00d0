"""A refusal is a line."""

from __future__ import annotations

import pytest

from runtime.refusals import ANCHORS, Refusal
from tournaments.base.errors import EventFull, TournamentError


def test_a_line_defines_a_refusal() -> None:
    full = EventFull(capacity=8)

    assert (EventFull.__name__, EventFull.code, ANCHORS[EventFull.code]) == (
        "EventFull",
        "event_full",
        "night#entering",
    )
    assert (str(full), full.context) == ("All 8 places are taken.", {"capacity": 8})
    assert issubclass(EventFull, TournamentError)


def test_a_refusal_is_caught_by_its_kind() -> None:
    with pytest.raises(TournamentError) as caught:
        raise EventFull(capacity=8)

    assert isinstance(caught.value, Refusal)
