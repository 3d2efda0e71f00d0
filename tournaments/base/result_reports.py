"""Reports of the two players of a match: a sentence for one of them, and lines with both names for others."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from draw.drawing.rows import GameRow
from tournaments.base import labels
from tournaments.base.event_view import EventView
from tournaments.models import OPEN_REPORTS, Report


@dataclass(frozen=True, slots=True)
class ReportView:
    """A report of one of the two players, from the viewer's point of view."""

    # None if only the winner was reported.
    mine: int | None
    theirs: int | None
    has_won: bool
    is_disputed: bool
    confirms_at: datetime | None
    # Empty if not reported game by game.
    games: tuple[GameRow, ...] = ()


@dataclass(frozen=True, slots=True)
class ReportLine:
    number: int
    name: str
    score: str


def map_open_reports(view: EventView, key: str = "") -> dict[str, tuple[ReportLine, ...]]:
    """Return the open reports of an event by match; *key* limits them to one match."""
    rows = Report.objects.filter(pairing__tournament=view.event, status__in=OPEN_REPORTS)
    if key:
        rows = rows.filter(pairing__key=key)
    columns = ("pairing__key", "pairing__a", "pairing__b", "by", "score_a", "score_b", "winner")
    found: dict[str, tuple[ReportLine, ...]] = {}
    for match, one, other, by, a, b, winner in rows.order_by("pk").values_list(*columns):
        who, won = view.who(by), view.who(winner)
        if who is None:
            continue
        both = [side.name if side else "" for side in (view.who(one), view.who(other))]
        score = labels.format_winner(won.name) if won else labels.format_named_score(both[0], a, b, both[1])
        found[match] = (*found.get(match, ()), ReportLine(who.number, who.name, score))
    return found


def describe_reports(own: ReportView | None, other: ReportView | None, name: str) -> str:
    """Describe the reports for one player, "" without any; *name* is the opponent's.

    A player who has reported reads the status of that report, otherwise the report to answer.
    """
    shown = own or other
    if shown is None:
        return ""
    if own is not None:
        sentence = _describe_own(own, is_denied=own.is_disputed or (other is not None and other.is_disputed))
    else:
        sentence = _describe_other(shown)
    return sentence % {"mine": shown.mine, "theirs": shown.theirs, "name": name}


def _describe_own(own: ReportView, *, is_denied: bool) -> str:
    if own.mine is not None:
        return (
            _("You say %(mine)s–%(theirs)s, but %(name)s disagrees. The director decides.")  # noqa: RUF001
            if is_denied
            else _("You have reported %(mine)s–%(theirs)s. Waiting for %(name)s to confirm it.")  # noqa: RUF001
        )
    if is_denied and own.has_won:
        return _("You say that you won, but %(name)s disagrees. The director decides.")
    if is_denied:
        return _("You say that %(name)s won, but %(name)s disagrees. The director decides.")
    if own.has_won:
        return _("You have reported that you won. Waiting for %(name)s to confirm it.")
    return _("You have reported that %(name)s won. Waiting for %(name)s to confirm it.")


def _describe_other(other: ReportView) -> str:
    if other.is_disputed and other.mine is not None:
        return _("You dispute what %(name)s says: you %(mine)s, %(name)s %(theirs)s. The director decides.")
    if other.is_disputed and other.has_won:
        return _("You dispute that you beat %(name)s. The director decides.")
    if other.is_disputed:
        return _("You dispute that %(name)s won. The director decides.")
    if other.mine is not None:
        return _("%(name)s says: you %(mine)s, %(name)s %(theirs)s.")
    return _("%(name)s says: you won.") if other.has_won else _("%(name)s says: %(name)s won.")
