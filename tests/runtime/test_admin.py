"""The machinery in the back office: looked at, not edited, and given up work can be tried again."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from runtime.models import Failure, Node, Outage, Outbox, Presence, SweepRun
from runtime.work import outbox
from tests.clients import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff(now: datetime) -> Client:
    user = get_user_model().objects.create_superuser(
        "kit@club.example", "long enough for all", name="Kit", joined_at=now
    )
    return signed_in(user)


@pytest.fixture
def message(now: datetime) -> Outbox:
    outbox.queue_mail(
        to="ann@club.example", subject="s", body="https://club.example/join/secret/", dedupe_key="m", now=now
    )
    row = Outbox.objects.get()
    Outbox.objects.update(failed_at=now, attempts=60, last_error="OSError: no")
    return row


@pytest.mark.parametrize("model", ["outbox", "node", "outage", "presence", "sweeprun", "failure"])
def test_rows_are_shown_and_cannot_be_added_changed_or_deleted(
    staff: Client, message: Outbox, now: datetime, model: str
) -> None:
    rows = {
        "outbox": message,
        "node": Node.objects.create(name="a", role="web", started_at=now, seen_at=now, until=now),
        "outage": Outage.objects.create(role="web", from_at=now, to_at=now + timedelta(seconds=9)),
        "presence": Presence.objects.create(topic="seat.a", node="a", readers=1, seen_at=now),
        "sweeprun": SweepRun.objects.create(name="tidy", claimed_at=now),
        "failure": Failure.objects.create(
            sweep="tidy", subject="1", attempts=1, retry_at=now, last_error="no"
        ),
    }
    assert staff.get(reverse(f"admin:runtime_{model}_changelist")).status_code == 200
    change = reverse(f"admin:runtime_{model}_change", args=[rows[model].pk])
    answer = staff.get(change)
    assert answer.status_code == 200
    assert "join/secret" not in answer.content.decode(), "e-mails hold links that let in whoever has them"
    assert staff.post(change, {"name": "b"}).status_code == 403
    assert staff.get(reverse(f"admin:runtime_{model}_add")).status_code == 403
    assert staff.post(reverse(f"admin:runtime_{model}_delete", args=[rows[model].pk])).status_code == 403


def test_what_was_given_up_is_tried_again_at_a_click(staff: Client, message: Outbox) -> None:
    answer = staff.post(
        reverse("admin:runtime_outbox_changelist"),
        {"action": "try_again", "_selected_action": [message.pk]},
        follow=True,
    )
    assert "1 entry will be tried again." in answer.content.decode()
    message.refresh_from_db()
    assert (message.failed_at, message.attempts) == (None, 0)


def test_what_fails_is_found_with_its_error_and_its_next_try(staff: Client, now: datetime) -> None:
    for key, error in (("m1", "OSError: no route"), ("m2", "")):
        outbox.queue_mail(to="ann@club.example", subject="s", body="b", dedupe_key=key, now=now)
        Outbox.objects.filter(dedupe_key=key).update(last_error=error)
    page = staff.get(reverse("admin:runtime_outbox_changelist"), {"last_error__isempty": "0"})
    assert [row.dedupe_key for row in page.context["cl"].result_list] == ["m1"]
    assert "OSError: no route" in page.content.decode()


def test_what_waits_after_a_failure_is_tried_again_at_a_click(staff: Client, now: datetime) -> None:
    later = timezone.now() + timedelta(hours=1)
    outbox.queue_mail(to="ann@club.example", subject="s", body="b", dedupe_key="m", now=now)
    rows: dict[str, Any] = {
        "outbox": Outbox.objects.get(),
        "sweeprun": SweepRun.objects.create(name="tidy", claimed_at=now, failures=3, retry_at=later),
        "failure": Failure.objects.create(
            sweep="tidy", subject="1", attempts=9, retry_at=later, last_error="no"
        ),
    }
    Outbox.objects.update(attempts=9, due_at=later, last_error="OSError: no route")
    for model, row in rows.items():
        for expected in ("1 entry", "0 entries"):
            answer = staff.post(
                reverse(f"admin:runtime_{model}_changelist"),
                {"action": "try_again", "_selected_action": [row.pk]},
                follow=True,
            )
            assert f"{expected} will be tried again." in answer.content.decode()
        row.refresh_from_db()
        assert (row.due_at if model == "outbox" else row.retry_at) < later
