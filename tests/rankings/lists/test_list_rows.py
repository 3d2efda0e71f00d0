"""The rows of a list: one cell for each head, and every name escaped."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from django.template.loader import render_to_string
from hypothesis import given
from hypothesis import strategies as st

from rankings.lists import graph
from rankings.lists.dated_pages import Move, RankedPlayer
from rankings.lists.recent_form import RecentForm

RATINGS = [1500.0, 1513.25, 1496.5]
FORM = RecentForm(results=(True, False), change=-3.5, matches=2, spark=graph.draw_sparkline(RATINGS))


class Cells(HTMLParser):
    """The text of each cell of each row, without elements that are hidden from screen readers."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.hidden = 0
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr":
            self.rows.append([])
        elif tag in {"td", "th"}:
            self.rows[-1].append("")
        elif tag == "a":
            self.links.append(dict(attrs)["href"] or "")
        elif tag == "span" and (self.hidden or ("aria-hidden", "true") in attrs):
            self.hidden += 1

    def handle_endtag(self, tag: str) -> None:
        if tag == "span" and self.hidden:
            self.hidden -= 1

    def handle_data(self, data: str) -> None:
        if self.rows and self.rows[-1] and not self.hidden:
            self.rows[-1][-1] += data


def ranked(name: str = "Ada Okafor", **said: object) -> RankedPlayer:
    usual: dict[str, object] = {
        "place": 1, "is_provisional": False, "is_inactive": False, "rating": 1496.5, "deviation": 61.4,
        "experience": 120, "matches": 2, "is_me": False, "move": Move(is_new=False, up=3), "form": FORM,
    }  # fmt: skip
    return RankedPlayer(name=name, href="/players/abc/", **{**usual, **said})  # type: ignore[arg-type]


def drawn(*rows: RankedPlayer, **how: object) -> str:
    values = {"page": {"rows": rows}, "moves": True, "has_form": True, "has_deviation": True} | how
    return render_to_string("rankings/_rated_rows.html", values)


def cells(html: str) -> list[list[str]]:
    read = Cells()
    read.feed(html)
    return [[re.sub(r"\s+", " ", cell).strip() for cell in row] for row in read.rows]


@pytest.mark.parametrize("moves", [True, False])
@pytest.mark.parametrize("has_form", [True, False])
@pytest.mark.parametrize("has_deviation", [True, False])
def test_there_is_a_cell_under_each_head(*, moves: bool, has_form: bool, has_deviation: bool) -> None:
    how = {"moves": moves, "has_form": has_form, "has_deviation": has_deviation}
    found = cells(drawn(ranked(), ranked(form=None, move=None), **how))
    heads, first, second = found
    assert len(heads) == len(first) == len(second)
    told = dict(zip(heads, first, strict=True))
    assert told["Place"] == "1"
    assert told["Player"] == "Ada Okafor"
    assert told["Rating"] == "1496.50"
    assert told["Matches"] == "2"
    if has_form:
        assert told["Last ten"] == "-3.5"
        assert told["Form"] == "won 1 of the last 2"
    else:
        assert told["Experience"] == "120"
    if has_deviation:
        assert told["±"] == "61"


def test_what_is_said_beside_a_name() -> None:
    rows = cells(drawn(ranked(is_me=True), ranked(is_provisional=True, is_inactive=True)))
    assert [row[2] for row in rows[1:]] == ["Ada Okafor you", "Ada Okafor provisional inactive"]
    html = drawn(ranked(is_me=True), ranked())
    assert html.count('id="me"') == 1
    assert "checker--gold" in html
    assert "checker--gold" not in drawn(ranked(is_provisional=True))


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=30))
def test_a_name_stands_as_it_is_written(name: str) -> None:
    assert cells(drawn(ranked(name)))[1][2] == name


def test_a_name_is_no_markup() -> None:
    html = drawn(ranked("<b>Ada</b> \"&' <script>"))
    assert "<script" not in html
    assert "<b>" not in html
