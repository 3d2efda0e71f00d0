"""Optimistic concurrency: an act carries the state its author saw, and is refused if that has changed.

The comparison runs under the event's lock, in the transaction of the act (ADR 30).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from django.db import transaction
from django.utils.translation import gettext as _

from draw.event import Kind
from players.models import User
from tournaments.base import event_lines, expectations, labels
from tournaments.base.errors import ChangedMeanwhile, TournamentError
from tournaments.base.expectations import Sight
from tournaments.models import Entry, Pairing, Tournament
from tournaments.play import changes
from tournaments.play.changes import HelperActor

T = TypeVar("T")
# The version is public; everything else is compared for authorised users only.
PUBLIC: Final = frozenset({"version"})


@dataclass(frozen=True, slots=True)
class ActTarget:
    """The target of an act: a match, a round, a draw, or the event."""

    key: str = ""
    stage: int = 1
    round: int = 0


def run_if_unchanged(
    act: Callable[[], T],
    *,
    tournament_id: int,
    about: ActTarget,
    expects: Mapping[str, Any],
    by: User | HelperActor,
) -> T:
    """Run an act if the expected state is unchanged.

    Users without the right to act do not learn what has changed: the act itself refuses them.

    :raises ChangedMeanwhile: it has changed; nothing is done.
    """
    if not expects:
        return act()
    with transaction.atomic():
        event = changes.lock_event(tournament_id)
        row = _find_row(event, about.key)
        may_know = expects if _may_act(event, row, by) else {*expects} & PUBLIC
        _require_unchanged(event, row, about, {name: expects[name] for name in may_know})
        return act()


def find_change(event: Tournament, key: str, expects: Mapping[str, Any]) -> TournamentError | None:
    """Return the error that a director's act on a match would raise now.

    None if the match is in the expected state.
    """
    try:
        _require_unchanged(event, _find_row(event, key), ActTarget(key=key), expects)
    except ChangedMeanwhile as refusal:
        return refusal
    return None


def build_reports_error(event: Tournament, row: Pairing) -> TournamentError:
    now = expectations.build_row_state(event, row, ["reports"])
    return ChangedMeanwhile(what=_describe_reports(row, now["reports"]), now=now)


def _find_row(event: Tournament, key: str) -> Pairing | None:
    rows = Pairing.objects.select_related("a__player", "b__player", "winner__player")
    return rows.filter(tournament=event, key=key).first() if key else None


def _may_act(event: Tournament, row: Pairing | None, by: User | HelperActor) -> bool:
    # A helper only sends the seats, which are public.
    if isinstance(by, HelperActor) or by.has_perm("tournaments.direct", event.club):
        return True
    if row is None or row.opened_at is None:
        return False
    return any(entry is not None and entry.player.user_id == by.pk for entry in (row.a, row.b))


def _require_unchanged(
    event: Tournament, row: Pairing | None, about: ActTarget, expects: Mapping[str, Any]
) -> None:
    now = _load_state(event, row, about, expects)
    changed = {name for name, seen in expects.items() if now[name] != seen}
    if changed:
        current = {name: now[name] for name in expects if name not in {"draw", "round"}}
        raise ChangedMeanwhile(what=_describe_state(row, changed, now), now=current)


def _load_state(
    event: Tournament, row: Pairing | None, about: ActTarget, expects: Mapping[str, Any]
) -> Sight:
    """Return the current state of everything that was expected; None for what does not exist."""
    now: Sight = dict.fromkeys(expects)
    if row is not None:
        now |= expectations.build_row_state(event, row, expects)
    if "version" in expects:
        now["version"] = event.version
    if "people" in expects:
        # Entries added since are not compared.
        there, seen = expectations.map_entry_players(event), expects["people"]
        now["people"] = {number: there[number] for number in seen if number in there}
    if "draw" in expects:
        now["draw"] = expectations.hash_draw(event, about.stage)
    if "round" in expects:
        now["round"] = expectations.hash_draft(event, about.stage, about.round)
    return now


def _describe_state(row: Pairing | None, changed: set[str], now: Sight) -> str:
    if row is not None and changed & {*expectations.SEATS}:
        return _("This match is now %(a)s – %(b)s.") % _format_names(row)  # noqa: RUF001
    if row is not None and changed & {*expectations.RESULT}:
        return describe_result(row)
    if row is not None and "reports" in changed:
        return _describe_reports(row, now["reports"])
    if row is not None and "appointments" in changed:
        return _("What is proposed or agreed for this match has changed.")
    if "people" in changed:
        return _("Players have been replaced or exchanged since you looked.")
    if changed & {"draw", "round"}:
        return _("The draw has been made again since you looked.")
    return _("The event has changed since you looked.")


def _format_names(row: Pairing) -> dict[str, str]:
    return {"a": _format_name(row.a), "b": _format_name(row.b)}


def _format_name(entry: Entry | None) -> str:
    return _("nobody yet") if entry is None else event_lines.format_player_name(entry.player)


def describe_result(row: Pairing) -> str:
    names = _format_names(row)
    if not row.kind:
        return _("The match %(a)s – %(b)s has no result any more.") % names  # noqa: RUF001
    if row.score_a is not None:
        score = {"score_a": row.score_a, "score_b": row.score_b}
        sentence = _("The result of this match is now %(a)s %(score_a)s – %(score_b)s %(b)s.")  # noqa: RUF001
        return sentence % {**names, **score}
    if row.winner is None:
        return _("The match %(a)s – %(b)s has now ended without a winner.") % names  # noqa: RUF001
    facts = {"winner": _format_name(row.winner), "how": row.get_kind_display()}
    if row.kind == Kind.PLAYED:
        return _("The result of this match is now a win for %(winner)s.") % facts
    return _("The result of this match is now a win for %(winner)s: %(how)s.") % facts


def _describe_reports(row: Pairing, reports: list[list[int]]) -> str:
    if not reports:
        return _("There is no longer a report of this match.")
    names = {entry.number: _format_name(entry) for entry in (row.a, row.b) if entry is not None}
    sentences = []
    for by, *what in reports:
        score = labels.format_winner(names.get(what[0], ""))
        if len(what) > 1:
            score = labels.format_named_score(_format_name(row.a), what[0], what[1], _format_name(row.b))
        sentences.append(_("%(name)s says: %(score)s") % {"name": names.get(by, ""), "score": score})
    return _("The reports are now: %(reports)s.") % {"reports": ", ".join(sentences)}
