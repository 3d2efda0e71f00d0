"""The public names of the package."""

from __future__ import annotations

import pytest

import rankings

pytestmark = pytest.mark.pure


def test_the_face_has_the_names_it_promises_and_no_others() -> None:
    assert all(getattr(rankings, name) for name in rankings.__all__)
    with pytest.raises(AttributeError, match="module 'rankings' has no attribute 'nothing'"):
        rankings.nothing  # type: ignore[attr-defined]  # noqa: B018
