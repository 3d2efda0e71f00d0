"""The table of packages in docs/architecture.md says what the code does."""

from __future__ import annotations

import re

import pytest

from tests import figures, packages


@pytest.mark.long
def test_the_page_shows_which_package_imports_which() -> None:
    page = packages.PAGE.read_text("utf-8")
    assert packages.TABLE.search(page)
    assert packages.shown(page) == packages.arrows()


@pytest.mark.long
def test_no_arrow_points_up_and_the_libraries_stand_alone() -> None:
    order = {name: place for place, name in enumerate(packages.PACKAGES)}
    found = {(one, other) for one, other in packages.arrows() if "." not in one}
    assert found
    assert all(order[one] < order[other] for one, other in found)
    assert {one for one, _ in found}.isdisjoint({"draw", "engine"})


@pytest.mark.long
def test_the_page_shows_the_figures_of_now() -> None:
    page = packages.PAGE.read_text("utf-8")
    found = figures.figures()
    for row, cell in zip(figures.ROWS, found.cells, strict=True):
        shown = re.search(rf"^\| {row} \| [^|]+ \| ([^|]+) \|$", page, re.MULTILINE)
        assert shown, row
        if row == "largest package":
            # To a tenth, so that not every commit changes the page.
            name, lines = shown[1].removesuffix(" lines").split(", ", 1)
            assert name == f"`{found.largest[0]}`"
            assert abs(int(lines.replace(",", "")) - found.largest[1]) <= found.largest[1] / 10
        else:
            assert shown[1] == cell, row
