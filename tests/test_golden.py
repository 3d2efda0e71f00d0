"""The comparison of two checkouts finds what differs, and nothing that is different in each run."""

from __future__ import annotations

from pathlib import Path

from tests import golden

KEYS = {"bcdfg23456": "tournaments.tournament-1"}


def test_what_is_made_anew_for_each_answer_is_the_same_in_all() -> None:
    pages = (
        '<meta name="live" content="abc"><a href="/events/bcdfg23456/">1</a> 0f8fad5b-d9cb-469f-a165-70867728950e',
        '<meta name="live" content="xyz"><a href="/events/bcdfg23456/">1</a> 7c9e6679-7425-40de-944b-e07fc1f90ae7',
    )
    one, other = (golden.normalised(page, KEYS) for page in pages)

    assert one == other
    assert "/events/tournaments.tournament-1/" in one


def test_what_differs_is_told_by_name(tmp_path: Path) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    for folder, texts in ((before, {"a": "1\n2\n", "b": "1\n"}), (after, {"a": "1\n3\n", "c": "1\n"})):
        folder.mkdir()
        for name, text in texts.items():
            (folder / name).write_text(text)

    said = list(golden.differences(before, after))

    assert said == [
        "a: 3 lines",
        "    @@ -2 +2 @@",
        "    -2",
        "    +3",
        f"b: only in {before}",
        f"c: only in {after}",
    ]
    assert list(golden.differences(before, before)) == []
