from __future__ import annotations

import pytest

from rankings.chances import calibration


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """A list may predict after six results."""
    monkeypatch.setattr(calibration, "ENOUGH", 6)
