"""The samples are what their script makes, and small."""

from __future__ import annotations

import pytest

from tests.samples import make

MADE = ("faults", "oracle", "records", "trf")


def kept() -> dict[str, bytes]:
    """Return every sample: its path below the folder, and what is in it."""
    found = (path for folder in MADE for path in (make.HERE / folder).iterdir())
    return {path.relative_to(make.HERE).as_posix(): path.read_bytes() for path in found}


def test_they_are_small_and_many() -> None:
    sizes = {path: len(data) for path, data in kept().items()}
    assert sum(sizes.values()) < 1_000_000
    records = [path for path in sizes if path.startswith("records/") and not path.endswith(".csv")]
    assert len(records) == 51
    assert {path.rpartition(".")[2] for path in records} == {
        *("mat", "sgf", "json", "fibs", "sgg", "tmg", "match", "xg", "gam", "txt")
    }


@pytest.mark.slow
def test_they_are_what_the_script_makes() -> None:
    made = dict(make.files())
    assert made.keys() == kept().keys()
    assert [path for path, data in kept().items() if made[path] != data] == []
