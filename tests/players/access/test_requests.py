"""Refusals that a page shows, and those that are answered with a page."""

from __future__ import annotations

import pytest
from django import forms
from django.core.exceptions import PermissionDenied
from django.test import RequestFactory

from players.access.requests import refusals_added_to, refusals_shown_to
from players.errors import NotAllowed, SoleOwner
from players.files.uploads import TooManyUploads
from runtime.refusals import Refusal
from runtime.transactions import TransactionTooLong


@pytest.mark.parametrize(
    ("refusal", "answered"),
    [
        (NotAllowed(), PermissionDenied),
        (TransactionTooLong(), TransactionTooLong),
        (TooManyUploads(5), TooManyUploads),
    ],
)
def test_some_refusals_are_answered_with_a_page(refusal: Refusal, answered: type[Exception]) -> None:
    with pytest.raises(answered), refusals_shown_to(RequestFactory().post("/")):
        raise refusal
    with pytest.raises(answered), refusals_added_to(forms.Form({})):
        raise refusal


def test_others_are_shown_at_the_form() -> None:
    form = forms.Form({})
    with refusals_added_to(form):
        raise SoleOwner(clubs="Corner")
    assert form.errors.as_data()["__all__"][0].code == "sole_owner"
