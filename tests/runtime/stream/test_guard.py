"""The guard of streams: checks rights in batches, admits no reader without a check, repeats failed checks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.db import OperationalError

from runtime import stream
from runtime.stream import guard, rights
from runtime.stream.guard import Reader
from runtime.stream.hub import HUB, Hub
from runtime.stream.rights import Bearer, Right, StreamCheck
from tests.runtime.support import Listener, get, until

pytestmark = pytest.mark.django_db(transaction=True)

T = "club.a"
Answers = list[list[StreamCheck]]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Answers:
    """Every batch of checked rights. The bearer "key.9" is refused."""
    batches: Answers = []

    def answers(some: Sequence[StreamCheck]) -> list[Right]:
        batches.append([*some])
        return [Right(ask.bearer.who != "key.9", f"user.{ask.bearer.who[4:]}") for ask in some]

    monkeypatch.setattr(rights, "check_rights", answers)
    return batches


async def soon(condition: Callable[[], Any]) -> None:
    async with asyncio.timeout(20):
        while not condition():
            await asyncio.sleep(0.005)


def reader(who: str) -> Reader:
    return Reader({T: 0}, Bearer(who))


def test_a_thousand_who_come_at_once_are_asked_about_in_a_few_batches(asked: Answers) -> None:
    async def work() -> list[bool]:
        ours = Hub()
        return await asyncio.gather(*(ours.guard.admits(reader(f"key.{n}")) for n in range(1000)))

    found = asyncio.run(work())
    assert [n for n, is_admitted in enumerate(found) if not is_admitted] == [9]
    assert sum(map(len, asked)) == 1000
    assert len(asked) <= 4


def test_only_those_who_are_meant_are_asked_about_again(asked: Answers) -> None:
    async def work() -> None:
        ours = Hub()
        ours._readers = {reader("key.1"), reader("key.2"), reader("key.3")}
        for each in ours._readers:
            await ours.guard.admits(each)
        asked.clear()
        ours.ask_again(["user.1", "key.3", "club.b"])
        await soon(lambda: sum(map(len, asked)) == 2 and not ours.guard._doubts)
        assert {ask.bearer.who for batch in asked for ask in batch} == {"key.1", "key.3"}
        asked.clear()
        ours.ask_again([T])
        await soon(lambda: sum(map(len, asked)) == 3 and not ours.guard._doubts)

    asyncio.run(work())


def test_a_doubt_outlives_a_database_that_is_away(asked: Answers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "PAUSE_SECONDS", 0.01)
    real, failures = rights.check_rights, []

    def away(some: Sequence[StreamCheck]) -> list[Right]:
        failures.append(some)
        if len(failures) < 4:
            raise OperationalError
        return real(some)

    monkeypatch.setattr(rights, "check_rights", away)

    async def work() -> None:
        ours, theirs = Hub(), reader("key.9")
        ours.guard.doubt([theirs])
        await soon(lambda: theirs.is_refused)
        assert theirs.wake.is_set()

    asyncio.run(work())
    assert len(failures) == 4


def test_who_waits_to_be_admitted_is_asked_about_again_too(
    asked: Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rights that end after the first answer and before the first word."""

    async def work() -> None:
        ours, theirs = Hub(), reader("key.1")
        join = ours.join

        async def slow(each: Reader) -> None:
            monkeypatch.setattr(rights, "check_rights", lambda some: [Right(False) for _ in some])
            ours.ask_again(["user.1"])
            await soon(lambda: theirs.is_refused)
            await join(each)

        monkeypatch.setattr(ours, "join", slow)
        assert await ours.admit(theirs)
        assert theirs.is_refused
        ours.leave(theirs)

    asyncio.run(work())


def test_while_nobody_can_be_asked_nobody_is_let_in_and_nobody_is_sent_away(
    front: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(some: Sequence[StreamCheck]) -> list[Right]:
        raise OperationalError

    monkeypatch.setattr(guard, "PAUSE_SECONDS", 0.01)
    token = stream.create_token([T])
    with Listener(front, token) as listener:
        assert listener.event() == {"name": "hello"}
        with monkeypatch.context() as patch:
            patch.setattr(rights, "check_rights", away)
            status, _, headers = get(front, f"/live/?t={token}")
            assert (status, headers["retry-after"]) == (503, "2")
            stream.recheck_readers([T])
        until(lambda: not HUB.guard._doubts)
        assert get(front, f"/live/?t={token}", method="HEAD")[0] == 200
    until(lambda: HUB.open_streams == 0)


def test_a_family_without_a_rule_is_read_by_nobody() -> None:
    asks = [StreamCheck(Bearer(), topics) for topics in ((T,), ("nothing.a",), (T, "nothing.a"), ("",))]
    assert [answer.is_allowed for answer in rights.check_rights(asks)] == [True, False, False, False]


def test_a_session_is_named_without_telling_its_key() -> None:
    name = rights.build_session_name("k" * 32)
    assert Bearer(name, "k" * 32).is_genuine
    assert not Bearer(name, "l" * 32).is_genuine
    assert not Bearer(name).is_genuine
    assert "kkk" not in name
