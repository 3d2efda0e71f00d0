"""Approval: where a club wants it, the final order counts after a director has looked, and everything else follows then."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from money.errors import NotSettled
from money.ledger import ledger as money_ledger
from money.terms import terms as money_terms
from players.accounts import accounts
from players.clubs import webhooks
from rankings import verifiers as rating_verifiers
from rankings.ledger import rebuilding
from rankings.lists import lists
from rankings.models import LedgerEntry
from runtime.models import Outbox
from runtime.work import outbox
from tests.clubs import change_club
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.base import expectations
from tournaments.base.errors import AlreadyDone, ChangedMeanwhile, NotDirector, NotOver
from tournaments.models import Entry, Pairing, RulingKind, Tournament
from tournaments.plan import drawing
from tournaments.play import corrections, event_control, inspection, optimistic_locking
from tournaments.status import Status


@pytest.fixture
def desk(db: None, now: datetime) -> Desk:
    """A desk of a club that approves final orders, with a rating list and a program that listens."""
    made = Desk(now)
    change_club(made.club, by=made.director, now=now, approves_orders=True)
    lists.open_list(club=made.club, by=made.director, name="List", system="fibs", now=now)
    webhooks.add(club=made.club, url="https://hooks.example.org/x", by=made.director, now=now)
    return made


def play(desk: Desk) -> None:
    """Play until nothing is open."""
    while rows := desk.open():
        desk.now += timedelta(minutes=1)
        desk.play(rows[0].key)
    desk.fresh()


def turn(desk: Desk, row: Pairing) -> None:
    """Have the other one won."""
    desk.do(
        corrections.correct_result,
        key=row.key,
        score=(row.score_b, row.score_a),
        reason="The other way round",
    )


def settle(desk: Desk) -> None:
    """Carry out what follows."""
    while found := list(
        outbox.list_due(now=desk.now).exclude(kind=webhooks.KIND).values_list("pk", flat=True)
    ):
        for pk in found:
            outbox.deliver(outbox_id=pk, now=desk.now)
    while rebuilding.sweep(desk.now):
        pass


def rated() -> int:
    return LedgerEntry.objects.filter(voided_at__isnull=True).count()


def count_finished_calls() -> int:
    bodies = Outbox.objects.filter(kind=webhooks.KIND).values_list("payload", flat=True)
    return sum(each["body"]["type"] == "event.finished" for each in bodies)


def approve(desk: Desk) -> None:
    desk.now += timedelta(minutes=1)
    desk.do(event_control.approve_final_order)
    desk.fresh()


@pytest.mark.long
@pytest.mark.parametrize("form", ["single-elimination", "round-robin", "progressive-consolation"])
def test_nothing_follows_before_a_director_has_looked_and_everything_then(desk: Desk, form: str) -> None:
    desk.start(a_plan(form), 4)
    play(desk)
    settle(desk)
    assert desk.event.status == Status.RUNNING
    assert desk.event.over_at == desk.now
    assert desk.event.finished_at is None
    assert (rated(), count_finished_calls()) == (0, 0)
    assert not Entry.objects.filter(place__isnull=False).exists()
    assert list(inspection.find_problems(desk.event)) == []

    approve(desk)
    settle(desk)
    matches = desk.event.pairings.filter(state="decided", kind="played").count()
    assert (desk.event.status, desk.event.over_at, desk.event.finished_at) == (
        Status.FINISHED,
        None,
        desk.now,
    )
    assert rated() == 2 * matches > 0
    assert count_finished_calls() == 1
    assert Entry.objects.filter(place=1).count() == 1
    assert list(inspection.find_problems(desk.event)) == []
    with pytest.raises(AlreadyDone):
        desk.do(event_control.approve_final_order)


@pytest.mark.long
def test_the_ratings_are_those_of_a_club_that_does_not_approve(desk: Desk, now: datetime) -> None:
    def figures() -> list[Any]:
        rows = LedgerEntry.objects.filter(voided_at__isnull=True).order_by("at", "match", "-is_a")
        return [(row.at, row.won, row.before, row.after) for row in rows]

    with transaction.atomic():
        type(desk.club).objects.update(approves_orders=False)
        desk.start(a_plan("round-robin"), 4)
        play(desk)
        settle(desk)
        assert desk.event.status == Status.FINISHED
        usual = figures()
        transaction.set_rollback(True)
    desk.now = now
    desk.start(a_plan("round-robin"), 4)
    play(desk)
    approve(desk)
    settle(desk)
    assert figures() == usual


def test_money_is_paid_out_only_then(desk: Desk) -> None:
    desk.announce(a_plan("round-robin"), 4)
    agreed = money_terms.MoneyTerms("EUR", added=1000, prizes={"main": ["100"]})
    desk.do(money_terms.set_terms, terms=agreed)
    desk.do(drawing.publish)
    play(desk)
    with pytest.raises(NotSettled):
        desk.do(money_ledger.pay_out, entrant=1, amount=1000)
    approve(desk)
    assert desk.do(money_ledger.pay_out, entrant=1, amount=1000)


def test_players_are_told_only_then(desk: Desk) -> None:
    desk.start(a_plan("round-robin"), 3)
    play(desk)
    news = Outbox.objects.filter(kind="tournaments.news", payload__news="RESULT")
    assert not news.exists()
    approve(desk)
    assert news.count() == 1


def test_what_is_played_again_takes_the_waiting_back(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 4)
    play(desk)
    desk.do(corrections.correct_result, key="main/2.1", kind="", reason="Not played yet")
    assert desk.fresh().over_at is None
    with pytest.raises(NotOver):
        desk.do(event_control.approve_final_order)
    play(desk)
    assert desk.event.over_at == desk.now


@pytest.mark.long
def test_an_approval_is_taken_back_with_all_that_followed(desk: Desk) -> None:
    desk.start(a_plan("round-robin"), 4)
    play(desk)
    before = desk.image()
    approve(desk)
    settle(desk)
    ruling = desk.ruling()
    assert ruling.act == RulingKind.APPROVED
    desk.now += timedelta(minutes=1)
    desk.do(corrections.undo_act, ruling_id=ruling.pk, reason="Too early")
    settle(desk)
    assert desk.image() == before
    assert desk.event.status == Status.RUNNING
    assert rated() == 0
    approve(desk)
    settle(desk)
    assert rated() > 0
    assert [*rating_verifiers.verify_ledgers()] == []


@pytest.mark.long
def test_a_correction_of_what_is_approved_is_followed_at_once(desk: Desk) -> None:
    desk.start(a_plan("round-robin"), 3)
    play(desk)
    approve(desk)
    settle(desk)
    row = desk.event.pairings.select_related("a", "b").order_by("pk")[0]
    turn(desk, row)
    settle(desk)
    assert desk.fresh().status == Status.FINISHED
    entry = LedgerEntry.objects.get(match=row.uid, is_a=True, voided_at__isnull=True)
    assert entry.won is (row.winner_id != row.a_id)


def test_an_end_by_hand_is_a_look(desk: Desk) -> None:
    desk.start(a_plan("round-robin"), 4)
    desk.play(desk.open()[0].key)
    desk.do(event_control.end_event_early, reason="The bar closes")
    settle(desk)
    assert desk.fresh().status == Status.FINISHED
    assert rated() == 2


def test_an_event_that_has_begun_goes_on_as_it_began(desk: Desk) -> None:
    desk.start(a_plan("round-robin"), 3)
    type(desk.club).objects.update(approves_orders=False)
    play(desk)
    assert desk.event.over_at is not None
    approve(desk)
    desk.club.refresh_from_db()
    desk.start(a_plan("round-robin"), 3)
    type(desk.club).objects.update(approves_orders=True)
    play(desk)
    assert desk.event.status == Status.FINISHED


def test_only_a_running_event_waits(desk: Desk) -> None:
    desk.start(a_plan("round-robin"), 3)
    play(desk)
    approve(desk)
    with pytest.raises(IntegrityError), transaction.atomic():
        Tournament.objects.filter(pk=desk.pk).update(over_at=desk.now)


def test_approving_is_for_directors_who_saw_this_version(desk: Desk) -> None:
    desk.start(a_plan("round-robin"), 3)
    play(desk)
    stranger = accounts.register(email="x@example.org", password=None, name="Xenia Rook", now=desk.now)
    with pytest.raises(NotDirector):
        event_control.approve_final_order(tournament_id=desk.pk, by=stranger, now=desk.now)

    def answer(version: int) -> None:
        optimistic_locking.run_if_unchanged(
            lambda: desk.do(event_control.approve_final_order),
            tournament_id=desk.pk,
            about=optimistic_locking.ActTarget(),
            expects={"version": version},
            by=desk.director,
        )

    seen = desk.fresh().version
    row = desk.event.pairings.order_by("pk")[0]
    turn(desk, row)
    with pytest.raises(ChangedMeanwhile):
        answer(seen)
    assert desk.fresh().status == Status.RUNNING
    answer(desk.event.version)
    assert desk.fresh().status == Status.FINISHED


# Pages and programs


@pytest.fixture
def seated(desk: Desk, client: Client) -> Client:
    """The director in a browser, when everything is played."""
    desk.start(a_plan("round-robin"), 3)
    play(desk)
    client.force_login(desk.director)
    return client


def page(client: Client, name: str, desk: Desk) -> str:
    return client.get(reverse(f"tournaments:{name}", args=[desk.event.key])).content.decode()


@pytest.mark.long
def test_the_desk_has_one_button_that_says_what_it_saw(desk: Desk, seated: Client) -> None:
    assert "Approve the final order" in page(seated, "desk", desk)
    where = reverse("tournaments:approve", args=[desk.event.key])
    said = {"expects": expectations.serialize_state({"version": desk.event.version - 1})}
    assert "The event has changed since you looked." in seated.post(where, said, follow=True).content.decode()
    assert desk.fresh().status == Status.RUNNING
    said = {"expects": seated.get(reverse("tournaments:desk", args=[desk.event.key])).context["approves"]}
    assert "The final order is approved" in seated.post(where, said, follow=True).content.decode()
    assert desk.fresh().status == Status.FINISHED
    assert "Approve the final order" not in page(seated, "desk", desk)


def test_everybody_sees_that_the_order_is_provisional(desk: Desk, seated: Client) -> None:
    seated.logout()
    for name in ("event", "standings"):
        shown = page(seated, name, desk)
        assert "Provisional final order" in shown
        assert "Waiting for approval" in shown
    approve(desk)
    for name in ("event", "standings"):
        shown = page(seated, name, desk)
        assert "Provisional final order" not in shown
        assert "Waiting for approval" not in shown


def test_programs_see_and_approve(desk: Desk, seated: Client) -> None:
    where = f"/api/v1/events/{desk.event.key}/"
    told = seated.get(where).json()
    assert (told["status"], told["over_at"] is None) == ("RUNNING", False)
    asked = {"act": "approve", "expects": {"version": told["version"]}}
    answer = seated.post(
        f"{where}acts/",
        data=json.dumps(asked),
        content_type="application/json",
        headers={"Idempotency-Key": "approve once"},
    )
    assert answer.status_code == 200, answer.content
    told = seated.get(where).json()
    assert (told["status"], told["over_at"]) == ("FINISHED", None)


def test_the_club_says_so_in_its_settings(desk: Desk, seated: Client) -> None:
    where = reverse("players:club_settings", args=[desk.club.slug])
    form = seated.get(where).context["form"]
    assert form.initial["approves_orders"] is True
    typed = {name: value for name, value in form.initial.items() if name != "approves_orders"}
    assert seated.post(where, typed).status_code == 302
    desk.club.refresh_from_db()
    assert desk.club.approves_orders is False
