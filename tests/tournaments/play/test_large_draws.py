"""A long draw is a worker's errand: published at once, worked out without a lock, written in portions, and said on pages."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from draw import fixpoint
from draw.formats import FORMATS
from draw.limits import TooManyEntrants
from draw.options import BadOption
from runtime.models import Outbox
from runtime.work import cpu, outbox
from tests.deliveries import deliver
from tests.matches.http import Caller
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.play.test_capacity import crowd
from tournaments.models import Pairing, Tournament
from tournaments.plan import drawing
from tournaments.play import backlog, capacity, inspection, pairing_jobs, progress, results
from tournaments.play.backlog import Work, find_waiting_work
from tournaments.play.place_rows import PlaceRows
from tournaments.play.reconciliation import Reconciler

pytestmark = pytest.mark.django_db

# A portion is 500 rows of 43 columns: some 25 statements of SQLite, and what surrounds them.
MOST_STATEMENTS = 90
OPTIONS: dict[str, dict[str, Any]] = {"swiss": {"rounds": 9}}


@pytest.fixture(autouse=True)
def _nobody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairing_jobs, "PAUSE", 0)


def made(desk: Desk) -> int:
    return Pairing.objects.filter(tournament=desk.event).count()


@pytest.fixture
def drawn(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A round robin of 15 matches that counts as long, and is written four at a time."""
    monkeypatch.setattr(backlog, "MOST_DRAWN_PLACES", 10)
    monkeypatch.setattr(pairing_jobs, "PORTION", 4)
    desk.start(a_plan("league"), 6)
    return desk


@pytest.mark.long
@pytest.mark.parametrize("form", FORMATS)
def test_the_largest_draw_of_each_format_is_published_in_short_transactions(
    desk: Desk, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.announce(a_plan(form, **OPTIONS.get(form, {})))
    most = capacity.find_most_players(desk.event)
    crowd(desk, most)
    with CaptureQueriesContext(
        connection,
    ) as asked:
        desk.do(drawing.publish)
    assert len(asked) < MOST_STATEMENTS
    assert desk.fresh().pairing_at == desk.now

    portions: list[int] = []
    write = pairing_jobs._write_portion

    def counted(*what: Any, **more: Any) -> bool | None:
        with CaptureQueriesContext(connection) as asked:
            done = write(*what, **more)
        portions.append(len(asked))
        return done

    monkeypatch.setattr(pairing_jobs, "_write_portion", counted)
    # Held against what is proposed once, below.
    assert pairing_jobs.pair_event(tournament_id=desk.pk, now=desk.now)
    assert portions
    assert max(portions) < MOST_STATEMENTS
    assert list(inspection.find_problems(desk.fresh())) == []


def test_publishing_a_long_draw_leaves_its_matches_to_a_worker(drawn: Desk) -> None:
    assert (drawn.fresh().status, made(drawn)) == ("RUNNING", 0)
    assert find_waiting_work(drawn.event) is Work.DRAW
    assert Outbox.objects.filter(kind=backlog.KIND, done_at__isnull=True).count() == 1

    deliver(drawn.now)

    assert made(drawn) == 15
    assert find_waiting_work(drawn.fresh()) is Work.NONE
    assert list(inspection.find_problems(drawn.event)) == []


def test_a_short_draw_is_made_at_once(desk: Desk) -> None:
    desk.start(a_plan("league"), 6)

    assert made(desk) == 15
    assert find_waiting_work(desk.event) is Work.NONE


def test_nothing_is_worked_out_nor_built_while_the_event_is_held(
    drawn: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    depth = len(connection.savepoint_ids)
    held: list[str] = []

    def watch(owner: Any, name: str) -> None:
        honest = getattr(owner, name)

        def watched(*what: Any, **more: Any) -> Any:
            if len(connection.savepoint_ids) > depth:
                held.append(name)
            return honest(*what, **more)

        monkeypatch.setattr(owner, name, watched)

    watch(fixpoint, "settle_event")
    watch(PlaceRows, "row")
    pairing_jobs.pair_event(tournament_id=drawn.pk, now=drawn.now)

    assert made(drawn) == 15
    assert held == []


def test_the_sum_leaves_a_process_that_serves_pages(drawn: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def run(work: Callable[..., Any], *what: Any, **more: Any) -> Any:
        asked.append(work)
        return work(*what, **more)

    monkeypatch.setattr(cpu, "run", run)
    pairing_jobs.pair_event(tournament_id=drawn.pk, now=drawn.now)

    assert asked == [fixpoint.settle_event]


def test_a_refusal_comes_back_from_another_process() -> None:
    for said in (BadOption("rounds", "is a whole number from 1"), TooManyEntrants(64, 65)):
        again = pickle.loads(pickle.dumps(said))
        assert (str(again), vars(again)) == (str(said), vars(said))


def test_it_is_written_in_portions_between_which_others_write(
    drawn: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, seen = pairing_jobs._write_portion, []

    def watched(*what: Any, **more: Any) -> bool | None:
        done = write(*what, **more)
        seen.append((done, made(drawn), find_waiting_work(drawn.fresh())))
        return done

    monkeypatch.setattr(pairing_jobs, "_write_portion", watched)
    assert pairing_jobs.pair_event(tournament_id=drawn.pk, now=drawn.now)

    assert seen == [
        (False, 4, Work.DRAW), (False, 8, Work.DRAW), (False, 12, Work.DRAW), (True, 15, Work.NONE),
    ]  # fmt: skip


@pytest.mark.parametrize("form", ["league", "groups", "double-elimination"])
def test_whatever_happens_between_two_portions_the_rest_is_made(
    desk: Desk, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A result comes in after the first portion, by a person who is quick."""
    monkeypatch.setattr(backlog, "MOST_DRAWN_PLACES", 5)
    monkeypatch.setattr(pairing_jobs, "PORTION", 4)
    desk.start(a_plan(form), 8)
    write = pairing_jobs._write_portion
    played: list[str] = []

    def disturbed(*what: Any, **more: Any) -> bool | None:
        done = write(*what, **more)
        if not played and (row := next(iter(desk.open()), None)) is not None:
            played.append(row.key)
            monkeypatch.setattr(backlog, "MOST_PLAYERS", 0)
            desk.do(results.enter_result, key=row.key, score=(5, 3))
        return done

    monkeypatch.setattr(pairing_jobs, "_write_portion", disturbed)
    assert pairing_jobs.pair_event(tournament_id=desk.pk, now=desk.now)

    assert played
    assert desk.row(played[0]).kind == "played"
    assert find_waiting_work(desk.fresh()) is Work.NONE
    assert list(inspection.find_problems(desk.event)) == []


def test_a_worker_that_ends_between_two_portions_is_made_up_for(
    drawn: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = pairing_jobs._write_portion

    def once(*what: Any, **more: Any) -> bool | None:
        if made(drawn):
            raise SystemExit
        return write(*what, **more)

    monkeypatch.setattr(pairing_jobs, "_write_portion", once)
    with pytest.raises(SystemExit):
        pairing_jobs.pair_event(tournament_id=drawn.pk, now=drawn.now)
    assert made(drawn) == 4
    monkeypatch.setattr(pairing_jobs, "_write_portion", write)

    assert pairing_jobs.sweep(drawn.now + pairing_jobs.PATIENCE) == 1
    assert made(drawn) == 15
    assert list(inspection.find_problems(drawn.fresh())) == []


def test_two_workers_do_not_make_it_twice(drawn: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another worker begins between the first portion and the second."""
    write = pairing_jobs._write_portion
    others: list[object] = []

    def crossed(*what: Any, **more: Any) -> bool | None:
        done = write(*what, **more)
        if not others:
            others.append(1)
            others.append(pairing_jobs.pair_event(tournament_id=drawn.pk, now=drawn.now))
        return done

    monkeypatch.setattr(pairing_jobs, "_write_portion", crossed)
    pairing_jobs.pair_event(tournament_id=drawn.pk, now=drawn.now)

    assert others == [1, True]
    assert made(drawn) == 15
    assert list(inspection.find_problems(drawn.fresh())) == []


@pytest.mark.long
def test_pages_and_the_api_say_that_it_is_being_made_and_that_it_failed(
    drawn: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    caller, browser = Caller(drawn.director), Client()
    browser.force_login(drawn.director)
    overview, desk_page = f"/events/{drawn.event.key}/", f"/events/{drawn.event.key}/desk/"

    assert caller.get(f"events/{drawn.event.key}/")["work"] == "draw"
    for page in (overview, desk_page):
        assert "its matches are being created" in browser.get(page).text
    assert "/desk/pair/" not in browser.get(desk_page).text

    def broken(*_: object, **__: object) -> Reconciler:
        raise RuntimeError("no memory")

    monkeypatch.setattr(progress, "compute_outcome", broken)
    stamp = drawn.fresh().stamp
    for row in outbox.list_due(now=drawn.now).filter(kind=backlog.KIND):
        outbox.deliver(outbox_id=row.pk, now=drawn.now)

    assert Tournament.objects.get(pk=drawn.pk).stamp != stamp
    assert caller.get(f"events/{drawn.event.key}/")["work"] == "failed"
    for page in (overview, desk_page):
        assert "could not be prepared" in browser.get(page).text
