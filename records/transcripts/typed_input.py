"""Parsing of input typed for a board position: the resulting lines, or why it is illegal. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from engine.actions import CUBE_WORDS, ResignOffered
from engine.board import Board
from engine.dice import Dice
from engine.errors import EngineError, IllegalAction
from engine.finding_codes import CODES
from engine.formats.notation import parse_play
from engine.formats.transcript import LETTERS, LEVELS, GameHeading, UnreadLine, format_heading, parse_claim
from engine.game import Game, Phase
from engine.match import Match, apply
from engine.plays import Play, legal_plays
from engine.referee.incremental_judging import StateAtLine
from engine.resolve import find_nearest_plays, resolve_play
from engine.sheet import Hop, WinClaim
from engine.side import BLACK, WHITE, BySide, Side
from engine.turns import TurnTree, build_turn_tree

ROLL: Final = re.compile(
    r"(?:(?P<side>[wb]) +)?(?P<a>\d) ?[-,/]? ?(?P<b>\d)(?: *:|(?= )|$) *(?P<play>.*)", re.ASCII
)
DANCES: Final = frozenset({"cannot move", "can't move", "no move", "dances", "-"})
WORDS: Final = {
    "d": "double", "double": "double", "doubles": "double",
    "t": "take", "take": "take", "takes": "take",
    "p": "drop", "pass": "drop", "passes": "drop", "drop": "drop", "drops": "drop",
    "beaver": "beaver", "beavers": "beaver", "raccoon": "beaver", "raccoons": "beaver",
}  # fmt: skip
RESIGN: Final = re.compile(
    r"(?:(?P<side>[wb]) +)?(?:r|resigns?)(?: +(?:an? +|the +)?(?P<how>[a-z]+|[123]))?(?: +game)?", re.ASCII
)
HOW: Final = {
    None: 1, "s": 1, "single": 1, "game": 1, "1": 1, "g": 2, "gammon": 2, "2": 2, "b": 3, "backgammon": 3, "3": 3, "m": 0, "match": 0,
}  # fmt: skip
CUBE_ACTS: Final[dict[str, Any]] = {word: act for act, word in CUBE_WORDS.items()}
CUBE_VALUE: Final = re.compile(r" *=+> *\d{1,7}$", re.ASCII)
LONGEST: Final = 120
SHOWN: Final = 6
PLAYERS: Final = BySide("White", "Black")


class IllegalInput(Exception):
    """The input is impossible here: code, message, violated rule, and nearest legal plays."""

    def __init__(self, code: str, sentence: str = "", rule: str = "", nearest: Sequence[str] = ()) -> None:
        super().__init__(sentence or code)
        self.code = code
        # The engine's message; empty if the code is Barpoint's, for which pages have translated messages.
        self.sentence = sentence
        self.rule = rule
        self.nearest = tuple(nearest)


class PlayChoice(NamedTuple):
    """A roll without a play yet: the side, and all ways to play."""

    side: Side
    dice: Dice
    board: Board
    tree: TurnTree


@dataclass(frozen=True, slots=True)
class ParsedInput:
    """The entered lines, or the roll that still needs a play."""

    lines: tuple[str, ...] = ()
    choice: PlayChoice | None = None


def parse_input(
    typed: str, standing: StateAtLine, names: BySide[str] = PLAYERS, usual: Side | None = None
) -> ParsedInput:
    """Parse input; an opening roll without a side belongs to *usual*, the side of the line it replaces.

    :raises IllegalInput: the input is impossible, by the referee's rules.
    """
    text = CUBE_VALUE.sub("", " ".join(typed.lower().split()))
    if len(text) > LONGEST:
        raise IllegalInput("too-long")
    if statement := _format_statement(text):
        return ParsedInput((statement,))
    match = standing.match
    if match.is_over:
        raise IllegalInput("match-over")
    if standing.is_lost:
        raise IllegalInput("board-unknown")
    if roll := ROLL.fullmatch(text):
        entered = _parse_roll(roll, match.game, names, usual)
    elif text in WORDS:
        entered = _parse_cube_action(WORDS[text], match, names)
    elif (resign := RESIGN.fullmatch(text)) and resign["how"] in HOW:
        entered = _parse_resignation(HOW[resign["how"]], _parse_side(resign), match)
    else:
        raise IllegalInput("not-understood")
    if entered.lines and standing.is_between:
        return ParsedInput((format_heading(None), *entered.lines))
    return entered


def _format_statement(text: str) -> str:
    """Return a heading or result in score sheet format; "" for other input."""
    if text.startswith("game"):
        line = text.capitalize()
        return line if isinstance(parse_claim(line), GameHeading) else ""
    if text[:7] in ("w wins ", "b wins "):
        line = f"{text[0].upper()} Wins {text[7:]}"
        return line if isinstance(parse_claim(line), WinClaim) else ""
    return ""


def _parse_side(read: re.Match[str]) -> Side | None:
    return {"w": WHITE, "b": BLACK, None: None}[read["side"]]


def _get_first_side(*sides: Side | None) -> Side:
    """Return the first side that is not None; White is falsy, so `or` cannot be used."""
    return next((side for side in sides if side is not None), WHITE)


# -- rolls


def _parse_roll(read: re.Match[str], game: Game, names: BySide[str], usual: Side | None) -> ParsedInput:
    numbers = int(read["a"]), int(read["b"])
    said_side = _parse_side(read)
    if said_side is None and game.phase is Phase.OPENING:
        said_side = usual
    side, dice = _resolve_roll(numbers, said_side, game, names)
    text = read["play"].strip()
    plays = legal_plays(game.board, side, dice)
    if not text or text in DANCES:
        if plays.dice_used and text:
            near = find_nearest_plays(game.board, side, dice, ())
            raise _build_fault("cannot-move-but-could", names[side], dice, "", near)
        if len(plays) > 1:
            return ParsedInput(
                choice=PlayChoice(side, dice, game.board, build_turn_tree(game.board, side, dice))
            )
        return _build_line(side, numbers, plays[0])
    try:
        hops = parse_play(text)
    except EngineError as error:
        raise IllegalInput("no-play") from error
    return _resolve_play(game.board, side, numbers, hops, names, text)


def _resolve_roll(
    numbers: tuple[int, int], side: Side | None, game: Game, names: BySide[str]
) -> tuple[Side, Dice]:
    """Return the side that rolled, and its dice.

    :raises IllegalInput: the side may not roll now, or not these dice.
    """
    if not all(1 <= each <= 6 for each in numbers):
        raise _build_fault("illegal-dice", names[_get_first_side(side, game.turn)], numbers, rule="R11")
    dice = Dice.from_numbers(*numbers)
    if game.phase is Phase.DOUBLED:
        raise IllegalInput("double-unanswered", rule="R47")
    if game.phase is not Phase.OPENING and game.turn is not None:
        if side not in (None, game.turn):
            raise _build_fault("out-of-turn", names[game.turn.other], dice, other=names[game.turn])
        return game.turn, dice
    if dice.is_double:
        raise _build_fault("opening-double", names[_get_first_side(side)], dice)
    # The first number is White's die, the second Black's; the higher begins (R09).
    return side if side is not None else WHITE if numbers[0] > numbers[1] else BLACK, dice


def _resolve_play(
    board: Board, side: Side, numbers: tuple[int, int], hops: Sequence[Hop], names: BySide[str], text: str
) -> ParsedInput:
    """Return the written play, or the only legal play that contains its steps.

    :raises IllegalInput: there is none, or more than one.
    """
    dice = Dice.from_numbers(*numbers)
    resolved = resolve_play(board, side, dice, hops)
    if resolved.play is not None and resolved.fault is None:
        if resolved.ambiguous:
            raise IllegalInput("ambiguous", nearest=find_nearest_plays(board, side, dice, hops))
        return _build_line(side, numbers, resolved.play)
    ends = dict.fromkeys(list_completions(board, side, dice, hops))
    plays = legal_plays(board, side, dice)
    if len(ends) == 1:
        play = plays.to(next(iter(ends)))
        if play is not None:
            return _build_line(side, numbers, play)
    if ends:
        notations = [play.notation for play in map(plays.to, ends) if play is not None]
        raise IllegalInput("more-to-play", nearest=notations[:SHOWN])
    fault = resolved.fault
    assert fault is not None  # noqa: S101 - no play, so there is a fault
    near = find_nearest_plays(board, side, dice, hops)
    raise _build_fault(fault.code, names[side], dice, text, near, rule=fault.rule, **fault.facts)


def list_completions(board: Board, side: Side, dice: Dice, hops: Sequence[Hop]) -> Iterator[Board]:
    """Yield the boards of legal plays that contain these steps in any order; boards can repeat."""
    tree = build_turn_tree(board, side, dice)
    pairs = tuple(
        sorted(
            pair
            for hop in hops
            for pair in zip(hop.points, hop.points[1:], strict=False)
            for _ in range(hop.times)
        )
    )
    seen = set[tuple[int, tuple[tuple[int, int], ...]]]()
    waiting = [(0, pairs, board)]
    while waiting:
        node, left, here = waiting.pop()
        if (node, left) in seen:
            continue
        seen.add((node, left))
        ways = tree.nodes[node]
        if not ways and not left:
            yield here
        for way in ways:
            after = here.moved(side, (way.step,))
            waiting.append((way.to, left, after))
            waiting += [(way.to, rest, after) for rest in _list_remaining_pairs(left, *way.step)]


def _list_remaining_pairs(
    pairs: tuple[tuple[int, int], ...], source: int, target: int
) -> Iterator[tuple[tuple[int, int], ...]]:
    """Yield the remaining written pairs after a checker has made this step of one of them."""
    for at, (start, end) in enumerate(pairs):
        if start == source and end <= target and (at == 0 or pairs[at - 1] != pairs[at]):
            rest = () if end == target else ((target, end),)
            yield tuple(sorted((*pairs[:at], *pairs[at + 1 :], *rest)))


def _build_line(side: Side, numbers: tuple[int, int], play: Play) -> ParsedInput:
    a, b = sorted(numbers, reverse=True)
    play_text = play.notation if play.steps else "Cannot Move"
    return ParsedInput((f"{LETTERS[side]} {a}{b}: {play_text}",))


def _build_fault(
    code: str,
    who: str,
    dice: Dice | tuple[int, int],
    played: str = "",
    near: Sequence[str] = (),
    *,
    rule: str = "",
    **facts: str,
) -> IllegalInput:
    """Format a fault like the referee."""
    kind = CODES[code]
    words = {"left": "could have played more", "other": "", "point": ""} | facts
    rolled = "-".join(map(str, dice))
    sentence = kind.sentence.format(who=who, dice=rolled, played=played or "nothing", **words)
    return IllegalInput(code, sentence[:1].upper() + sentence[1:], rule or kind.rule, near)


# -- cube and resignations


def _parse_cube_action(word: str, match: Match, names: BySide[str]) -> ParsedInput:
    game = match.game
    side = game.turn if word == "double" else game.asked
    if side is None:
        code = "double-out-of-turn" if word == "double" else f"{word}-without-double"
        raise _build_fault(code, names[_get_first_side(game.turn).other], (0, 0))
    try:
        after = apply(match, CUBE_ACTS[word](side))
    except IllegalAction as error:
        raise IllegalInput(error.code, str(error), error.rule) from error
    offered = after.game.offer
    words = {
        "double": f"Doubles => {offered}",
        "take": "Takes",
        "drop": "Drops",
        "beaver": f"{'Beavers' if offered == 4 * game.cube.value else 'Raccoons'} => {offered}",
    }[word]
    return ParsedInput((f"{LETTERS[side]} {words}",))


def _parse_resignation(level: int, named: Side | None, match: Match) -> ParsedInput:
    game = match.game
    side = named if named is not None else game.asked if game.asked is not None else game.turn
    if side is None:
        raise IllegalInput("who-resigns")
    if level:
        try:
            if not (game.asked is side and level == 1):
                apply(match, ResignOffered(side, level))
        except IllegalAction as error:
            raise IllegalInput(error.code, str(error), error.rule) from error
    elif not match.rules.is_match:
        raise IllegalInput("no-match-to-resign")
    return ParsedInput((f"{LETTERS[side]} Resigns {f'a {LEVELS[level]}' if level else 'the match'}",))


def parse_as_written(typed: str, standing: StateAtLine) -> ParsedInput:
    """Return a roll and play exactly as written, even if illegal, so that the referee reports it.

    :raises IllegalInput: the input is unreadable.
    """
    text = " ".join(typed.lower().split())
    read = ROLL.fullmatch(text) if len(text) <= LONGEST else None
    if read is None:
        raise IllegalInput("not-understood")
    game = standing.match.game
    turn = _get_first_side(_parse_side(read), game.turn, WHITE if read["a"] > read["b"] else BLACK)
    play = read["play"].strip()
    line = f"{LETTERS[turn]} {read['a']}{read['b']}: {'Cannot Move' if play in DANCES else play}".strip()
    if isinstance(parse_claim(line), UnreadLine):
        raise IllegalInput("no-play")
    return ParsedInput((format_heading(None), line) if standing.is_between else (line,))
