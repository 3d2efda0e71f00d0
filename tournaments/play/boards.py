"""Online boards of an event's matches: their creation, and the effect of their outcome on the event."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any, Final

from django.db import transaction
from django.db.models import F, Q, QuerySet

from draw.event import Kind
from draw.rules_of_play import RulesOfPlay
from engine.clock import MINUTE, PRESETS, SECOND, DelayMethod, TimeControl
from engine.rules import Rules
from engine.side import Side
from matches.journal import lifecycle
from matches.models import JournalEntry, Match
from matches.play import board_acts
from matches.state.rule_words import cap_score
from matches.state.status import ENDED, OPEN
from matches.state.status import Status as MatchStatus
from matches.state.terms import FlagRule, Terms, build_terms
from runtime.work import failures
from tournaments.base.errors import NoAccounts
from tournaments.models import Entry, Pairing, PairingState, RulingKind, Tournament
from tournaments.play import changes, progress, running_event, timing
from tournaments.status import Status

HELPING: Final = 100
# The columns of a match without a board: another may be created for the two.
NO_BOARD: Final[Mapping[str, Any]] = {"match": None, "match_head": 0}
# Boards are followed this long after the end of an event, because a director may still rule on them.
REMEMBERED: Final = timedelta(days=2)
# The director who entered a result can take it back at once for this long.
UNDONE_WITHIN: Final = timedelta(seconds=30)


def create_board(event: Tournament, row: Pairing, *, now: datetime) -> Match:
    """Create the board of an open match of a locked event, or return the existing one; a plays white.

    :raises NoAccounts: one of the two has no account.
    """
    if row.match is not None:
        return row.match
    entries = Entry.objects.filter(pk__in=[row.a_id, row.b_id]).select_related("player")
    by_pk = {entry.pk: entry.player for entry in entries}
    if any(player.user_id is None for player in by_pk.values()):
        raise NoAccounts
    white, black, terms = by_pk[row.a_id or 0], by_pk[row.b_id or 0], build_board_terms(row)
    match = lifecycle.create(white=white, black=black, terms=terms, now=now, club=event.club)
    for side, points in ((Side.WHITE, row.a_late), (Side.BLACK, row.b_late)):
        if points:
            match = board_acts.apply_penalty(match_id=match.pk, side=side, points=points, now=now)
    row.match, row.match_head = match, 0
    row.save(update_fields=["match", "match_head"])
    return match


def detach_boards(*entries: Entry) -> None:
    """Detach the boards of these entries' open matches, because a board belongs to its two players."""
    theirs = Q(a__in=entries) | Q(b__in=entries)
    Pairing.objects.filter(theirs, state=PairingState.READY, match__isnull=False).update(**NO_BOARD)


def build_board_terms(row: Pairing) -> Terms:
    play = RulesOfPlay.from_match_rules(row.rules)
    control = _build_control(row, play)
    flag = FlagRule()
    if control is not None and play.flag_points:
        flag = FlagRule(play.flag_points, control.reserve // 2)
    rules = Rules(
        length=row.length,
        cube=play.cube,
        crawford=play.crawford,
        gammons=play.gammons,
        backgammons=play.backgammons,
        jacoby=play.jacoby,
    )
    return build_terms(rules, control, play.clock, flag=flag, shows_pips=play.pips)


def _build_control(row: Pairing, play: RulesOfPlay) -> TimeControl | None:
    if play.clock:
        return PRESETS[play.clock].control(row.length)
    minutes, delay = row.rules.get("minutes_a_point"), row.rules.get("delay_seconds")
    if minutes is None:
        return None
    return TimeControl(
        DelayMethod.SIMPLE, int(Fraction(minutes) * row.length * MINUTE), (delay or 0) * SECOND
    )


def apply_board_state(*, match_id: int, now: datetime) -> bool:
    """Apply the state of an online match; True if it was new. Idempotent."""
    event_id = Pairing.objects.filter(match=match_id).values_list("tournament_id", flat=True).first()
    if event_id is None:
        return False
    with transaction.atomic():
        # The lock order: the event, then the match.
        event = changes.lock_event(event_id)
        row = Pairing.objects.select_related("a", "b").filter(match=match_id).first()
        if row is None or Status(event.status) not in progress.PLAYED:
            return False
        match = Match.objects.select_for_update(of=("self",), no_key=True).get(pk=match_id)
        if match.head <= row.match_head:
            return False
        return _apply_match(event, row, match, now=now)


def follow_board(payload: Mapping[str, Any], *, now: datetime) -> None:
    """Apply the state of a board to its event (outbox handler)."""
    apply_board_state(match_id=payload["match"], now=now)


def _apply_match(event: Tournament, row: Pairing, match: Match, *, now: datetime) -> bool:
    is_over = MatchStatus(match.status) in ENDED
    has_result = row.state == PairingState.DECIDED and row.match_head > 0
    if is_over:
        Pairing.objects.filter(pk=row.pk).update(match_head=match.head)
        row.match_head = match.head
    if match.status == MatchStatus.VOID:
        if has_result:
            _correct_result(event, row, {**NO_BOARD, **timing.build_new_times(event, row, now=now)}, now=now)
        else:
            Pairing.objects.filter(pk=row.pk).update(**NO_BOARD)
            changes.announce_change(event, now=now)
        return True
    if is_over:
        # What the desk decided while they played stays, unless a director then rules on the board.
        is_of_desk = row.state == PairingState.DECIDED and not has_result
        return not (is_of_desk and not _is_ruled(match)) and _apply_ending(event, row, match, now=now)
    if has_result:
        goes_on = timing.build_new_deadline(event, row, now=now)
        _correct_result(event, row, {"match_head": 0, **goes_on}, now=now)
        return True
    return False


def _is_ruled(match: Match) -> bool:
    """True if a director's ruling was the last act on a board."""
    acts = JournalEntry.objects.filter(match=match).exclude(by="server")
    return acts.order_by("-seq").values_list("by", flat=True).first() == "director"


def _apply_ending(event: Tournament, row: Pairing, match: Match, *, now: datetime) -> bool:
    kind, winner_id, played = compute_ending(row, match)
    if row.state == PairingState.READY and row.opened_at is not None:
        progress.record_result(event, row, kind, winner_id=winner_id, score=played, now=now)
        return True
    score_a, score_b = played or (None, None)
    result: dict[str, object] = {"kind": kind.value, "winner_id": winner_id}
    result |= {"score_a": score_a, "score_b": score_b}
    if row.state != PairingState.DECIDED or all(getattr(row, name) == result[name] for name in result):
        return False
    # The time of play is kept when the result is corrected.
    decided = {"state": PairingState.DECIDED, "decided_at": row.decided_at or now}
    _correct_result(event, row, result | decided, now=now)
    changes.notify_corrected(event, row.key, now=now)
    return True


def compute_ending(row: Pairing, match: Match) -> tuple[Kind, int | None, tuple[int, int] | None]:
    """Read the end of a match on its board: kind, winner, and the score if it was played to the end."""
    score = cap_score((match.white_score, match.black_score), row.length)
    winner_id, (won, lost) = (row.a_id, score) if match.winner == "white" else (row.b_id, score[::-1])
    # A director may give a match to either side, and penalty points may end it before the start.
    is_played = won == row.length > lost and max(row.a_late, row.b_late) < row.length
    return (Kind.PLAYED, winner_id, score) if is_played else (Kind.FORFEIT, winner_id, None)


def _correct_result(event: Tournament, row: Pairing, values: dict[str, object], *, now: datetime) -> None:
    """Correct a recorded result after a director's ruling on the board, or take it back."""
    values = {**progress.NO_RESULT, **values}
    data, why = {"key": row.key, "kind": values["kind"]}, "ruled on the board"
    with running_event.perform_correction(
        event, RulingKind.CORRECTED, by=None, now=now, reason=why, data=data, told_of=row.key
    ):
        Pairing.objects.filter(pk=row.pk).update(**values)


def query_unfollowed(at: Any) -> QuerySet[Pairing]:
    """Return the matches whose boards have news from before *at* that the event has not applied."""
    is_news = Q(match__status__in=list(ENDED)) & ~Q(match_head=F("match__head"))
    is_open_again = Q(state=PairingState.DECIDED, match_head__gt=0, match_head__lt=F("match__head"))
    return Pairing.objects.filter(_build_is_fresh(at), is_news | is_open_again, match__moved_at__lte=at)


def query_outlived(at: Any) -> QuerySet[Pairing]:
    """Return the matches whose boards go on though the event has decided them, or has them played again.

    For a while the result can still be undone at once, and the board then goes on.
    """
    is_decided = Q(state=PairingState.DECIDED, decided_at__lte=at - UNDONE_WITHIN)
    is_replayed = Q(state=PairingState.READY, kind=Kind.VOID.value, opened_at__lte=at - UNDONE_WITHIN)
    rows = Pairing.objects.filter(_build_is_fresh(at), match__status__in=list(OPEN), match_head=0)
    return rows.filter(is_decided | (is_replayed & Q(opened_at__gt=F("match__created_at"))))


def _build_is_fresh(at: Any) -> Q:
    return Q(tournament__status=Status.RUNNING) | Q(tournament__finished_at__gt=at - REMEMBERED)


def sweep(now: datetime) -> int:
    """Apply the outcomes of boards whose job was lost, and end the boards of matches that are decided."""
    followed = failures.process_each(
        "tournaments.boards",
        _list_boards(query_unfollowed(now)),
        lambda match_id: apply_board_state(match_id=match_id, now=now),
        now=now,
    )
    return followed + failures.process_each(
        "tournaments.outlived_boards",
        _list_boards(query_outlived(now)),
        lambda match_id: _end_board(match_id, now=now),
        now=now,
    )


def _list_boards(rows: QuerySet[Pairing]) -> list[Any]:
    return list(rows.order_by("pk").values_list("match_id", flat=True)[:HELPING])


def _end_board(match_id: int, *, now: datetime) -> bool:
    row = Pairing.objects.get(match=match_id)
    with transaction.atomic():
        changes.lock_event(row.tournament_id)
        # The result may have been taken back since.
        is_outlived = query_outlived(now).filter(pk=row.pk).exists()
        return is_outlived and board_acts.void_match(match_id=match_id, now=now)
