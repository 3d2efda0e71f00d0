"""A request that is repeated with its key: one effect, the same answer."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import IntegrityError
from django.db.models import F

from runtime import idempotency
from runtime.models import StoredAnswer, Topic
from tests.runtime.support import together

pytestmark = pytest.mark.django_db

# All of them hold a connection at once: fewer than the pool has.
RIVALS = 6


@pytest.fixture(autouse=True)
def _counter() -> None:
    Topic.objects.create(name="effects")


def effects() -> int:
    return Topic.objects.get(name="effects").head


def act() -> tuple[int, Any]:
    Topic.objects.filter(name="effects").update(head=F("head") + 1)
    return 201, {"n": effects()}


def once(
    now: datetime, *, actor: str = "user.1", key: str = "k", body: bytes = b"{}", does: Any = act
) -> tuple[int, Any]:
    digest = idempotency.compute_request_hash(method="POST", path="/x/", body=body)
    return idempotency.run_once(actor=actor, key=key, request_hash=digest, now=now, act=does)


def test_the_same_key_and_body_gets_the_stored_answer(now: datetime) -> None:
    assert once(now) == (201, {"n": 1})
    assert once(now) == (201, {"n": 1})
    assert effects() == 1


def test_a_key_costs_two_statements(now: datetime, django_assert_num_queries: Callable[[int], Any]) -> None:
    with django_assert_num_queries(4):  # with the savepoint of a test's transaction
        once(now, does=lambda: (200, None))


def test_another_key_or_another_actor_is_another_request(now: datetime) -> None:
    once(now)
    assert once(now, key="l") == (201, {"n": 2})
    assert once(now, actor="user.2") == (201, {"n": 3})


def test_the_same_key_with_another_body_is_refused(now: datetime) -> None:
    once(now)
    with pytest.raises(idempotency.KeyReused):
        once(now, body=b"{} ")
    assert effects() == 1


def test_method_path_and_body_cannot_be_shifted_into_each_other() -> None:
    hashes = {
        idempotency.compute_request_hash(method=method, path=path, body=body)
        for method, path, body in (
            ("POST", "/x", b""),
            ("POS", "T/x", b""),
            ("POST", "/", b"x"),
            ("", "POST/x", b""),
            ("PUT", "/x", b""),
        )
    }
    assert len(hashes) == 5


def test_a_failure_stores_nothing_and_may_be_tried_again(now: datetime) -> None:
    def fail() -> tuple[int, Any]:
        act()
        raise ValueError("not so")

    with pytest.raises(ValueError, match="not so"):
        once(now, does=fail)
    assert not StoredAnswer.objects.exists()
    assert effects() == 0
    assert once(now) == (201, {"n": 1})


def test_a_constraint_that_the_act_itself_breaks_is_told_as_such(now: datetime) -> None:
    def collide() -> tuple[int, Any]:
        Topic.objects.create(name="effects")
        return 201, None

    with pytest.raises(IntegrityError):
        once(now, does=collide)
    assert not StoredAnswer.objects.exists()


def test_an_answer_without_a_body_is_stored_too(now: datetime) -> None:
    assert once(now, does=lambda: (204, None)) == (204, None)
    assert once(now) == (204, None)


def test_prune_forgets_answers_older_than_a_day(now: datetime) -> None:
    once(now - timedelta(hours=24, seconds=1), key="old")
    once(now - timedelta(hours=23), key="young")
    assert idempotency.prune(now=now) == 1
    assert StoredAnswer.objects.get().key == "young"


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_eight_at_once_have_one_effect_and_one_answer(now: datetime) -> None:
    for round_ in range(5):
        answers = together(8, lambda _, key=f"key {round_}": once(now, key=key))
        assert answers == [(201, {"n": round_ + 1})] * 8
    assert effects() == 5


@pytest.mark.django_db(transaction=True)
def test_without_the_unique_key_each_of_several_at_once_has_its_effect(
    now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    met = threading.Barrier(RIVALS)

    def look_then_act(*, act: Any, **_: Any) -> tuple[int, Any]:
        found = StoredAnswer.objects.filter(key="k").exists()
        met.wait(10)
        return (201, None) if found else act()

    monkeypatch.setattr(idempotency, "run_once", look_then_act)
    together(RIVALS, lambda _: once(now))
    assert effects() == RIVALS
