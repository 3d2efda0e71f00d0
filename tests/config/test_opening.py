"""Whoever asks early is answered before the rest of the product is loaded."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from django.dispatch import Signal

from config import prepare

if TYPE_CHECKING:
    import pytest


def test_the_rest_waits_for_the_first_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prepare, "PATIENCE_SECONDS", 60.0)
    finished = Signal()
    monkeypatch.setattr(prepare, "request_finished", finished)
    waiting = threading.Thread(target=prepare.wait_for_first_page)
    waiting.start()
    while not finished.receivers:
        assert waiting.is_alive()
    assert waiting.is_alive()
    finished.send(sender=None)
    waiting.join(30)
    assert not waiting.is_alive()
    assert finished.receivers == []


def test_it_does_not_wait_for_ever_where_nobody_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prepare, "PATIENCE_SECONDS", 0.01)
    prepare.wait_for_first_page()
