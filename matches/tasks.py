"""Thin tasks: which match; never what."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from matches.services import bots


@shared_task(name="matches.bots_act")
def bots_act(*, match_id: int, **_: object) -> None:
    """Let the bots of one match do what they owe."""
    bots.act_or_log(match_id=match_id, now=timezone.now())
