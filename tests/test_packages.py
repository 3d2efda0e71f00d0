"""The table of packages in docs/architecture.md says what the code does."""

from __future__ import annotations

import re

import pytest

from tests import figures, packages


def test_the_page_shows_which_package_imports_which() -> None:
    page = packages.PAGE.read_text("utf-8")
    assert packages.TABLE.search(page)
    assert packages.shown(page) == packages.arrows()


def test_no_arrow_points_up_and_the_libraries_stand_alone() -> None:
    order = {name: place for place, name in enumerate(packages.PACKAGES)}
    found = {(one, other) for one, other in packages.arrows() if "." not in one}
    assert found
    assert all(order[one] < order[other] for one, other in found)
    assert {one for one, _ in found}.isdisjoint({"draw", "engine"})


@pytest.mark.long
def test_the_page_shows_the_figures_of_now() -> None:
    page = packages.PAGE.read_text("utf-8")
    for row, cell in zip(figures.ROWS, figures.figures().cells, strict=True):
        assert re.search(rf"^\| {row} \| [^|]+ \| {re.escape(cell)} \|$", page, re.MULTILINE), (row, cell)
