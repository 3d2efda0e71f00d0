"""The catalogue of notices: every kind is listed, and each of its texts can be written."""

from __future__ import annotations

from django.utils import translation

from players.notices.kinds import list_kinds
from tests.notices import PAGE, ROOT, table, texts

# Declared where it is sent, but no installation sends it to its people.
NOT_LISTED = {"tournaments/demo.py"}


def test_every_kind_that_is_declared_is_listed_once() -> None:
    names = [kind.name for kind in list_kinds()]
    declared = [
        path.read_text("utf-8").count("= NoticeKind(\n")
        for table in ROOT.glob("*/receivers.py")
        for path in table.parent.rglob("*.py")
        if path.relative_to(ROOT).as_posix() not in NOT_LISTED
    ]
    assert len({*names}) == len(names) == sum(declared)


def test_every_text_can_be_written_in_every_language() -> None:
    for language in ("en", "de"):
        with translation.override(language):
            for kind in list_kinds():
                assert str(kind.when).endswith("."), kind.name
                assert all("%" not in text for text in texts(kind)), kind.name


def test_the_documentation_lists_them() -> None:
    assert table(list_kinds()) in PAGE.read_text("utf-8"), "run python -m tests.notices"
