"""Answers to the cards of the deck."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Q
from django.http import Http404

from matches import hooks as match_hooks
from opinion.deck import deck
from opinion.errors import CardNotDue, PositionInPlay, UnknownChoice
from opinion.figures import own_records
from opinion.judging.leitner import WAITS, compute_next_box, grade_loss
from opinion.models import Card, Remark

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

    from players.models import Player, User


def store_answer(*, user: User, card: int, choice: str, now: datetime) -> Card:
    """Store a user's answer, and schedule the card's next repetition.

    :raises Http404: the card is not the user's.
    :raises CardNotDue: it was answered and is not due again.
    :raises PositionInPlay: its position occurs in a match being played.
    :raises UnknownChoice: not a legal play or cube action.
    """
    with transaction.atomic():
        # Serialize concurrent answers to a card.
        Remark.objects.select_for_update().filter(pk=card).first()
        row = deck.list_cards(user).filter(pk=card).first()
        if row is None:
            raise Http404
        known = Card.objects.filter(remark=row).first()
        if known is not None and known.due_at > now:
            raise CardNotDue
        if deck.is_in_play(row):
            raise PositionInPlay
        meant = deck.read_choice(row, choice)
        if meant is None:
            raise UnknownChoice
        loss = deck.compute_loss(row, meant)
        box = compute_next_box(known.box if known else 0, grade_loss(loss))
        found, _created = Card.objects.update_or_create(
            remark=row,
            defaults={
                "box": box,
                "times": known.times + 1 if known else 1,
                "choice": meant,
                "loss": loss,
                "answered_at": now,
                "due_at": now + WAITS[box],
            },
        )
    return found


def delete_answers(*, player: Player) -> None:
    _query_answers(player).delete()


def export_answers(player: Player) -> list[dict[str, object]]:
    """Return a player's answers to cards, for the export of their data."""
    rows = _query_answers(player).order_by("pk")
    return [dict(row) for row in rows.values("remark__position", "choice", "times", "answered_at")]


def _query_answers(player: Player) -> QuerySet[Card]:
    own = Q(remark__side=0, remark__analysis__match__white=player)
    own |= Q(remark__side=1, remark__analysis__match__black=player)
    in_records = Remark.objects.filter(
        own_records.filter_remarks(match_hooks.RECORDS.get().of_players([player.pk], None))
    )
    return Card.objects.filter(own | Q(remark__in=in_records.order_by().values("pk")))
