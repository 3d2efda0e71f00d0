"""Directors, players, the clock and workers at one event in the same moment: first with the guards off, then on.

The guards are the lock on the event's row and the compare-and-set of the result. On SQLite, where transactions take
turns from their first statement on, there is nothing to show; the races themselves are run on both.
"""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import DatabaseError, connection, connections, transaction

from players.accounts import accounts
from players.clubs import merging
from players.models import Player, User
from runtime.refusals import Refusal
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.base import bracket_cache
from tournaments.base.errors import TournamentError
from tournaments.models import Entry, Pairing, PairingState, Ruling, RulingKind, Tournament
from tournaments.play import (
    arrivals,
    backlog,
    changes,
    deadlines,
    departures,
    inspection,
    pairing_jobs,
    progress,
    results,
)
from tournaments.status import Status

Act_ = Callable[[], Any]

pytestmark = pytest.mark.django_db(transaction=True)

DIRECTORS, WORKERS = 2, 5
LONGEST = 60


@pytest.fixture
def desk(db: None, now: Any, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A desk without the check after each act, because many threads act at once."""
    monkeypatch.undo()
    return Desk(now)


def together(acts: list[Act_]) -> Counter[str]:
    """Run all acts at once, each in its own thread, and count their answers."""
    told: Counter[str] = Counter()
    gate = threading.Barrier(len(acts))

    def run(act: Act_) -> None:
        try:
            gate.wait(LONGEST)
            act()
            told["done"] += 1
        except Refusal as refusal:
            told[refusal.code] += 1
        except DatabaseError as problem:
            told[type(problem).__name__] += 1
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LONGEST)
    return told


def wrong(desk: Desk) -> list[str]:
    return list(inspection.find_problems(desk.fresh()))


def entered(desk: Desk) -> Counter[str]:
    """Count how often a result was entered for each match."""
    rulings = Ruling.objects.filter(tournament=desk.event, act=RulingKind.ENTERED_RESULT)
    return Counter(data["key"] for data in rulings.values_list("data", flat=True))


# -- one match


def test_of_eight_who_enter_one_result_one_does(desk: Desk) -> None:
    desk.start(a_plan("double-elimination"), 8)
    key = next(iter(desk.pairs()))

    told = together(
        [
            lambda score=score: desk.do(results.enter_result, key=key, score=score)  # type: ignore[misc]
            for score in [(5, 0), (0, 5), (5, 1), (1, 5), (5, 2), (2, 5), (5, 3), (3, 5)]
        ]
    )

    assert told == {"done": 1, "result_stands": 7}
    assert entered(desk)[key] == 1
    assert wrong(desk) == []


def test_the_last_two_results_of_a_round_make_one_next_round(desk: Desk) -> None:
    desk.start(a_plan("swiss", rounds=3), 8)
    first, second, *others = desk.pairs()
    for key in others:
        desk.play(key)

    told = together([lambda: desk.play(first), lambda: desk.play(second)])

    assert told == {"done": 2}
    assert Pairing.objects.filter(tournament=desk.event, round__number=2).count() == 4
    assert wrong(desk) == []


@pytest.mark.services
def test_without_the_guards_two_results_of_one_match_are_entered(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite's writers stand in line anyway")
    desk.start(a_plan("swiss", rounds=3), 8)
    key = next(iter(desk.pairs()))
    read = threading.Barrier(2)
    honest = progress.store_result

    def late(row: Pairing, kind: Any, **what: Any) -> None:
        read.wait(LONGEST)
        # Only by its number, not by what was read of it.
        Pairing.objects.filter(pk=row.pk).update(state=PairingState.READY, kind="", winner=None)
        honest(row, kind, **what)

    monkeypatch.setattr(progress, "store_result", late)
    monkeypatch.setattr(
        changes, "lock_event", lambda pk: Tournament.objects.select_related("club").get(pk=pk)
    )

    told = together(
        [
            lambda: desk.do(results.enter_result, key=key, score=(5, 0)),
            lambda: desk.do(results.enter_result, key=key, score=(0, 5)),
        ]
    )

    assert told == {"done": 2}
    assert entered(desk)[key] == 2


@pytest.mark.services
def test_without_the_lock_the_next_round_is_never_made_or_made_twice(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite's writers stand in line anyway")
    desk.start(a_plan("swiss", rounds=3), 8)
    first, second, *others = desk.pairs()
    for key in others:
        desk.play(key)
    stored = threading.Barrier(2)
    honest = progress.advance

    def together_with_the_other(event: Tournament, **what: Any) -> Any:
        stored.wait(LONGEST)
        return honest(event, **what)

    monkeypatch.setattr(progress, "advance", together_with_the_other)
    monkeypatch.setattr(
        changes, "lock_event", lambda pk: Tournament.objects.select_related("club").get(pk=pk)
    )

    together([lambda: desk.play(first), lambda: desk.play(second)])

    assert wrong(desk) != []


# -- a whole night


def act_at_random(desk: Desk, rng: random.Random) -> Act_:
    """A random next act of a director, which may be concurrent with others."""
    chosen = rng.random()
    todo = desk.open()
    if chosen < 0.8 and todo:
        row = rng.choice(todo)
        score = rng.choice([(row.length, 0), (0, row.length)])
        return lambda: desk.do(results.enter_result, key=row.key, score=score)
    if chosen < 0.9:
        entries = list(Entry.objects.filter(tournament=desk.event, left="").values_list("number", flat=True))
        return lambda: desk.do(departures.withdraw_entry, entry=rng.choice(entries))
    name = f"Late {rng.randrange(1000)}"
    return lambda: desk.do(arrivals.enter_latecomer, name=name)


@pytest.mark.long
@pytest.mark.parametrize(
    ("form", "players", "at_once"),
    [
        ("double-elimination", 16, True),
        ("swiss", 12, True),
        ("swiss", 12, False),
        ("last-chance", 16, True),
    ],
)
def test_directors_and_workers_at_one_event(
    desk: Desk, form: str, players: int, at_once: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not at_once:
        monkeypatch.setattr(backlog, "MOST_PLAYERS", 0)
    options = {"rounds": 4} if form == "swiss" else {}
    desk.start(a_plan(form, **options), players)

    def direct(rng: random.Random) -> None:
        with suppress(TournamentError, IndexError):
            act_at_random(desk, rng)()

    def work(late: timedelta) -> None:
        if at_once:
            progress.advance_event(tournament_id=desk.pk, now=desk.now)
        pairing_jobs.sweep(desk.now + pairing_jobs.PATIENCE)
        deadlines.sweep(desk.now + late)
        assert wrong_under_lock(desk) == []

    problems = until_it_is_over(
        desk,
        *(partial(direct, random.Random(f"{form} {number}")) for number in range(DIRECTORS)),
        *(partial(work, timedelta(minutes=number)) for number in range(WORKERS)),
    )

    assert problems == []
    assert desk.fresh().status == Status.FINISHED
    assert wrong(desk) == []
    assert max(entered(desk).values()) == 1, "one result, once"


def until_it_is_over(desk: Desk, *acts: Act_) -> list[BaseException]:
    """Repeat everyone's acts until the event is over, and return the errors."""
    problems: list[BaseException] = []

    def go_on(act: Act_) -> None:
        try:
            while Tournament.objects.get(pk=desk.pk).status == Status.RUNNING:
                act()
        except BaseException as problem:
            problems.append(problem)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=go_on, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LONGEST)
    return problems


def wrong_under_lock(desk: Desk) -> list[str]:
    """Find problems under the event's lock, so that no writer interferes."""
    with transaction.atomic():
        return list(inspection.find_problems(changes.lock_event(desk.pk)))


# -- a board that is kept between results


@pytest.mark.long
def test_a_change_that_is_rolled_back_leaves_no_trace_on_the_board(desk: Desk) -> None:
    desk.start(a_plan("double-elimination"), 8)
    first, second, *_ = desk.pairs()
    desk.play(first)
    with transaction.atomic():
        desk.play(second)
        transaction.set_rollback(True)

    desk.play(second, max(desk.pairs()[second]))

    assert wrong(desk) == []
    assert bracket_cache.find_ranking(desk.fresh()) is not None
    desk.play_out()
    assert wrong(desk) == []


# -- one person, two rows


@pytest.mark.long
@pytest.mark.parametrize("act", ["let in", "erase"])
def test_a_guest_is_merged_or_erased_while_their_event_goes_on(desk: Desk, act: str) -> None:
    """Merging locks the event before the player, the same order as everywhere, so there is no deadlock."""
    for number in range(6):
        event = desk.start(a_plan("swiss", rounds=3), 4)
        account = desk.member(f"Ada {number}")
        guest = desk.player(2)

        def leave(guest: Player = guest, account: User = account) -> None:
            if act == "erase":
                accounts.erase(user=account, now=desk.now)
            else:
                merging.merge_guest(kept=account.player, dropped=guest, by=desk.director, now=desk.now)

        def enter(event: Tournament = event, account: User = account) -> None:
            arrivals.enter_latecomer(
                tournament_id=event.pk, player_key=account.player.key, by=desk.director, now=desk.now
            )

        told = together([leave, enter])
        assert "OperationalError" not in told
        assert wrong(desk) == []
