"""The rules in help: none is missing in any language, every link leads somewhere, and pages cost nothing."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import pytest
from django.test import Client
from django.urls import resolve, reverse
from django.utils.translation import override

from help import sections
from help.files import ARTICLES, PAGES, list_languages
from help.positions import load_positions
from help.sections import load_sections

if TYPE_CHECKING:
    from pytest_django import DjangoAssertNumQueries

ADDRESS = re.compile(r'<a [^>]*?href="([^"]+)"')
ANCHOR = re.compile(r' id="([^"]+)"')
FENCE = re.compile(r"^```board (\w+)$", re.MULTILINE)
# Rules about a position: each is shown.
SHOWN = (2, 4, 5, 7, 9, *range(12, 46), 47, 51, 53, 66)


def pages() -> list[str]:
    return [
        reverse(f"help:{name}")
        for name in ("index", "rules", "glossary", "exercises", "articles", *PAGES, *ARTICLES)
    ]


def read(client: Client, address: str, code: str) -> str:
    return client.get(address, headers={"Accept-Language": code}).text


@pytest.mark.parametrize("code", list_languages())
def test_every_rule_has_its_anchor_and_words(code: str) -> None:
    with override(code):
        told = [rule for group in sections.list_rule_groups() for rule in group.rules]

    assert [rule.anchor for rule in told] == [f"R{number:02}" for number in range(1, 70)]
    for rule in told:
        assert len(rule.title) > 5
        assert len(rule.source) > 40, rule.anchor


@pytest.mark.parametrize("code", list_languages())
def test_every_rule_about_a_position_shows_it(code: str) -> None:
    with override(code):
        shown = {
            rule.anchor: FENCE.findall(rule.source)
            for group in sections.list_rule_groups()
            for rule in group.rules
        }

    assert {number for number, names in shown.items() if names} == {f"R{number:02}" for number in SHOWN}
    for names in shown.values():
        assert set(names) <= set(load_positions())


def test_languages_show_the_same_under_the_same_anchors() -> None:
    told = []
    for code in list_languages():
        with override(code):
            told.append(
                [(one.level, one.anchor, FENCE.findall(one.source)) for one in load_sections("rules")]
            )

    assert told[0] == told[1]


@pytest.mark.long
@pytest.mark.django_db
@pytest.mark.parametrize("code", list_languages())
def test_no_link_is_dead(client: Client, code: str) -> None:
    texts = {address: read(client, address, code) for address in pages()}
    anchors = {address: set(ANCHOR.findall(text)) for address, text in texts.items()}

    for address, text in texts.items():
        body = text[text.index("<main") : text.index("</main>")]
        for link in map(unescape, ADDRESS.findall(body)):
            path, _mark, anchor = link.partition("#")
            path = path.partition("?")[0] or address
            resolve(path)
            if path.startswith("/help/"):
                assert path in texts, f"{address}: {link}"
                assert not anchor or anchor in anchors[path], f"{address}: {link}"


@pytest.mark.django_db
def test_the_numbers_of_rules_are_links(client: Client) -> None:
    text = read(client, reverse("help:rules"), "en")

    assert '<a href="/help/rules/#R51" class="rule">R51</a>' in text
    assert 'id="R01"' in text
    assert 'id="R69"' in text


@pytest.mark.django_db
@pytest.mark.parametrize("code", list_languages())
def test_help_is_in_the_readers_language(client: Client, code: str) -> None:
    text = read(client, reverse("help:rules"), code)

    assert f'<html lang="{code}"' in text
    assert ("Aussetzen gibt es nicht" in text) is (code == "de")
    assert ("You may not pass" in text) is (code == "en")


@pytest.mark.django_db
def test_help_asks_the_database_nothing(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for address in pages():
        client.get(address)
        with django_assert_num_queries(0):
            assert client.get(address).status_code == 200


@pytest.mark.django_db
def test_every_page_leads_to_help(client: Client) -> None:
    for address in ("/", "/events/", "/clubs/", "/accounts/login/"):
        text = client.get(address).text
        assert '<a class="site-foot__link" href="/help/"' in text, address
