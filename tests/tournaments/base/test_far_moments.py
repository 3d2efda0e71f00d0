"""A moment at which no event can lie is refused where it is typed or sent."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from rest_framework.test import APIClient

from tests.tournaments.event_desk import Desk
from tournaments.base.form_fields import LocalTimeField
from tournaments.models import Tournament

FAR = ("9999-12-31T23:59", "0001-01-01T00:00", "2200-01-01T12:00")


@pytest.mark.parametrize("moment", FAR)
def test_a_form_refuses_it(moment: str) -> None:
    field = LocalTimeField(zone="Pacific/Kiritimati")
    assert field.clean("2199-12-31T12:00").year == 2199

    with pytest.raises(ValidationError):
        field.clean(moment)


@pytest.mark.parametrize("moment", FAR)
def test_a_program_is_refused_with_the_field(desk: Desk, moment: str) -> None:
    caller = APIClient()
    caller.force_authenticate(desk.director)
    body = {"club": desk.club.slug, "name": "Far", "starts_at": f"{moment}:00Z"}
    body["plan"] = {"stages": [{"format": "swiss"}]}  # type: ignore[assignment]
    answer = caller.post("/api/v1/events/", body, format="json", headers={"Idempotency-Key": "far-away"})
    assert answer.status_code == 400, answer.json()
    assert "starts_at" in answer.json()["context"]["fields"]
    assert not Tournament.objects.exists()
