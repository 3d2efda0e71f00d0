"""The face of the ratings, and every example in its docstrings."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import rankings
from rankings import formulas

MODULES = [
    "rankings",
    *sorted(module.name for module in pkgutil.walk_packages(formulas.__path__, "rankings.formulas.")),
]
pytestmark = pytest.mark.pure


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_are_true(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_the_face_has_the_names_it_promises_and_no_others() -> None:
    assert all(getattr(rankings, name) for name in rankings.__all__)
    with pytest.raises(AttributeError, match="module 'rankings' has no attribute 'nothing'"):
        rankings.nothing  # type: ignore[attr-defined]  # noqa: B018
