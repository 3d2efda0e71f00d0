"""Plain plays that are added step by step have the same result as in the referee, which resolves each."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine import formats
from engine.referee import plain_plays
from engine.referee.case import Case
from engine.sheet import GameSheet, Sheet, Turn, TurnKind
from engine.side import BLACK, WHITE
from engine.statistics import PLAIN, count_any_facts, count_plain_facts
from engine.strokes import GONE, narrow_board, widen_position
from engine.verdict import judge_sheet
from tests.engine import selfplay
from tests.engine.shared import OURS, files

LENGTHS = (1, 3, 5)


def sheets() -> list[Sheet]:
    """The samples of every format, as written and without the marks of hits."""
    found: list[Sheet] = []
    for place in (OURS.played, OURS.faults):
        for name, data in files(place):
            if name.endswith((".mat", ".sgf", ".xg", ".sgg", ".tmg")):
                found += [each for each in formats.read(data) if isinstance(each, Sheet)]
                if name.endswith(".mat"):
                    found += [
                        each for each in formats.read(data.replace(b"*", b" ")) if isinstance(each, Sheet)
                    ]
    return found


def nothing(_: Case, index: int) -> int:
    return index


@pytest.mark.long
def test_added_up_or_not_the_verdict_and_the_facts_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = [judge_sheet(sheet) for sheet in sheets()]
    told = [(verdict.to_json(), verdict.record) for verdict in quick]
    monkeypatch.setattr(plain_plays, "apply_plain_plays", nothing)
    assert [(verdict.to_json(), verdict.record) for verdict in map(judge_sheet, sheets())] == told


def test_most_plays_of_a_sheet_are_added_up(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []
    run = plain_plays.apply_plain_plays

    def counted(case: Case, index: int) -> int:
        after = run(case, index)
        taken.append(after - index)
        return after

    monkeypatch.setattr(plain_plays, "apply_plain_plays", counted)
    (sheet,) = formats.read(formats.write(selfplay.match(3, 5), "mat"))
    assert isinstance(sheet, Sheet)
    judge_sheet(sheet)
    turns = [claim for game in sheet.games for claim in game.claims if isinstance(claim, Turn)]
    assert sum(taken) > 0.9 * len(turns)


def test_a_cell_reads_the_same_whenever_it_is_asked() -> None:
    (sheet,) = formats.read(formats.write(selfplay.match(3, 1), "mat"))
    assert isinstance(sheet, Sheet)
    for claim in sheet.games[0].claims:
        if isinstance(claim, Turn):
            again = Turn(
                claim.side,
                claim.dice,
                TurnKind.PLAY if claim.hops else TurnKind.NOTHING,
                claim.hops,
                text=claim.text,
            )
            assert (again, again.stroke, again.facts) == (claim, claim.stroke, claim.facts)


def test_a_board_is_widened_and_narrowed() -> None:
    match = selfplay.match(1, 1)
    for moment in match.moments():
        position = moment.before.game.board.position
        board, more = widen_position(position)
        assert narrow_board(board, more) == position
        assert not board & (GONE[WHITE] | GONE[BLACK])


@pytest.mark.parametrize("length", LENGTHS)
def test_figures_of_plain_facts_are_those_of_a_replay(length: int) -> None:
    record = selfplay.match(length, length)
    assert PLAIN.issuperset(map(type, record.actions))
    for most in (len(record.actions), len(record.actions) // 2, 5, 0):
        part = replace(record, actions=record.actions[:most])
        assert list(count_plain_facts(part)) == list(count_any_facts(part))


def test_a_game_sheet_without_claims_is_walked() -> None:
    (sheet,) = formats.read(formats.write(selfplay.match(3, 1), "mat"))
    assert isinstance(sheet, Sheet)
    empty = replace(sheet, games=(GameSheet(()),))
    assert judge_sheet(empty).games[0].plies == 0
