"""The public names of the package, and every example in its docstrings."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import draw

MODULES = [
    "draw",
    *sorted(
        module.name
        for module in pkgutil.walk_packages(draw.__path__, "draw.")
        if not module.name.endswith("__main__")
    ),
]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_are_true(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_the_face_has_the_names_it_promises_and_no_others() -> None:
    assert all(getattr(draw, name) for name in draw.__all__)
    with pytest.raises(AttributeError, match="module 'draw' has no attribute 'nothing'"):
        draw.nothing  # type: ignore[attr-defined]  # noqa: B018
