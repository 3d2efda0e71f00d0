"""Brackets for print, current or blank, as tables of a few rounds with room to write.

A table has only so many rounds that the matches which lead to one match of its last round fit on a page;
later rounds follow in another table. Each match has a number, by which other tables and brackets refer to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from draw import stages as rules
from draw.brackets.structure import FINAL, MAIN
from draw.event import From, Key, Place, Seat, State
from draw.forecast.event_forecast import plan_event
from tournaments.base import event_rows, labels
from tournaments.base.event_view import EventView, MatchView, StageView
from tournaments.models import PairingState, Tournament

# Rows of matches and columns of rounds that fit on a page with room to write, A4 or Letter.
MOST_ROWS: Final = 16
MOST_ROUNDS: Final = 4
# Tables with at most this number of rows have higher rows.
FEW_ROWS: Final = 8
# Longer names do not fit on one line of a box.
LONG_NAME: Final = 17
LARGEST: Final = 256


@dataclass(frozen=True, slots=True)
class SheetSeat:
    name: str = ""
    score: str = ""
    hint: str = ""
    is_winner: bool = False

    @property
    def is_long(self) -> bool:
        """True if the name needs smaller letters to fit on one line."""
        return len(self.name) > LONG_NAME


@dataclass(frozen=True, slots=True)
class SheetMatch:
    key: str
    bracket: str
    round: int
    label: str
    a: SheetSeat
    b: SheetSeat
    is_bye: bool
    # The keys of the matches whose winners play here.
    feeds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SheetCell:
    rows: int = 1
    match: SheetMatch | None = None
    # Lines connect it with two earlier matches.
    is_joined: bool = False
    # The cell for the winner of the bracket.
    is_winner: bool = False
    name: str = ""


@dataclass(frozen=True, slots=True)
class SheetTable:
    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[SheetCell, ...], ...]

    @property
    def is_small(self) -> bool:
        return len(self.rows) <= FEW_ROWS


def build_current_tables(view: EventView) -> tuple[SheetTable, ...]:
    """Return the current draw: names, scores, and the matches that missing players come from."""
    found: list[SheetTable] = []
    for part in view.parts:
        if part.is_sheet and part.plays:
            made = [
                _build_played_match(view, play) for play in part.plays if play.state != PairingState.VACANT
            ]
            found += _build_tables(made, part.stage.name if len(view.parts) > 1 else "")
    return tuple(found)


def build_blank_tables(event: Tournament, parts: Sequence[StageView], players: int) -> tuple[SheetTable, ...]:
    """Return the blank draw for so many players, for stages whose number of players is known."""
    found: list[SheetTable] = []
    several = len(parts) > 1
    for part in parts:
        count = _count_players(part, players)
        if part.is_sheet and count:
            stage = event_rows.build_stage(event, part.stage)
            alone = rules.propose(plan_event([replace(stage, takes=())], count))
            by_key = {one.key: one for one in alone.places}
            last: dict[str, int] = {}
            for one in alone.places:
                last[one.bracket] = max(one.round, last.get(one.bracket, 0))
            made = [
                _build_blank_match(one, by_key, last) for one in alone.places if one.state is not State.VACANT
            ]
            found += _build_tables(made, part.stage.name if several else "")
    return tuple(found)


def _count_players(part: StageView, players: int) -> int:
    """Return the number of players in a stage, 0 if it depends on the number of groups or of all players."""
    if not part.stage.takes:
        return players
    count = 0
    for take in part.stage.takes:
        if take.get("each_group") or not take.get("last"):
            return 0
        count += take["last"] - take.get("first", 1) + 1
    return count


def _build_played_match(view: EventView, play: MatchView) -> SheetMatch:
    score_a, score_b = view.score(play)
    is_decided = play.state == PairingState.DECIDED

    def seat(pk: int | None, score: str, origin: str, key: str) -> SheetSeat:
        who = view.who(pk)
        if who is None:
            source = view.by_key.get(key)
            is_over = is_decided or play.state == PairingState.BYE
            if is_over or source is None or source.state in {PairingState.VACANT, PairingState.BYE}:
                return SheetSeat()
            return SheetSeat(hint=_describe_source(origin, view.place(source, bracket=play.bracket)))
        return SheetSeat(who.name, score, is_winner=is_decided and play.winner_id == pk)

    origins = ((play.a_from, play.a_key), (play.b_from, play.b_key))
    return SheetMatch(
        key=play.key,
        bracket=play.bracket,
        round=play.round,
        label=f"{play.round}.{play.number}",
        a=seat(play.a_id, score_a, *origins[0]),
        b=seat(play.b_id, score_b, *origins[1]),
        is_bye=play.state == PairingState.BYE,
        feeds=tuple(dict.fromkeys(key for origin, key in origins if origin == From.WINNER.value)),
    )


def _describe_source(origin: str, place: str) -> str:
    if origin == From.WINNER.value:
        return _("Winner of %(place)s") % {"place": place}
    if origin == From.LOSER.value:
        return _("Loser of %(place)s") % {"place": place}
    return ""


def _build_blank_match(place: Place, by_key: Mapping[Key, Place], last: Mapping[str, int]) -> SheetMatch:
    def seat(one: Seat) -> SheetSeat:
        source = None if one.key is None else by_key.get(one.key)
        if source is None:
            return SheetSeat()
        place_name = labels.format_place(
            source.bracket,
            source.round,
            source.number,
            last[source.bracket],
            has_title=FINAL in last,
            is_own=source.bracket == place.bracket,
        )
        return SheetSeat(hint=_describe_source(one.origin.value, place_name))

    sources = (place.a, place.b)
    return SheetMatch(
        key=str(place.key),
        bracket=place.bracket,
        round=place.round,
        label=f"{place.round}.{place.number}",
        a=seat(place.a),
        b=seat(place.b),
        is_bye=place.state is State.BYE,
        feeds=tuple(
            dict.fromkeys(
                str(one.key) for one in sources if one.origin is From.WINNER and one.key is not None
            )
        ),
    )


def _build_tables(made: Sequence[SheetMatch], stage: str) -> Iterator[SheetTable]:
    brackets: dict[str, list[list[SheetMatch]]] = {}
    main_rounds = max((one.round for one in made if one.bracket == MAIN), default=0)
    for match in made:
        # A title match follows the rounds of the main draw.
        is_title = match.bracket == FINAL and main_rounds > 0
        rounds = brackets.setdefault(MAIN if is_title else match.bracket, [])
        at = main_rounds + match.round if is_title else match.round
        while len(rounds) < at:
            rounds.append([])
        rounds[at - 1].append(match)
    several = len(brackets) > 1
    for name, rounds in brackets.items():
        title = " · ".join(
            part for part in (stage.capitalize(), labels.format_bracket(name) if several else "") if part
        )
        yield from _build_bracket_tables(name, title, [one for one in rounds if one])


def _build_bracket_tables(
    name: str, title: str, rounds: Sequence[Sequence[SheetMatch]]
) -> Iterator[SheetTable]:
    last, start = len(rounds), 0
    while start < last:
        end = _find_table_end(rounds, start)
        heads = tuple(_format_heading(name, number, rounds) for number in range(start, end))
        is_end = end == last
        window = [one for made in rounds[start:end] for one in made]
        trees = _MatchTrees(
            window, {one.key: at for at, made in enumerate(rounds[start:end]) for one in made}
        )
        for roots in trees.pages():
            yield trees.table(title, heads, roots, has_winner=is_end and len(rounds[-1]) == 1)
        start = end


def _find_table_end(rounds: Sequence[Sequence[SheetMatch]], start: int) -> int:
    """Return the index of the round before which a table that starts at *start* ends.

    No tree of the table is higher than a page.
    """
    end = start + 1
    while end < len(rounds) and end - start < MOST_ROUNDS:
        window = [one for made in rounds[start : end + 1] for one in made]
        trees = _MatchTrees(window, {one.key: 0 for one in window})
        if max(trees.height(one.key) for one in rounds[end]) > MOST_ROWS:
            break
        end += 1
    return end


def _format_heading(name: str, at: int, rounds: Sequence[Sequence[SheetMatch]]) -> str:
    made = rounds[at]
    own = [one for part in rounds for one in part if one.bracket == made[0].bracket]
    last = max(one.round for one in own)
    has_title = name == MAIN and any(one.bracket == FINAL for part in rounds for one in part)
    return labels.format_round_title(made[0].bracket, made[0].round, last, len(made), has_title=has_title)


class _MatchTrees:
    """Matches of a few rounds as trees, each with the matches that lead to it."""

    def __init__(self, matches: Sequence[SheetMatch], column: dict[str, int]) -> None:
        self.matches = {one.key: one for one in matches}
        self.column = column
        self.heights: dict[str, int] = {}

    def feeders(self, key: str) -> list[str]:
        return [one for one in self.matches[key].feeds if one in self.matches]

    def height(self, key: str) -> int:
        if key not in self.heights:
            self.heights[key] = max(1, sum(self.height(one) for one in self.feeders(key)))
        return self.heights[key]

    def pages(self) -> Iterator[list[str]]:
        """Yield the trees that fit on one page, page by page, in order."""
        fed = {one for key in self.matches for one in self.feeders(key)}
        page: list[str] = []
        rows = 0
        for root in (key for key in self.matches if key not in fed):
            if page and rows + self.height(root) > MOST_ROWS:
                yield page
                page, rows = [], 0
            page.append(root)
            rows += self.height(root)
        if page:
            yield page

    def table(
        self, title: str, heads: tuple[str, ...], roots: Sequence[str], *, has_winner: bool
    ) -> SheetTable:
        columns = len(heads) + has_winner
        rows: list[dict[int, SheetCell]] = [{} for _row in range(sum(self.height(root) for root in roots))]
        taken: set[tuple[int, int]] = set()
        top = 0
        for root in roots:
            self._place_match(root, top, rows, taken)
            if has_winner:
                match = self.matches[root]
                winner = next((one.name for one in (match.a, match.b) if one.is_winner), "")
                rows[top][len(heads)] = SheetCell(self.height(root), is_winner=True, name=winner)
                taken |= {(top + row, len(heads)) for row in range(self.height(root))}
            top += self.height(root)
        if has_winner:
            heads = (*heads, pgettext("of a bracket", "Winner"))
        return SheetTable(
            title,
            heads,
            tuple(
                tuple(
                    cells.get(column, SheetCell())
                    for column in range(columns)
                    if column in cells or (at, column) not in taken
                )
                for at, cells in enumerate(rows)
            ),
        )

    def _place_match(
        self, key: str, top: int, rows: list[dict[int, SheetCell]], taken: set[tuple[int, int]]
    ) -> None:
        feeders, height, column = self.feeders(key), self.height(key), self.column[key]
        rows[top][column] = SheetCell(height, self.matches[key], is_joined=len(feeders) > 1)
        taken |= {(top + row, column) for row in range(height)}
        for one in feeders:
            self._place_match(one, top, rows, taken)
            top += self.height(one)
