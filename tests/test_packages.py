"""The packages import downwards, and their size can be printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import packages


@pytest.mark.long
def test_no_arrow_points_up_and_the_libraries_stand_alone() -> None:
    order = {name: place for place, name in enumerate(packages.PACKAGES)}
    found = packages.arrows()
    assert found
    assert all(order[one] < order[other] for one, other in found)
    assert {one for one, _ in found}.isdisjoint({"draw", "engine"})


def test_sizes_and_counts_of_a_small_product(tmp_path: Path) -> None:
    files = {
        "money/__init__.py": "",
        "money/desk/pages.py": "from tournaments.views import event_page, tabs\nimport engine.board\n",
        "money/desk/deep/slots.py": "def register() -> None: ...\n\n\ndef _register() -> None: ...\n",
        "money/migrations/0001_initial.py": "import runtime\n",
        "tournaments/pages/tabs_views.py": "x = 1\n" * 60,
        "engine/board.py": "",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)

    table = [line.split() for line in packages.sizes(tmp_path)]
    assert ["money", "6", "3", "tournaments,", "engine"] in table
    assert ["money.desk", "6", "2"] in table
    assert packages.counts(tmp_path) == {
        "files": 5,
        "lines": 66,
        "files under 60 lines": 3,
        "largest folder": "money, 1 files",
        "largest file": "tournaments/pages/tabs_views.py, 60 lines",
        "names from another package's views": 2,
        "functions named register": 1,
    }


@pytest.mark.long
def test_nobody_imports_another_packages_views() -> None:
    assert packages.counts()["names from another package's views"] == 0


def test_config_alone_may_import_views_of_another_package() -> None:
    grimp = pytest.importorskip("grimp")
    contracts = pytest.importorskip("tests.contracts")
    graph = grimp.ImportGraph()
    for importer in (
        "config.urls",
        "tournaments.urls",
        "money.ledger.account_views",
        "fixtures.series_views",
    ):
        graph.add_import(importer=importer, imported="tournaments.pages.tabs_views")
    graph.add_import(importer="records.sheets.callers", imported="players.people.player_views")
    graph.add_import(importer="money.ledger.account_views", imported="tournaments.pages.tabs")

    contract = contracts.PrivateViews("views", session_options={}, contract_options={})
    checked = contract.check(graph, verbose=False)
    assert not checked.kept
    assert checked.metadata["found"] == [
        "records.sheets.callers -> players.people.player_views",
        "fixtures.series_views -> tournaments.pages.tabs_views",
        "money.ledger.account_views -> tournaments.pages.tabs_views",
    ]
