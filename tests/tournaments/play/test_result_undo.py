"""A slip at the desk: the last result taken back within half a minute, without a reason and with nothing lost."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from players.accounts import accounts
from players.clubs import clubs
from players.models import Role
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import text, url
from tests.tournaments.test_races_in_events import together
from tournaments.base.errors import AlreadyDone, NotJustEntered, NotRestorable
from tournaments.models import PairingState, Ruling, RulingKind
from tournaments.play import corrections, deadlines, inspection, results
from tournaments.status import Status


def back(desk: Desk, entered: Ruling) -> Ruling:
    return desk.do(corrections.undo_result, ruling_id=entered.pk)


def entered(desk: Desk, key: str) -> Ruling:
    """Enter a result; return the ruling that says so."""
    desk.play(key)
    found = offered(desk)
    assert found.data["key"] == key
    return found


def offered(desk: Desk) -> Ruling | None:
    """The ruling that the director can undo at the desk."""
    found = corrections.find_undoable_result(desk.event, desk.director, now=desk.now)
    return None if found is None else Ruling.objects.get(pk=found.ruling)


def test_a_deadline_that_passed_in_between_is_moved_by_that_time(desk: Desk) -> None:
    plan = a_plan("single-elimination")
    desk.start(
        replace(plan, stages=(replace(plan.stages[0], round_minutes=60, deadline_policy="double"),)), 4
    )
    key = next(iter(desk.pairs()))
    desk.now += timedelta(minutes=60, seconds=-10)
    made = entered(desk, key)
    desk.now += timedelta(seconds=20)
    back(desk, made)

    assert deadlines.sweep(desk.now) > 0, "the other match"
    assert desk.row(key).state == PairingState.READY
    desk.now += timedelta(seconds=10)
    deadlines.sweep(desk.now)
    assert desk.row(key).kind == "double forfeit"


@pytest.mark.parametrize("form", ["single-elimination", "double-elimination", "swiss", "round-robin"])
def test_all_is_as_it_was_before_the_result(desk: Desk, form: str) -> None:
    desk.start(a_plan(form), 4)
    key = next(iter(desk.pairs()))
    before = desk.image()["pairings"]

    made = back(desk, entered(desk, key))

    same = (
        "key",
        "a_id",
        "b_id",
        "state",
        "kind",
        "winner_id",
        "score_a",
        "score_b",
        "opened_at",
        "called_at",
    )
    after = desk.image()["pairings"]
    assert {pk: [row[name] for name in same] for pk, row in after.items()} == {
        pk: [row[name] for name in same] for pk, row in before.items()
    }
    assert made.act == RulingKind.RESTORED
    assert made.reason
    assert list(inspection.find_problems(desk.fresh())) == []
    desk.play(key)


def test_each_reader_sees_the_reason_in_their_own_language(desk: Desk, client: Client) -> None:
    desk.start(a_plan("single-elimination"), 4)
    made = entered(desk, next(iter(desk.pairs())))
    with translation.override("de"):
        back(desk, made)
    client.force_login(desk.director)

    for language, words in (("en", "Taken back at once"), ("de", "Sofort zurückgenommen")):
        log = client.get(url("rulings", desk.event.key), headers={"accept-language": language})
        assert words in text(log)


@pytest.mark.parametrize(("seconds", "is_in_time"), [(0, True), (30, True), (31, False)])
def test_half_a_minute(desk: Desk, seconds: int, is_in_time: bool) -> None:
    desk.start(a_plan("single-elimination"), 4)
    key = next(iter(desk.pairs()))
    ruling = entered(desk, key)
    desk.now += timedelta(seconds=seconds)

    assert (offered(desk) == ruling) is is_in_time
    if is_in_time:
        back(desk, ruling)
    else:
        with pytest.raises(NotJustEntered):
            back(desk, ruling)
    assert desk.row(key).state == (PairingState.READY if is_in_time else PairingState.DECIDED)


def test_the_one_before_comes_next_and_none_twice(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 4)
    first, second = desk.pairs()
    one, two = entered(desk, first), entered(desk, second)

    back(desk, two)

    with pytest.raises(AlreadyDone):
        back(desk, two)
    assert offered(desk) == one
    back(desk, one)
    assert offered(desk) is None
    assert {*desk.pairs()} == {first, second}


def test_nothing_that_follows_is_lost(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 4)
    first, second = desk.pairs()
    desk.play(first)
    ruling = entered(desk, second)
    (final,) = desk.pairs()
    desk.play(final)
    before = desk.image()

    with pytest.raises(NotJustEntered):
        back(desk, ruling)

    assert desk.image() == before
    assert not Ruling.objects.filter(tournament=desk.event, act=RulingKind.RESTORED).exists()


def test_the_last_result_of_all_opens_the_event_again(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 2)
    ruling = entered(desk, next(iter(desk.pairs())))
    assert desk.fresh().status == Status.FINISHED

    back(desk, ruling)

    assert desk.fresh().status == Status.RUNNING


def test_only_what_was_entered_by_oneself_and_still_stands(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 4)
    key = next(iter(desk.pairs()))
    ruling = entered(desk, key)
    other = accounts.register(email="o@example.org", password=None, name="Otis Fenn", now=desk.now)
    clubs.admit(club=desk.club, player=other.player, role=Role.DIRECTOR, now=desk.now)

    assert corrections.find_undoable_result(desk.event, other, now=desk.now) is None
    with pytest.raises(NotJustEntered):
        corrections.undo_result(tournament_id=desk.pk, ruling_id=ruling.pk, by=other, now=desk.now)

    desk.do(corrections.correct_result, key=key, score=(5, 3), reason="The wrong way round")
    with pytest.raises(NotRestorable):
        back(desk, ruling)


def test_a_result_that_a_correction_has_undone_is_not_offered(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 4)
    first, second = desk.pairs()
    for key in (first, second):
        desk.play(key)
    final = entered(desk, next(iter(desk.pairs())))

    desk.do(corrections.correct_result, key=first, kind="", reason="They play it again")

    # The final is undone with it; earlier results are still valid.
    with pytest.raises(NotRestorable):
        back(desk, final)
    found = offered(desk)
    assert found.data["key"] == second


@pytest.mark.django_db(transaction=True)
def test_of_four_who_take_one_result_back_one_does(
    db: None, now: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    desk = Desk(now)
    desk.start(a_plan("double-elimination"), 8)
    ruling = entered(desk, next(iter(desk.pairs())))

    told = together([lambda: back(desk, ruling)] * 4)

    assert told == {"done": 1, "already_done": 3}
    assert list(inspection.find_problems(desk.fresh())) == []


@pytest.mark.django_db(transaction=True)
def test_the_next_match_is_ended_or_the_result_is_taken_back(
    db: None, now: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    desk = Desk(now)
    desk.start(a_plan("single-elimination"), 4)
    first, second = desk.pairs()
    desk.play(first)
    ruling = entered(desk, second)
    (final,) = desk.pairs()

    told = together(
        [lambda: back(desk, ruling), lambda: desk.do(results.enter_result, key=final, score=(5, 0))]
    )

    assert told["done"] == 1
    assert desk.row(final).state == (
        PairingState.DECIDED if desk.row(second).state == PairingState.DECIDED else PairingState.WAITING
    )
    assert list(inspection.find_problems(desk.fresh())) == []
