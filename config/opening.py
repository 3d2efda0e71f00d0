"""The first page comes first: what it does not need is loaded and started when it has been answered."""

from __future__ import annotations

import gc
import threading
from typing import Final

from django.core.signals import request_finished

from config import prepare

# Where nobody comes; clocks that ran out while the club was closed have waited longer.
PATIENCE_SECONDS: Final = 2.0


def wait_for_first_page() -> None:
    """Wait until somebody has been answered, or nobody has come for a while."""
    answered = threading.Event()

    def note(**_: object) -> None:
        answered.set()

    request_finished.connect(note)
    try:
        answered.wait(PATIENCE_SECONDS)
    finally:
        request_finished.disconnect(note)


def read_the_rest() -> None:
    """Load what nobody has asked for yet, so that whoever comes now does not wait for it."""
    prepare.pages()
    # It stays, as what was there at the start does.
    gc.freeze()
