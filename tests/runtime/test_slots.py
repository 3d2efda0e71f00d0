"""A page shows what others put into its slots, and is whole without."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.template import Context, Template, engines
from django.test import RequestFactory

from runtime.http import slots

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest

PAGE = Template('{% load slots %}<p>{% slot "test.page" who %}</p>')


@pytest.fixture(autouse=True)
def _empty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slots, "_parts", {})
    part = engines["django"].from_string("<i>{{ shown }}</i>")
    monkeypatch.setattr("runtime.templatetags.slots.get_template", {"part.html": part}.__getitem__)


def drawn(who: str) -> str:
    return PAGE.render(Context({"request": RequestFactory().get("/"), "who": who}))


def test_a_page_without_parts_is_whole() -> None:
    assert drawn("Ann") == "<p></p>"


def test_parts_stand_in_the_order_of_their_names_and_may_have_nothing_to_show() -> None:
    for slot, name, what in (("page", "b", "second"), ("page", "a", "first"), ("other", "a", "elsewhere")):
        slots.register(f"test.{slot}", name, template="part.html", show=_said(what))
    assert drawn("Ann & Bo") == "<p><i>first / Ann &amp; Bo</i><i>second / Ann &amp; Bo</i></p>"
    assert drawn("Cy") == "<p></p>"


def _said(what: str) -> Callable[[HttpRequest, str], str | None]:
    return lambda request, who: f"{what} {request.path} {who}" if who.startswith("Ann") else None
