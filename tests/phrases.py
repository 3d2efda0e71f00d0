"""Phrases that a technical writer would not use, and the texts of the repository in which they are counted."""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from tests.packages import PACKAGES, ROOT

# What to write instead is in CONTRIBUTING.md.
PHRASES: Final = {
    "whoever, whatever": r"\b(?:who|whom|what|which|where)(?:so)?ever\b",
    "somebody, nobody": r"\b(?:some|no)body\b",
    "is told": r"\b(?:is|are|was|were|be|been|being) told\b|\btells\b|\btold (?:of|by|to)\b",
    "is asked": r"\b(?:is|are|was|were|be|been|being) asked\b|\basks (?:for|what|who|whether|about)\b",
    "stands": r"\bstands\b|\bstood\b|\blet \w+ (?:stand|fall)\b",
    "Say whether": r"^\s*Says? (?:whether|that|who|what|how)\b",
    "Return what": r"^\s*Returns? (?:what|who|whom|whose|how|where|those)\b",
    "Who plays ...": r"(?:^|[.;:]\s+)Who (?:is|has|may|can|plays|comes|wins|loses|holds|leaves|shares)\b",
    "of its own": r"\bof (?:its|their|his|our|one's) own\b|\bof (?:ours|theirs)\b",
    "as it came": r"\bas (?:it|they) (?:came|was|were|is|are)\b",
    "anew, afresh": r"\banew\b|\bafresh\b",
    "no more": r"\bno more\b(?! than)",
    "meanwhile, beforehand": r"\b(?:meanwhile|beforehand|likewise|thereby|whereby|thereafter)\b",
    "is made of, hangs on": r"\b(?:is|are|was|were) made of\b|\bhangs? on\b",
    "is kept, a burden": r"\b(?:page|row|piece|part)s? (?:is|are) kept\b|\b(?:burden|shelf|shelves)\b",
}
_COMPILED: Final = {
    name: re.compile(phrase, re.IGNORECASE | re.MULTILINE) for name, phrase in PHRASES.items()
}
_NO_TEXT: Final = re.compile(
    r"\{#.*?#\}|<[^>]*>|\{\{.*?\}\}|\{%(?!\s*(?:translate|blocktranslate)\b).*?%\}", re.DOTALL
)
_COMMENT: Final = re.compile(r"/\*.*?\*/|(?:(?<=\s)|^)//\s[^\n]*", re.DOTALL | re.MULTILINE)


class Count(NamedTuple):
    """Odd phrases in texts of one kind: the places, and the number of all words."""

    places: list[str]
    words: int

    @property
    def per_thousand(self) -> float:
        return 1000 * len(self.places) / max(self.words, 1)


def read_code() -> Iterator[tuple[Path, int, str]]:
    """Docstrings and comments of the product, with their file and line."""
    for package in sorted(PACKAGES):
        yield from _read_folder(ROOT / package)


def read_tests() -> Iterator[tuple[Path, int, str]]:
    """Docstrings and comments of the tests and measurements."""
    for folder in ("bench", "tests"):
        yield from _read_folder(ROOT / folder)


def _read_folder(folder: Path) -> Iterator[tuple[Path, int, str]]:
    for path in sorted(folder.rglob("*.py")):
        if "migrations" in path.parts:
            continue
        with path.open("rb") as source:
            for token in tokenize.tokenize(source.readline):
                if token.type == tokenize.COMMENT:
                    yield path, token.start[0], token.string.lstrip("# ")
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                yield path, getattr(node, "lineno", 1), ast.get_docstring(node) or ""


def read_scripts_and_styles() -> Iterator[tuple[Path, int, str]]:
    """Comments of the scripts and style sheets."""
    for path in sorted([*(ROOT / "static/js").rglob("*.js"), *(ROOT / "static/css").rglob("*.css")]):
        text = path.read_text("utf-8")
        for found in _COMMENT.finditer(text):
            yield path, text.count("\n", 0, found.start()) + 1, " ".join(found[0].split()).strip("/* ")


def read_documents() -> Iterator[tuple[Path, int, str]]:
    """Lines of Markdown in the root, in docs and in the English help."""
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "help/texts/en").rglob("*.md")]
    for path in sorted(pages):
        for line, text in enumerate(path.read_text("utf-8").splitlines(), 1):
            yield path, line, text


def read_templates() -> Iterator[tuple[Path, int, str]]:
    """Lines that a reader of a page sees, in English."""
    for path in sorted((ROOT / "templates").rglob("*.html")):
        shown = _NO_TEXT.sub(lambda found: " " + "\n" * found[0].count("\n"), path.read_text("utf-8"))
        for line, text in enumerate(shown.splitlines(), 1):
            yield path, line, text


def count_phrases(texts: Iterator[tuple[Path, int, str]]) -> Count:
    places: list[str] = []
    words = 0
    for path, line, text in texts:
        words += len(text.split())
        for name, phrase in _COMPILED.items():
            places += [
                f"{path.relative_to(ROOT)}:{line}: {name}: {text[max(0, hit.start() - 30) : hit.end() + 40]!r}"
                for hit in phrase.finditer(text)
            ]
    return Count(places, words)
