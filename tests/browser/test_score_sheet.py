"""The list of moves is a score sheet: numbered rows, a column for each side, cubes and rulings in their places."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

START = "white 24:2 13:5 8:3 6:5 black 24:2 13:5 8:3 6:5"
WRITE = """async ([lines, start]) => {
  const { Sheet } = await import("/static/js/board/sheet.js");
  await import("/static/js/board/late_texts.js");
  const { createTranslator } = await import("/static/js/board/texts.js");
  const state = { score: [1, 2], game: 4, board: start, cube: { value: 1 } };
  const players = { white: { name: "Ada" }, black: { name: "Bo" } };
  const sheet = new Sheet({ state, entry: 0, players, translate: createTranslator() });
  lines.forEach(([fact, side, dice, by], index) =>
    sheet.addMove({ by, fact: { fact, side, steps: [] } }, state, { entry: index + 1, side, dice }));
  document.getElementById("controls").replaceChildren(...sheet.parts);
  return [...document.querySelectorAll("#controls tbody tr")].map((row) =>
    [...row.children].map((cell) => cell.textContent.trim() + (cell.colSpan > 1 ? " |" : "")));
}"""


def written(table: Page, *lines: tuple[str, ...]) -> list[Any]:
    found: list[Any] = table.evaluate(WRITE, [lines, START])
    return found


def test_rows_are_numbered_and_whoever_begins_keeps_their_column(table: Page) -> None:
    found = written(table, ("played", "black", "31"), ("played", "white", "52"), ("played", "black", "64"))
    assert found == [
        ["1", "", "Bo: 31 no move"],
        ["2", "Ada: 52 no move", "Bo: 64 no move"],
    ]
    heading = table.locator("#controls h3")
    assert heading.inner_text() == "Game 4 at 1\N{EN DASH}2"
    assert [each.strip() for each in table.locator("#controls thead th").all_inner_texts()][1:] == [
        "Ada",
        "Bo",
    ]


def test_a_cube_has_cells_of_its_own_and_a_ruling_a_row(table: Page) -> None:
    found = written(
        table,
        ("played", "white", "31"),
        ("doubled", "black", ""),
        ("took", "white", ""),
        ("played", "black", "52"),
        ("ruled-position", "white", ""),
        ("doubled", "white", ""),
        ("took", "black", ""),
        ("played", "white", "66"),
    )
    assert found == [
        ["1", "Ada: 31 no move", "Bo: doubles to 2"],
        ["2", "Ada: takes", "Bo: 52 no move"],
        ["3", "ruling of the director |"],
        ["4", "Ada: doubles to 2", "Bo: takes"],
        ["5", "Ada: 66 no move", ""],
    ]


def test_what_no_director_ruled_is_not_called_so(table: Page) -> None:
    found = written(
        table,
        ("ruled-match", "", "", "server"),
        ("voided-match", "", "", "white"),
        ("voided-match", "", "", "director"),
    )
    assert found == [
        ["1", "automatic ruling |"],
        ["2", "called off |"],
        ["3", "ruling of the director |"],
    ]


def test_every_cell_is_a_button_that_leads_to_its_position(table: Page) -> None:
    written(table, ("played", "white", "31"), ("played", "black", "52"))
    buttons = table.locator("#controls td button")
    assert [each.get_attribute("data-entry") for each in buttons.all()] == ["1", "2"]
    buttons.first.focus()
    table.keyboard.press("Tab")
    assert table.evaluate("document.activeElement.dataset.entry") == "2"
