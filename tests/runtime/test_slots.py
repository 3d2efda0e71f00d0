"""A page shows what other packages add to its slots, and is whole without."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.http import HttpRequest
from django.template import Context, Template, engines
from django.test import RequestFactory

from runtime import hooks
from runtime.hooks import Slot, SlotPart

PAGE = Template('<p>{% slot "runtime.hooks.TEST_PAGE" who %}</p>')


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> Slot[str]:
    slot: Slot[str] = Slot()
    monkeypatch.setattr(hooks, "TEST_PAGE", slot, raising=False)
    part = engines["django"].from_string("<i>{{ shown }}</i>")
    monkeypatch.setattr("config.templatetags.look.get_template", {"part.html": part}.__getitem__)
    return slot


def drawn(who: str) -> str:
    return PAGE.render(Context({"request": RequestFactory().get("/"), "who": who}))


def test_a_page_without_parts_is_whole(page: Slot[str]) -> None:
    assert drawn("Ann") == "<p></p>"


def test_parts_stand_in_the_order_of_their_names_and_may_have_nothing_to_show(page: Slot[str]) -> None:
    for name, what in (("b", "second"), ("a", "first")):
        page.add(name, SlotPart("part.html", _said(what)))
    assert drawn("Ann & Bo") == "<p><i>first / Ann &amp; Bo</i><i>second / Ann &amp; Bo</i></p>"
    assert drawn("Cy") == "<p></p>"


def test_cache_keys_are_those_of_the_parts_that_have_one(page: Slot[str]) -> None:
    page.add("b", SlotPart("part.html", _said("second"), cache_key=lambda: 2))
    page.add("a", SlotPart("part.html", _said("first"), cache_key=lambda: 1))
    page.add("c", SlotPart("part.html", _said("third")))
    assert page.cache_keys() == (1, 2)


def test_a_slot_that_is_not_declared_is_an_error() -> None:
    with pytest.raises(ImportError, match="TEST_PAGE"):
        drawn("Ann")


def _said(what: str) -> Callable[[HttpRequest, str], str | None]:
    return lambda request, who: f"{what} {request.path} {who}" if who.startswith("Ann") else None
