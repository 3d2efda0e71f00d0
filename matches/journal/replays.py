"""Replays of matches: the acts of both sides, game by game, each with its position.

An entry is a play, a cube action, a resignation, a flag, a ruling, or the end of a game. Its position is the
one before it, with the dice: the decision to be made. It mostly follows from the previous entry, so a page
gets the entries and its script computes the positions (`static/js/replay/film.js`). A position that does not
follow is included.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final, NamedTuple

from engine import equity
from engine.actions import (
    Action,
    Beavered,
    Doubled,
    Dropped,
    Flagged,
    Opened,
    Paused,
    Played,
    Resumed,
    Rolled,
    TimeCredited,
    Took,
)
from engine.match import Crawford, GameResult, Match, Outcome
from engine.record import Record
from engine.rules import Rules
from engine.side import BySide, Side
from engine.situation import Offer, Situation, Stage
from engine.turns import build_turn_tree
from matches.journal import journal
from matches.models import Match as MatchRow
from matches.state import rule_words
from matches.state.facts import ServerFact, to_json

# A match of 25 points takes about two megabytes in memory.
MOST_KEPT: Final = 16
# Facts without an entry; a roll is part of its play.
UNTOLD: Final = (ServerFact, Opened, Rolled, TimeCredited, Paused, Resumed)
# The position after one of these follows from the one before it.
PLAIN: Final = (Played, Doubled, Beavered, Took)
CUBE: Final = (Doubled, Beavered, Took, Dropped)
WORDS: Final = {Doubled: "double", Beavered: "beaver", Took: "take", Dropped: "drop"}
FACTORS: Final = {None: 0, Offer.DOUBLE: 2, Offer.BEAVER: 4, Offer.RACCOON: 8}


@dataclass(frozen=True, slots=True)
class ReplaySubject:
    """The subject of a replay, for the slots of its page: a `match` of this site or a `record`, by key."""

    kind: str
    key: str


class PlayedFact(NamedTuple):
    """A fact with the match and the clocks before and after it."""

    action: Action | ServerFact
    before: Match
    after: Match
    clocks: BySide[int] | None = None
    clocks_after: BySide[int] | None = None
    # The journal line; in a record the number of the fact, from 1.
    line: int = 0


@dataclass(frozen=True, slots=True)
class ReplayEntry:
    game: int
    number: int
    # None at the end of a game or match.
    action: Action | None
    side: Side | None
    situation: Situation
    clocks: BySide[int] | None = None
    # Set at the end of a game.
    result: GameResult | None = None
    outcome: Outcome | None = None
    # White's match winning chance at this score, and if this double is dropped.
    chance: float | None = None
    if_dropped: float | None = None
    line: int = 0

    @property
    def key(self) -> str:
        return f"g{self.game}m{self.number}"

    @property
    def tells_chance(self) -> bool:
        """True if the winning chance is shown: between games and at cube actions."""
        return self.number == 1 or self.action is None or self.if_dropped is not None


@dataclass(frozen=True, slots=True)
class ReplayGame:
    """A game of a replay; it has at least one entry."""

    number: int
    score: BySide[int]
    is_crawford: bool
    entries: tuple[ReplayEntry, ...]


@dataclass(frozen=True, slots=True)
class Replay:
    rules: Rules
    games: tuple[ReplayGame, ...]

    @property
    def entries(self) -> tuple[ReplayEntry, ...]:
        return tuple(entry for game in self.games for entry in game.entries)

    def place(self, key: str) -> int:
        """Return the index of the entry with this key, or 0."""
        return next((place for place, entry in enumerate(self.entries) if entry.key == key), 0)

    def key_of_line(self, line: int) -> str:
        """Return the key of the entry for a journal line; for a roll that of its play."""
        return next((entry.key for entry in self.entries if entry.line >= line), "")

    def to_json(self) -> dict[str, Any]:
        rules = self.rules
        return {
            "length": rules.length,
            "cube": rules.has_cube,
            "jacoby": rules.jacoby and not rules.is_match,
            "beavers": rules.beavers,
            "games": [_serialize_game(game) for game in self.games],
        }


def load_replay(row: MatchRow) -> Replay:
    return _load_replay(row, row.head_hash)


# The hash covers the whole journal: a corrected match gets a new cache entry.
@lru_cache(maxsize=MOST_KEPT)
def _load_replay(row: MatchRow, _head_hash: str) -> Replay:
    facts = (
        PlayedFact(
            step.line.fact,
            step.before.match,
            step.after.match,
            None if step.before.clock is None else step.before.clock.reserve,
            None if step.after.clock is None else step.after.clock.reserve,
            step.line.seq,
        )
        for step in journal.iterate_steps(row)
    )
    return build_replay(journal.build_start_state(row).terms.rules, facts)


def load_record_replay(record: Record) -> Replay:
    moments = enumerate(record.moments(), 1)
    return build_replay(record.rules, (PlayedFact(*moment, line=line) for line, moment in moments))


def build_replay(rules: Rules, facts: Iterable[PlayedFact]) -> Replay:
    games: list[tuple[int, list[ReplayEntry]]] = []
    numbers: Counter[int] = Counter()
    for fact in facts:
        for entry in _build_entries(fact, numbers):
            if not games or games[-1][0] != entry.game:
                games.append((entry.game, []))
            games[-1][1].append(entry)
    return Replay(rules, tuple(_build_game(number, entries) for number, entries in games))


def _build_game(number: int, entries: list[ReplayEntry]) -> ReplayGame:
    first = entries[0].situation
    return ReplayGame(number, first.score, first.crawford, tuple(entries))


def _build_entries(fact: PlayedFact, numbers: Counter[int]) -> Iterable[ReplayEntry]:
    """Yield the entries of a fact: the act, and the end of the game or match if it caused one."""
    action, before, after, clocks, clocks_after, line = fact
    if isinstance(action, UNTOLD):
        return
    number = before.number
    numbers[number] += 1
    situation = Situation.from_match(before)
    side = getattr(action, "side", None)
    yield ReplayEntry(
        number,
        numbers[number],
        action,
        side,
        situation,
        # A flagged player has no time left at that moment.
        clocks_after if isinstance(action, Flagged) else clocks,
        chance=_compute_chance(before),
        if_dropped=_compute_chance_if_dropped(before) if isinstance(action, CUBE) else None,
        line=line,
    )
    has_ended = len(after.results) > len(before.results)
    is_last = after.is_over and not before.is_over
    if has_ended or is_last:
        numbers[number] += 1
        yield ReplayEntry(
            number,
            numbers[number],
            None,
            None,
            _build_final_situation(situation, action, after),
            clocks_after,
            result=after.results[-1] if has_ended else None,
            outcome=after.outcome if is_last else None,
            chance=_compute_chance(after),
            line=line,
        )


def _build_final_situation(situation: Situation, action: Action, after: Match) -> Situation:
    """Return the final position of the game, with the score after it."""
    board = situation.board
    if isinstance(action, Played):
        board = board.moved(action.side, action.steps)
    return replace(
        situation,
        board=board,
        dice=None,
        offer=None,
        resignation=None,
        stage=Stage.OVER,
        score=BySide(*rule_words.cap_score(after.score, after.rules.length)),
    )


def _compute_chance(match: Match) -> float | None:
    return _compute_chance_at(match, match.score)


def _compute_chance_if_dropped(match: Match) -> float | None:
    game = match.game
    if game.turn is None:
        return None
    # R46: the cube value before the last turn, to the side that turned it.
    at_stake = game.offer // 2 if game.offer else game.cube.value
    winner = game.turn if game.asked is None else game.asked.other
    return _compute_chance_at(match, match.score.put(winner, match.score[winner] + at_stake))


def _compute_chance_at(match: Match, score: BySide[int]) -> float | None:
    if match.rules.length > 1 and not match.rules.cube:
        return None  # the table is for matches with the cube
    winner = match.winner if match.rules.length else None
    if winner is not None and score == match.score:
        return 0.0 if winner else 1.0
    if match.is_over:
        return None
    found = equity.compute_chances(match.rules, score, crawford_played=match.crawford is Crawford.PAST)
    return None if found is None else found.white


# -- JSON for pages --------------------------------------------------------------------------------


def _serialize_game(game: ReplayGame) -> dict[str, Any]:
    entries = game.entries
    data: dict[str, Any] = {
        "number": game.number,
        "first": entries[0].number,
        "crawford": game.is_crawford,
        "acts": [_format_act(entry) for entry in entries],
        "at": {
            place: serialize_position(entry.situation)
            for place, entry in enumerate(entries)
            if place == 0 or not _follows(entries[place - 1], entry)
        },
        "chances": {
            place: [entry.chance, entry.if_dropped]
            for place, entry in enumerate(entries)
            if entry.chance is not None and entry.tells_chance
        },
    }
    if entries[0].clocks is not None:
        # Tenths of a second, the finest unit shown.
        data["clocks"] = [round(each / 100) for entry in entries for each in entry.clocks or (0, 0)]
    return data


def _follows(before: ReplayEntry, entry: ReplayEntry) -> bool:
    """True if the position follows from the previous entry, apart from the dice, which the act contains."""
    return isinstance(before.action, PLAIN) and isinstance(entry.action, (*PLAIN, Dropped))


def _format_act(entry: ReplayEntry) -> str:
    """Format an act: ``w31 8/5 6/5``, ``b double``, ``w take``, otherwise the fact's name as in JSON."""
    action, side = entry.action, entry.side
    if action is None:
        return "end"
    letter = "" if side is None else side.word[0]
    if isinstance(action, Played):
        dice = entry.situation.dice
        steps = "".join(f" {step.source}/{step.target}" for step in action.steps)
        return f"{letter}{dice}{steps}"
    word = WORDS.get(type(action))
    return f"{letter} {word or to_json(action)['fact']}"


def serialize_position(shown: Situation) -> dict[str, Any]:
    data: dict[str, Any] = {"board": shown.board.text(), "phase": _get_phase(shown), "score": [*shown.score]}
    if shown.stage is not Stage.NONE:
        data["turn"] = shown.turn.word
    if shown.dice is not None:
        data["dice"] = str(shown.dice)
    if shown.cube.value > 1 or shown.cube.owner is not None:
        data["cube"] = [shown.cube.value, None if shown.cube.owner is None else shown.cube.owner.word]
    if shown.offer is not None:
        data["offered"] = shown.cube.value * FACTORS[shown.offer]
    if shown.resignation is not None:
        data["resignation"] = {"by": shown.resignation.side.word, "level": shown.resignation.level}
    return data


def _get_phase(shown: Situation) -> str:
    if shown.stage not in (Stage.NONE, Stage.PLAYING):
        return "over"
    if shown.resignation is not None:
        return "resigning"
    if shown.stage is Stage.NONE:
        return "opening"
    if shown.offer is not None:
        return "doubled"
    return "to-roll" if shown.dice is None else "to-play"


def serialize_decision(situation: Situation) -> dict[str, Any]:
    """Serialize a position with the ways to play its roll, None for cube decisions."""
    side, dice = situation.actor, situation.dice
    return {
        "position": serialize_position(situation),
        "crawford": situation.crawford,
        "cube": bool(situation.highest),
        "me": side.word,
        "turn": None if dice is None else build_turn_tree(situation.board, side, dice).to_json(),
    }
