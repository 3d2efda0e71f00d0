"""Scores typed beside an open match by a director or a helper, and the rows of those that are not entered.

A page sends the scores that are not entered with every request for the desk (static/js/unsent.js). If another
director was faster, the row stays: it says how the match ended and what was typed here, and links to a
correction.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, Final, NamedTuple, TypeAlias

from django.utils.translation import gettext as _

from draw.rules_of_play import RulesOfPlay
from tournaments.base import event_lines, expectations, labels, scores
from tournaments.base.errors import BadScore
from tournaments.base.event_view import EventView, MatchView
from tournaments.base.result_reports import ReportLine
from tournaments.desk import rulings
from tournaments.models import OPEN_REPORTS, Pairing, PairingState, Report, Ruling, RulingKind, Tournament
from tournaments.pages import bracket_display
from tournaments.pages.bracket_display import MatchLine
from tournaments.play import claims, optimistic_locking

Score = tuple[int, int]


def parse_score(event: Tournament, key: str, typed: str, winner: int | None = None) -> Score:
    """Parse a score of a match; the loser's points are enough if the winner is known.

    The winner is known if *winner*, the number of an entry, is given, or if the open reports agree about it.

    :raises BadScore: the score is impossible at this length.
    """
    row = Pairing.objects.select_related("a", "b").filter(tournament=event, key=key).first()
    if row is None:
        return scores.parse_score(typed, event.match_length)
    return scores.parse_score(
        typed, row.length, RulesOfPlay.from_match_rules(row.rules), _find_winner(row, winner)
    )


def describe_entered(event: Tournament, key: str, score: Score | None, winner: int = 0) -> str:
    """Describe the result that was entered, with both names in the order of the score."""
    if score is not None:
        row = event.pairings.select_related("a__player", "b__player").get(key=key)
        names = (event_lines.format_player_name(entry.player) if entry else "–" for entry in (row.a, row.b))  # noqa: RUF001
        sentence = _("%(one)s – %(other)s: %(a)s–%(b)s is entered.")  # noqa: RUF001
        return sentence % dict(zip(("one", "other", "a", "b"), (*names, *score), strict=True))
    entry = event.entries.select_related("player").get(number=winner)
    return _("Entered: %(name)s won.") % {"name": event_lines.format_player_name(entry.player)}


def _find_winner(row: Pairing, number: int | None) -> str:
    """Return the winner's side, "a" or "b"; "" if it is not known."""
    winners: set[int | None]
    if number is not None:
        winners = {entry.pk for entry in (row.a, row.b) if entry is not None and entry.number == number}
    else:
        reports = Report.objects.filter(pairing=row, status__in=OPEN_REPORTS)
        winners = {claims.build_report_claim(row, report).winner_id for report in reports}
    if winners == {row.a_id}:
        return "a"
    return "b" if winners == {row.b_id} else ""


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
        name = view.by_number[winner].name if winner in view.by_number else ""
        row = _build_ended_row(event, play, typed, name)
    return {match: row._replace(winner=winner, has_focus=True)}


def list_desk_rows(
    view: EventView, shown: Iterable[tuple[MatchLine, tuple[ReportLine, ...]]], unsent: dict[str, UnsentRow]
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
    sentences = [optimistic_locking.describe_result(row)]
    entered = Ruling.objects.filter(
        tournament=event, act=RulingKind.ENTERED_RESULT, data__key=play.key, restored_by__isnull=True
    )
    by = entered.select_related("by__player", "helper").order_by("-pk").first()
    if by is not None and (name := rulings.get_author(by)):
        sentences.append(_("Entered by %(name)s.") % {"name": name})
    with suppress(BadScore):
        score = scores.parse_score(typed, row.length, RulesOfPlay.from_match_rules(row.rules))
        if score == (row.score_a, row.score_b):
            return UnsentRow(play.key, typed, " ".join(sentences))
    if typed.strip() or winner:
        mine = typed.strip() or labels.format_winner(winner)
        sentences.append(_("Not entered, from this page: %(typed)s.") % {"typed": mine})
    return UnsentRow(play.key, typed, " ".join(sentences), may_correct=True)


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
