"""Records of the same match are equal, in every format."""

from __future__ import annotations

from engine.actions import (
    Beavered,
    Conceded,
    Doubled,
    Dropped,
    Opened,
    Paused,
    Played,
    ResignAccepted,
    ResignDeclined,
    ResignOffered,
    Resumed,
    Rolled,
    RuledPosition,
    RuledScore,
    TakenBack,
    TimeCredited,
    Took,
    VoidedGame,
)
from engine.board import STANDARD, Step
from engine.cube import Cube
from engine.dice import Dice
from engine.game import Termination
from engine.record import Record
from engine.rules import Rules
from engine.side import BySide, Side

W, B = Side.WHITE, Side.BLACK
NAMES = BySide("Ann", "Ben")
FIRST = (Opened(3, 1), Played(W, (Step(8, 5), Step(6, 5))))


THREE = Rules(length=3)


def record(*actions: object, rules: Rules = THREE) -> Record:
    return Record(NAMES, rules, actions)  # type: ignore[arg-type]


def test_what_was_taken_back_or_aside_is_not_told() -> None:
    plain = record(*FIRST, Doubled(B), Took(W))
    long = record(
        Opened(4, 4),
        *FIRST,
        Paused("rain"),
        Resumed(),
        Rolled(B, Dice(6, 6)),
        TakenBack(5, "cocked dice"),
        TimeCredited(B, 12_000),
        ResignOffered(B, 1),
        ResignDeclined(W),
        Doubled(B),
        Took(W),
    )
    assert long.digest() == plain.digest()
    assert [type(moment.action) for moment in long.story()] == [Opened, Played, Doubled, Took]


def test_the_order_of_the_steps_does_not_matter() -> None:
    other = (Opened(3, 1), Played(W, (Step(6, 5), Step(8, 5))))
    assert record(*FIRST).digest() == record(*other).digest()


def test_a_different_story_has_another_digest() -> None:
    digests = {
        record().digest(),
        record(rules=Rules(length=5)).digest(),
        record(*FIRST).digest(),
        record(*FIRST, Doubled(B), Dropped(W)).digest(),
        record(*FIRST, ResignOffered(B, 2), ResignAccepted(W)).digest(),
        record(*FIRST, Conceded(B)).digest(),
        record(RuledScore(BySide(1, 2)), *FIRST).digest(),
        record(*FIRST, RuledPosition(STANDARD, B, Cube())).digest(),
        record(*FIRST, Doubled(B), Beavered(W), rules=Rules.unlimited(beavers=True)).digest(),
    }
    assert len(digests) == 9


def test_chapters_are_games() -> None:
    told = record(
        *FIRST, Doubled(B), Dropped(W), *FIRST, ResignOffered(B, 1), ResignAccepted(W), Opened(2, 1)
    )
    first, second, third = told.chapters()
    assert (first.result.how, first.result.winner, first.game[0].before.score) == (
        Termination.DROP,
        B,
        BySide(0, 0),
    )
    assert (second.result.how, second.game[0].before.score) == (Termination.RESIGN, BySide(0, 1))
    assert (third.result, third.game[0].before.score) == (None, BySide(1, 1))
    assert told.replay().score == BySide(1, 1)


def test_a_match_given_up_between_games_leaves_a_chapter_without_a_game() -> None:
    first, second = record(*FIRST, Doubled(B), Dropped(W), Conceded(W)).chapters()
    assert first.result is not None
    assert second.result is None


def test_a_void_game_is_not_told() -> None:
    dropped = (*FIRST, Doubled(B), Dropped(W))
    told = record(*dropped, Opened(2, 1), VoidedGame("wrong set-up"), *FIRST)
    assert told.digest() == record(*dropped, *FIRST).digest()
