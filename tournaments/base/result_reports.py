"""Reports of the two players of a match: a sentence for one of them, and lines with both names for others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from tournaments.base import labels
from tournaments.models import OPEN_REPORTS, Report

if TYPE_CHECKING:
    from datetime import datetime

    from draw.drawing.rows import GameRow
    from tournaments.base.event_view import EventView


@dataclass(frozen=True, slots=True)
class ReportView:
    """A report of one of the two players, from the viewer's point of view."""

    # None if only the winner was reported.
    mine: int | None
    theirs: int | None
    has_won: bool
    is_own: bool
    is_disputed: bool
    confirms_at: datetime | None
    # Empty if not reported game by game.
    games: tuple[GameRow, ...] = ()


@dataclass(frozen=True, slots=True)
class ReportLine:
    """A report for directors and helpers, with the names of both players."""

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
    if own is not None:
        is_denied = own.is_disputed or (other is not None and other.is_disputed)
        return _describe_own(own, name, is_denied=is_denied)
    if other is None:
        return ""
    return _describe_disputed(other, name) if other.is_disputed else _describe_unanswered(other, name)


def _describe_own(own: ReportView, name: str, *, is_denied: bool) -> str:
    if own.mine is not None:
        said = (
            _("You say %(mine)s–%(theirs)s, but %(name)s disagrees. The director decides.")  # noqa: RUF001
            if is_denied
            else _("You have reported %(mine)s–%(theirs)s. Waiting for %(name)s to confirm it.")  # noqa: RUF001
        )
    elif is_denied and own.has_won:
        said = _("You say that you won, but %(name)s disagrees. The director decides.")
    elif is_denied:
        said = _("You say that %(name)s won, but %(name)s disagrees. The director decides.")
    elif own.has_won:
        said = _("You have reported that you won. Waiting for %(name)s to confirm it.")
    else:
        said = _("You have reported that %(name)s won. Waiting for %(name)s to confirm it.")
    return said % {"mine": own.mine, "theirs": own.theirs, "name": name}


def _describe_disputed(other: ReportView, name: str) -> str:
    said = {"name": name, "mine": other.mine, "theirs": other.theirs}
    if other.mine is not None:
        return (
            _("You dispute what %(name)s says: you %(mine)s, %(name)s %(theirs)s. The director decides.")
            % said
        )
    if other.has_won:
        return _("You dispute that you beat %(name)s. The director decides.") % said
    return _("You dispute that %(name)s won. The director decides.") % said


def _describe_unanswered(other: ReportView, name: str) -> str:
    said = {"name": name, "mine": other.mine, "theirs": other.theirs}
    if other.mine is not None:
        return _("%(name)s says: you %(mine)s, %(name)s %(theirs)s.") % said
    if other.has_won:
        return _("%(name)s says: you won.") % said
    return _("%(name)s says: %(name)s won.") % said
