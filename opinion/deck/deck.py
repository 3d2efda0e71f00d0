"""The deck of one's own errors: which card comes next, what may be chosen, and what each choice gives away.

Cards are remarks: those of one's own errors in matches that are over, on a board of ours or in a record, from 2 ply on. Whatever
drops an analysis drops its cards. A position that stands in a match between people is left out until that is over.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.db.models import F, Q

from engine.errors import EngineError
from engine.formats.notation import parse_play
from engine.resolve import resolve
from matches.journal import standing
from matches.models import Match
from matches.state.status import Status
from opinion.analyses import analyses, here
from opinion.figures import own_records
from opinion.judging.decisions import Done, Kind
from opinion.judging.figures import LEAST_LEVEL
from opinion.judging.formulas import ERROR
from opinion.models import Remark
from opinion.positions import positions
from players.models import Player

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from django.db.models import QuerySet

    from opinion.analyses.analyses import RemarkView
    from players.models import User

CUBE_CHOICES: Final = {
    Kind.DOUBLE.value: (Done.NO_DOUBLE.value, Done.DOUBLE.value),
    Kind.TAKE.value: (Done.TAKE.value, Done.DROP.value),
}
# So many are looked at for one that stands in no match.
LOOKED_AT: Final = 50


@dataclass(frozen=True, slots=True)
class CardView:
    """A decision to take again; nothing in it says what is right."""

    id: int
    kind: str
    position: str
    # What may be answered about the cube. A play is made on the board: any that is legal.
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DeckView:
    """The deck as it is now."""

    card: CardView | None
    due: int
    fresh: int
    # When the next comes that is not due yet.
    next_at: datetime | None
    # `absent` or `off` where there is no engine and no card.
    missing: str = ""


@dataclass(frozen=True, slots=True)
class AnsweredCard:
    """What was answered, and what is right."""

    id: int
    # The key of the match of ours, or of the recorded match, that it was met in; the other is "".
    match: str
    record: str
    engine: str
    version: str
    choice: str
    loss: float
    # Is it one of the plays that were weighed? Another gives away as much as the worst of them, or more.
    is_weighed: bool
    due_at: datetime
    remark: RemarkView


def of_user(user: User, now: datetime) -> DeckView:
    """Return the deck of a person."""
    if not here.is_wanted():
        return DeckView(None, 0, 0, None, "off")
    rows = cards(user)
    due = rows.filter(card__due_at__lte=now)
    fresh = rows.filter(card__isnull=True)
    card = next((_card(row) for row in _in_turn(due, fresh) if not stands(row)), None)
    later = rows.filter(card__due_at__gt=now).order_by("card__due_at").values_list("card__due_at", flat=True)
    numbers = due.count(), fresh.count()
    missing = "absent" if here.why_not() and not any(numbers) and not later else ""
    return DeckView(card, *numbers, later.first(), missing)


def _in_turn(due: QuerySet[Remark], fresh: QuerySet[Remark]) -> Iterator[Remark]:
    """What is due first, the longest due before others; then new cards, the worst error first."""
    yield from due.order_by("card__due_at", "pk")[:LOOKED_AT]
    yield from fresh.order_by("-error", "pk")[:LOOKED_AT]


def cards(user: User) -> QuerySet[Remark]:
    """Return the errors of a person, and of who was merged into them, that may be asked about."""
    own = list(Player.objects.filter(Q(user=user) | Q(merged_into__user=user)).values_list("pk", flat=True))
    played = Match.objects.filter(Q(white__in=own) | Q(black__in=own), status=Status.FINISHED.value)
    on_boards = Q(
        Q(side=0, analysis__match__white__in=own) | Q(side=1, analysis__match__black__in=own),
        analysis__match__in=played.values("pk"),
        analysis__head_hash=F("analysis__match__head_hash"),
    )
    records = own_records.of_players(own, user)
    rows = Remark.objects.filter(
        on_boards | own_records.remarks(records),
        analysis__level__gte=LEAST_LEVEL,
        level__gte=LEAST_LEVEL,
        error__gte=ERROR,
        kind__in=(Kind.PLAY.value, *CUBE_CHOICES),
    )
    # How many there are would tell something of a record that was written to ask.
    return rows.exclude(pk__in=own_records.standing(records, rows)).select_related("analysis__match", "card")


def stands(row: Remark) -> bool:
    """Does its position stand in a match that is being played between people?"""
    return standing.stands(positions.read(row.position).board)


def choices(row: Remark) -> tuple[str, ...]:
    """Return what may be answered about the cube; nothing of plays, for a list of them would be a hint."""
    return CUBE_CHOICES.get(row.kind, ())


def choice_of(row: Remark, answered: str) -> str | None:
    """Return an answer as the engine spells it, a play in whatever order its steps were made; None for none."""
    if row.kind in CUBE_CHOICES:
        return answered if answered in CUBE_CHOICES[row.kind] else None
    situation = positions.read(row.position)
    if situation.dice is None or not answered.strip():
        return None
    try:
        made = resolve(situation.board, situation.actor, situation.dice, parse_play(answered.strip()))
    except EngineError:
        return None
    return None if made.play is None else made.play.notation


def is_weighed(row: Remark, choice: str) -> bool:
    """Is it known what this answer is worth? Of plays the best few and the one that was made have been weighed."""
    return row.kind in CUBE_CHOICES or any(choice == play for play, *_ in row.plays)


def loss(row: Remark, choice: str) -> float:
    """Return what an answer gives away, of the cube's value; what was played gave away the error.

    A play that was not weighed is none of the best: an error, and as large as the largest that was.
    """
    if choice == row.decided:
        return row.error
    if choice == row.best:
        return 0.0
    if row.cube is not None:
        # Two choices: what is neither the best nor what was done is as good as the best.
        return 0.0
    worths: dict[str, float] = {play: equity for play, equity, *_ in row.plays}
    lost = {play: max(0.0, worths[row.best] - worth) for play, worth in worths.items()}
    lost[row.decided] = row.error
    return round(lost[choice] if choice in lost else max(ERROR, *lost.values()), analyses.DIGITS)


def _card(row: Remark) -> CardView:
    return CardView(row.pk, row.kind, row.position, choices(row))


def answer(user: User, card: int) -> AnsweredCard | None:
    """Return what a person last answered on a card; None where they have not."""
    row = cards(user).filter(pk=card, card__isnull=False).first()
    if row is None or stands(row):
        return None
    told = row.analysis
    return AnsweredCard(
        id=row.pk,
        match="" if told.match is None else told.match.key,
        record=told.record,
        engine=told.engine,
        version=told.version,
        choice=row.card.choice,
        loss=row.card.loss,
        is_weighed=is_weighed(row, row.card.choice),
        due_at=row.card.due_at,
        remark=analyses.remark_view(row),
    )
