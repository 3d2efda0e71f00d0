"""Transcriptions: a typed match, one claim on each line, with its side.

    Transcription of a match to 5 points
    White: Ann
    Black: Ben

    Game
    W 31: 8/5 6/5
    B Doubles => 2
    W Takes

After the letter of the side is the text of a cell of a score sheet. ``Game 2-1`` begins a game at that score,
``Set ...`` sets a position, ``;`` is a comment that may contain a fact, and ``?`` an unreadable line.
Any sheet can be written in this form and read again as the same claims: this is used to correct a rejected
record.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple, cast

from engine.board import Board
from engine.cube import Cube
from engine.errors import EngineError, Unreadable
from engine.finding_codes import CODES, Severity
from engine.formats import comments
from engine.formats.draft import CUBE_WORDS, SAYINGS, format_hop, read_lines
from engine.formats.limits import LIMITS, Limits
from engine.formats.mat import cells
from engine.game import KINDS
from engine.sheet import (
    PACKING,
    Claim,
    CubeClaim,
    CubeWord,
    FactClaim,
    GameSheet,
    Place,
    PositionClaim,
    Remark,
    ResignClaim,
    Sheet,
    Turn,
    TurnKind,
    WinClaim,
)
from engine.side import BLACK, WHITE, BySide, Side

NAME: Final = "typed"
SIGN: Final = "Transcription of "
HEAD: Final = re.compile(
    r"Transcription of (?:a match to (-?\d{1,7}) points?|unlimited play|a match)\s*", re.ASCII
)
GAME: Final = re.compile(r"Game(?: (\d{1,7})-(\d{1,7}))?(?: (Crawford|no Crawford))?", re.ASCII)
SET: Final = re.compile(r"Set (white .*? black [^=]*?)(?: = ([WB-]) (\d{1,7}) ([WB-]))?( illegal)?", re.ASCII)
LETTERS: Final = BySide("W", "B")
SIDES: Final = {"W": WHITE, "B": BLACK}
CLAIMED: Final = {word.lower(): claim for claim, word in CUBE_WORDS.items()}
LEVELS: Final = dict(enumerate(KINDS, 1))
NAMED: Final = {name: level for level, name in LEVELS.items()}
# The fields of a sheet about its rules, beside its length.
AGREED: Final = (
    "dialect", "crawford", "jacoby", "beavers", "cube", "gammons", "backgammons", "match_jacoby", "variant", "told",
)  # fmt: skip
CORRUPT: Final = "corrupt-row"
MOST_LETTERS: Final = 2_000


class GameHeading(NamedTuple):
    score: BySide[int] | None = None
    crawford: bool | None = None


class UnreadLine(NamedTuple):
    text: str


def sniff(data: bytes) -> bool:
    """True if *data* begins like a transcription.

    >>> sniff(b"Transcription of a match to 5 points\\n"), sniff(b" 5 point match\\n")
    (True, False)
    """
    return data[:200].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(SIGN.encode())


def parse(data: bytes, limits: Limits = LIMITS) -> tuple[Sheet, ...]:
    found = read_lines(data, limits)
    head, first = _read_head(found)
    return (build_sheet(head, found[first:], first, limits=limits),)


def write(given: Sheet) -> bytes:
    return build_text(serialize_head(given), list_lines(given))


def serialize_head(given: Sheet) -> dict[str, Any]:
    """Serialize the data of a sheet about the whole match."""
    usual = Sheet(given.format, given.names, None, ())
    agreed = {name: getattr(given, name) for name in AGREED if getattr(given, name) != getattr(usual, name)}
    return {
        "names": [*given.names],
        "length": given.length,
        "tags": [list(tag) for tag in given.tags],
        "agreed": agreed,
    }


def build_text(head: dict[str, Any], lines: Iterable[str]) -> bytes:
    """Build the file of a transcription from the output of `serialize_head` and `list_lines`."""
    length = head["length"]
    of = "a match" if length is None else f"a match to {length} points" if length else "unlimited play"
    heading = [
        f"{SIGN}{of}",
        *(
            f"{side}: {' '.join(name.split())}"
            for side, name in zip(("White", "Black"), head["names"], strict=True)
        ),
    ]
    heading += [f"Tag: {json.dumps(tag, ensure_ascii=False)}" for tag in head.get("tags", ())]
    if head.get("agreed"):
        heading.append(f"Agreed: {json.dumps(head['agreed'], ensure_ascii=False)}")
    return "\n".join((*heading, "", *lines, "")).encode("utf-8", "replace")


def _read_head(lines: Sequence[str]) -> tuple[dict[str, Any], int]:
    """Read everything above the first game; return it with its number of lines."""
    begun = next((at for at, line in enumerate(lines) if line.strip()), 0)
    read = HEAD.fullmatch(lines[begun].lstrip("\ufeff"))
    if read is None:
        raise Unreadable("unread-head", "The first line does not say how long the match is.", line=begun + 1)
    unlimited = "unlimited" in lines[begun]
    head: dict[str, Any] = {
        "length": int(read[1]) if read[1] else 0 if unlimited else None,
        "names": ["", ""],
        "tags": [],
        "agreed": {},
    }
    at = begun + 1
    while at < len(lines) and lines[at].strip():
        key, _, value = lines[at].partition(":")
        _read_head_line(head, key, value.strip(), at + 1)
        at += 1
    return head, at


def _read_head_line(head: dict[str, Any], key: str, value: str, line: int) -> None:
    try:
        if key in ("White", "Black"):
            head["names"][key == "Black"] = value
        elif key == "Tag":
            name, text = json.loads(value)
            head["tags"].append([str(name), str(text)])
        elif key == "Agreed":
            head["agreed"] = _read_rules(json.loads(value))
        else:
            raise ValueError(key)
    except (ValueError, TypeError, RecursionError) as error:
        raise Unreadable(
            "unread-head", "A line above the first game says nothing that is known.", line=line
        ) from error


def _read_rules(rules_value: object) -> dict[str, Any]:
    """Validate the rules of an ``Agreed`` line; raises ValueError."""
    if not isinstance(rules_value, dict):
        raise ValueError("agreed")
    # The keys of JSON objects are strings.
    agreed = cast("dict[str, Any]", rules_value)
    if not agreed.keys() <= set(AGREED):
        raise ValueError("agreed")
    words: dict[str, type] = {"dialect": str, "variant": str, "told": dict}
    for name, value in agreed.items():
        if type(value) is not words.get(name, bool):
            raise ValueError(name)
    return agreed


def build_sheet(
    head: dict[str, Any], lines: Sequence[str], before: int = 0, *, limits: Limits = LIMITS
) -> Sheet:
    """Build the sheet of *lines*; *before* is the number of lines above them in the file."""
    games = list[GameSheet]()
    remarks = list[Remark]()
    between = list[FactClaim]()
    limits.check("claims", len(lines))
    for first, last, heading in list_game_ranges(lines):
        claims, places = list[Claim](), list[int]()
        limits.check("games", len(games) + 1, line=before + first + 1)
        limits.check("plies", last - first)
        for at in range(first, last):
            line = before + at + 1
            claim = parse_claim(lines[at])
            if isinstance(claim, UnreadLine):
                remarks.append(Remark(CORRUPT, "this line cannot be read.", Place(line, 1), len(games)))
            elif isinstance(claim, FactClaim) and heading is None:
                between.append(claim)
            elif claim is not None and not isinstance(claim, GameHeading):
                claims.append(claim)
                places.append(line * PACKING + 1)
        if heading is None:
            continue
        games.append(
            GameSheet(
                tuple(claims),
                heading.score,
                heading.crawford,
                Place(before + first, 1),
                tuple(places),
                tuple(between),
            )
        )
        between = []
    tags = tuple((name, value) for name, value in head.get("tags", ()))
    return Sheet(
        NAME,
        BySide(*head["names"]),
        head["length"],
        tuple(games),
        tags=tags,
        remarks=tuple(remarks),
        **head.get("agreed", {}),
    )


def list_game_ranges(lines: Sequence[str]) -> Iterator[tuple[int, int, GameHeading | None]]:
    """Yield the range of each game's lines, without the line that begins it, and its heading.

    The heading is None for lines outside games: those after ``Between`` and those above the first game.
    """
    first, heading = 0, None
    for at, line in enumerate(lines):
        claim = parse_claim(line) if line[:4] == "Game" else None
        found = claim if isinstance(claim, GameHeading) else None
        if line != BETWEEN and found is None:
            continue
        if at > first or heading is not None:
            yield first, at, heading
        first, heading = at + 1, found
    if first < len(lines) or heading is not None:
        yield first, len(lines), heading


BETWEEN: Final = "Between"


@lru_cache(1 << 14)
def parse_claim(line: str) -> Claim | GameHeading | UnreadLine | None:
    """Return the claim of a line; None for an ordinary comment.

    >>> parse_claim("W 31: 8/5 6/5").hops[0].points, parse_claim("Game 2-1").score, parse_claim("W hello")
    ((8, 5), BySide(white=2, black=1), UnreadLine(text='hello'))
    """
    text = line.strip()
    try:
        return _parse_line(text)
    except (EngineError, ValueError, KeyError, StopIteration):
        return UnreadLine(text)


def _parse_line(text: str) -> Claim | GameHeading | UnreadLine | None:
    if not text or text == BETWEEN:
        return None
    if len(text) > MOST_LETTERS:
        return UnreadLine(text)
    if text.startswith(";"):
        comment = comments.read_comment(text)
        if comment is None or isinstance(comment, dict):
            return None
        return FactClaim(comment, text=comments.strip_fact(text))
    if heading := GAME.fullmatch(text):
        score = BySide(int(heading[1]), int(heading[2])) if heading[1] else None
        return GameHeading(score, None if heading[3] is None else heading[3] == "Crawford")
    if text.startswith("Set "):
        return _parse_position(text)
    side = SIDES.get(text[:2].strip()) if text[1:2] == " " else None
    return _parse_cell(side, text[2:].strip() if side is not None else text)


def _parse_position(text: str) -> Claim | UnreadLine:
    read = SET.fullmatch(text)
    if read is None:
        return UnreadLine(text)
    cube = Cube(int(read[3]), SIDES.get(read[4])) if read[3] and int(read[3]) else None
    return PositionClaim(
        Board.parse(read[1]), SIDES.get(read[2] or ""), cube, declared_illegal=bool(read[5]), text=text
    )


def _parse_cell(side: Side | None, text: str) -> Claim | UnreadLine:
    word, _, rest = text.partition(" ")
    word = word.lower()
    if side is not None and len(text) > 2 and text[2] == ":":
        return _parse_turn(side, text)
    if text.lower().startswith("automatic double") or word in CLAIMED:
        claimed = CubeWord.AUTOMATIC if word == "automatic" else CLAIMED[word]
        value = cells.VALUE.search(rest)
        return CubeClaim(side, claimed, int(value[1]) if value else None, text=text)
    if word == "resigns":
        return ResignClaim(side, NAMED.get(rest.split(" ")[-1]), match=rest == "the match", text=text)
    if word == "wins" and side is not None:
        return _parse_result(side, text)
    return UnreadLine(text)


def _parse_turn(side: Side, text: str) -> Claim:
    dice = None if text[:2] == "--" else (int(text[0]), int(text[1]))
    rest = text[3:].strip()
    kind = next((kind for kind, word in SAYINGS.items() if word.lower() == rest.lower()), TurnKind.PLAY)
    hops = tuple(map(cells.HOPS.__getitem__, rest.lower().split())) if kind is TurnKind.PLAY else ()
    return Turn(side, dice, kind, hops, text=text)


WINS: Final = re.compile(
    r"Wins(?: (\d{1,9}) points?)?( and the match)?(?: \((played|resigned)?,? ?(\w+)?\))?", re.ASCII
)


def _parse_result(side: Side, text: str) -> Claim | UnreadLine:
    read = WINS.fullmatch(text)
    if read is None:
        return UnreadLine(text)
    points, resigned = int(read[1]) if read[1] else None, None if read[3] is None else read[3] == "resigned"
    return WinClaim(side, points, bool(read[2]), resigned, NAMED.get(read[4]), text=text)


def list_lines(given: Sheet) -> list[str]:
    """Return the games of a sheet, one claim on each line; ``?`` lines are those that could not be read."""
    faults = [
        remark
        for remark in given.remarks
        if CODES.get(remark.code, CODES["ruling"]).severity is Severity.FAULT
    ]
    lines = list[str]()
    for index, game in enumerate(given.games):
        if game.before:
            lines += [BETWEEN, *(_format_comment(fact, given) for fact in game.before)]
        lines.append(format_heading(game.score, game.crawford))
        lost = sorted((each.at.line, each.message) for each in faults if each.game == index)
        for place, claim in enumerate(game.claims):
            while lost and lost[0][0] and lost[0][0] < game.place(place).line:
                lines.append(f"? {lost.pop(0)[1]}")
            lines.append(
                _format_comment(claim, given) if isinstance(claim, FactClaim) else format_line(claim)
            )
        lines += [f"? {message}" for _, message in lost]
    return lines


def format_heading(score: BySide[int] | None, crawford: bool | None = None) -> str:
    heading = "Game" if score is None else f"Game {score.white}-{score.black}"
    return heading if crawford is None else f"{heading} {'Crawford' if crawford else 'no Crawford'}"


def _format_comment(fact: FactClaim, given: Sheet) -> str:
    return f"; {comments.format_fact(fact.action, given.names)}"


def format_line(claim: Claim) -> str:
    """Format a claim as a line.

    >>> from engine.sheet import Hop
    >>> format_line(Turn(WHITE, (3, 1), TurnKind.PLAY, (Hop((8, 5)), Hop((6, 5), (5,), 2))))
    'W 31: 8/5 6/5*(2)'
    """
    match claim:
        case Turn(side=side, dice=dice, kind=kind, hops=hops):
            rolled = "--" if dice is None else "".join(str(die) if 0 <= die <= 9 else "9" for die in dice)
            played = " ".join(map(format_hop, hops)) if kind is TurnKind.PLAY else SAYINGS[kind]
            return f"{LETTERS[side]} {rolled}: {played}".rstrip()
        case CubeClaim(side=side, word=word, value=value):
            return _prefix_side(side, CUBE_WORDS[word] + ("" if value is None else f" => {value}"))
        case ResignClaim(side=side, level=level, match=whole):
            much = " the match" if whole else f" a {LEVELS[level]}" if level in LEVELS else ""
            return _prefix_side(side, f"Resigns{much}")
        case WinClaim():
            return _prefix_side(claim.side, _format_result(claim))
        case PositionClaim(board=board, turn=turn, cube=cube, declared_illegal=illegal):
            owner = "-" if cube is None or cube.owner is None else LETTERS[cube.owner]
            mover = "-" if turn is None else LETTERS[turn]
            return f"Set {board.text()} = {mover} {cube.value if cube else 0} {owner}{' illegal' * illegal}"
        case FactClaim():
            raise ValueError("a fact is told with the names of the two")


def _format_result(claim: WinClaim) -> str:
    points = "" if claim.points is None else f" {comments.format_points(claim.points)}"
    how = [] if claim.resigned is None else ["resigned" if claim.resigned else "played"]
    kind = [LEVELS[claim.level]] if claim.level in LEVELS else []
    details = f" ({', '.join(how + kind)})" if how or kind else ""
    return f"Wins{points}{' and the match' * claim.match}{details}"


def _prefix_side(side: Side | None, text: str) -> str:
    return text if side is None else f"{LETTERS[side]} {text}"
