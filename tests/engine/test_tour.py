"""The tour of the engine is true."""

from __future__ import annotations

import doctest
from pathlib import Path

TOUR = Path(__file__).resolve().parents[2] / "docs" / "engine.md"


def test_the_tour_is_true():
    options = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL | doctest.NORMALIZE_WHITESPACE
    failures, tried = doctest.testfile(str(TOUR), module_relative=False, optionflags=options)
    assert tried > 50
    assert failures == 0
