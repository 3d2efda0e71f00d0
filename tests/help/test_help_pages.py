"""Help's pages: every format and tie-break is explained by its name, and words are found."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.test import Client
from django.utils.translation import gettext, override, pgettext

from draw.formats import FORMATS
from draw.standings.registry import TIE_BREAKS
from help import pages
from help.files import ARTICLES, PAGES, list_languages
from help.sections import load_sections


def titles(name: str) -> dict[str, str]:
    return {section.anchor: section.title for section in pages.load_page(name).sections}


@pytest.mark.parametrize("code", list_languages())
def test_every_format_is_explained_by_its_name(code: str) -> None:
    with override(code):
        assert titles("formats") == {
            name: pgettext("event format", one.label) for name, one in FORMATS.items()
        }


@pytest.mark.parametrize("code", list_languages())
def test_every_tie_break_is_explained_by_its_name(code: str) -> None:
    with override(code):
        assert titles("tie-breaks") == {name: gettext(one.title) for name, one in TIE_BREAKS.items()}


@pytest.mark.parametrize("name", [*PAGES, *ARTICLES])
def test_languages_have_the_same_sections(name: str) -> None:
    told = []
    for code in list_languages():
        with override(code):
            told.append([section.anchor for section in load_sections(name)])

    assert all(anchors == told[0] for anchors in told)
    assert len(set(told[0])) == len(told[0]) >= 4


# By the module that sets a cookie: words of the privacy notice about it.
COOKIES = {
    "opinion/positions/position_views.py": "the position of the day",
    "players/accounts/devices.py": "a browser that has signed in before",
    "players/accounts/settings_views.py": "your language and theme",
    "tournaments/pages/table_device.py": "the phone on which a match is reported or a helper's link is used",
    "venue/screens/screen_views.py": "a screen on the wall",
}


def test_the_privacy_notice_names_every_cookie() -> None:
    folders = {name.partition(".")[0] for name in settings.INSTALLED_APPS}
    modules = [path for name in folders for path in (settings.BASE_DIR / name).rglob("*.py")]
    setting = {
        str(path.relative_to(settings.BASE_DIR)) for path in modules if ".set_cookie(" in path.read_text()
    }
    assert setting == {*COOKIES}
    notice = (settings.BASE_DIR / "help" / "texts" / "en" / "terms.md").read_text()
    assert [words for words in COOKIES.values() if words not in notice] == []


def found(code: str, query: str) -> list[str]:
    with override(code):
        return [one.url for one in pages.search_sections(query)]


def test_titles_come_before_words() -> None:
    assert found("en", "Crawford")[0] == "/help/glossary/#crawford-game"
    assert "/help/rules/#R51" in found("en", "crawford game")
    assert found("en", "R51")[0] == "/help/rules/#R51"


def test_every_word_must_stand_there_in_any_order_and_without_marks() -> None:
    assert "/help/night/#check-in" in found("en", "arrive check")
    assert found("en", "checker zebra") == []
    assert "/help/rules/#R28" in found("de", "felder blockiert sechs")
    assert "/help/glossary/#runner" in found("de", "laufer")


@pytest.mark.django_db
def test_the_page_shows_what_was_found_and_says_so_if_nothing_was(client: Client) -> None:
    text = client.get("/help/", {"q": "beaver"}).text
    nothing = client.get("/help/", {"q": "<zebra>"}).text

    assert 'href="/help/glossary/#beaver"' in text
    assert "&lt;zebra&gt;" in nothing
    assert "Try fewer words" in nothing
    assert "<zebra>" not in nothing
