"""Every example in the docstrings of the product is true."""

from __future__ import annotations

import doctest
import importlib
from typing import Final

import pytest

from tests.inputs import PACKAGES, ROOT

MODULES: Final = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for package in (*PACKAGES, "engine", "draw")
    for path in (ROOT / package).rglob("*.py")
    if ">>> " in path.read_text()
)


@pytest.mark.pure
@pytest.mark.parametrize("name", MODULES)
def test_the_examples_are_true(name: str) -> None:
    tried = doctest.testmod(importlib.import_module(name))
    assert tried.attempted
    assert not tried.failed
