"""Players of one group meet again late in the side brackets, too, and the best winners have the byes (P82)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations, permutations, product

import pytest

from draw import seeding
from draw.brackets import knockout, qualifiers
from draw.brackets.structure import MAIN, Structure
from draw.event import (
    Draw,
    Entrant,
    EntrantId,
    Field,
    Key,
    Kind,
    Pairing,
    Ranked,
    Result,
    Round,
    Stage,
    State,
)
from draw.formats import FORMATS
from draw.groups import name_groups
from draw.options import Options, Value
from draw.random_stream import RandomStream

SIDED = (
    "progressive-consolation",
    "last-chance",
    "double-elimination",
    "consolation",
    "feed-in",
    "first-match-losers",
)


def qualified(groups: int, each: int) -> tuple[Ranked, ...]:
    return tuple(
        Ranked(EntrantId(f"{letter}{place}"), (place - 1) * groups + at, group=letter)
        for place in range(1, each + 1)
        for at, letter in enumerate(name_groups(groups), 1)
    )


def field(form: str, intake: tuple[Ranked, ...], **options: Value) -> Field:
    entrants = tuple(Entrant(one.entrant) for one in intake)
    return Field(Stage("cup", form, Options.from_values(**options)), entrants, seed="7", intake=intake)


def drawn(what: Field) -> seeding.DrawnLines:
    return knockout.get_draw(what, RandomStream(what.seed))


def structure(what: Field, lines: seeding.Lines) -> Structure:
    return knockout.build_structure(knockout.PRESETS[what.stage.format], what.options, lines)


def mates(intake: tuple[Ranked, ...]) -> list[tuple[EntrantId, EntrantId]]:
    return [pair for group in qualifiers.group_qualifiers(intake) for pair in combinations(group, 2)]


def in_main(intake: tuple[Ranked, ...], lines: seeding.Lines) -> list[int]:
    """Count pairs of one group by the round in which they could first meet."""
    rounds = Counter((lines.index(a) ^ lines.index(b)).bit_length() for a, b in mates(intake))
    return [rounds[at] for at in range(len(lines).bit_length())]


def beside(intake: tuple[Ranked, ...], lines: seeding.Lines, made: Structure) -> list[float]:
    """The expected number of meetings of one group in each side round, in the order of play."""
    chances = qualifiers._find_meetings(made)
    total = dict.fromkeys(sorted({at for meetings in chances.values() for at in meetings}), 0.0)
    for a, b in mates(intake):
        one, other = sorted((lines.index(a), lines.index(b)))
        for at, likely in chances.get((one, other), {}).items():
            total[at] += likely
    return list(total.values())


@pytest.mark.parametrize("winners", [*product((0, 1), repeat=4)])
def test_losers_of_quarter_finals_who_met_in_their_group_do_not_meet_at_once_again(
    winners: tuple[int, ...],
) -> None:
    what = field("progressive-consolation", qualified(4, 2))
    lines = drawn(what).lines
    pairs = list(zip(lines[::2], lines[1::2], strict=True))
    made = tuple(
        Pairing(Key(f"main/1.{at}"), a, b, Result(Kind.PLAYED, (a, b)[won]))
        for at, ((a, b), won) in enumerate(zip(pairs, winners, strict=True), 1)
        if a and b
    )
    proposal = FORMATS["progressive-consolation"].propose(
        replace(what, rounds=(Round(1, made),)), RandomStream("7")
    )
    first = [place for place in proposal.places if place.key.startswith("consolation/1.")]
    assert [place.state for place in first] == [State.READY, State.READY]
    assert all(a[0] != b[0] for a, b in (place.entrants for place in first))


@pytest.mark.long
@pytest.mark.parametrize("form", SIDED)
@pytest.mark.parametrize("each", [1, 2, 3, 4])
def test_nothing_gets_worse_whatever_the_size(form: str, each: int) -> None:
    for groups in range(2, 64 // each + 1):
        if groups * each < 4 or (groups * each > 24 and groups % 3):
            continue
        intake = qualified(groups, each)
        what, before = field(form, intake), qualifiers.draw_crosswise(intake)
        lines = drawn(what).lines
        assert in_main(intake, lines) == in_main(intake, before) or in_main(intake, lines) < in_main(
            intake, before
        )
        assert lines[0] == before[0]
        assert [one is None for one in lines] == [one is None for one in before]
        had_bye, has_bye = (
            {draw[at ^ 1] for at, one in enumerate(draw) if one is None} for draw in (before, lines)
        )
        assert had_bye == has_bye
        made = structure(what, before)
        assert made is structure(what, lines)
        if in_main(intake, lines) == in_main(intake, before):
            assert beside(intake, lines, made) <= beside(intake, before, made)


@pytest.mark.long
@pytest.mark.parametrize("form", SIDED)
@pytest.mark.parametrize("groups", [3, 4])
def test_no_order_of_the_lines_is_better_for_eight(form: str, groups: int) -> None:
    """Among all orders that are as good in the main draw and keep the byes."""
    intake = qualified(groups, 2)
    what = field(form, intake)
    lines = drawn(what).lines
    made, main = structure(what, lines), in_main(intake, lines)
    spots = [at for at, one in enumerate(lines) if one is not None]
    byes = {at for at in spots if lines[at ^ 1] is None}
    best = min(
        beside(intake, tried, made)
        for order in permutations([one.entrant for one in intake])
        if {who for at, who in zip(spots, order, strict=True) if at in byes} == {lines[at] for at in byes}
        for tried in [_lined(dict(zip(spots, order, strict=True)), len(lines))]
        if in_main(intake, tried) == main
    )
    assert beside(intake, lines, made) == pytest.approx(best)


def _lined(who: dict[int, EntrantId], size: int) -> seeding.Lines:
    return tuple(who.get(at) for at in range(size))


def test_a_draw_that_is_published_stays() -> None:
    intake = qualified(4, 2)
    lines = qualifiers.draw_crosswise(intake)
    what = replace(field("progressive-consolation", intake), draw=Draw("cup", lines, "cross"))
    assert drawn(what).lines == lines


def test_a_knock_out_without_side_brackets_is_crossed_as_it_was() -> None:
    for groups in (2, 3, 4, 6, 8):
        intake = qualified(groups, 2)
        assert drawn(field("single-elimination", intake)).lines == qualifiers.draw_crosswise(intake)


def test_the_draw_says_when_those_of_one_group_can_meet_again() -> None:
    made = drawn(field("progressive-consolation", qualified(4, 2)))
    (said,) = [one for one in seeding.explain_draw(made, "cup") if one.code == "group again"]
    assert dict(said.figures) == {"side": "consolation", "round": 2}
    alone = drawn(field("progressive-consolation", qualified(2, 2)))
    (said,) = [one for one in seeding.explain_draw(alone, "cup") if one.code == "group again"]
    assert dict(said.figures)["round"] == 1
    assert all(node.bracket == MAIN for node in structure(field("single-elimination", ()), made.lines).nodes)


def test_the_best_winners_have_the_byes() -> None:
    """Six advance and two have byes: the winners with the best scores, independent of group names."""
    intake = tuple(
        replace(one, rank={"A": 3, "B": 1, "C": 2}[one.group]) if one.entrant.endswith("1") else one
        for one in qualified(3, 2)
    )
    for form, options in (("single-elimination", {}), ("progressive-consolation", {"draw": "listed"})):
        lines = drawn(field(form, intake, **options)).lines
        assert {lines[at ^ 1] for at, one in enumerate(lines) if one is None} == {"B1", "C1"}
        assert lines[0] == "B1"
