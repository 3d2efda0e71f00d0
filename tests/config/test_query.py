"""The parameters that views declare, read from their description."""

from __future__ import annotations

import contextlib
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.test import Client
from django.urls import resolve
from drf_spectacular import plumbing
from drf_spectacular.contrib.rest_auth import RestAuthLoginView

from config import query


@pytest.mark.parametrize("number", ["\x1c1", "1\x1f", " 1", "1\n"])
def test_a_number_has_nothing_around_it(client: Client, number: str) -> None:
    """Some characters that REST framework trims are not whitespace to int(), in the view."""
    asked = client.get("/api/v1/players/aaaaaaaaaa/against/bbbbbbbbbb/", {"page": number})

    assert (asked.status_code, list(asked.json()["context"]["fields"])) == (400, ["page"])


@pytest.mark.long
def test_two_threads_load_the_classes_of_extensions_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two first requests with a parameter at once: one of them was answered with an error of the server."""
    together = threading.Barrier(2)

    def import_slowly(path: str) -> Any:
        with contextlib.suppress(threading.BrokenBarrierError):
            together.wait(1)
        raise ImportError(path)

    monkeypatch.setattr(plumbing, "import_string", import_slowly)
    monkeypatch.setattr(RestAuthLoginView, "target_class", "dj_rest_auth.views.LoginView")
    views = [resolve(f"/api/v1/{name}/").func for name in ("events", "clubs")]
    with ThreadPoolExecutor(2) as threads:
        found = list(threads.map(lambda view: query.load_parameters.__wrapped__(view, "GET"), views))

    assert all(found)
