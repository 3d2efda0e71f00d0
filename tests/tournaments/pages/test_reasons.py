"""Why: reasons are kept with what they explain, and every one of them has a sentence."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.utils import translation

import draw
from draw.formats import FORMATS, list_sentences
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.base import event_view, reason_words, seating
from tournaments.models import Draw, Pairing, PairingState, Round
from tournaments.pages import reasons
from tournaments.pages.reasons import Explanation
from tournaments.plan import drawing
from tournaments.plan.templates import StagePlan
from tournaments.play import arrivals, corrections, departures, event_control

pytestmark = pytest.mark.django_db
FIELD = re.compile(r"\{(\w+)\}")
PERCENT = re.compile(r"%\((\w+)\)s")


def names(number: int) -> str:
    return f"Guest {number}"


def why(desk: Desk, key: str) -> tuple[Explanation, ...]:
    row = Pairing.objects.select_related("a", "b", "stage__draw").get(tournament=desk.event, key=key)
    return reasons.Explainer(names).of_row(row)


def kept(desk: Desk) -> dict[str, list[dict[str, Any]]]:
    return dict(Pairing.objects.filter(tournament=desk.event).values_list("key", "why"))


def codes(desk: Desk, number: int) -> dict[str, list[str]]:
    rows = Pairing.objects.filter(tournament=desk.event, round__number=number)
    return {row.key: [one["code"] for one in row.why] for row in rows}


def play_round(desk: Desk) -> None:
    """The first seat wins every match."""
    for row in desk.open():
        desk.play(row.key, row.a.number)


# -- the table


@pytest.mark.parametrize("form", sorted(FORMATS))
def test_every_code_of_the_library_has_a_sentence_with_the_same_figures(form: str) -> None:
    ours = reason_words.get_sentences(form)
    for code, sentence in list_sentences(form).items():
        with translation.override(None):
            assert set(PERCENT.findall(str(ours[code]))) == set(FIELD.findall(sentence)), code


def test_every_code_in_the_source_of_the_library_is_in_a_table() -> None:
    known = {code for form in FORMATS for code in list_sentences(form)}
    folder = Path(draw.__file__).parent
    given = {code for file in folder.rglob("*.py") for code in _literals(ast.parse(file.read_text("utf-8")))}
    assert len(given) > 20
    assert given <= known


def test_the_document_of_the_api_names_every_code() -> None:
    page = (Path(draw.__file__).parents[1] / "docs" / "api.md").read_text("utf-8")
    told = page.partition(" say `why`")[2].partition("\n\n")[0]
    # These are of a proposal alone, and of no row.
    unstored = {"draw", "fell", "no line"}
    tables = (reason_words.ROUNDS, reason_words.SHEETS, reason_words.ORDER, reason_words.OWN)
    assert {code for table in tables for code in table} - unstored <= set(re.findall(r"`([a-z -]+)`", told))


def _literals(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Reason":
            code = node.args[0]
            for one in (code.body, code.orelse) if isinstance(code, ast.IfExp) else (code,):
                if isinstance(one, ast.Constant) and isinstance(one.value, str):
                    yield one.value


# -- rounds keep theirs


def test_a_round_keeps_why_it_was_paired_so(desk: Desk) -> None:
    desk.start(a_plan("swiss", rounds=4), 3)
    assert codes(desk, 1) == {"r1.1": ["level"], "r1.bye": ["bye"]}
    for _ in range(3):
        play_round(desk)
    last = codes(desk, 4)
    assert "again" in last["r4.1"]
    again = next(one for one in why(desk, "r4.1") if one.code == "again")
    assert "no round without a rematch was left" in again.sentence
    assert set(again.entries) == {"a", "b"}
    floats = [code for number in range(2, 5) for each in codes(desk, number).values() for code in each]
    assert "across" in floats
    bye = why(desk, "r1.bye")[0]
    row = desk.row("r1.bye")
    assert bye.entries == {"entrant": row.a.number if row.a else 0}
    assert bye.sentence.startswith(f"Guest {bye.entries['entrant']} sits out and gets 1 point, because ")


@pytest.mark.long
def test_what_comes_in_later_changes_no_reason_of_a_round_that_is_played(desk: Desk) -> None:
    desk.start(a_plan("swiss", rounds=4), 5)
    before = kept(desk)
    assert all(before.values())
    while desk.open():
        play_round(desk)
        assert kept(desk).items() >= before.items()
        before = kept(desk)
    assert {key.partition(".")[0] for key in before} == {"r1", "r2", "r3", "r4"}


def test_a_correction_of_an_earlier_round_changes_no_reason(desk: Desk) -> None:
    desk.start(a_plan("swiss", rounds=4), 5)
    first = desk.open()[0]
    play_round(desk)
    before = kept(desk)
    row = desk.row(first.key)
    assert row.b is not None
    loser = row.b.number if row.winner_id == row.a_id else row.a.number
    score = (row.length, 0) if loser == row.a.number else (0, row.length)
    desk.do(
        corrections.correct_result, key=first.key, score=score, reason="Written down the wrong way round."
    )
    assert kept(desk) == before


def test_taking_a_published_round_back_brings_back_why_it_was_drafted_so(desk: Desk) -> None:
    desk.start(a_plan([StagePlan(format="swiss", options={"rounds": 3}, pairs="draft")]), 6)
    before = kept(desk)
    one, other, _third = seating.load_seats(Round.objects.get(stage__tournament=desk.event, number=1))
    ruling = desk.do(
        event_control.publish_round, stage=1, number=1, exchanges=[(one.a, other.a)], reason="Sisters."
    )
    assert kept(desk) != before
    desk.do(corrections.undo_act, ruling_id=ruling.pk, reason="They are not.")
    assert kept(desk) == before


def test_a_bye_that_was_asked_for_says_so(desk: Desk) -> None:
    desk.start(a_plan("swiss", rounds=3), 5)
    desk.do(departures.give_bye, entry=4, round=2, points="1/2")
    play_round(desk)
    given = [one for key in codes(desk, 2) for one in why(desk, key) if one.code == "bye-asked"]
    assert [one.sentence for one in given] == ["Guest 4 asked to sit out and gets ½ points."]


def test_what_a_director_changes_by_hand_says_so_and_nothing_else(desk: Desk) -> None:
    plan = a_plan([StagePlan(format="swiss", options={"rounds": 3}, pairs="draft")])
    desk.start(plan, 6)
    drafted = seating.load_seats(Round.objects.get(stage__tournament=desk.event, number=1))
    assert [code for each in codes(desk, 1).values() for code in each] == ["level"] * 3
    one, other, third = drafted
    desk.do(
        event_control.publish_round,
        stage=1,
        number=1,
        exchanges=[(one.a, other.a)],
        reason="They came together.",
    )
    found = codes(desk, 1)
    assert found == {one.key: ["by director"], other.key: ["by director"], third.key: ["level"]}
    assert (
        why(desk, one.key)[0].sentence
        == "A director changed this pairing by hand before the round was published."
    )


def test_a_draft_that_is_paired_anew_has_the_reasons_of_the_new_one(desk: Desk) -> None:
    desk.start(a_plan([StagePlan(format="swiss", options={"rounds": 3}, pairs="draft")]), 4)
    desk.do(departures.mark_away, entries=[2])
    found = codes(desk, 1)
    assert sorted(code for each in found.values() for code in each) == ["bye", "level"]
    for key, given in kept(desk).items():
        row = desk.row(key)
        paired = {str(one.number) for one in (row.a, row.b) if one is not None}
        for reason in given:
            figures = reason["figures"]
            assert {figures[name] for name in ("a", "b", "entrant") if name in figures} == paired


def test_lives_and_cups_that_draw_each_round_afresh_keep_theirs(desk: Desk) -> None:
    desk.start(a_plan("lives", lives=2), 5)
    assert sorted(code for each in codes(desk, 1).values() for code in each) == ["bye", "level", "level"]
    assert "2 lives each" in " ".join(one.sentence for one in why(desk, "r1.1"))
    desk.start(a_plan("single-elimination", redraw=True), 6)
    play_round(desk)
    assert sorted(code for each in codes(desk, 2).values() for code in each) == ["redrawn", "redrawn"]


# -- sheets say it themselves


def test_a_sheet_says_who_has_a_bye_and_who_meets_whom(desk: Desk) -> None:
    desk.start(a_plan("single-elimination", draw="listed"), 6)
    assert not any(kept(desk).values())
    passing = Pairing.objects.filter(tournament=desk.event, state=PairingState.BYE).values_list(
        "key", flat=True
    )
    assert [[one.code for one in why(desk, key)] for key in passing] == [["bye"], ["bye"]]
    assert why(desk, passing[0])[0].sentence == (
        "Bye: seed 1 of 6 in a draw of 8; its byes (2) go to the top seeds."
    )
    play_round(desk)
    semi = why(desk, "main/2.1")[0]
    assert (semi.code, semi.sentence) == (
        "winners",
        "The winners of round 1, match 1 and round 1, match 2 meet.",
    )
    assert semi.places == {"a": "main/1.1", "b": "main/1.2"}


def test_a_latecomer_takes_a_bye_and_that_is_why(desk: Desk) -> None:
    desk.start(a_plan("single-elimination", draw="listed"), 7)
    desk.do(arrivals.enter_latecomer, name="Late")
    found = why(desk, "main/1.1")[0]
    assert (found.code, found.entries) == ("bye taken", {"entrant": 8})
    assert found.sentence == "Guest 8 came late and took the bye on line 2."


# -- the draw


def drawn(desk: Desk) -> list[str]:
    row = Draw.objects.select_related("stage").get(stage__tournament=desk.event)
    return [one.sentence for one in reasons.Explainer(names).of_draw(row.stage, row)]


def test_a_draw_says_what_the_lot_decided_and_who_has_the_byes(desk: Desk) -> None:
    desk.announce(a_plan("single-elimination", draw="random"), 6)
    desk.do(drawing.preview)
    assert drawn(desk) == [
        "The lot decided every line.",
        "6 players on 8 lines: the lot decided who has a bye (2).",
    ]
    desk.do(drawing.swap, line_a=3, line_b=5)
    # Where the byes are is not said again: they may be elsewhere now.
    assert drawn(desk) == ["The lot decided every line.", "A director exchanged lines 3 and 5."]
    desk.do(drawing.publish)
    assert drawn(desk)[-1] == "A director exchanged lines 3 and 5."


def test_a_draw_from_a_hat_says_so(desk: Desk) -> None:
    desk.announce(a_plan("single-elimination"), 4)
    desk.do(drawing.record_hand_draw, lines=[2, 1, 4, 3])
    assert drawn(desk) == ["The lines were drawn from a hat and entered by a director."]


def test_seeds_are_told_from_what_was_drawn(desk: Desk) -> None:
    desk.start(a_plan("single-elimination", draw="rating", seeds=2), 7)
    assert drawn(desk) == [
        "Of 7 players the top seeds (2) were placed by rating; the lot placed the others.",
        "7 players on 8 lines: seed 1 has a bye.",
    ]


def test_the_byes_beyond_the_seeds_are_by_lot(desk: Desk) -> None:
    desk.start(a_plan("single-elimination", draw="rating", seeds=2), 5)
    assert drawn(desk)[1] == "5 players on 8 lines: the seeds have a bye, and by lot 1 more."


@pytest.mark.parametrize(("draw", "code"), [("random", "opposite"), ("listed", "bye")])
def test_a_bye_that_was_drawn_by_lot_is_not_of_a_seed(desk: Desk, draw: str, code: str) -> None:
    desk.start(a_plan("single-elimination", draw=draw), 6)
    byes = desk.event.pairings.filter(state="bye").values_list("key", flat=True)
    assert [why(desk, key)[0].code for key in byes] == [code, code]


def test_reasons_of_a_page_are_those_of_the_row(desk: Desk) -> None:
    desk.start(a_plan("swiss", rounds=3), 5)
    view = event_view.load_view(desk.fresh())
    explainer = reasons.Explainer(lambda number: view.by_number[number].name)
    for key, given in kept(desk).items():
        told = explainer.of_play(view, view.by_key[key], given)
        assert [one.sentence for one in told] == [one.sentence for one in why(desk, key)]
