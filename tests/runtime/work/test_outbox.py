"""The outbox: each effect of a change happens once, also after crashes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core import mail
from django.db import DatabaseError, OperationalError, connection, transaction
from django.db.models import F

from runtime import nodes, receivers
from runtime.models import Node, Outbox, Topic
from runtime.work import outbox
from tests.runtime.support import Undone, undone

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("_handlers")]

SECOND = timedelta(seconds=1)


def count(payload: dict[str, Any], *, now: datetime) -> None:
    """An effect in this database that shows when it happens twice."""
    Topic.objects.filter(name="effects").update(head=F("head") + 1)


def effects() -> int:
    return Topic.objects.get(name="effects").head


@pytest.fixture(autouse=True)
def _counting() -> None:
    Topic.objects.create(name="effects")
    outbox.register("tests.count", count)


def put(key: str = "a", *, now: datetime, **more: Any) -> Outbox:
    assert outbox.put("tests.count", {}, dedupe_key=key, now=now, **more)
    return Outbox.objects.get(dedupe_key=key)


def test_what_was_put_is_carried_out_once(now: datetime) -> None:
    row = put(now=now)
    assert outbox.deliver(outbox_id=row.pk, now=now)
    assert not outbox.deliver(outbox_id=row.pk, now=now)
    assert not outbox.deliver(outbox_id=row.pk, now=now + timedelta(days=1))
    row.refresh_from_db()
    assert (effects(), row.attempts, row.done_at, row.leased_until) == (1, 1, now, None)


def test_a_job_is_written_by_one_statement(
    now: datetime, django_assert_num_queries: Callable[[int], Any]
) -> None:
    with django_assert_num_queries(1):
        assert outbox.put("tests.count", {"n": 1}, dedupe_key="a", now=now)
    with django_assert_num_queries(1):
        assert not outbox.put("tests.count", {"n": 1}, dedupe_key="a", now=now)


@pytest.mark.parametrize("later", [timedelta(), SECOND])
def test_the_same_consequence_twice_is_one_row_and_the_second_is_told_so(
    now: datetime, later: timedelta
) -> None:
    assert outbox.put("tests.count", {"n": 1}, dedupe_key="a", now=now)
    assert not outbox.put("tests.count", {"n": 2}, dedupe_key="a", now=now + later)
    assert Outbox.objects.get().payload == {"n": 1}


def test_a_change_that_is_rolled_back_has_no_consequence(now: datetime) -> None:
    with pytest.raises(Undone), transaction.atomic():
        undone(lambda: put(now=now))
    assert not Outbox.objects.exists()


def test_a_kind_that_nobody_carries_out_is_refused_at_once(now: datetime) -> None:
    with pytest.raises(LookupError, match=r"tests\.unknown"):
        outbox.put("tests.unknown", {}, dedupe_key="a", now=now)


def test_a_row_whose_kind_is_gone_is_kept_with_the_reason(now: datetime) -> None:
    row = put(now=now)
    del outbox._handlers["tests.count"]
    assert not outbox.deliver(outbox_id=row.pk, now=now)
    row.refresh_from_db()
    assert row.done_at is None
    assert "tests.count" in row.last_error


def test_what_is_due_later_is_done_later(now: datetime) -> None:
    row = put(now=now, due_at=now + SECOND)
    assert not outbox.deliver(outbox_id=row.pk, now=now)
    assert outbox.drain(queue="default", now=now) == 0
    assert outbox.drain(queue="default", now=now + SECOND) == 1


def test_a_failure_is_written_down_and_tried_again_after_growing_pauses(now: datetime) -> None:
    def fail(payload: dict[str, Any], *, now: datetime) -> None:
        count(payload, now=now)
        raise OSError("no route")

    outbox.register("tests.count", fail)
    row = put(now=now)
    pauses = []
    for attempt in range(1, 14):
        at = Outbox.objects.get().due_at
        assert not outbox.deliver(outbox_id=row.pk, now=at - timedelta(microseconds=1))
        assert not outbox.deliver(outbox_id=row.pk, now=at)
        row.refresh_from_db()
        assert (row.attempts, row.last_error, row.leased_until) == (attempt, "OSError: no route", None)
        pauses.append((row.due_at - at).total_seconds())
    assert pauses == [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 3600, 3600]
    assert effects() == 0, "what a failed attempt did is rolled back"


def test_it_is_given_up_at_the_limit_and_retried_when_somebody_asks(now: datetime) -> None:
    def fail(payload: dict[str, Any], *, now: datetime) -> None:
        raise ValueError("wrong")

    outbox.register("tests.count", fail)
    row = put(now=now)
    at = now
    for _ in range(outbox.MOST_ATTEMPTS):
        assert Outbox.objects.get().failed_at is None
        at = Outbox.objects.get().due_at
        outbox.deliver(outbox_id=row.pk, now=at)
    row.refresh_from_db()
    assert row.failed_at == at
    assert at - now > timedelta(days=2) - timedelta(hours=1)
    assert not outbox.list_due(now=at + timedelta(days=9)).exists()

    assert outbox.retry(Outbox.objects.all(), now=at) == 1
    outbox.register("tests.count", count)
    assert outbox.drain(queue="default", now=at) == 1
    row.refresh_from_db()
    assert (row.failed_at, row.done_at, row.attempts, row.last_error) == (None, at, 1, "")


def test_retry_leaves_alone_what_was_not_given_up(now: datetime) -> None:
    put("waiting", now=now, due_at=now + SECOND)
    done = put("done", now=now)
    outbox.deliver(outbox_id=done.pk, now=now)
    assert outbox.retry(Outbox.objects.all(), now=now) == 0


def test_a_row_that_ends_its_process_every_time_is_given_up_too(now: datetime) -> None:
    """No exception is raised that could be counted, so the claims are counted."""

    class Killed(BaseException):
        pass

    def kill(payload: dict[str, Any], *, now: datetime) -> None:
        raise Killed

    outbox.register("tests.count", kill)
    row = put(now=now)
    at = now
    for _ in range(outbox.MOST_ATTEMPTS):
        with pytest.raises(Killed):
            outbox.deliver(outbox_id=row.pk, now=at)
        at += outbox.LEASE
    assert not outbox.deliver(outbox_id=row.pk, now=at)
    row.refresh_from_db()
    assert row.failed_at == at
    assert row.last_error
    assert row.attempts == outbox.MOST_ATTEMPTS


def test_a_claim_that_was_never_finished_is_done_by_another_after_the_lease(
    now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = put(now=now)
    with monkeypatch.context() as patch:
        patch.setattr(outbox, "_run_handler", _die)
        with pytest.raises(SystemExit):
            outbox.deliver(outbox_id=row.pk, now=now)
    assert not outbox.deliver(outbox_id=row.pk, now=now + outbox.LEASE - SECOND)
    assert outbox.deliver(outbox_id=row.pk, now=now + outbox.LEASE)
    assert effects() == 1


def _die(*_: Any, **__: Any) -> None:
    raise SystemExit(9)


def test_one_whose_lease_was_taken_over_undoes_what_it_did(now: datetime) -> None:
    def be_slow(payload: dict[str, Any], *, now: datetime) -> None:
        count(payload, now=now)

    row = put(now=now)
    outbox.register("tests.count", be_slow)
    slow = outbox._handlers["tests.count"]

    # While the first is between its claim and its transaction, the lease ends and another does it all.
    def overtaken(claimed: Outbox, *, now: datetime) -> None:
        outbox._run_handler = real  # type: ignore[assignment]
        assert outbox.deliver(outbox_id=row.pk, now=now + outbox.LEASE)
        real(claimed, now=now)

    real = outbox._run_handler
    outbox._run_handler = overtaken  # type: ignore[assignment]
    try:
        assert not outbox.deliver(outbox_id=row.pk, now=now)
    finally:
        outbox._run_handler = real  # type: ignore[assignment]
    assert slow.external is False
    row.refresh_from_db()
    assert (effects(), row.done_at) == (1, now + outbox.LEASE)


def test_one_that_was_overtaken_and_then_fails_does_not_postpone_what_is_done(now: datetime) -> None:
    row = put(now=now)

    def overtaken(claimed: Outbox, *, now: datetime) -> None:
        outbox._run_handler = real  # type: ignore[assignment]
        assert outbox.deliver(outbox_id=row.pk, now=now + outbox.LEASE)
        raise OSError("too late")

    real = outbox._run_handler
    outbox._run_handler = overtaken  # type: ignore[assignment]
    try:
        assert not outbox.deliver(outbox_id=row.pk, now=now)
    finally:
        outbox._run_handler = real  # type: ignore[assignment]
    row.refresh_from_db()
    assert (row.last_error, row.due_at) == ("", now)


def test_what_is_external_runs_outside_a_transaction_and_again_after_a_crash(now: datetime) -> None:
    sent = []

    def send(payload: dict[str, Any], *, now: datetime) -> None:
        sent.append(payload["n"])
        if len(sent) == 1:
            raise SystemExit(9)

    outbox.register("tests.send", send, external=True)
    outbox.put("tests.send", {"n": 7}, dedupe_key="a", now=now)
    row = Outbox.objects.get()
    with pytest.raises(SystemExit):
        outbox.deliver(outbox_id=row.pk, now=now)
    assert outbox.deliver(outbox_id=row.pk, now=now + outbox.LEASE)
    assert sent == [7, 7]


def test_a_handler_within_the_transaction_that_meets_a_database_error_is_tried_again(now: datetime) -> None:
    def collide(payload: dict[str, Any], *, now: datetime) -> None:
        Topic.objects.create(name="effects")

    outbox.register("tests.count", collide)
    row = put(now=now)
    assert not outbox.deliver(outbox_id=row.pk, now=now)
    row.refresh_from_db()
    assert "IntegrityError" in row.last_error
    assert row.done_at is None


def test_drain_takes_the_oldest_first_of_its_own_queue_and_no_more_than_its_limit(now: datetime) -> None:
    order: list[str] = []

    def note(payload: dict[str, Any], *, now: datetime) -> None:
        order.append(payload["key"])

    outbox.register("tests.note", note)
    for key, queue, late in (
        ("c", "default", 1), ("a", "default", 3), ("x", "slow", 9), ("b", "default", 2), ("b2", "default", 2)
    ):  # fmt: skip
        outbox.put(
            "tests.note", {"key": key}, dedupe_key=key, now=now, queue=queue, due_at=now - late * SECOND
        )
    assert outbox.drain(queue="default", now=now, limit=3) == 3
    assert order == ["a", "b", "b2"]
    assert outbox.drain(queue="default", now=now) == 1
    assert outbox.drain(queue="slow", now=now) == 1
    assert order == ["a", "b", "b2", "c", "x"]


def test_one_bad_row_does_not_keep_the_others_waiting(now: datetime) -> None:
    def fail_first(payload: dict[str, Any], *, now: datetime) -> None:
        if payload["key"] == "bad":
            raise ValueError("bad")
        count(payload, now=now)

    outbox.register("tests.note", fail_first)
    for key in ("bad", "good", "better"):
        outbox.put("tests.note", {"key": key}, dedupe_key=key, now=now)
    assert outbox.drain(queue="default", now=now) == 2
    assert effects() == 2


def test_in_a_long_drain_every_lease_begins_when_its_row_is_claimed(
    now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a slow mail server makes the lease of the seventh e-mail end before it is sent: a person sends it
    too."""
    clock = [100.0]
    leases = []
    monkeypatch.setattr(outbox.time, "monotonic", lambda: clock[0])

    def send_slowly(payload: dict[str, Any], *, now: datetime) -> None:
        leases.append(Outbox.objects.get(dedupe_key=payload["key"]).leased_until - now)
        clock[0] += 1.5

    outbox.register("tests.send", send_slowly, external=True)
    for key in "abcdefgh":
        outbox.put("tests.send", {"key": key}, dedupe_key=key, now=now)
    done = outbox.drain(queue="default", now=now)
    assert leases == [outbox.LEASE] * done
    rows = Outbox.objects.order_by("pk")[:3]
    assert [row.done_at for row in rows] == [now, now + SECOND, now + 3 * SECOND]


def test_a_drain_holds_its_worker_for_less_than_five_seconds(
    now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [100.0]
    monkeypatch.setattr(outbox.time, "monotonic", lambda: clock[0])

    def send_slowly(payload: dict[str, Any], *, now: datetime) -> None:
        clock[0] += 0.9

    outbox.register("tests.send", send_slowly, external=True)
    for key in "abcdefgh":
        outbox.put("tests.send", {"key": key}, dedupe_key=key, now=now)
    assert outbox.drain(queue="default", now=now) >= 1
    assert clock[0] - 100.0 <= 5


def test_rows_of_a_dead_node_are_taken_over_before_their_lease_ends(now: datetime) -> None:
    Node.objects.create(
        name="alive-1", role="worker", started_at=now, seen_at=now, until=now + nodes.DEAD_AFTER
    )
    Node.objects.create(
        name="dead-1", role="worker", started_at=now, seen_at=now - nodes.DEAD_AFTER, until=now
    )
    for holder in ("alive-1", "dead-1", "unknown-1"):
        put(holder, now=now)
        Outbox.objects.filter(dedupe_key=holder).update(
            lease=f"{holder}/1234abcd", leased_until=now + 50 * SECOND
        )
    put("mine", now=now)
    Outbox.objects.filter(dedupe_key="mine").update(
        lease=f"{nodes.NAME}/12345678", leased_until=now + 50 * SECOND
    )
    assert outbox.drain(queue="default", now=now) == 2
    left = Outbox.objects.filter(done_at__isnull=True).values_list("dedupe_key", flat=True)
    assert set(left) == {"alive-1", "mine"}


@pytest.mark.django_db(transaction=True)
def test_a_failure_that_could_not_be_written_does_not_keep_its_lease(now: datetime) -> None:
    """The database goes away during the work and comes back."""
    is_away = False

    def lose_database(payload: dict[str, Any], *, now: datetime) -> None:
        nonlocal is_away
        is_away = True
        raise OperationalError("gone")

    def execute(execute: Callable[..., Any], *call: Any) -> Any:
        if is_away:
            raise OperationalError("gone")
        return execute(*call)

    row = put(now=now)
    outbox.register("tests.count", lose_database, external=True)
    with connection.execute_wrapper(execute), pytest.raises(OperationalError):
        outbox.deliver(outbox_id=row.pk, now=now)
    row.refresh_from_db()
    assert row.leased_until is not None
    outbox.register("tests.count", count)
    assert outbox.drain(queue="default", now=now + SECOND) == 1
    row.refresh_from_db()
    assert (effects(), row.done_at, row.leased_until) == (1, now + SECOND, None)


def test_a_lease_names_its_node_whole(now: datetime) -> None:
    """Else the drain would take every row of a living node for a dead one's."""
    row = put(now=now)
    seen = []
    outbox.register(
        "tests.count",
        lambda payload, *, now: seen.append(Outbox.objects.get(pk=row.pk).lease),
        external=True,
    )
    outbox.deliver(outbox_id=row.pk, now=now)
    assert seen[0].rpartition("/")[0] == nodes.NAME
    longest = "abcdef-4194304-abcdef"
    assert len(nodes.NAME) <= len(longest)
    assert len(longest) + len("/12345678") <= Outbox._meta.get_field("lease").max_length


def test_prune_forgets_what_was_done_a_week_ago_and_nothing_else(now: datetime) -> None:
    for key in ("old", "new", "waiting", "failed"):
        put(key, now=now - timedelta(days=30))
    week = timedelta(days=7)
    Outbox.objects.filter(dedupe_key="old").update(done_at=now - week - SECOND)
    Outbox.objects.filter(dedupe_key="new").update(done_at=now - week + SECOND)
    Outbox.objects.filter(dedupe_key="failed").update(failed_at=now - timedelta(days=20))
    assert outbox.prune(now=now) == 1
    assert set(Outbox.objects.values_list("dedupe_key", flat=True)) == {"new", "waiting", "failed"}


def test_a_row_cannot_be_done_and_given_up(now: datetime) -> None:
    row = put(now=now)
    with pytest.raises(DatabaseError), transaction.atomic():
        Outbox.objects.filter(pk=row.pk).update(done_at=now, failed_at=now)


def test_mail_is_sent_as_it_was_written(now: datetime, settings: Any) -> None:
    assert outbox.queue_mail(
        to="kit@club.example", subject="Grüße", body="Hallo,\n\nbis Donnerstag.", dedupe_key="m", now=now
    )
    assert mail.outbox == []
    assert outbox.drain(queue="default", now=now) == 1
    (message,) = mail.outbox
    assert message.to == ["kit@club.example"]
    assert message.subject == "Grüße"
    assert message.body == "Hallo,\n\nbis Donnerstag."
    assert message.from_email == settings.DEFAULT_FROM_EMAIL


def test_a_mail_server_that_refuses_is_asked_again(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    outbox.queue_mail(to="kit@club.example", subject="s", body="b", dedupe_key="m", now=now)
    with monkeypatch.context() as patch:
        patch.setattr(receivers.EmailMultiAlternatives, "send", _refuse)
        assert outbox.drain(queue="default", now=now) == 0
    assert outbox.drain(queue="default", now=now + 2 * SECOND) == 1
    assert len(mail.outbox) == 1


def _refuse(*_: Any) -> None:
    raise ConnectionRefusedError


@pytest.mark.django_db(transaction=True)
def test_the_hint_is_sent_after_the_commit_and_only_for_what_is_due(
    now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    hints: list[int] = []
    monkeypatch.setattr(outbox, "queue_delivery", lambda outbox_id, **_: hints.append(outbox_id))
    with transaction.atomic():
        put("now", now=now)
        put("later", now=now, due_at=now + SECOND)
        outbox.put("tests.count", {}, dedupe_key="now", now=now)
        assert hints == []
    assert hints == [Outbox.objects.get(dedupe_key="now").pk]


EVERY = timedelta(seconds=20)


def request(now: datetime, every: timedelta = EVERY) -> Outbox:
    outbox.request("tests.count", {}, dedupe_key="again", every=every, now=now)
    return Outbox.objects.get(dedupe_key="again")


def test_what_is_requested_again_while_it_waits_runs_once(now: datetime) -> None:
    row = request(now)
    assert request(now + SECOND).pk == row.pk
    assert outbox.drain(queue="default", now=now + SECOND) == 1
    assert outbox.drain(queue="default", now=now + timedelta(days=1)) == 0
    assert effects() == 1


def test_what_is_requested_again_runs_again_when_its_pause_is_over(now: datetime) -> None:
    request(now)
    outbox.drain(queue="default", now=now)
    assert request(now + 3 * SECOND).due_at == now + EVERY
    assert request(now + 4 * SECOND).due_at == now + EVERY
    assert outbox.drain(queue="default", now=now + EVERY - SECOND) == 0
    assert outbox.drain(queue="default", now=now + EVERY) == 1
    # After a quiet time there is no pause.
    late = now + timedelta(minutes=5)
    assert request(late).due_at == late
    assert outbox.drain(queue="default", now=late) == 1
    assert effects() == 3
    assert Outbox.objects.get().attempts == 1


@pytest.mark.parametrize("external", [False, True])
def test_a_request_while_it_runs_leads_to_one_more_run_after_it(now: datetime, external: bool) -> None:
    runs = []

    def requested_meanwhile(payload: dict[str, Any], *, now: datetime) -> None:
        runs.append(now)
        if len(runs) == 1:
            for later in (1, 2):
                row = request(now + later * SECOND)
                assert not outbox.deliver(outbox_id=row.pk, now=now + later * SECOND), "two at once"

    outbox.register("tests.count", requested_meanwhile, external=external)
    row = request(now)
    assert outbox.deliver(outbox_id=row.pk, now=now)
    row.refresh_from_db()
    assert (row.done_at, row.leased_until) == (None, None)
    assert row.due_at == now + 2 * SECOND + EVERY
    assert outbox.drain(queue="default", now=row.due_at) == 1
    assert outbox.drain(queue="default", now=row.due_at + timedelta(days=1)) == 0
    assert len(runs) == 2


@pytest.mark.long
def test_a_request_does_not_shorten_the_pause_after_a_failure(now: datetime) -> None:
    tries = []

    def fail(payload: dict[str, Any], *, now: datetime) -> None:
        tries.append(now)
        raise OSError("no route")

    outbox.register("tests.count", fail)
    for second in range(100):
        request(now + second * SECOND, every=timedelta())
        outbox.drain(queue="default", now=now + second * SECOND)
    assert [(at - now).total_seconds() for at in tries] == [0, 2, 6, 14, 30, 62]
    assert [row.last_error for row in outbox.list_failing()] == ["OSError: no route"]
    row = request(now + 101 * SECOND)
    assert row.attempts == 6


def test_what_was_given_up_is_tried_once_an_hour_while_it_is_requested(now: datetime) -> None:
    tries = []

    def fail(payload: dict[str, Any], *, now: datetime) -> None:
        tries.append(now)
        if len(tries) < 3:
            raise OSError("no route")

    outbox.register("tests.count", fail)
    request(now)
    Outbox.objects.update(failed_at=now, attempts=outbox.MOST_ATTEMPTS)
    for minute in range(0, 200, 10):
        moment = now + timedelta(minutes=minute)
        if minute < 180:
            request(moment)
        outbox.drain(queue="default", now=moment)

    assert [at - now for at in tries] == [timedelta(hours=1), timedelta(hours=2), timedelta(hours=3)]
    assert not outbox.list_failing().exists()


def test_a_time_with_another_zone_is_the_same_time(now: datetime) -> None:
    from zoneinfo import ZoneInfo

    row = put(now=now, due_at=now.astimezone(ZoneInfo("Asia/Tokyo")))
    assert row.due_at == now
    assert row.due_at.tzinfo == UTC
    assert outbox.deliver(outbox_id=row.pk, now=now)
