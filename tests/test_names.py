"""One word for one thing: names that are there once, and a glossary that points to what exists."""

from __future__ import annotations

import ast
import re
from collections import defaultdict

import pytest

from tests.packages import PACKAGES, ROOT

# Django requires these names.
GIVEN = {"Command", "DatabaseWrapper", "Migration", "Meta"}
GLOSSARY = ROOT / "docs" / "glossary.md"


def _classes(package: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted((ROOT / package).rglob("*.py")):
        if "migrations" not in path.parts:
            for node in ast.parse(path.read_text("utf-8")).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    found[node.name].append(str(path.relative_to(ROOT)))
    return found


@pytest.mark.long
@pytest.mark.share
@pytest.mark.parametrize("package", PACKAGES)
def test_a_public_class_has_its_name_to_itself_in_its_package(package: str) -> None:
    shared = {
        name: paths for name, paths in _classes(package).items() if len(paths) > 1 and name not in GIVEN
    }
    assert shared == {}


def test_the_glossary_points_to_what_exists() -> None:
    rows = [row.split("|")[1:4] for row in GLOSSARY.read_text("utf-8").splitlines() if row.startswith("| ")]
    words = [word.strip() for word, *_ in rows if word.strip() != "Word"]
    assert len(words) >= 50
    assert len(set(words)) == len(words)
    places = [place for *_, where in rows for place in re.findall(r"`([\w*/.]+)`", where)]
    assert all(any(ROOT.glob(place)) for place in places), [
        place for place in places if not any(ROOT.glob(place))
    ]


def test_the_architecture_page_leads_to_the_glossary() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    assert f"({GLOSSARY.name})" in page
