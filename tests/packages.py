"""The size of the packages and which imports which: python -m tests.packages [FOLDER].

With a folder, such as `git archive COMMIT | tar -x -C FOLDER` makes it, those of an earlier commit.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
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
SMALL = 60


@dataclass(frozen=True)
class Module:
    """A file of the product."""

    path: Path
    text: str

    @property
    def package(self) -> str:
        return self.path.parts[0]

    @property
    def subject(self) -> str:
        """The package, or the folder directly in it that contains the file."""
        return ".".join(self.path.parent.parts[:2])

    @cached_property
    def lines(self) -> int:
        return self.text.count("\n")

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @cached_property
    def imports(self) -> set[str]:
        """The full names that the module imports from other packages."""
        found = set()
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                found |= {f"{node.module}.{alias.name}" for alias in node.names}
        return {name for name in found if name.partition(".")[0] in {*PACKAGES} - {self.package}}


def is_views(name: str) -> bool:
    """True if a module with this full name contains views, or is in a folder of such modules."""
    return any(part == "views" or part.endswith("_views") for part in name.split("."))


@cache
def modules(root: Path = ROOT) -> tuple[Module, ...]:
    """All modules from the highest package to the lowest, without migrations."""
    return tuple(
        Module(path.relative_to(root), path.read_text("utf-8"))
        for package in PACKAGES
        for path in sorted((root / package).rglob("*.py"))
        if "migrations" not in path.parts
    )


@cache
def arrows(root: Path = ROOT) -> set[tuple[str, str]]:
    """The imports between packages."""
    return {(each.package, name.partition(".")[0]) for each in modules(root) for name in each.imports}


def sizes(root: Path = ROOT) -> Iterator[str]:
    """Lines of a table: the packages, each followed by its folders from the largest to the smallest."""
    lines, files = Counter[str](), Counter[str]()
    for each in modules(root):
        for name in {each.package, each.subject}:
            lines[name] += each.lines
            files[name] += 1
    for package in PACKAGES:
        imports = ", ".join(other for other in PACKAGES if (package, other) in arrows(root))
        yield f"{package:28}{lines[package]:8,}{files[package]:6}  {imports}".rstrip()
        for name, size in lines.most_common():
            if name.startswith(f"{package}."):
                yield f"  {name:26}{size:8,}{files[name]:6}"


def counts(root: Path = ROOT) -> dict[str, object]:
    """Figures that show where the structure is weak."""
    every = modules(root)
    folders = Counter(str(each.path.parent) for each in every)
    (folder, most), largest = folders.most_common(1)[0], max(every, key=lambda each: each.lines)
    return {
        "files": len(every),
        "lines": sum(each.lines for each in every),
        f"files under {SMALL} lines": sum(
            each.lines < SMALL and each.path.name != "__init__.py" for each in every
        ),
        "largest folder": f"{folder}, {most} files",
        "largest file": f"{largest.path}, {largest.lines} lines",
        "names from another package's views": sum(
            is_views(name) for each in every if each.package != "config" for name in each.imports
        ),
        "functions named register": sum(
            isinstance(node, ast.FunctionDef) and node.name == "register"
            for each in every
            for node in each.tree.body
        ),
    }


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if sys.argv[1:] else ROOT
    print(*sizes(folder), "", *(f"{name:36}{value}" for name, value in counts(folder).items()), sep="\n")
