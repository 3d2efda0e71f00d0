"""The deck of a user's own errors: the next card, its choices, the loss of each choice, and the answers.

Cards are remarks on the user's errors in finished matches, played here or recorded, from 2 ply on. Deleting
an analysis deletes its cards. A position that occurs in a match between people is left out until that match
is over.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Final

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.http import Http404

from engine.errors import EngineError
from engine.formats import xgid
from engine.formats.notation import parse_play
from engine.resolve import resolve_play
from matches import hooks as match_hooks
from matches.journal import positions_in_play
from matches.models import Match
from matches.state.status import Status
from opinion.analyses import analyses, availability
from opinion.analyses.analyses import RemarkView
from opinion.errors import CardNotDue, PositionInPlay, UnknownChoice
from opinion.figures import own_records
from opinion.judging.decisions import Kind
from opinion.judging.figures import LEAST_LEVEL
from opinion.judging.formulas import ERROR, WAITS, compute_next_box, grade_loss
from opinion.models import Card, Remark
from opinion.positions import positions
from opinion.positions.positions import CUBE_CHOICES
from players.models import Player, User

# Candidates examined to find one that occurs in no match being played.
LOOKED_AT: Final = 50


@dataclass(frozen=True, slots=True)
class CardView:
    """A decision to repeat, without the solution."""

    id: int
    kind: str
    position: str
    # For cube decisions; empty for plays, since a list would be a hint: any legal one is made on the board.
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DeckView:
    card: CardView | None
    due: int
    fresh: int
    # The time at which the next card that is not due yet becomes due.
    next_at: datetime | None
    # `off` if analyses are disabled, `absent` without an engine and cards.
    missing: str = ""


@dataclass(frozen=True, slots=True)
class AnsweredCard:
    id: int
    # The key of the match or of the recorded match it comes from; the other is "".
    match: str
    record: str
    engine: str
    version: str
    choice: str
    loss: float
    # False for a play that was not evaluated: its loss is at least that of the worst evaluated one.
    is_weighed: bool
    due_at: datetime
    remark: RemarkView


def load_deck(user: User, now: datetime) -> DeckView:
    if not availability.is_enabled():
        return DeckView(None, 0, 0, None, "off")
    rows = list_cards(user)
    due = rows.filter(card__due_at__lte=now)
    fresh = rows.filter(card__isnull=True)
    # The longest due first; then the new ones, the worst error first.
    candidates = chain(
        due.order_by("card__due_at", "pk")[:LOOKED_AT], fresh.order_by("-error", "pk")[:LOOKED_AT]
    )
    row = next((row for row in candidates if not is_in_play(row)), None)
    choices = () if row is None else CUBE_CHOICES.get(row.kind, ())
    card = None if row is None else CardView(row.pk, row.kind, row.position, choices)
    later = rows.filter(card__due_at__gt=now).order_by("card__due_at").values_list("card__due_at", flat=True)
    numbers = due.count(), fresh.count()
    missing = "absent" if availability.explain_absence() and not any(numbers) and not later else ""
    return DeckView(card, *numbers, later.first(), missing)


def list_cards(user: User) -> QuerySet[Remark]:
    """Return the errors of a user, including players merged into theirs, that may be shown as cards."""
    own = list(Player.objects.filter(Q(user=user) | Q(merged_into__user=user)).values_list("pk", flat=True))
    played = Match.objects.filter(Q(white__in=own) | Q(black__in=own), status=Status.FINISHED.value)
    on_boards = Q(
        Q(side=0, analysis__match__white__in=own) | Q(side=1, analysis__match__black__in=own),
        analysis__match__in=played.values("pk"),
        analysis__head_hash=F("analysis__match__head_hash"),
    )
    records = own_records.list_records(own, user)
    rows = Remark.objects.filter(
        on_boards | own_records.filter_remarks(records),
        analysis__level__gte=LEAST_LEVEL,
        level__gte=LEAST_LEVEL,
        error__gte=ERROR,
        kind__in=(Kind.PLAY.value, *CUBE_CHOICES),
    )
    # Exclude them here: even the number of cards would reveal something about a position being played.
    return rows.exclude(pk__in=own_records.list_in_play(records, rows)).select_related(
        "analysis__match", "card"
    )


def is_in_play(row: Remark) -> bool:
    """True if the position occurs in a match being played between people."""
    return positions_in_play.is_in_play(positions.parse_position(row.position).board)


def read_choice(row: Remark, answered: str) -> str | None:
    """Return an answer in the engine's notation; a play may have its steps in any order. None if invalid."""
    if row.kind in CUBE_CHOICES:
        return answered if answered in CUBE_CHOICES[row.kind] else None
    situation = positions.parse_position(row.position)
    if situation.dice is None or not answered.strip():
        return None
    try:
        made = resolve_play(situation.board, situation.actor, situation.dice, parse_play(answered.strip()))
    except EngineError:
        return None
    return None if made.play is None else made.play.notation


def is_weighed(row: Remark, choice: str) -> bool:
    """True if the loss of the choice is known: the best plays and the one played were evaluated."""
    return row.kind in CUBE_CHOICES or choice in _get_worths(row)


def _get_worths(row: Remark) -> dict[str, float]:
    """Return the equities of the plays evaluated as deeply as the best; others are not comparable."""
    return {play: equity for play, equity, _chances, level in row.plays if level == row.level}


def compute_loss(row: Remark, choice: str) -> float:
    """Return the equity loss of a choice; that of the original decision is its error.

    A play that was not evaluated as deeply as the best has the largest loss of those that were, and at
    least that of an error.
    """
    if choice == row.decided:
        return row.error
    if choice == row.best:
        return 0.0
    if row.cube is not None:
        # With two choices, one that was neither best nor played must be as good as the best.
        return 0.0
    worths = _get_worths(row)
    lost = {play: max(0.0, worths[row.best] - worth) for play, worth in worths.items()}
    lost[row.decided] = row.error
    return round(lost[choice] if choice in lost else max(ERROR, *lost.values()), analyses.DIGITS)


def find_answer(user: User, card: int) -> AnsweredCard | None:
    """Return the user's last answer to a card; None without one, or if the position is being played."""
    row = list_cards(user).filter(pk=card, card__isnull=False).first()
    if row is None or is_in_play(row):
        return None
    analysis = row.analysis
    return AnsweredCard(
        id=row.pk,
        match="" if analysis.match is None else analysis.match.key,
        record=analysis.record,
        engine=analysis.engine,
        version=analysis.version,
        choice=row.card.choice,
        loss=row.card.loss,
        is_weighed=is_weighed(row, row.card.choice),
        due_at=row.card.due_at,
        remark=analyses.build_remark_view(row, is_match=bool(xgid.decode(row.position).length)),
    )


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
        row = list_cards(user).filter(pk=card).first()
        if row is None:
            raise Http404
        known = Card.objects.filter(remark=row).first()
        if known is not None and known.due_at > now:
            raise CardNotDue
        if is_in_play(row):
            raise PositionInPlay
        meant = read_choice(row, choice)
        if meant is None:
            raise UnknownChoice
        loss = compute_loss(row, meant)
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
    rows = _query_answers(player).order_by("pk")
    return [dict(row) for row in rows.values("remark__position", "choice", "times", "answered_at")]


def _query_answers(player: Player) -> QuerySet[Card]:
    own = Q(remark__side=0, remark__analysis__match__white=player)
    own |= Q(remark__side=1, remark__analysis__match__black=player)
    in_records = Remark.objects.filter(
        own_records.filter_remarks(match_hooks.RECORDS.get().of_players([player.pk], None))
    )
    return Card.objects.filter(own | Q(remark__in=in_records.order_by().values("pk")))
