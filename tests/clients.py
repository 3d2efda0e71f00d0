"""Browsers that have signed in."""

from __future__ import annotations

from django.test import Client

from players.models import User


def signed_in(user: User | None) -> Client:
    client = Client()
    assert user is not None
    client.force_login(user)
    return client
