"""The packages of the product as they are: their size, and which imports which.

python -m tests.packages          exit 1 if docs/architecture.md shows them otherwise
python -m tests.packages --write  draw them there anew
"""

from __future__ import annotations

import ast
import re
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "architecture.md"
# The higher imports the lower.
PACKAGES = (
    "config",
    "rankings",
    "venue",
    "records",
    "money",
    "opinion",
    "help",
    "careers",
    "fixtures",
    "tournaments",
    "matches",
    "players",
    "runtime",
    "draw",
    "engine",
)
BEGIN, END = "<!-- packages: python -m tests.packages --write -->\n", "<!-- end of packages -->\n"
TABLE = re.compile(re.escape(BEGIN) + ".*" + re.escape(END), re.DOTALL)
# Smaller ones need no line of their own.
LEAST_LINES = 400


@dataclass(frozen=True, slots=True)
class Package:
    """A package, or one inside it."""

    name: str
    lines: int
    files: int
    imports: tuple[str, ...]

    @property
    def row(self) -> str:
        """The package as a line of the table; sizes to the hundred, that not every commit changes them."""
        is_inside = "." in self.name
        name = f"&nbsp;&nbsp;`{self.name}`" if is_inside else f"**`{self.name}`**"
        return f"| {name} | {round(self.lines, -2):,} | {self.files} | {', '.join(self.imports) or '–'} |"  # noqa: RUF001


def packages(root: Path = ROOT) -> Iterator[Package]:
    """Yield the packages from top to bottom, each followed by the larger ones inside it."""
    for name in PACKAGES:
        yield _package(root, name, PACKAGES, [name])
        inside = {
            f"{name}.{folder.name}" for folder in (root / name).iterdir() if (folder / "__init__.py").exists()
        }
        parts = [_package(root, each, sorted(inside), [name, each]) for each in sorted(inside)]
        yield from sorted(
            (part for part in parts if part.lines >= LEAST_LINES), key=lambda part: part.lines, reverse=True
        )


@cache
def arrows(root: Path = ROOT) -> set[tuple[str, str]]:
    """Return which package imports which."""
    return {(each.name, other) for each in packages(root) for other in each.imports}


def table(root: Path = ROOT) -> str:
    """Return the table for docs/architecture.md."""
    rows = [each.row for each in packages(root)]
    return "\n".join(["| Package | Lines | Files | Imports |", "|---|---:|---:|---|", *rows, ""])


def shown(page: str) -> set[tuple[str, str]]:
    """Return which package imports which, as the table on a page shows it."""
    found = set()
    page = "".join(TABLE.findall(page))
    for row in re.findall(r"^\| (?:&nbsp;)*\**`([\w.]+)`\** \|.*\| ([^|]*) \|$", page, re.MULTILINE):
        found |= {(row[0], other) for other in row[1].split(", ") if other != "–"}  # noqa: RUF001
    return found


def _package(root: Path, name: str, others: Iterable[str], own: list[str]) -> Package:
    files = [path for path in (root / name.replace(".", "/")).rglob("*.py") if "migrations" not in path.parts]
    texts = [path.read_text("utf-8") for path in files]
    imported = {target for text in texts for target in _imported(text)}
    found = tuple(
        other.removeprefix(f"{own[0]}.")
        for other in others
        if other not in own and any(f"{target}.".startswith(f"{other}.") for target in imported)
    )
    return Package(name, sum(text.count("\n") for text in texts), len(files), found)


def _imported(text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


if __name__ == "__main__":
    page = PAGE.read_text("utf-8")
    if "--write" in sys.argv:
        PAGE.write_text(TABLE.sub(lambda _: BEGIN + "\n" + table() + "\n" + END, page), "utf-8")
    elif shown(page) != arrows():
        sys.exit(f"{PAGE.name} shows other imports: run python -m tests.packages --write")
