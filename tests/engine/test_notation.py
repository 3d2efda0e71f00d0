"""Plays in writing: what is read, how it is spelled, and that the one undoes the other."""

from __future__ import annotations

import random

import pytest

from engine.board import Step
from engine.dice import ROLLS
from engine.errors import Unreadable
from engine.formats.notation import format_play, parse_play
from engine.plays import format_steps, legal_plays
from engine.resolve import resolve_play
from engine.sheet import Hop
from engine.side import Side
from tests.engine.slow_plays import random_board


@pytest.mark.parametrize(
    ("text", "hops"),
    [
        ("", ()),
        ("8/5 6/5", (Hop((8, 5)), Hop((6, 5)))),
        ("bar/22", (Hop((25, 22)),)),
        ("Bar/15*(2)", (Hop((25, 15), (15,), 2),)),
        ("BAR/20*/15", (Hop((25, 20, 15), (20,)),)),
        ("25/22 6/0", (Hop((25, 22)), Hop((6, 0)))),
        ("15/Off", (Hop((15, 0)),)),
        ("6/off(2)", (Hop((6, 0), (), 2),)),
        ("6/1*(2)", (Hop((6, 1), (1,), 2),)),
        ("6/1(2)*", (Hop((6, 1), (1,), 2),)),
        ("24/20*/16", (Hop((24, 20, 16), (20,)),)),
        ("24/20/16*", (Hop((24, 20, 16), (16,)),)),
        ("5/4*(4)", (Hop((5, 4), (4,), 4),)),
        ("0/0", (Hop((0, 0)),)),
    ],
)
def test_what_is_read(text: str, hops: tuple[Hop, ...]) -> None:
    assert parse_play(text) == hops
    assert parse_play(text.upper()) == hops


@pytest.mark.parametrize(
    "text",
    [
        *(
            "8",
            "8/",
            "/5",
            "8/5/",
            "26/20",
            "8//5",
            "8-5",
            "8/5(0)",
            "8/5(x)",
            "8/5**",
            "x/5",
            "08/5",
            "8/5,",
        ),
        *("٨/5", "8/7/6/5/4/3", "8/5(12)", "*8/5", "8*/5"),
    ],
)
def test_what_is_no_play(text: str) -> None:
    with pytest.raises(Unreadable) as refused:
        parse_play(text)
    assert refused.value.code == "unread-play"


def test_a_play_has_few_words() -> None:
    assert len(parse_play("8/7 " * 16)) == 16
    with pytest.raises(Unreadable):
        parse_play("8/7 " * 17)


@pytest.mark.parametrize(
    ("steps", "hits", "human", "mat"),
    [
        ([], [], "", ""),
        ([(8, 5), (6, 5)], [], "8/5 6/5", "8/5 6/5"),
        ([(24, 18), (18, 13)], [], "24/13", "24/18 18/13"),
        ([(24, 18), (18, 13)], [18], "24/18*/13", "24/18* 18/13"),
        ([(24, 18), (18, 13)], [18, 13], "24/18*/13*", "24/18* 18/13*"),
        ([(6, 1), (6, 1)], [1], "6/1*(2)", "6/1* 6/1"),
        ([(25, 22), (25, 22), (22, 19), (22, 19)], [], "bar/19(2)", "25/22 25/22 22/19 22/19"),
        ([(13, 10), (13, 10), (10, 7)], [10], "13/10*/7 13/10", "13/10* 13/10 10/7"),
        ([(6, 0), (5, 0), (5, 0)], [], "6/off 5/off(2)", "6/0 5/0 5/0"),
        ([(10, 5), (5, 0)], [], "10/5 5/off", "10/5 5/0"),
        ([(8, 7), (8, 7), (8, 7), (8, 7)], [], "8/7(4)", "8/7 8/7 8/7 8/7"),
        # The order of the steps does not matter: a stop without a hit is not written.
        ([(20, 17), (22, 20)], [], "22/17", "20/17 22/20"),
        ([(18, 14), (24, 20), (20, 18)], [], "24/14", "18/14 24/20 20/18"),
        ([(6, 4), (6, 4), (8, 6), (8, 6)], [], "8/4(2)", "6/4 6/4 8/6 8/6"),
        ([(20, 17), (22, 20)], [17], "22/17*", "20/17* 22/20"),
        ([(4, 0), (6, 4)], [], "6/4 4/off", "4/0 6/4"),
    ],
)
def test_how_it_is_spelled(steps: list[tuple[int, int]], hits: list[int], human: str, mat: str) -> None:
    taken = [Step(*step) for step in steps]
    assert format_steps(taken, hits) == human
    assert format_play(taken, hits) == mat


def test_the_order_of_the_steps_changes_no_spelling() -> None:
    rng = random.Random(32)
    for _ in range(100):
        board, side, dice = random_board(rng), rng.choice(list(Side)), rng.choice(ROLLS)
        for play in legal_plays(board, side, dice)[:20]:
            shuffled = rng.sample(play.steps, len(play.steps))
            assert format_steps(shuffled, play.hits) == format_steps(play.steps, play.hits)


def test_what_is_spelled_is_understood() -> None:
    rng = random.Random(31)
    for _ in range(150):
        board, side, dice = random_board(rng), rng.choice(list(Side)), rng.choice(ROLLS)
        for play in legal_plays(board, side, dice)[:30]:
            for format_words in (format_steps, format_play):
                text = format_words(play.steps, play.hits)
                resolved = resolve_play(board, side, dice, parse_play(text))
                assert (resolved.play, resolved.fault, resolved.notes) == (play, None, ()), (
                    board,
                    side,
                    dice,
                    text,
                )
