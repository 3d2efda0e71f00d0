"""The shape of a checkout in figures, for docs/architecture.md: python -m tests.figures [FOLDER].

With a folder, such as `git archive COMMIT | tar -x -C FOLDER` makes it, those of an earlier commit.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tests.packages import PACKAGES, ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# Django asks for these names.
GIVEN = {"Command", "DatabaseWrapper", "Migration", "Meta"}


@dataclass(frozen=True, slots=True)
class Figures:
    """What the table shows of one checkout."""

    circles: int
    largest: tuple[str, int]
    shared_names: int
    longest_template_line: int

    @property
    def cells(self) -> tuple[str, ...]:
        """The figures as the table has them; the size to the thousand."""
        name, lines = self.largest
        largest = f"`{name}`, {round(lines, -3):,} lines"
        return str(self.circles), largest, str(self.shared_names), str(self.longest_template_line)


ROWS = ("circles of imports", "largest package", "public class names used twice", "longest template line")


def figures(root: Path = ROOT) -> Figures:
    """Measure a checkout."""
    trees = {name: ast.parse(path.read_text("utf-8")) for name, path in _modules(root).items()}
    imports = {name: _imported(tree, trees) - {name} for name, tree in trees.items()}
    sizes = Counter[str]()
    for name, path in _modules(root).items():
        sizes[name.partition(".")[0]] += path.read_text("utf-8").count("\n")
    return Figures(
        circles=sum(1 for _ in _circles(imports)),
        largest=sizes.most_common(1)[0],
        shared_names=sum(count - 1 for count in _classes(trees).values()),
        longest_template_line=max(
            len(line)
            for path in (root / "templates").rglob("*.html")
            for line in path.read_text("utf-8").split("\n")
        ),
    )


def _modules(root: Path) -> dict[str, Path]:
    return {
        ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__"): path
        for package in PACKAGES
        for path in sorted((root / package).rglob("*.py"))
        if "migrations" not in path.parts
    }


def _classes(trees: Mapping[str, ast.Module]) -> Counter[tuple[str, str]]:
    return Counter(
        (name.partition(".")[0], node.name)
        for name, tree in trees.items()
        for node in tree.body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_") and node.name not in GIVEN
    )


def _imported(node: ast.AST, modules: Mapping[str, ast.Module]) -> set[str]:
    """Return the modules that one imports when it runs, those that its functions import included."""
    found: set[str] = set()
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            continue
        if isinstance(child, ast.Import):
            found |= {alias.name for alias in child.names}
        elif isinstance(child, ast.ImportFrom) and child.module:
            whole = {f"{child.module}.{alias.name}" for alias in child.names}
            found |= whole & modules.keys() or {child.module}
        found |= _imported(child, modules)
    return found & modules.keys()


def _circles(imports: Mapping[str, set[str]]) -> Iterator[set[str]]:
    """Yield every set of modules that import each other in a circle."""
    reach = {name: _reached(name, imports) for name in imports}
    done: set[str] = set()
    for name in imports:
        if name not in done and name in reach[name]:
            circle = {other for other in reach[name] if name in reach[other]}
            done |= circle
            yield circle


def _reached(start: str, imports: Mapping[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        new = imports[waiting.pop()] - found
        found |= new
        waiting.extend(new)
    return found


if __name__ == "__main__":
    for row, cell in zip(ROWS, figures(Path(sys.argv[1]) if sys.argv[1:] else ROOT).cells, strict=True):
        print(f"| {row} | {cell} |")
