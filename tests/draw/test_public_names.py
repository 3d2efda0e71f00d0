"""The public names of the package."""

from __future__ import annotations

import pytest

import draw


def test_the_face_has_the_names_it_promises_and_no_others() -> None:
    assert all(getattr(draw, name) for name in draw.__all__)
    with pytest.raises(AttributeError, match="module 'draw' has no attribute 'nothing'"):
        draw.nothing  # type: ignore[attr-defined]  # noqa: B018
