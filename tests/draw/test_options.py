"""Declarations of formats: their options, with types, and their properties."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from draw import stages
from draw.brackets import knockout
from draw.format import DueFrom, FormatKind
from draw.formats import FORMATS
from draw.options import (
    BadOption,
    Choice,
    Choices,
    Decimal,
    Flag,
    Option,
    Options,
    Ratings,
    Text,
    Texts,
    WholeNumber,
)
from tests.draw import kit

EVERY = [(name, option) for name, form in sorted(FORMATS.items()) for option in form.options.values()]
WRONG: dict[type[Option[Any]], tuple[Any, ...]] = {
    WholeNumber: ("3", True, -1, 1.5),
    Flag: ("yes", 1),
    Decimal: ("half", -1, True, "1/0"),
    Choice: ("neither", 1),
    Choices: ("points", ("points", "luck"), (1,)),
    Text: (1, True),
    Texts: ("a: A",),
    Ratings: (1500, ("good",)),
}


@pytest.mark.parametrize(("form", "option"), EVERY, ids=lambda one: getattr(one, "name", one))
def test_every_option_says_what_it_is_and_refuses_what_it_cannot_be(form: str, option: Option[Any]) -> None:
    assert option.label
    assert FORMATS[form].options[option.name] is option
    # Defaults are valid values; in a file, points and lists have another form.
    if option.default is not None and not isinstance(option, Decimal):
        assert option.read(option.default) == option.default
    if option.first is not None:
        assert option.read(option.first) == option.first
    for value in WRONG[type(option)]:
        with pytest.raises(BadOption, match=f"^{option.name}: "):
            option.read(value)
        # Invalid options are refused before anything is proposed.
        event = kit.event(8, form, **{option.name: value})
        with pytest.raises(BadOption, match=f"^{option.name}: "):
            stages.propose(event)


def test_what_depends_on_something_has_to_be_said_by_whoever_asks() -> None:
    depends: WholeNumber = WholeNumber("so_many", None, "So many")
    assert depends.get(Options(), 3) == 3
    assert depends.get(Options.from_values(so_many=5), 3) == 5
    with pytest.raises(BadOption, match="so_many: has to be said"):
        depends.get(Options())


def test_points_are_exact() -> None:
    worth = Decimal("worth", Fraction(1), "Worth")
    assert [worth.read(value) for value in (1, 0.5, "1/2", "0")] == [1, Fraction(1, 2), Fraction(1, 2), 0]


def test_a_format_says_how_it_is_played() -> None:
    assert all(form.label for form in FORMATS.values())
    kinds = {kind: {name for name, form in FORMATS.items() if form.kind is kind} for kind in FormatKind}
    assert kinds[FormatKind.ROUNDS] == {"swiss", "lives"}
    assert kinds[FormatKind.CIRCLES] == {"round-robin", "league", "groups"}
    assert kinds[FormatKind.ELIMINATION] == knockout.PRESETS.keys()
    assert {name for name, form in FORMATS.items() if form.can_be_extended} == {
        *kinds[FormatKind.ROUNDS],
        *kinds[FormatKind.CIRCLES],
    }
    assert {name for name, form in FORMATS.items() if form.due_from is DueFrom.PUBLISHED} == {"league"}
    assert {name for name, form in FORMATS.items() if form.is_endless} == {"swiss"}
    assert FORMATS["last-chance"].brackets == ("consolation", "last-chance")
    assert FORMATS["double-elimination"].brackets == ("losers", "final")
    redrawn = Options.from_values(redraw=True)
    single = FORMATS["single-elimination"]
    assert single.is_fixed(Options())
    assert single.is_sheet(Options())
    assert not single.is_fixed(redrawn)
    assert not single.is_sheet(redrawn)


@pytest.mark.parametrize(
    ("form", "options", "players", "wanted"),
    [
        ("swiss", {"rounds": 5}, 9, (5, 4, 1)),
        ("round-robin", {}, 6, (5, 3, 0)),
        ("round-robin", {}, 5, (5, 2, 1)),
        ("round-robin", {"times": 2}, 4, (6, 2, 0)),
        ("round-robin", {"times": 2, "rounds": 4}, 4, (4, 2, 0)),
        ("round-robin", {"rounds": 9}, 4, (3, 2, 0)),
        ("league", {"times": 2}, 3, (6, 1, 1)),
        ("groups", {"size": 4}, 16, (3, 8, 0)),
        ("groups", {"groups": 2}, 12, (5, 6, 0)),
        ("groups", {"groups": 2}, 16, (7, 8, 0)),
    ],
)
def test_how_many_rounds_there_will_be(
    form: str, options: dict[str, Any], players: int, wanted: tuple[int, int, int]
) -> None:
    found = FORMATS[form].count(Options.from_values(**options), players)
    assert (found.rounds, found.matches, found.byes) == wanted


def test_of_lives_only_play_can_tell() -> None:
    assert FORMATS["lives"].count(Options(), 16) is None


def test_the_free_are_paired_every_so_many_minutes_only_where_the_free_are_paired() -> None:
    lives = FORMATS["lives"]
    assert lives.batch_minutes(Options.from_values(mode="continuous", batch_minutes=20)) == 20
    assert lives.batch_minutes(Options.from_values(mode="continuous")) == 0
    assert lives.batch_minutes(Options.from_values(batch_minutes=20)) == 0
    assert FORMATS["swiss"].batch_minutes(Options()) == 0


def test_groups_are_as_many_as_are_said_or_as_large() -> None:
    groups = FORMATS["groups"]
    assert groups.group_size(Options(), 16) == 4
    assert groups.group_size(Options.from_values(groups=3), 16) == 6
    assert FORMATS["swiss"].group_size(Options(), 16) == 0
