"""Where the material from elsewhere lies; a user's checkout has none of it."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[3] / "shared"
ORACLE, RECORDS, TRF = SHARED / "oracle", SHARED / "records", SHARED / "trf"

needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="the shared positions and records are not here")
