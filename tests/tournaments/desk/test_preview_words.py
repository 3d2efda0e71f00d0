"""What an act would lead to, in sentences: each kind of change, with everything that may be missing in it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from draw.comparison import PlaceChange, PlaceChangeKind
from draw.event import EntrantId, From, Key, Kind, Place, Proposal, Ranked, Result, Seat, State
from tournaments.desk import previews
from tournaments.play.preview import ActPreview

NAMES = {1: "Ada", 2: "Bob", 3: "Cleo", 4: "Dan"}
ADA, BOB, CLEO, DAN = ("1", "2", "3", "4")
A_WIN: Any = Result(Kind.PLAYED, ADA, (7, 3))  # type: ignore[arg-type]
B_WIN: Any = Result(Kind.PLAYED, BOB, (5, 7))  # type: ignore[arg-type]
NO_SHOW: Any = Result(Kind.NO_SHOW, ADA)  # type: ignore[arg-type]
BOTH_LOST: Any = Result(Kind.DOUBLE_FORFEIT)


def describe_change(one: PlaceChange, state: State | None = None, *seated: str) -> str:
    view: Any = SimpleNamespace(
        by_key={}, by_number={number: SimpleNamespace(name=name) for number, name in NAMES.items()}
    )
    seats: list[Any] = [Seat(From.WINNER, entrant=who) for who in (*seated, None, None)]  # type: ignore[arg-type]
    places = () if state is None else (Place(one.key, seats[0], seats[1], state, 1, 1),)
    seen = ActPreview((one,), Proposal(), Proposal(places=places), lost=(), dropped=0, seated={})
    (effect,) = previews.describe_preview(view, seen).effects
    return effect.sentence


def ripple(
    change: PlaceChangeKind, before: str = "", after: str = "", old: Any = None, new: Any = None
) -> PlaceChange:
    two: list[tuple[EntrantId, ...]] = [tuple(each) for each in (before, after)]  # type: ignore[misc]
    return PlaceChange(Key("main/2.1"), change, two[0], two[1], old, new)


@pytest.mark.parametrize(
    ("one", "state", "sentence"),
    [
        (ripple(PlaceChangeKind.TURNS, "12", "12", None, A_WIN), None, "Ada and Bob: Ada won 7\u20133."),
        (ripple(PlaceChangeKind.TURNS, "12", "12", A_WIN, B_WIN), None, "Ada and Bob: now Bob won 7\u20135."),
        (ripple(PlaceChangeKind.TURNS, "12", "12", A_WIN, NO_SHOW), None, "Ada and Bob: now Ada won (no-show)."),
        (ripple(PlaceChangeKind.TURNS, "12", "12", A_WIN, BOTH_LOST), None, "Ada and Bob: now double forfeit."),
        (ripple(PlaceChangeKind.TURNS, "12", "12", A_WIN, None), None, "Ada and Bob: to be played again."),
        (ripple(PlaceChangeKind.SWAPS, "12", "13"), None, "Ada and Cleo instead of Ada and Bob."),
        (
            ripple(PlaceChangeKind.SWAPS, "23", "12", None, NO_SHOW),
            None,
            "Ada and Bob instead of Bob and Cleo: Ada won (no-show).",
        ),
        (ripple(PlaceChangeKind.FALLS, "12"), State.WAITING, "Ada and Bob no longer meet; the new pairing is not known yet."),
        (
            ripple(PlaceChangeKind.FALLS, "12", "1"),
            State.WAITING,
            "Ada and Bob no longer meet; who Ada will meet is not known yet.",
        ),
        (
            ripple(PlaceChangeKind.FALLS, "12", "1"),
            State.BYE,
            "Ada and Bob no longer meet: Ada goes on without playing.",
        ),
        (ripple(PlaceChangeKind.FALLS, "12"), State.VACANT, "Ada and Bob no longer meet."),
        (ripple(PlaceChangeKind.FALLS, "12"), None, "Ada and Bob no longer meet."),
        (ripple(PlaceChangeKind.ARISES, "", "12"), None, "Ada and Bob meet."),
        (ripple(PlaceChangeKind.ARISES, "", "12", None, NO_SHOW), None, "Ada and Bob: Ada won (no-show)."),
        (ripple(PlaceChangeKind.PASSES, "", "4"), State.BYE, "Dan goes on without playing."),
        (ripple(PlaceChangeKind.PASSES, "3", "4"), State.BYE, "Dan, not Cleo, goes on without playing."),
        (ripple(PlaceChangeKind.PASSES, "3", ""), State.VACANT, "Cleo no longer comes here."),
    ],
)  # fmt: skip
def test_each_kind_of_change_is_a_sentence_that_is_true(
    one: PlaceChange, state: State | None, sentence: str
) -> None:
    assert (
        describe_change(one, state).replace("No-show", "no-show").replace("Double forfeit", "double forfeit")
        == sentence
    )


def test_who_loses_a_bye_to_a_match_is_told_so() -> None:
    one = ripple(PlaceChangeKind.PASSES, "3", "")
    assert (
        describe_change(one, State.WAITING, CLEO)
        == "Cleo no longer goes on without playing: an opponent will come."
    )


def test_every_change_has_its_sentence() -> None:
    assert set(previews.SENTENCES) == set(PlaceChangeKind) - {PlaceChangeKind.STANDS}


@pytest.mark.parametrize(
    ("before", "after", "is_said"),
    [
        # One more comes in: everybody who is still in could finish one place further down.
        (Ranked(EntrantId("1"), 1, 16, is_open=True), Ranked(EntrantId("1"), 1, 17, is_open=True), False),
        (Ranked(EntrantId("1"), 1, 16, is_open=True), Ranked(EntrantId("1"), 9, 8, is_open=True), True),
        (Ranked(EntrantId("1"), 1, 16, is_open=True), Ranked(EntrantId("1"), 16), True),
        (Ranked(EntrantId("1"), 5, 4), Ranked(EntrantId("1"), 5, 3), True),
        (Ranked(EntrantId("1"), 5, 4), Ranked(EntrantId("1"), 5, 4), False),
    ],
)
def test_a_forecast_leaves_out_that_others_came_or_went(before: Ranked, after: Ranked, is_said: bool) -> None:
    assert previews._is_worth_saying(before, after) is is_said
