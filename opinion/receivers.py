"""What opinion does when a match has ended or is open again, and what it shows on its page."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.dispatch import receiver

from matches.signals import match_reopened
from opinion.selectors import here, waiting
from runtime import lazy_imports, slots, sweeps
from runtime import verifiers as runtime_verifiers
from runtime.models import Queue

if TYPE_CHECKING:
    from datetime import datetime

asking = lazy_imports.Module("opinion.services.asking")
analysing = lazy_imports.Module("opinion.services.analysing")
verifiers = lazy_imports.Module("opinion.verifiers")
parts = lazy_imports.Module("opinion.views.parts")
positions = lazy_imports.Module("opinion.views.positions")


@receiver(match_reopened, dispatch_uid="opinion.drop")
def drop(*, match_id: int, **_signal: object) -> None:
    """Forget what was thought of a match that is played on."""
    analysing.drop(match_id=match_id)


def analyse(now: datetime) -> int:
    """Analyse what waits, for a while."""
    return int(analysing.sweep(now=now))


def answer(now: datetime) -> int:
    """Put positions to the engine that somebody asked about."""
    return int(asking.sweep(now=now))


slots.register("match.side", "opinion", template="opinion/_part.html", show=parts.part_of_board)
if here.is_on():
    sweeps.register("opinion.analyses", timedelta(seconds=2), analyse, queue=Queue.SLOW, due=waiting.due)
    sweeps.register(
        "opinion.positions", timedelta(seconds=1), answer, queue=Queue.SLOW, due=waiting.questions
    )
slots.register("replay.share", "opinion", template="opinion/_share.html", show=positions.part_to_share)
slots.register("archive.position", "opinion", template="opinion/_link.html", show=positions.part_to_share)
runtime_verifiers.register("opinion", verifiers.analyses)
