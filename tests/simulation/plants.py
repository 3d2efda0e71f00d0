"""Damages of the product, planted to show that the simulation finds them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final

import pytest
from django.db import transaction

from runtime import idempotency
from runtime.work import outbox
from tests.simulation.faults import Death
from tournaments.models import Pairing
from tournaments.play import backlog, progress


def _forget_answers(patch: pytest.MonkeyPatch) -> None:
    """A repeated request is carried out again."""
    patch.setattr(idempotency, "run_once", lambda *, act, **_request: act())


def _commit_halves(patch: pytest.MonkeyPatch) -> None:
    """Writes before a death are committed, although the act was not completed."""
    leave = transaction.Atomic.__exit__

    def commit(self: transaction.Atomic, kind: Any, error: Any, trace: Any) -> None:
        is_dead = kind is Death
        leave(self, None if is_dead else kind, None if is_dead else error, None if is_dead else trace)

    patch.setattr(transaction.Atomic, "__exit__", commit)


def _turn_scores(patch: pytest.MonkeyPatch) -> None:
    """The score of a second match of a round is written the wrong way round, with the right winner."""
    store = progress.store_result

    def turn(row: Pairing, kind: Any, *, score: tuple[int, int] | None = None, **more: Any) -> None:
        is_turned = score is not None and row.number == 2
        store(row, kind, score=score[::-1] if score and is_turned else score, **more)

    patch.setattr(progress, "store_result", turn)


def _lose_results(patch: pytest.MonkeyPatch) -> None:
    """A worker takes a result away."""
    drain = outbox.drain

    def drain_and_lose(**more: Any) -> int:
        row = Pairing.objects.filter(kind="played", is_derived=False).order_by("pk").first()
        if row is not None:
            Pairing.objects.filter(pk=row.pk).update(
                kind="", state="ready", winner=None, score_a=None, score_b=None, decided_at=None
            )
        return drain(**more)

    patch.setattr(outbox, "drain", drain_and_lose)


def _swap_places(patch: pytest.MonkeyPatch) -> None:
    """The second gets the first place."""
    set_places = progress._set_places

    def swap(rows: Any, proposal: Any) -> None:
        first, second, *others = proposal.ranking
        swapped = (replace(first, entrant=second.entrant), replace(second, entrant=first.entrant))
        set_places(rows, replace(proposal, ranking=(*swapped, *others)))

    patch.setattr(progress, "_set_places", swap)


def _forget_rounds(patch: pytest.MonkeyPatch) -> None:
    """The round that was left to a worker is never made."""
    patch.setattr(backlog, "clear_pending", lambda event: None)


PLANTS: Final[dict[str, Callable[[pytest.MonkeyPatch], None]]] = {
    "forgotten answers": _forget_answers,
    "halves committed": _commit_halves,
    "turned scores": _turn_scores,
    "lost results": _lose_results,
    "swapped places": _swap_places,
    "forgotten rounds": _forget_rounds,
}


@contextmanager
def plant(name: str) -> Iterator[None]:
    """Damage the product while the block runs; "" does not change it."""
    with pytest.MonkeyPatch.context() as patch:
        if name:
            PLANTS[name](patch)
        yield
