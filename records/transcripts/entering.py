"""Parse input typed for a board position: the resulting lines, or why it is illegal. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from engine.actions import Beavered, Doubled, Dropped, ResignOffered, Took
from engine.dice import Dice
from engine.errors import EngineError, IllegalAction
from engine.finding_codes import CODES
from engine.formats.notation import parse_play
from engine.formats.typed import LETTERS, LEVELS, GameHeading, Unread, format_heading, parse_claim
from engine.game import Phase
from engine.match import apply
from engine.plays import legal_plays
from engine.referee.nearest import nearest
from engine.resolve import resolve
from engine.sheet import Winning
from engine.side import BLACK, WHITE, BySide, Side
from engine.turns import build_turn_tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.board import Board
    from engine.game import Game
    from engine.match import Match
    from engine.plays import Play
    from engine.referee.course import Standing
    from engine.sheet import Hop
    from engine.turns import TurnTree

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
CUBE_ACTS: Final[dict[str, type[Doubled | Took | Dropped | Beavered]]] = {
    "double": Doubled,
    "take": Took,
    "drop": Dropped,
    "beaver": Beavered,
}
CUBE_VALUE: Final = re.compile(r" *=+> *\d{1,7}$", re.ASCII)
LONGEST: Final = 120
SHOWN: Final = 6
PLAYERS: Final = BySide("White", "Black")


class CannotBe(Exception):
    """The input is impossible here: code, message, violated rule, and nearest legal plays."""

    def __init__(
        self, code: str, sentence: str = "", rule: str = "", nearest: Sequence[str] = (), **about: str
    ) -> None:
        super().__init__(sentence or code)
        self.code = code
        # The engine's message; empty if the code is Barpoint's, for which pages have translated messages.
        self.sentence = sentence
        self.rule = rule
        self.nearest = tuple(nearest)
        self.about = about


class Choice(NamedTuple):
    """A roll without a play yet: the side, and all ways to play."""

    side: Side
    dice: Dice
    board: Board
    tree: TurnTree


@dataclass(frozen=True, slots=True)
class Entered:
    """The entered lines, or the roll that still needs a play."""

    lines: tuple[str, ...] = ()
    choice: Choice | None = None
    # True if the line was forced or completed, and so is longer than the input.
    is_completed: bool = False


def enter(typed: str, standing: Standing, names: BySide[str] = PLAYERS, usual: Side | None = None) -> Entered:
    """Parse input; an opening roll without a side belongs to *usual*, the side of the line it replaces.

    :raises CannotBe: it is impossible, by the referee's rules.
    """
    text = CUBE_VALUE.sub("", " ".join(typed.lower().split()))
    if len(text) > LONGEST:
        raise CannotBe("too-long")
    if said := _said(text):
        return Entered((said,))
    match = standing.match
    if match.is_over:
        raise CannotBe("match-over")
    if standing.is_lost:
        raise CannotBe("board-unknown")
    if roll := ROLL.fullmatch(text):
        entered = _roll(roll, match.game, names, usual)
    elif text in WORDS:
        entered = _cube(WORDS[text], match, names)
    elif (resign := RESIGN.fullmatch(text)) and resign["how"] in HOW:
        entered = _resign(HOW[resign["how"]], _side(resign), match)
    else:
        raise CannotBe("not-understood")
    if entered.lines and standing.is_between:
        return Entered((format_heading(None), *entered.lines), None, entered.is_completed)
    return entered


def _said(text: str) -> str:
    """A heading or result in score sheet format; "" for other input."""
    if text.startswith("game"):
        line = text.capitalize()
        return line if isinstance(parse_claim(line), GameHeading) else ""
    if text[:7] in ("w wins ", "b wins "):
        line = f"{text[0].upper()} Wins {text[7:]}"
        return line if isinstance(parse_claim(line), Winning) else ""
    return ""


def _side(read: re.Match[str]) -> Side | None:
    return {"w": WHITE, "b": BLACK, None: None}[read["side"]]


def _first(*sides: Side | None) -> Side:
    """The first side that is not None; White is falsy, so `or` cannot be used."""
    return next((side for side in sides if side is not None), WHITE)


# -- rolls


def _roll(read: re.Match[str], game: Game, names: BySide[str], usual: Side | None) -> Entered:
    numbers = int(read["a"]), int(read["b"])
    said_side = _side(read)
    if said_side is None and game.phase is Phase.OPENING:
        said_side = usual
    side, dice = _rolled(numbers, said_side, game, names)
    said = read["play"].strip()
    plays = legal_plays(game.board, side, dice)
    if not said or said in DANCES:
        if plays.dice_used and said:
            near = nearest(game.board, side, dice, ())
            raise _fault("cannot-move-but-could", names[side], dice, "", near)
        if len(plays) > 1:
            return Entered(choice=Choice(side, dice, game.board, build_turn_tree(game.board, side, dice)))
        return _line(side, numbers, plays[0], is_completed=not said)
    try:
        hops = parse_play(said)
    except EngineError as error:
        raise CannotBe("no-play", typed=said) from error
    return _played(game.board, side, numbers, hops, names, said)


def _rolled(numbers: tuple[int, int], said: Side | None, game: Game, names: BySide[str]) -> tuple[Side, Dice]:
    """The side and its dice."""
    if not all(1 <= each <= 6 for each in numbers):
        raise _fault("illegal-dice", names[_first(said, game.turn)], numbers, rule="R11")
    dice = Dice.from_numbers(*numbers)
    if game.phase is Phase.DOUBLED:
        raise CannotBe("double-unanswered", rule="R47")
    if game.phase is not Phase.OPENING and game.turn is not None:
        if said not in (None, game.turn):
            raise _fault("out-of-turn", names[game.turn.other], dice, other=names[game.turn])
        return game.turn, dice
    if dice.is_double:
        raise _fault("opening-double", names[_first(said)], dice)
    # The first number is White's die, the second Black's; the higher begins (R09).
    return said if said is not None else WHITE if numbers[0] > numbers[1] else BLACK, dice


def _played(
    board: Board, side: Side, numbers: tuple[int, int], hops: Sequence[Hop], names: BySide[str], said: str
) -> Entered:
    """The written play, or the only legal play that begins like it."""
    dice = Dice.from_numbers(*numbers)
    resolved = resolve(board, side, dice, hops)
    if resolved.play is not None and resolved.fault is None:
        if resolved.ambiguous:
            raise CannotBe("ambiguous", nearest=nearest(board, side, dice, hops))
        return _line(side, numbers, resolved.play)
    ends = dict.fromkeys(complete_play(board, side, dice, hops))
    plays = legal_plays(board, side, dice)
    if len(ends) == 1:
        play = plays.to(next(iter(ends)))
        if play is not None:
            return _line(side, numbers, play, is_completed=True)
    if ends:
        told = [play.notation for play in map(plays.to, ends) if play is not None]
        raise CannotBe("more-to-play", nearest=told[:SHOWN])
    fault = resolved.fault
    assert fault is not None  # noqa: S101 - no play, so there is a fault
    near = nearest(board, side, dice, hops)
    raise _fault(fault.code, names[side], dice, said, near, rule=fault.rule, **fault.facts)


def complete_play(board: Board, side: Side, dice: Dice, hops: Sequence[Hop]) -> Iterator[Board]:
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
            waiting += [(way.to, rest, after) for rest in _gone(left, *way.step)]


def _gone(
    pairs: tuple[tuple[int, int], ...], source: int, target: int
) -> Iterator[tuple[tuple[int, int], ...]]:
    """Yield the remaining written pairs after a checker has made this step of one of them."""
    for at, (start, end) in enumerate(pairs):
        if start == source and end <= target and (at == 0 or pairs[at - 1] != pairs[at]):
            rest = () if end == target else ((target, end),)
            yield tuple(sorted((*pairs[:at], *pairs[at + 1 :], *rest)))


def _line(side: Side, numbers: tuple[int, int], play: Play, *, is_completed: bool = False) -> Entered:
    a, b = sorted(numbers, reverse=True)
    said = play.notation if play.steps else "Cannot Move"
    return Entered((f"{LETTERS[side]} {a}{b}: {said}",), None, is_completed)


def _fault(
    code: str,
    who: str,
    dice: Dice | tuple[int, int],
    played: str = "",
    near: Sequence[str] = (),
    *,
    rule: str = "",
    **facts: str,
) -> CannotBe:
    """Format a fault like the referee."""
    kind = CODES[code]
    words = {"left": "could have played more", "other": "", "point": ""} | facts
    rolled = "-".join(map(str, dice))
    sentence = kind.sentence.format(who=who, dice=rolled, played=played or "nothing", **words)
    return CannotBe(code, sentence[:1].upper() + sentence[1:], rule or kind.rule, near)


# -- cube and resignations


def _cube(word: str, match: Match, names: BySide[str]) -> Entered:
    game = match.game
    side = game.turn if word == "double" else game.asked
    if side is None:
        code = "double-out-of-turn" if word == "double" else f"{word}-without-double"
        raise _fault(code, names[_first(game.turn).other], (0, 0))
    try:
        after = apply(match, CUBE_ACTS[word](side))
    except IllegalAction as error:
        raise CannotBe(error.code, str(error), error.rule) from error
    offered = after.game.offer
    said = {
        "double": f"Doubles => {offered}",
        "take": "Takes",
        "drop": "Drops",
        "beaver": f"{'Beavers' if offered == 4 * game.cube.value else 'Raccoons'} => {offered}",
    }[word]
    return Entered((f"{LETTERS[side]} {said}",))


def _resign(level: int, said: Side | None, match: Match) -> Entered:
    game = match.game
    side = said if said is not None else game.asked if game.asked is not None else game.turn
    if side is None:
        raise CannotBe("who-resigns")
    if level:
        try:
            if not (game.asked is side and level == 1):
                apply(match, ResignOffered(side, level))
        except IllegalAction as error:
            raise CannotBe(error.code, str(error), error.rule) from error
    elif not match.rules.is_match:
        raise CannotBe("no-match-to-resign")
    return Entered((f"{LETTERS[side]} Resigns {f'a {LEVELS[level]}' if level else 'the match'}",))


def to_json(choice: Choice) -> dict[str, Any]:
    """Serialize a roll without a play for the page."""
    return {"side": choice.side.word, "dice": str(choice.dice), "nodes": choice.tree.to_json()}


def enter_as_written(typed: str, standing: Standing) -> Entered:
    """A roll and play exactly as written, even if illegal, so that the referee reports it.

    :raises CannotBe: it is unreadable.
    """
    text = " ".join(typed.lower().split())
    read = ROLL.fullmatch(text) if len(text) <= LONGEST else None
    if read is None:
        raise CannotBe("not-understood")
    game = standing.match.game
    turn = _first(_side(read), game.turn, WHITE if read["a"] > read["b"] else BLACK)
    play = read["play"].strip()
    line = f"{LETTERS[turn]} {read['a']}{read['b']}: {'Cannot Move' if play in DANCES else play}".strip()
    if isinstance(parse_claim(line), Unread):
        raise CannotBe("no-play")
    return Entered((format_heading(None), line) if standing.is_between else (line,))
