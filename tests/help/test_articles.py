"""What articles claim: the engine plays what they name, and their figures are those of the match equity table."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.test import Client
from django.utils.translation import override

from engine.dice import Dice
from engine.equity import compute_chance
from help import pages
from help.files import ARTICLES, list_languages
from help.positions import Position, load_positions, read_position
from help.sections import load_sections
from opinion.judging import engine_process
from opinion.judging.oracle import Oracle
from opinion.judging.positions import evaluate_position, find_advice

WHY_NOT = engine_process.explain_absence()
installed = pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT or "bgsage is here")
LEVEL = 2
# What a play of the list of openings may give away.
LEAST = 0.02
ROW = re.compile(r"^\| (\S+) \| (.+?) \|(?: (\d+) % \|)?$", re.MULTILINE)
CLAIMED = [name for name, position in load_positions().items() if position.best or position.advice]


@pytest.fixture(scope="module")
def oracle() -> Iterator[Oracle]:
    with engine_process.EngineProcess() as found:
        yield found


def rows(name: str, anchor: str, code: str) -> list[tuple[str, str, str]]:
    """Return the rows of the table in a section."""
    with override(code):
        source = next(section.source for section in load_sections(name) if section.anchor == anchor)
    return [row for row in ROW.findall(source) if row[0][0].isdigit()]


def fault(oracle: Oracle, position: Position) -> str:
    """The engine's answer if it differs from the claim about a position, otherwise ""."""
    found = evaluate_position(oracle, position.situation, LEVEL)
    if position.best:
        return "" if found.plays[0].play == position.best else found.plays[0].play
    assert found.cube is not None
    said = find_advice(found.cube)
    return "" if said == position.advice else said


@installed
@pytest.mark.long
@pytest.mark.parametrize("name", CLAIMED)
def test_the_engine_agrees_with_each_position(oracle: Oracle, name: str) -> None:
    assert fault(oracle, load_positions()[name]) == ""


@pytest.mark.long
@pytest.mark.share
@installed
@pytest.mark.parametrize(
    "wrong",
    [
        {"start": True, "dice": "3-1", "best": "13/10 6/5"},
        {"start": True, "cube": 1, "advice": "double, take"},
    ],
)
def test_a_wrong_claim_would_be_found(oracle: Oracle, wrong: dict[str, object]) -> None:
    assert fault(oracle, read_position("wrong", wrong))


@installed
@pytest.mark.long
def test_no_opening_in_the_list_gives_away_much(oracle: Oracle) -> None:
    listed = rows("opening-moves", "others", "en")
    assert listed == rows("opening-moves", "others", "de")
    named = {
        position.situation.dice for name, position in load_positions().items() if name.startswith("opening-")
    }
    assert len(named | {Dice.parse(roll) for roll, _play, _none in listed}) == 15
    for roll, play, _none in listed:
        situation = read_position(roll, {"start": True, "dice": roll}).situation
        worth = {each.play: each.equity for each in evaluate_position(oracle, situation, LEVEL).plays}
        assert max(worth.values()) - worth[play] < LEAST, roll


@pytest.mark.parametrize("code", list_languages())
def test_the_chances_are_those_of_the_table(code: str) -> None:
    found = rows("match-scores", "table", code)

    assert len(found) == 6
    for mine, theirs, percent in found:
        assert round(100 * compute_chance(int(mine), int(theirs))) == int(percent), (mine, theirs)


@pytest.mark.parametrize("code", list_languages())
def test_the_take_points_follow_from_the_table(code: str) -> None:
    found = rows("match-scores", "take", code)

    assert len(found) == 4
    for mine, theirs, percent in found:
        assert (int(mine), round(100 * take_point(int(theirs)))) == (2, int(percent)), theirs


def take_point(theirs: int) -> float:
    """Return from which chance on the side that needs two points takes a double to 2."""
    passed, lost = compute_chance(2, theirs - 1), compute_chance(2, theirs - 2)
    return (passed - lost) / (1 - lost)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("code", "titles"),
    [
        (
            "en",
            ["History", "Set-up", "Object", "Movement", "Hitting and entering", "Bearing off", "Articles"],
        ),
        (
            "de",
            [
                "Geschichte",
                "Aufstellung",
                "Ziel",
                "Ziehen",
                "Schlagen und Hereinkommen",
                "Auswürfeln",
                "Artikel",
            ],
        ),
    ],
)
def test_help_shows_the_seven_headings_of_r67(client: Client, code: str, titles: list[str]) -> None:
    text = client.get("/help/", headers={"Accept-Language": code}).text

    assert re.findall(r'class="help-heading" href="[^"]+">([^<]+)<', text) == titles
    for address in re.findall(r'class="help-heading" href="([^"#]+)', text):
        assert client.get(address).status_code == 200


@pytest.mark.django_db
def test_help_links_to_no_page_twice(client: Client) -> None:
    main = client.get("/help/").text.partition("<main")[2].partition("</main>")[0]
    addresses = re.findall(r'href="(/help/[^"]+)"', main)

    assert "/help/history/" in addresses
    assert "/help/articles/" in addresses
    assert len(addresses) == len(set(addresses))


@pytest.mark.django_db
def test_the_list_leads_to_every_article_and_each_back(client: Client) -> None:
    listed = client.get("/help/articles/").text

    for name in ARTICLES:
        address = f"/help/articles/{name}/"
        assert f'href="{address}"' in listed
        assert '<a href="/help/articles/">' in client.get(address).text


def test_articles_are_searched() -> None:
    with override("en"):
        assert "/help/articles/race/#double" in [one.url for one in pages.search_sections("percent count")]
