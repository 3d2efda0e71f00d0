"""Read model of an event for pages: stages, matches and players."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any, Final, NamedTuple

from django.urls import reverse
from django.utils.translation import gettext, pgettext

from draw.brackets.structure import FINAL, MAIN
from draw.drawing.rows import RowLabels
from draw.event import Ranked
from draw.history import PLAYOFF_BRACKET
from matches.models.matches import State as Board
from matches.state.rule_words import cap_score
from players import names
from players.models import NameStyle, Player
from tournaments.base import bracket_cache, event_lines, event_rows, formats, labels
from tournaments.base.bracket_cache import Standings
from tournaments.models import Draw, Entry, Pairing, PairingState, RoundStatus, SeatOrigin, Stage, Tournament


@dataclass(frozen=True, slots=True)
class EntryView:
    pk: int
    number: int
    name: str
    key: str
    href: str
    user_id: int | None
    left: str
    is_disqualified: bool
    place: int | None
    # The full name; *name* is in the style of the club.
    whole_name: str
    # Not paired for now, but still in the event.
    is_absent: bool = False


class MatchView(NamedTuple):
    """A pairing: the columns of its row, of its round and of its board."""

    key: str
    stage_id: int
    bracket: str
    round: int
    round_status: str
    number: int
    state: str
    length: int
    a_id: int | None
    b_id: int | None
    a_from: str
    a_key: str
    b_from: str
    b_key: str
    kind: str
    winner_id: int | None
    score_a: int | None
    score_b: int | None
    table: str
    opened_at: datetime | None
    called_at: datetime | None
    deadline_at: datetime | None
    decided_at: datetime | None
    needs_director: str
    a_late: int
    b_late: int
    is_cancelled: bool
    board: str | None
    board_status: str | None
    white_score: int | None
    black_score: int | None
    white_id: int | None
    a_here_at: datetime | None
    b_here_at: datetime | None
    position: int
    games: list[dict[str, Any]]
    rules: dict[str, Any]
    running: dict[str, Any]

    @property
    def begun(self) -> tuple[int, int]:
        """The score before the first game: penalty points for lateness go to the opponent."""
        return self.b_late, self.a_late

    @property
    def is_open(self) -> bool:
        return self.state == PairingState.READY and self.opened_at is not None

    @property
    def has_empty_seat(self) -> bool:
        """True if no match is played there, also while the other player is not known yet."""
        if self.state == PairingState.WAITING:
            return SeatOrigin.NOBODY in {self.a_from, self.b_from}
        return self.state in {PairingState.BYE, PairingState.VACANT}

    @property
    def is_void(self) -> bool:
        """True if it is not played: declared void, or cancelled because a player has left."""
        return self.state == PairingState.DECIDED and self.kind == "void"

    @property
    def has_no_score(self) -> bool:
        """True if it was played and only the winner is known."""
        return self.state == PairingState.DECIDED and self.kind == "played" and self.score_a is None

    @property
    def is_live(self) -> bool:
        """True if it is being played on a board of this site."""
        return self.state == PairingState.READY and self.board_status in {Board.LIVE, Board.PAUSED}

    @property
    def is_scored(self) -> bool:
        """True if a score sheet is kept for it at the table."""
        is_free = self.is_open and not self.is_live
        return is_free and self.running.get("seats") == [self.a_id, self.b_id]

    @property
    def is_adjourned(self) -> bool:
        """True if its players have interrupted it, to continue another time."""
        return self.is_scored and "adjourned" in self.running

    @property
    def flag(self) -> str:
        """The player whose flag has fallen on the clock of the score sheet: "a", "b" or ""."""
        return str(self.running.get("flag", "")) if self.is_scored else ""

    @property
    def is_playing(self) -> bool:
        """True if it is being played, on a board of this site or with a score sheet."""
        is_kept = self.is_scored and not self.is_over_on_sheet
        return self.is_live or (is_kept and not self.is_adjourned and not self.waits_again)

    @property
    def is_over_on_sheet(self) -> bool:
        """True if its score sheet has a winner, and the result is not confirmed yet."""
        if not self.is_scored:
            return False
        return max(map(sum, zip(self.running["score"], self.begun, strict=True))) >= self.length

    @property
    def waits_again(self) -> bool:
        """True if it has lost its table and waits for another; its score is kept."""
        return "waits" in self.running

    @property
    def is_drafted(self) -> bool:
        """True if only directors may see it yet."""
        return self.round_status == RoundStatus.DRAFT and self.opened_at is None


# Fields that are columns of the round or of the board.
ELSEWHERE: Final = {
    "round": "round__number",
    "round_status": "round__status",
    "board": "match__key",
    "board_status": "match__status",
    "white_score": "match__white_score",
    "black_score": "match__black_score",
    "white_id": "match__white_id",
}
COLUMNS: Final = tuple(ELSEWHERE.get(name, name) for name in MatchView._fields)


@dataclass(frozen=True)
class StageView:
    stage: Stage
    draw: Draw | None
    plays: tuple[MatchView, ...]

    @property
    def is_drawn(self) -> bool:
        return self.draw is not None and self.draw.published_at is not None

    @cached_property
    def is_sheet(self) -> bool:
        return event_rows.is_sheet(self.stage)

    @cached_property
    def rounds(self) -> dict[tuple[str, int], list[MatchView]]:
        found: dict[tuple[str, int], list[MatchView]] = {}
        for play in self.plays:
            found.setdefault((play.bracket, play.round), []).append(play)
        return found

    @cached_property
    def last(self) -> dict[str, int]:
        """The number of the last round of each bracket."""
        found: dict[str, int] = {}
        for name, number in self.rounds:
            found[name] = max(number, found.get(name, 0))
        return found

    def title_of(self, play: MatchView) -> str:
        return self.round_title(play.bracket, play.round)

    @cached_property
    def _title_cache(self) -> dict[tuple[str, int], str]:
        return {}

    def round_title(self, name: str, number: int) -> str:
        if (title := self._title_cache.get((name, number))) is None:
            title = self._title_cache[name, number] = self._build_round_title(name, number)
        return title

    def _build_round_title(self, name: str, number: int) -> str:
        if not self.is_sheet:
            return labels.format_bracket(name) if name == PLAYOFF_BRACKET else labels.format_round(number)
        found = self.rounds.get((name, number), ())
        is_needed = any(play.state in {PairingState.READY, PairingState.DECIDED} for play in found)
        last = self.last.get(name, number)
        return labels.format_round_title(
            name, number, last, len(found), has_title=FINAL in self.last, is_needed=is_needed
        )

    def label_of(self, play: MatchView) -> str:
        """Return the name of a match's round with its bracket: "Consolation · Semi-finals"."""
        title = self.title_of(play)
        is_named = play.bracket == labels.LOSERS and title == str(labels.FINALS_BEFORE[labels.LOSERS])
        if is_named or play.bracket in {"", MAIN, FINAL, labels.THIRD_PLACE, PLAYOFF_BRACKET}:
            return title
        return f"{labels.format_bracket(play.bracket)} · {title}"


@dataclass(frozen=True)
class EventView:
    event: Tournament
    parts: tuple[StageView, ...]
    people: dict[int, EntryView]
    # Players by entry, both as primary keys; empty if no match is on a board of this site.
    player_of: dict[int, int] = field(default_factory=dict)
    # Cache of `place`, by key and bracket: a box names its own match and those that follow it.
    _places: dict[tuple[str, str], str] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def stages(self) -> list[Stage]:
        return [part.stage for part in self.parts]

    @cached_property
    def plays(self) -> tuple[MatchView, ...]:
        return tuple(play for part in self.parts for play in part.plays)

    @cached_property
    def by_key(self) -> dict[str, MatchView]:
        return {play.key: play for play in self.plays}

    @cached_property
    def part_of(self) -> dict[int, StageView]:
        return {part.stage.pk: part for part in self.parts}

    def waits_for_call(self, play: MatchView) -> bool:
        """True if an open match needs a call to a table before it can begin."""
        is_called = play.called_at is not None or not self.event.waits_for_call
        return not is_called and not formats.is_over_days(self.part_of[play.stage_id].stage)

    @cached_property
    def title_key(self) -> str:
        """The key of the match that decides the event; "" if no single match does."""
        part = self.parts[-1]
        name = FINAL if FINAL in part.last else MAIN
        rounds = (part.rounds.get((name, number), ()) for number in range(part.last.get(name, 0), 0, -1))
        keys = [[play.key for play in made if play.state != PairingState.VACANT] for made in rounds]
        last = next((found for found in keys if found), [])
        return last[0] if part.is_sheet and len(last) == 1 else ""

    @cached_property
    def words(self) -> RowLabels:
        """Translated words of rows and boxes, looked up once."""
        return RowLabels(
            gettext("live"),
            gettext("bye"),
            pgettext("against", "v"),
            gettext("watch the board"),
            gettext("Game by game"),
            gettext("adjourned"),
        )

    @cached_property
    def hints(self) -> tuple[str, str, str]:
        """Translated texts for seats without a known player."""
        return (
            gettext("Winner of %(place)s"),
            gettext("Loser of %(place)s"),
            gettext("%(one)s or %(other)s"),
        )

    @cached_property
    def short_names(self) -> dict[int, str]:
        """Short names of the players by primary key of the entry."""
        short = names.shorten_names([who.whole_name for who in self.people.values()])
        return dict(zip(self.people, short, strict=True))

    @cached_property
    def standings(self) -> Standings:
        return bracket_cache.compute_standings(self.event)

    @cached_property
    def stage_rankings(self) -> dict[str, tuple[Ranked, ...]]:
        return bracket_cache.compute_stage_rankings(self.event)

    @cached_property
    def by_number(self) -> dict[int, EntryView]:
        return {who.number: who for who in self.people.values()}

    @cached_property
    def ahead(self) -> dict[int, MatchView]:
        """The current or next match of each player who is still in, by primary key of the entry."""
        found: dict[int, MatchView] = {}
        for play in self.plays:
            if play.state in {PairingState.READY, PairingState.WAITING}:
                for pk in (play.a_id, play.b_id):
                    if pk is not None and (pk not in found or play.is_open):
                        found[pk] = play
        return found

    @cached_property
    def onward(self) -> dict[tuple[str, str], MatchView]:
        """The next match of winners and losers, by "winner" or "loser" and the key of their match."""
        return {
            (origin, key): play
            for play in self.plays
            if play.state != PairingState.VACANT
            for origin, key in ((play.a_from, play.a_key), (play.b_from, play.b_key))
            if key
        }

    def who(self, pk: int | None) -> EntryView | None:
        return None if pk is None else self.people.get(pk)

    def label(self, play: MatchView) -> str:
        """Return the name of a match's round, with its stage if the names of several stages are alike."""
        part = self.part_of[play.stage_id]
        label = part.label_of(play)
        return (
            f"{part.stage.name.capitalize()} · {label}" if part.stage.pk in self._ambiguous_stages else label
        )

    @cached_property
    def _ambiguous_stages(self) -> frozenset[int]:
        """Primary keys of stages whose rounds have the same names as those of another stage."""
        kinds = [part.is_sheet for part in self.parts]
        return frozenset(
            part.stage.pk for part in self.parts if part.stage.name and kinds.count(part.is_sheet) > 1
        )

    def place(self, play: MatchView, *, bracket: str = "") -> str:
        """Return the name of a match as shown in a box of *bracket*."""
        if (found := self._places.get((play.key, bracket))) is not None:
            return found
        last = self.part_of[play.stage_id].last
        at = last.get(play.bracket, 0)
        is_own, has_title = play.bracket == bracket, FINAL in last
        name = labels.format_place(
            play.bracket, play.round, play.number, at, has_title=has_title, is_own=is_own
        )
        self._places[play.key, bracket] = name
        return name

    def score(self, play: MatchView) -> tuple[str, str]:
        """Return the text for each side: the points, or without a score how the match ended."""
        if play.is_live and play.white_score is not None:
            a, b = map(str, cap_score((play.white_score, play.black_score or 0), play.length))
            is_white = play.a_id is not None and self.player_of.get(play.a_id) == play.white_id
            return (a, b) if is_white else (b, a)
        if play.is_scored:
            won, late = play.running["score"], play.begun
            a, b = map(str, cap_score((won[0] + late[0], won[1] + late[1]), play.length))
            return a, b
        if play.state != PairingState.DECIDED:
            return "", ""
        if play.score_a is not None and play.kind in {"played", "drawn"}:
            return str(play.score_a), str(play.score_b)
        if play.has_no_score:
            won = pgettext("short for won", "won")
            return (won, "") if play.winner_id == play.a_id else ("", won)
        word = str(labels.SHORT_KINDS.get(play.kind, ""))
        if play.winner_id is None:
            return word, word
        return ("", word) if play.winner_id == play.a_id else (word, "")

    def hint(self, play: MatchView, side: str) -> str:
        """Describe a seat without a known player by those who may take it; "" if no text is needed."""
        origin, key = (play.a_from, play.a_key) if side == "a" else (play.b_from, play.b_key)
        source = self.by_key.get(key)
        if source is None or source.state in {PairingState.VACANT, PairingState.BYE}:
            return ""
        # After the first title match, the title of the round says that it is played only if needed.
        if origin not in {"winner", "loser"} or source.bracket == FINAL:
            return ""
        one, other = self.who(source.a_id), self.who(source.b_id)
        if one and other and source.state != PairingState.DECIDED:
            return labels.format_either(self.hints[2], self.short_names[one.pk], self.short_names[other.pk])
        if origin == "winner" and source.bracket == play.bracket:
            return ""
        return self.hints[0 if origin == "winner" else 1] % {"place": self.place(source)}


def load_view(event: Tournament, *, with_drafts: bool = False) -> EventView:
    """Load an event for display, with a fixed number of queries; *with_drafts* includes drafted rounds."""
    stages = list(Stage.objects.filter(tournament=event).select_related("draw").order_by("number"))
    people = _load_entries(event)
    found: dict[int, list[MatchView]] = {stage.pk: [] for stage in stages}
    fixed = {stage.pk for stage in stages if event_rows.is_fixed(stage)}
    rows = Pairing.objects.filter(tournament=event).order_by("stage__number", "position", "pk")
    for play in map(MatchView._make, rows.values_list(*COLUMNS)):
        if with_drafts or play.stage_id in fixed or not play.is_drafted:
            found[play.stage_id].append(play)
    parts = tuple(StageView(stage, getattr(stage, "draw", None), tuple(found[stage.pk])) for stage in stages)
    live = {play.white_id for part in parts for play in part.plays if play.white_id is not None}
    sides = dict(Entry.objects.filter(tournament=event).values_list("pk", "player_id")) if live else {}
    return EventView(event, parts, people, sides)


def _load_entries(event: Tournament) -> dict[int, EntryView]:
    entries = Entry.objects.filter(tournament=event, withdrawn_at__isnull=True, waits=False)
    of_player = (f"player__{name}" for name in ("key", "user_id", "name", "alias", "shown_as", "erased_at"))
    columns = ("pk", "number", "left", "is_disqualified", "place", "is_absent")
    rows = list(entries.order_by("number").values_list(*columns, *of_player))
    base = reverse("players:player", args=["0"]).removesuffix("0/")
    called = event_lines.list_styled_names([row[8:] for row in rows], event.club.name_style)
    found = {}
    for row, name in zip(rows, called, strict=True):
        pk, number, left, is_out, place, is_absent, key, user_id, *named = row
        href, whole = f"{base}{key}/", event_lines.format_public_name(*named)
        found[pk] = EntryView(pk, number, name, key, href, user_id, left, is_out, place, whole, is_absent)
    return found


def load_seat_names(rows: Collection[Pairing]) -> dict[int, str]:
    """Return the names of the players of pairings by primary key of the entry, unambiguous within each event.

    The events are loaded with their clubs; a club that shows whole names costs no query.
    """
    found = {
        entry.pk: event_lines.format_player_name(entry.player)
        for row in rows
        for entry in (row.a, row.b)
        if entry is not None
    }
    for event in {row.tournament for row in rows}:
        if event.club.name_style != NameStyle.WHOLE:
            found |= {pk: who.name for pk, who in _load_entries(event).items()}
    return found


def find_entry(event: Tournament, user: Any) -> Entry | None:
    if not user.is_authenticated:
        return None
    player = Player.objects.filter(user=user).values("pk")
    return Entry.objects.filter(tournament=event, player__in=player, withdrawn_at__isnull=True).first()
