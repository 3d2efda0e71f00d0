"""What is behind an address is imported when somebody comes there, and not before."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING

import pytest
from django.test import RequestFactory
from django.urls import Resolver404, URLPattern, URLResolver, get_resolver, path, reverse
from django.urls.resolvers import RegexPattern

from config import prepare
from runtime import lazy_imports
from runtime.lazy_imports import Function, LazyUrls, Module, load

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

VIEWS = """
from django.http import HttpResponse
from django.views.decorators.csrf import csrf_exempt

def plain(request, key):
    return HttpResponse(key)

open_to_all = csrf_exempt(plain)
"""
ADDRESSES = """
from django.urls import path
from attic import plain

urlpatterns = [path("<str:key>/", plain, name="shelf")]
"""


@pytest.fixture
def attic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[URLResolver]:
    """Give an installation whose views and a part of whose addresses nobody has asked for."""
    monkeypatch.setattr(lazy_imports, "_put_off", set())
    (tmp_path / "attic.py").write_text(VIEWS)
    (tmp_path / "attic_addresses.py").write_text(ADDRESSES)
    monkeypatch.syspath_prepend(tmp_path)
    views = Module("attic")
    addresses = [
        path("<str:key>/box/", views.plain, name="box"),
        path("<str:key>/open/", views.open_to_all),
        path("<str:key>/gone/", views.gone),
        LazyUrls("up/", "attic_addresses", namespace="attic"),
    ]
    yield URLResolver(RegexPattern(r"^/"), addresses)
    for name in ("attic", "attic_addresses"):
        sys.modules.pop(name, None)


def test_links_are_made_and_nothing_is_imported(attic: URLResolver) -> None:
    assert attic.reverse("box", "red") == "red/box/"
    assert "attic" not in sys.modules
    assert "attic_addresses" not in sys.modules


def test_whoever_comes_meets_the_view_itself(attic: URLResolver) -> None:
    found = attic.resolve("/red/box/")
    assert found.func(RequestFactory().get("/"), **found.kwargs).content == b"red"
    assert found.view_name == "box"
    assert not getattr(found.func, "csrf_exempt", False)
    assert attic.resolve("/red/open/").func.csrf_exempt


def test_a_part_is_read_when_somebody_comes_there_or_asks_by_its_name(attic: URLResolver) -> None:
    part = attic.namespace_dict["attic"][1]
    assert "attic_addresses" not in sys.modules
    assert attic.resolve("/up/red/").view_name == "attic:shelf"
    assert [each.name for each in part.url_patterns] == ["shelf"]
    with pytest.raises(Resolver404):
        attic.resolve("/up/")


def test_whoever_loads_asks_for_other_addresses_while_somebody_waits_for_them(
    attic: URLResolver, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Watched:
        """The lock, telling that somebody has come to it."""

        def __enter__(self) -> None:
            somebody_waits.set()
            lock.acquire()

        def __exit__(self, *_: object) -> None:
            lock.release()

    lock, somebody_waits = threading.RLock(), threading.Event()
    monkeypatch.setattr(lazy_imports, "ALONE", Watched())
    visitor = threading.Thread(target=attic.resolve, args=("/up/red/",), daemon=True)
    with lock:
        visitor.start()
        assert somebody_waits.wait(10)
        # What Celery's checks of all addresses did, inside the lock.
        other = LazyUrls("down/", "attic_addresses", namespace="cellar")
        asker = threading.Thread(target=lambda: other.url_patterns, daemon=True)
        somebody_waits.clear()
        asker.start()
        assert somebody_waits.wait(10), "whoever waits for the lock holds another, which stands before it"
    visitor.join(10)
    asker.join(10)
    assert not visitor.is_alive()
    assert not asker.is_alive()


def test_a_view_that_is_not_there_is_found_out_where_all_are_loaded(attic: URLResolver) -> None:
    with pytest.raises(AttributeError, match="gone"):
        load(attic)


def test_what_was_put_off_is_loaded_before_a_worker_forks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cellar.py").write_text(
        'from runtime.lazy_imports import Module\n\nbelow = Module("vault")\n'
    )
    (tmp_path / "vault.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(lazy_imports, "_put_off", set())
    Module("cellar")
    lazy_imports.load_modules()
    assert sys.modules.pop("cellar")
    assert sys.modules.pop("vault")


def test_behind_every_address_of_ours_is_a_view() -> None:
    prepare.pages()
    views = [pattern.callback for pattern in _all(get_resolver()) if isinstance(pattern.callback, Function)]
    assert len(views) > 100
    assert all(callable(view.found()) for view in views)
    assert reverse("api:challenge-list") == "/api/v1/challenges/"
    assert reverse("admin:index") == "/admin/"


def _all(resolver: URLResolver) -> Iterator[URLPattern]:
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            yield from _all(pattern)
        else:
            yield pattern
