"""Every format has a largest field, and larger events are refused before any computation."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from draw import __main__ as command
from draw import limits, stages
from draw.event import Take
from draw.formats import FORMATS
from draw.league import League
from draw.options import BadOption, Choices, Option, Options, Text, Texts, Value
from tests.draw.kit import event

# Values that only a program can send.
HUGE = 10**9
ANNOUNCED: dict[str, dict[str, Value]] = {"swiss": {"rounds": 9}}


@pytest.mark.parametrize("form", FORMATS)
def test_each_format_has_a_limit_and_makes_no_more_than_it_says(form: str) -> None:
    options: dict[str, Value] = ANNOUNCED.get(form, {})
    most = limits.find_most_entrants(event(2, form, **options).stages)

    assert 60 <= most <= 1_024
    size = min(most, 65)
    said = event(size, form, **options)
    limits.require_size(said)
    assert len(stages.propose(said).places) <= limits.count_places(said.stages[0], size) <= limits.MOST_PLACES
    with pytest.raises(limits.TooManyEntrants) as refused:
        limits.require_size(event(most + 1, form, **options))
    assert (refused.value.most, refused.value.entrants) == (most, most + 1)


def test_what_clubs_play_is_allowed() -> None:
    for form, options, players in (
        *((form, {}, 1_024) for form, known in FORMATS.items() if known.is_elimination),
        ("swiss", {"rounds": 10}, 1_000),
        ("groups", {"size": 4}, 1_000),
        ("round-robin", {}, 60),
        ("league", {"times": 2}, 60),
        ("lives", {"lives": 3}, 1_000),
    ):
        limits.require_size(event(players, form, **options))


@pytest.mark.parametrize("form", FORMATS)
def test_no_option_is_a_way_around(form: str) -> None:
    """The largest integers a file can hold: refused, or within the limit of places."""
    for name, option in FORMATS[form].options.items():
        for value in (HUGE, 1):
            said = event(1_024, form, **{name: value})
            try:
                most = limits.find_most_entrants(said.stages)
            except BadOption:
                continue  # it is not a number at all
            assert limits.count_places(said.stages[0], most) <= limits.MOST_PLACES, (form, name, option)


@pytest.mark.parametrize(
    ("form", "options"),
    [
        ("round-robin", {"times": HUGE}),
        ("league", {"times": HUGE}),
        ("groups", {"times": HUGE}),
        ("swiss", {"rounds": HUGE}),
        ("lives", {"lives": HUGE}),
    ],
)
def test_what_nobody_could_play_has_room_for_nobody(form: str, options: dict[str, Value]) -> None:
    with pytest.raises(BadOption):
        limits.find_most_entrants(event(2, form, **options).stages)


def test_one_group_of_all_is_a_round_robin() -> None:
    assert limits.find_most_entrants(event(2, "groups", groups=1).stages) == 64
    assert limits.find_most_entrants(event(2, "groups", size=500).stages) == 64


def test_stages_count_together_and_each_by_whom_it_takes() -> None:
    swiss = replace(event(2, "swiss", rounds=5).stages[0], name="swiss")
    final = replace(event(2, "round-robin").stages[0], name="final")

    def most(*takes: Take) -> int:
        return limits.find_most_entrants((swiss, replace(final, takes=takes)))

    assert most(Take("swiss", 1, 8)) == 1_024
    assert most(Take("swiss", 1, None)) == 64
    assert most(Take("swiss", 1, 40), Take("swiss", 41, 80)) == 64
    groups = replace(event(2, "groups", size=4).stages[0], name="groups")
    best = replace(final, takes=(Take("groups", 1, 1, each_group=True),))
    assert limits.find_most_entrants((groups, best)) == 256

    many = tuple(replace(swiss, name=str(number)) for number in range(limits.MOST_STAGES + 1))
    assert limits.find_most_entrants(many) == 0


def test_long_texts_and_lists_are_refused() -> None:
    """Every option of every format that is not a number or one word."""
    tried = set()
    for form, known in FORMATS.items():
        for name, option in known.options.items():
            long: dict[type, Value] = {
                Text: "A" * 100_000,
                Texts: ("A",) * 100_000,
                Choices: tuple(option_words(option)) * 100_000,
            }
            if type(option) in long:
                tried.add(type(option))
                with pytest.raises(BadOption):
                    limits.find_most_entrants(event(2, form, **{name: long[type(option)]}).stages)
    assert tried


def option_words(option: Option[Any]) -> list[str]:
    return list(option.choices)[:1] if isinstance(option, Choices) else []


@pytest.mark.parametrize("asked", ["propose", "verify", "preview", "forecast"])
@pytest.mark.parametrize("form", FORMATS)
def test_the_command_refuses_and_works_nothing_out(
    form: str,
    asked: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def worked_out(*_: object, **__: object) -> None:
        raise AssertionError("it was worked out")

    monkeypatch.setattr(stages, "propose", worked_out)
    monkeypatch.setattr(stages, "propose_stage", worked_out)
    file = tmp_path / "event.json"
    pairs = {"pairs": [[1, 2]]}
    file.write_text(json.dumps({"format": form, "entrants": [*range(1, 3_000)], "rounds": [pairs]}))

    assert command.main([asked, str(file)]) == command.REFUSED
    assert "at most" in capsys.readouterr().err


def test_work_in_a_circle_grows_with_its_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of the last round is requested for each match, but computed once."""
    looked: list[int] = []
    honest = League.__dict__["last"].func

    def last(league: League) -> int:
        looked.append(1)
        return int(honest(league))

    monkeypatch.setattr(League.__dict__["last"], "func", last)
    stages.propose(event(30, "round-robin"))

    assert len(looked) == 1


def test_options_of_a_format_are_still_checked() -> None:
    with pytest.raises(BadOption):
        limits.find_most_entrants(
            (replace(event(2, "swiss").stages[0], options=Options.from_values(colour="red")),)
        )
