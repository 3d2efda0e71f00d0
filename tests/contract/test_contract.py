"""`openapi.json` is true: every caller gets the described answers to all requests.

schemathesis makes the requests. An undescribed status or content type fails, and so does an answer that does
not match its schema.
"""

from __future__ import annotations

from collections.abc import Iterator

import hypothesis
import pytest
from hypothesis import HealthCheck, Phase
from schemathesis.core.transport import Response
from schemathesis.generation.case import Case

from tests.contract.calls import Caller

pytestmark = [pytest.mark.slow, pytest.mark.contract, pytest.mark.django_db]

ROLES = ("anonymous", "member", "director")


@pytest.fixture(params=ROLES)
def caller(request: pytest.FixtureRequest, db: None) -> Iterator[Caller]:
    # Only now: schemathesis takes its time to load, and runs that leave these tests out are spared it.
    from tests.contract.calls import Caller, one_connection

    with one_connection():
        yield Caller(request.param)


def test_each_operation_answers_as_described(caller: Caller, capsys: pytest.CaptureFixture[str]) -> None:
    caller.try_each(examples=10, most=90)

    tell(caller, capsys)
    assert len(caller.calls) >= 59
    assert not caller.wrong, report(caller)


def test_what_follows_from_answers_is_answered_as_described(
    caller: Caller, capsys: pytest.CaptureFixture[str]
) -> None:
    """One request takes its names from the answer to another: a challenge that was made is accepted, played, offered again."""
    from tests.contract.calls import undone

    machine = caller.schema.as_state_machine()

    class Sequence(machine):  # type: ignore[misc,valid-type]
        def setup(self) -> None:
            self.undone = undone()
            self.undone.__enter__()

        def teardown(self) -> None:
            self.undone.__exit__(None, None, None)

        def call(self, case: Case, **_: object) -> Response:
            return caller.call(case)

        def validate_response(self, *_: object, **__: object) -> None:
            """`call` has looked at it."""

    Sequence.run(
        settings=hypothesis.settings(
            max_examples=60,
            stateful_step_count=8,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
    )

    tell(caller, capsys)
    assert len(caller.calls) > 12
    assert not caller.wrong, report(caller)


def tell(caller: Caller, capsys: pytest.CaptureFixture[str]) -> None:
    statuses = ", ".join(f"{status}: {count}" for status, count in sorted(caller.statuses.items()))
    with capsys.disabled():
        print(
            f"\n{caller.role}: {len(caller.calls)} operations, {caller.calls.total()} requests ({statuses})"
        )


def report(caller: Caller) -> str:
    return "\n".join(f"{kind}\n    " + "\n    ".join(sent) for kind, sent in sorted(caller.wrong.items()))
