"""Rows of the desk with a score typed but not entered, compared with the present state of their matches.

A page sends them with every request for the desk (static/js/unsent.js). If another director was faster, the
row stays: it says how the match ended and what was typed here, and links to a correction.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from django.utils.translation import gettext as _

from draw.rules_of_play import RulesOfPlay
from tournaments.base import expectations, labels, scores
from tournaments.base.errors import BadScore
from tournaments.desk import rulings
from tournaments.models import Pairing, PairingState, Ruling, RulingKind
from tournaments.pages import bracket_display
from tournaments.play import optimistic_locking

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tournaments.base.event_view import EventView, MatchView
    from tournaments.base.result_reports import ReportLine
    from tournaments.models import Tournament
    from tournaments.pages.bracket_display import MatchLine

MOST: Final = 64
MOST_CHARACTERS: Final = 20_000
LONGEST_SCORE: Final = 20


class UnsentRow(NamedTuple):
    """A score typed beside a match, and why it is not entered."""

    match: str
    score: str
    why: str
    winner: int = 0
    # The row was just sent: its field keeps the focus.
    has_focus: bool = False
    # The match has ended with another result than the typed one.
    may_correct: bool = False

    @property
    def error_id(self) -> str:
        """The id of the element with the reason."""
        return "wrong-score" if self.has_focus else f"wrong-score-{self.match}"


# A match, the reports of its players, and a score that was typed and is not entered.
DeskRow: TypeAlias = "tuple[MatchLine, tuple[ReportLine, ...], UnsentRow | None]"


def find_changed_rows(event: Tournament, view: EventView, text: str) -> dict[str, UnsentRow]:
    """Return the unsent rows whose match has changed since the page was rendered, by match."""
    found = {}
    for match, typed, expects in _parse_rows(text):
        play = view.by_key.get(match)
        if play is None:
            continue
        if play.state == PairingState.DECIDED:
            found[match] = _build_ended_row(event, play, typed)
            continue
        seen = expectations.parse_state(expects, expectations.SEATS)
        # Most rows are unchanged: that takes no query.
        if seen is None or seen == expectations.build_view_state(view, play):
            continue
        if change := optimistic_locking.find_change(event, match, seen):
            found[match] = UnsentRow(match, typed, str(change))
    return found


def build_refused_row(
    event: Tournament, view: EventView, match: str, typed: str, why: str, winner: int
) -> dict[str, UnsentRow]:
    """Return the row of a refused result, by match; empty if there is no such match."""
    play = view.by_key.get(match)
    if play is None:
        return {}
    row = UnsentRow(match, typed, why, winner)
    if play.state == PairingState.DECIDED:
        row = _build_ended_row(
            event, play, typed, view.by_number[winner].name if winner in view.by_number else ""
        )
    return {match: row._replace(winner=winner, has_focus=True)}


def list_desk_rows(
    view: EventView,
    shown: Iterable[tuple[MatchLine, tuple[ReportLine, ...]]],
    unsent: dict[str, UnsentRow],
) -> list[DeskRow]:
    """List the rows of the desk and those of other unsent scores, all in the order of the event."""
    found: list[DeskRow] = [(line, claims, unsent.get(line.play.key)) for line, claims in shown]
    missing = unsent.keys() - {line.play.key for line, _claims, _row in found}
    order = {key: at for at, key in enumerate(view.by_key)}
    for key in sorted(missing, key=order.__getitem__):
        at = sum(order[line.play.key] < order[key] for line, _claims, _row in found)
        found.insert(at, (bracket_display.build_match_line(view, view.by_key[key]), (), unsent[key]))
    return found


def _build_ended_row(event: Tournament, play: MatchView, typed: str, winner: str = "") -> UnsentRow:
    row = Pairing.objects.select_related("a__player", "b__player", "winner__player").get(
        tournament=event, key=play.key
    )
    said = [optimistic_locking.describe_result(row)]
    entered = Ruling.objects.filter(
        tournament=event, act=RulingKind.ENTERED_RESULT, data__key=play.key, restored_by__isnull=True
    )
    by = entered.select_related("by__player", "helper").order_by("-pk").first()
    if by is not None and (name := rulings.get_author(by)):
        said.append(_("Entered by %(name)s.") % {"name": name})
    if _parse_score(row, typed) == (row.score_a, row.score_b):
        return UnsentRow(play.key, typed, " ".join(said))
    if typed.strip() or winner:
        mine = typed.strip() or labels.format_winner(winner)
        said.append(_("Not entered, from this page: %(typed)s.") % {"typed": mine})
    return UnsentRow(play.key, typed, " ".join(said), may_correct=True)


def _parse_score(row: Pairing, typed: str) -> tuple[int, int] | None:
    try:
        return scores.parse_score(typed, row.length, RulesOfPlay.from_match_rules(row.rules))
    except BadScore:
        return None


def _parse_rows(text: str) -> list[tuple[str, str, str]]:
    """Parse the rows: the match, the score, and the state of the match that the page showed."""
    try:
        found: Any = json.loads(text[:MOST_CHARACTERS] or "[]")
    except (ValueError, RecursionError):
        return []
    items = found[:MOST] if isinstance(found, list) else []
    return [
        (item["match"], item["score"][:LONGEST_SCORE], item["expects"])
        for item in items
        if isinstance(item, dict)
        and all(isinstance(item.get(name), str) for name in ("match", "score", "expects"))
    ]
